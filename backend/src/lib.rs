//! The checklist web services: the library behind the `checklist-server` binary. Tests use it too.
//!
//! A request passes through `http` (routes, extractors, problems) → `checklist_services` (use
//! cases) → `checklist_store` (one transaction) → `checklist_shared` (the rules). `metrics` and
//! `telemetry` report counters and spans, `config` and `cli` start the server.

/// What the product is, in the sentence with which README.md begins.
pub const PITCH: &str = "Checklists for the forms of your service desk: agents check off steps, a form cannot be resolved until its list is completed, \
and auditors see who checked what and what the text said at that time.";

pub mod cli;
pub mod config;
pub mod demo;
pub mod http;
pub mod metrics;
pub mod shutdown;
#[cfg(feature = "opentelemetry")]
pub mod telemetry;

#[cfg(test)]
mod tests {
    #[test]
    fn all_who_introduce_the_product_say_the_same_sentence() {
        for text in [
            include_str!("../../README.md"),
            include_str!("../../frontend/package/README.md"),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(words.join(" ").contains(super::PITCH), "{text:.200}");
        }
    }
}
