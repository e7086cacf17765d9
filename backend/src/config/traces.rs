//! Whether traces are wanted, by the variables that OpenTelemetry has named.
//!
//! Read once by `cli::log`; what else those variables say is read by OpenTelemetry's own exporter.

/// Where traces go: with one of these they are sent, without them they are not.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Whether a collector is named, and not everything of that kind turned off.
#[must_use]
pub fn are_wanted() -> bool {
    let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let off = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|off| off.eq_ignore_ascii_case("true"));
    ENDPOINTS.iter().any(set) && !off
}

/// What the operator calls this server, where it is said.
#[must_use]
pub fn service_name() -> Option<String> {
    std::env::var("OTEL_SERVICE_NAME").ok()
}
