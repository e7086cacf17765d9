//! A list without an object: the template is shown, changes are queued and applied once there is an
//! object.
//!
//! A draft's rows have temporary ids. When the object is known, its list has other
//! ids for the same template keys; the queued operations are rewritten to those.

use std::sync::Arc;

use checklist_shared::assignee::Assignee;
use checklist_shared::definition::DefinitionFields;
use checklist_shared::item::{Actor, AspectVersions, Item, Origin, Status};
use checklist_shared::signal::Signal;
use checklist_shared::text::Text;
use checklist_shared::wire::template::LocalTemplateItem;
use checklist_shared::{Checklist, ItemId, Timestamp};

use super::operation::{Action, Operation};

/// What was done in a draft, while its list is on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingDraft {
    /// The template keys of the draft's rows, by their ids.
    pub keys: Vec<(ItemId, String)>,
    /// The operations that wait.
    pub waiting: Vec<Operation>,
}

/// What was done in a draft, as the browser keeps it with its page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredDraft {
    /// Which template the draft has shown.
    pub place: String,
    /// The template keys of its rows, by their ids.
    pub keys: Vec<(ItemId, String)>,
    /// The operations that wait.
    pub operations: Vec<Operation>,
}

/// The items of a draft, made from a template. `keys` are ascending sort keys, one for each row;
/// `new_id` returns a unique id.
pub fn project(
    rows: Vec<LocalTemplateItem>,
    keys: Vec<String>,
    now: Timestamp,
    mut new_id: impl FnMut() -> ItemId,
) -> Vec<Item> {
    let template = Arc::new(Actor::template());
    let ids: Vec<(String, ItemId)> = rows.iter().map(|row| (row.key.clone(), new_id())).collect();
    let id_of = |key: &str| {
        ids.iter()
            .find(|(there, _)| there == key)
            .map(|(_, id)| *id)
    };
    rows.into_iter()
        .zip(keys)
        .filter_map(|(row, sort_key)| {
            Some(Item {
                id: id_of(&row.key)?,
                template_key: Some(row.key),
                origin: Origin::Template,
                kind: row.kind,
                parent_id: row.parent_key.and_then(|key| id_of(&key)),
                sort_key,
                text: Text::Plain(row.text),
                help: row.help.map(Text::Plain),
                text_overridden: false,
                template_text: None,
                status: Status::Open,
                reason: None,
                status_by: None,
                status_at: None,
                attested: None,
                required: row.required,
                allow_not_applicable: row.allow_not_applicable,
                not_applicable_needs_reason: row.not_applicable_needs_reason,
                needs_person: row.needs_person,
                second_person: row.second_person,
                requires_evidence: row.requires_evidence,
                answer_format: row.answer_format.map(Box::new),
                signal: (row.signal.as_ref()).map(|binding| Box::new(Signal::of(binding))),
                proposal: None,
                assignee: row.assignee_role.map(Assignee::from),
                assignee_by_person: false,
                // Due dates count from the creation of the list, which is still to come.
                due: None,
                due_by_person: false,
                definition_by_person: DefinitionFields::default(),
                note: None,
                version: 1,
                changed_in: AspectVersions::default(),
                revision: 0,
                created_by: Arc::clone(&template),
                created_at: now,
                modified_by: Arc::clone(&template),
                modified_at: now,
                retired_at: None,
                deleted_at: None,
                changed_since_checked: false,
            })
        })
        .collect()
}

/// The ids by template key, to be remembered of a draft before its list arrives.
#[must_use]
pub fn keys_by_id(list: &Checklist) -> Vec<(ItemId, String)> {
    list.items
        .iter()
        .filter_map(|item| Some((item.id, item.template_key.clone()?)))
        .collect()
}

/// The draft's operations, rewritten to the items of the real list. What an operation is based
/// on becomes the version there plus the draft's own earlier operations on the same item.
#[must_use]
pub fn rewrite(
    operations: Vec<Operation>,
    drafted: &[(ItemId, String)],
    list: &Checklist,
) -> Vec<Operation> {
    let map = |id: ItemId| {
        let key = drafted
            .iter()
            .find(|(there, _)| *there == id)
            .map(|(_, key)| key);
        let real = key.and_then(|key| {
            list.items
                .iter()
                .find(|item| item.template_key.as_ref() == Some(key))
        });
        real.map_or(id, |item| item.id)
    };
    // A draft holds few operations; searching them beats a table in the download.
    let mut earlier: Vec<ItemId> = Vec::new();
    operations
        .into_iter()
        .map(|operation| {
            let mut action = operation.action.with_ids(&map);
            let updates = match &mut action {
                Action::Update(update) => std::slice::from_mut(update.as_mut()),
                Action::UpdateAll(updates) => updates.as_mut_slice(),
                _ => &mut [],
            };
            for update in updates {
                let before = earlier.iter().filter(|id| **id == update.id).count() as u64;
                let version = list.live(update.id).map_or(1, |item| item.version);
                update.base_version = Some(version + before);
                earlier.push(update.id);
            }
            Operation {
                id: operation.id,
                action,
            }
        })
        .collect()
}
