//! The pages about webhooks: all of them, one with its deliveries, one delivery, and the form.

mod deliveries;
pub mod delivery;
mod form;
pub mod list;
pub mod page;

use checklist_shared::wire::webhooks::{Webhook, WebhookEvent};

use crate::kit::*;

/// The calls about webhooks, below the base URL.
const CALLS: &str = "/api/Vendor/Webhooks";

/// The call about one webhook; `action` starts with `/` or is empty.
fn call(id: &str, action: &str) -> String {
    [CALLS, "/", &encoded(id), action].concat()
}

/// The name of an event.
fn event_name(app: App, event: WebhookEvent) -> &'static str {
    let words = app.language.webhooks();
    match event {
        WebhookEvent::ChecklistCompleted => words.completed,
        WebhookEvent::ChecklistReopened => words.reopened,
        WebhookEvent::ItemAssigned => words.assigned,
        WebhookEvent::ItemResolved => words.resolved,
        WebhookEvent::ItemDue => words.due,
        WebhookEvent::ItemOverdue => words.overdue,
        WebhookEvent::ChecklistWaived => words.waived,
        WebhookEvent::ChecklistWaiverRevoked => words.waiver_revoked,
        WebhookEvent::JournalEntry => words.journal,
        WebhookEvent::TemplatePublished => words.published,
        WebhookEvent::AuditCheckpoint => words.checkpoint,
        WebhookEvent::WebhookTest => words.test_event,
    }
}

/// The names of the events that a webhook sends.
fn event_names(app: App, webhook: &Webhook) -> String {
    let names = webhook.events.iter().map(|event| event_name(app, *event));
    names.collect::<Vec<_>>().join(", ")
}

/// Whether a webhook is on, as a pill.
fn state(app: App, webhook: &Webhook) -> AnyView {
    let words = app.language.webhooks();
    match (webhook.enabled, &webhook.off_because, webhook.failing_since) {
        (false, Some(_), _) => pill("bad", words.off),
        (false, ..) => pill("plain", words.off),
        (_, _, Some(_)) => pill("warm", words.failing),
        _ => pill("", words.on),
    }
}
