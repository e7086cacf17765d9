//! The pages about webhooks: which there are, what one is told and was sent, and its secret once.

mod form;
mod log;

pub mod list;
pub mod page;

use checklist_shared::wire::webhooks::{Webhook, WebhookEvent};

use crate::app::App;
use crate::element::{El, el};
use crate::wording::Wording;

/// The calls about webhooks, below the base URL.
const CALLS: &str = "/api/Vendor/Webhooks";
/// The calls about what they were sent.
const DELIVERIES: &str = "/api/Vendor/WebhookDeliveries";

/// The call about one webhook, or about what is done with it.
fn call(id: &str, act: &str) -> String {
    [CALLS, "/", &crate::route::encoded(id), act].concat()
}

/// What happened, in words.
fn told(app: App, event: WebhookEvent) -> &'static str {
    let words = app.language.webhooks();
    match event {
        WebhookEvent::ChecklistCompleted => words.completed,
        WebhookEvent::ChecklistReopened => words.reopened,
        WebhookEvent::JournalEntry => words.journal,
        WebhookEvent::TemplatePublished => words.published,
        WebhookEvent::WebhookTest => words.test_event,
    }
}

/// Whether a webhook is on, as a pill.
fn state(app: App, webhook: &Webhook) -> El {
    let words = app.language.webhooks();
    let (class, text) = match webhook {
        Webhook {
            enabled: false,
            off_because: Some(_),
            ..
        } => ("pill bad", words.off),
        Webhook { enabled: false, .. } => ("pill plain", words.off),
        Webhook {
            failing_since: Some(_),
            ..
        } => ("pill warm", words.failing),
        _ => ("pill", words.on),
    };
    el("span").class(class).text(text)
}
