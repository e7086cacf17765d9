//! Decides which events a change makes, for which webhooks: once, for both stores.
//!
//! Called within the transaction of the change, with the webhooks that are on; without any it does
//! nothing. The deliveries are written in the same transaction, so that no event is lost and none
//! is sent for a change that was rolled back.

use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::due_notice::DueEvent;
use checklist_shared::id::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::progress;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::webhooks::{WebhookContext, WebhookData, WebhookEvent, WebhookMessage};

use super::audit::Checkpoint;
use super::difference;
use super::store::StoreError;
use super::webhooks::NewDelivery;
use checklist_runtime::clock::new_item_id;

/// A webhook that is on, as far as the transaction of a change needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listener {
    /// The id of the webhook.
    pub(super) webhook: String,
    /// The events that it subscribes to.
    pub(super) events: Vec<WebhookEvent>,
}

/// The deliveries for a change of a list. `before` is the stored list, if there was one.
pub(super) fn of_list(
    listeners: &[Listener],
    before: Option<&Checklist>,
    after: &Checklist,
    journal: bool,
    at: Timestamp,
) -> Result<Vec<NewDelivery>, StoreError> {
    if listeners.is_empty() {
        return Ok(Vec::new());
    }
    let was_complete = before.is_some_and(|list| progress::of_items(list).0.is_completed());
    let (state, _) = progress::of_items(after);
    let change = match (was_complete, state.is_completed()) {
        (false, true) => Some(WebhookEvent::ChecklistCompleted),
        (true, false) => Some(WebhookEvent::ChecklistReopened),
        _ => None,
    };
    let waiver = match (
        before.is_some_and(|list| list.waived.is_some()),
        after.waived.is_some(),
    ) {
        (false, true) => Some(WebhookEvent::ChecklistWaived),
        (true, false) => Some(WebhookEvent::ChecklistWaiverRevoked),
        _ => None,
    };
    let entry = journal.then_some(WebhookEvent::JournalEntry);
    let data = WebhookData {
        context: Some(context_of(&after.context)),
        revision: Some(after.revision),
        state: Some(state),
        ..WebhookData::default()
    };
    let mut deliveries = Vec::new();
    for event in change.into_iter().chain(waiver).chain(entry) {
        tell(listeners, event, &data, at, &mut deliveries)?;
    }
    for (event, happened) in ITEM_EVENTS {
        if !listeners.iter().any(|one| one.events.contains(&event)) {
            continue;
        }
        let items = changed_items(before, after, happened);
        if !items.is_empty() {
            let data = WebhookData {
                items,
                ..data.clone()
            };
            tell(listeners, event, &data, at, &mut deliveries)?;
        }
    }
    Ok(deliveries)
}

/// Whether something has happened to an item, which may be new.
type Happened = fn(Option<&Item>, &Item) -> bool;

/// The events of items.
const ITEM_EVENTS: [(WebhookEvent, Happened); 2] = [
    (WebhookEvent::ItemAssigned, |before, after| {
        // The role that a template names is nobody who was asked.
        after.assignee_by_person
            && after.assignee.is_some()
            && before.is_none_or(|before| assignee_id(before) != assignee_id(after))
    }),
    (WebhookEvent::ItemResolved, |before, after| {
        after.status != Status::Open && before.is_none_or(|before| before.status == Status::Open)
    }),
];

/// Who it is; another name of the same person is nobody new.
fn assignee_id(item: &Item) -> Option<&str> {
    item.assignee.as_ref().map(|who| who.id.as_str())
}

/// The live items of a list to which that has happened.
fn changed_items(before: Option<&Checklist>, after: &Checklist, happened: Happened) -> Vec<ItemId> {
    let items = after.items.iter().enumerate();
    items
        .filter(|(_, item)| item.deleted_at.is_none() && item.retired_at.is_none())
        .filter(|(index, item)| {
            let old = before.and_then(|list| difference::before(list, *index, item));
            happened(old.map(|old| &**old), item)
        })
        .map(|(_, item)| item.id)
        .collect()
}

/// The deliveries for items of a list that are announced as due or overdue. They have no state: nothing
/// has changed the list.
pub(super) fn of_due_items(
    listeners: &[Listener],
    event: DueEvent,
    list: &Context,
    revision: u64,
    items: Vec<ItemId>,
    at: Timestamp,
) -> Result<Vec<NewDelivery>, StoreError> {
    let event = match event {
        DueEvent::Due => WebhookEvent::ItemDue,
        DueEvent::Overdue => WebhookEvent::ItemOverdue,
    };
    let data = WebhookData {
        context: Some(context_of(list)),
        revision: Some(revision),
        items,
        ..WebhookData::default()
    };
    let mut deliveries = Vec::new();
    tell(listeners, event, &data, at, &mut deliveries)?;
    Ok(deliveries)
}

fn context_of(list: &Context) -> WebhookContext {
    WebhookContext {
        object_type: list.object_type.clone(),
        object_id: list.object_id.clone(),
        purpose: list.purpose.clone(),
    }
}

/// The deliveries for a published template.
pub(super) fn of_template(
    listeners: &[Listener],
    template: &str,
    version: u32,
    at: Timestamp,
) -> Result<Vec<NewDelivery>, StoreError> {
    let data = WebhookData {
        template: Some(template.to_owned()),
        version: Some(version),
        ..WebhookData::default()
    };
    let mut deliveries = Vec::new();
    let event = WebhookEvent::TemplatePublished;
    tell(listeners, event, &data, at, &mut deliveries)?;
    Ok(deliveries)
}

/// The deliveries for a checkpoint of the audit trail.
pub(super) fn of_checkpoint(
    listeners: &[Listener],
    checkpoint: &Checkpoint,
) -> Result<Vec<NewDelivery>, StoreError> {
    let data = WebhookData {
        checkpoint: Some(checkpoint.note.clone()),
        ..WebhookData::default()
    };
    let mut deliveries = Vec::new();
    let event = WebhookEvent::AuditCheckpoint;
    tell(listeners, event, &data, checkpoint.at, &mut deliveries)?;
    Ok(deliveries)
}

fn tell(
    listeners: &[Listener],
    event: WebhookEvent,
    data: &WebhookData,
    at: Timestamp,
    deliveries: &mut Vec<NewDelivery>,
) -> Result<(), StoreError> {
    for listener in listeners {
        if listener.events.contains(&event) {
            deliveries.push(delivery(&listener.webhook, event, data.clone(), at)?);
        }
    }
    Ok(())
}

/// One event for one webhook. The body contains the id of the delivery.
///
/// # Errors
/// The operating system has no random numbers for the id.
pub fn delivery(
    webhook: &str,
    event: WebhookEvent,
    data: WebhookData,
    at: Timestamp,
) -> Result<NewDelivery, StoreError> {
    let broken = |error: &dyn std::fmt::Display| StoreError::Broken(error.to_string());
    let id = new_item_id(at).map_err(|error| broken(&error))?.to_string();
    let message = WebhookMessage {
        event,
        timestamp: at,
        data: WebhookData {
            id: id.clone(),
            ..data
        },
    };
    Ok(NewDelivery {
        body: serde_json::to_string(&message).map_err(|error| broken(&error))?,
        id,
        webhook: webhook.to_owned(),
        event,
        at,
    })
}
