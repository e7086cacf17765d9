//! Webhooks: which events go to which address, and the state of each delivery.
//!
//! Administrators write them; a secret is returned once. [`WebhookMessage`] is what a receiver gets.

use serde::{Deserialize, Serialize};

use crate::id::ItemId;
use crate::names::names;
use crate::patch::Patch;
use crate::progress::State;
use crate::time::Timestamp;

/// The events of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum WebhookEvent {
    /// A list is complete now, and was not before.
    #[serde(rename = "checklist.completed")]
    ChecklistCompleted,
    /// A list is not complete any more.
    #[serde(rename = "checklist.reopened")]
    ChecklistReopened,
    /// Somebody was named as the assignee of items.
    #[serde(rename = "item.assigned")]
    ItemAssigned,
    /// Items were done, or set aside as not applicable.
    #[serde(rename = "item.resolved")]
    ItemResolved,
    /// Open items will be overdue before long, as their template says.
    #[serde(rename = "item.due")]
    ItemDue,
    /// The due date of open items is over.
    #[serde(rename = "item.overdue")]
    ItemOverdue,
    /// A person lets a list pass although items are open.
    #[serde(rename = "checklist.waived")]
    ChecklistWaived,
    /// The waiver of a list was revoked.
    #[serde(rename = "checklist.waiver-revoked")]
    ChecklistWaiverRevoked,
    /// The journal has a new entry, or its newest one goes on.
    #[serde(rename = "journal.entry")]
    JournalEntry,
    /// A version of a template was published.
    #[serde(rename = "template.published")]
    TemplatePublished,
    /// A checkpoint of the audit trail was signed.
    #[serde(rename = "audit.checkpoint")]
    AuditCheckpoint,
    /// An administrator tries the webhook. Sent to every webhook, and not to be asked for.
    #[serde(rename = "webhook.test")]
    WebhookTest,
}

impl WebhookEvent {
    /// Those that a webhook can ask for.
    pub const ALL: [Self; 11] = [
        Self::ChecklistCompleted,
        Self::ChecklistReopened,
        Self::ItemAssigned,
        Self::ItemResolved,
        Self::ItemDue,
        Self::ItemOverdue,
        Self::ChecklistWaived,
        Self::ChecklistWaiverRevoked,
        Self::JournalEntry,
        Self::TemplatePublished,
        Self::AuditCheckpoint,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChecklistCompleted => "checklist.completed",
            Self::ChecklistReopened => "checklist.reopened",
            Self::ItemAssigned => "item.assigned",
            Self::ItemResolved => "item.resolved",
            Self::ItemDue => "item.due",
            Self::ItemOverdue => "item.overdue",
            Self::ChecklistWaived => "checklist.waived",
            Self::ChecklistWaiverRevoked => "checklist.waiver-revoked",
            Self::JournalEntry => "journal.entry",
            Self::TemplatePublished => "template.published",
            Self::AuditCheckpoint => "audit.checkpoint",
            Self::WebhookTest => "webhook.test",
        }
    }

    /// Back from the name on the wire.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain([Self::WebhookTest]);
        all.find(|event| event.name() == name)
    }
}

names! {
    /// How far a delivery is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum DeliveryState {
        /// It waits for its next attempt.
        Pending,
        /// The receiver has taken it.
        Delivered,
        /// The receiver has not taken it in three days, and nobody tries any more.
        Failed,
    }
}

/// `POST /Webhooks` and `PUT /Webhooks/{id}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct PutWebhook {
    /// The name for people.
    pub name: String,
    /// Where events are sent, exactly: `https://desk.example/hooks/checklists`.
    pub url: String,
    /// Which events; at least one.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent; a new webhook sends them. Absent, a webhook that is there stays as
    /// it is. Turning it on again forgets why the server turned it off.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub enabled: Patch<bool>,
    /// The revision that the caller has seen; another one refuses the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// A webhook, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Webhook {
    /// Its id (UUID).
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Where events are sent.
    pub url: String,
    /// Which events.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why the server has turned it off, a sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_because: Option<String>,
    /// Since when nothing was taken, while that lasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_since: Option<Timestamp>,
    /// Until when the secret before the present one signs as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_secret_until: Option<Timestamp>,
    /// Who made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Grows with every change.
    pub revision: u64,
}

/// `GET /Webhooks`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Webhooks {
    /// The tenant's webhooks, by name.
    pub webhooks: Vec<Webhook>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The answer that tells a secret: the only one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookWithSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// What deliveries are signed with, `whsec_` and Base64. Kept by the receiver; never returned again.
    pub secret: String,
}

/// The secret stays out of logs.
impl std::fmt::Debug for WebhookWithSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookWithSecret")
            .field("webhook", &self.webhook)
            .finish_non_exhaustive()
    }
}

/// `POST /Webhooks/{id}/RotateSecret`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct RotateSecret {
    /// For how many hours the present secret signs as well, 0 to 168; 24 without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_old_for_hours: Option<u32>,
}

/// One event on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookDelivery {
    /// Its id (UUID): the `webhook-id` of every attempt, and the `Id` in the body.
    pub id: String,
    /// The webhook.
    pub webhook: String,
    /// The event.
    pub event: WebhookEvent,
    /// How far it is.
    pub state: DeliveryState,
    /// How often it was sent.
    pub attempts: u32,
    /// The last answer's status, where there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_status: Option<u16>,
    /// Why the last attempt came to nothing, a sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_failure: Option<String>,
    /// When it is sent next, while it is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When it was taken, or given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
}

/// `GET /WebhookDeliveries`: the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookDeliveriesPage {
    /// The deliveries.
    pub deliveries: Vec<WebhookDelivery>,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One attempt of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookAttempt {
    /// Counts from 1.
    pub number: u32,
    /// When it began.
    pub at: Timestamp,
    /// How many milliseconds it took.
    pub millis: u64,
    /// The answer's status, where there was an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why it came to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What was sent, apart from the delivery's body; absent where nothing could be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<WebhookRequest>,
    /// What the receiver has answered; absent where there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<WebhookResponse>,
}

/// The request of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookRequest {
    /// Where it was sent.
    pub url: String,
    /// Its headers in order, the signature replaced by `[redacted]`.
    pub headers: Vec<HeaderField>,
}

/// The answer to an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookResponse {
    /// Its first headers. Values that authenticate somebody are replaced by `[redacted]`.
    pub headers: Vec<HeaderField>,
    /// The start of its body, at most 2,048 characters.
    pub body: String,
    /// Whether the body goes on.
    #[serde(default)]
    pub is_cut: bool,
}

/// A header of a request or an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct HeaderField {
    /// The name, in lower case.
    pub name: String,
    /// The value.
    pub value: String,
}

/// `GET /WebhookDeliveries/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookDeliveryAnswer {
    /// The delivery.
    #[serde(flatten)]
    pub delivery: WebhookDelivery,
    /// The body, exactly as it is sent.
    pub body: String,
    /// Its attempts, the first one first.
    pub attempt_log: Vec<WebhookAttempt>,
}

/// What a receiver gets: no more than it needs to ask for the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookMessage {
    /// The event.
    #[serde(rename = "type")]
    pub event: WebhookEvent,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What it happened to.
    pub data: WebhookData,
}

/// What an event happened to. A list has `Context`, `Revision` and `State`, a template `Template`
/// and `Version`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookData {
    /// The delivery's id, the same as in `webhook-id`.
    pub id: String,
    /// The list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<WebhookContext>,
    /// The list's revision after the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// The list's state after the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The items that the event is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ItemId>,
    /// The template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The version that was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The checkpoint, a signed note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
}

/// Which list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookContext {
    /// The platform type.
    pub object_type: String,
    /// The object.
    pub object_id: String,
    /// The purpose; empty for the object's default list.
    pub purpose: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_its_name_on_the_wire() {
        for event in WebhookEvent::ALL
            .into_iter()
            .chain([WebhookEvent::WebhookTest])
        {
            let written = serde_json::to_value(event).expect("a name");
            assert_eq!(written, event.name());
            assert_eq!(WebhookEvent::from_name(event.name()), Some(event));
        }
    }
}
