//! Whether traces are enabled, by the standard variables of OpenTelemetry.
//!
//! OpenTelemetry's exporter reads the other variables itself.

#![expect(
    clippy::disallowed_methods,
    reason = "OpenTelemetry's own variables configure the export"
)]

/// The endpoint variables; traces are sent if one of them is set.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Whether an endpoint is set, and `OTEL_SDK_DISABLED` is not.
#[must_use]
pub fn are_wanted() -> bool {
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let off = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|off| off.eq_ignore_ascii_case("true"));
    ENDPOINTS.iter().any(set) && !off
}

/// The service name that the operator has set, if any.
#[must_use]
pub fn service_name() -> Option<String> {
    std::env::var("OTEL_SERVICE_NAME").ok()
}
