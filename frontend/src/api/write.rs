//! Request bodies, written by hand into one string.
//!
//! The shapes are those of `checklist_shared::wire`; the tests read every body back through
//! them, so the two cannot drift apart. Pure, called by `control::sync`, `control::load` and
//! by what survives a reload.

use checklist_shared::item::{Kind, Status};
use checklist_shared::wire::write::{AddItem, UpdateItem};
use checklist_shared::{Context, ItemId};

use super::iso;
use super::json::{Object, object, quote};
use crate::state::operation::{Action, Operation};

/// The body of GetItems for one list.
#[must_use]
pub fn get_items(context: &Context, since: Option<u64>, language: &str) -> String {
    let mut out = String::new();
    object(&mut out, |body| {
        body.object("Context", |fields| write_context(fields, context));
        if let Some(since) = since {
            body.raw("SinceRevision", &since.to_string());
        }
        body.text("Language", language);
    });
    out
}

/// The body of GetItems for many lists.
#[must_use]
pub fn get_many(contexts: &[Context], language: &str) -> String {
    let mut out = String::new();
    object(&mut out, |body| {
        body.list("Contexts", contexts, |out, context| {
            object(out, |fields| write_context(fields, context))
        });
        body.text("Language", language);
    });
    out
}

/// The body of a dry run of a refresh.
#[must_use]
pub fn dry_run(context: &Context, to_version: Option<u32>) -> String {
    let mut out = String::new();
    object(&mut out, |body| {
        body.object("Context", |fields| write_context(fields, context));
        if let Some(version) = to_version {
            body.raw("ToVersion", &version.to_string());
        }
        body.raw("DryRun", "true");
    });
    out
}

/// The body of the writing call that an operation is. `journal`: whether an entry is asked for.
#[must_use]
pub fn operation(context: &Context, operation: &Operation, journal: bool) -> String {
    let mut out = String::new();
    object(&mut out, |body| {
        body.object("Context", |fields| write_context(fields, context));
        body.text("OperationId", &operation.id);
        write_action(body, &operation.action);
        if journal {
            body.raw("LogInJournal", "true");
        }
    });
    out
}

/// Operations as they survive a reload: each with its call and the fields of its request. Those of
/// a draft come with where it stood, and with the keys of its rows, because the same template
/// gives them other ids.
#[must_use]
pub fn saved<'a>(
    operations: impl Iterator<Item = &'a Operation>,
    place: &str,
    keys: &[(ItemId, String)],
) -> String {
    let operations: Vec<&Operation> = operations.collect();
    let mut out = String::new();
    object(&mut out, |body| {
        body.list("Operations", &operations, |out, operation| {
            object(out, |fields| {
                fields.text("Call", operation.action.call());
                fields.text("OperationId", &operation.id);
                write_action(fields, &operation.action);
            });
        });
        body.text("Place", place);
        body.list("Keys", keys, |out, (id, key)| {
            object(out, |fields| {
                fields.id("Id", Some(*id));
                fields.text("Key", key);
            });
        });
    });
    out
}

/// The value that a form submits: `{Completed, State, Revision}`.
#[must_use]
pub fn form_value(completed: bool, state: &str, revision: u64) -> String {
    let mut out = String::new();
    object(&mut out, |body| {
        body.raw("Completed", if completed { "true" } else { "false" });
        body.text("State", state);
        body.raw("Revision", &revision.to_string());
    });
    out
}

fn write_context(fields: &mut Object<'_>, context: &Context) {
    fields.text("ObjectType", &context.object_type);
    fields.text("ObjectId", &context.object_id);
    fields.text("Purpose", &context.purpose);
    fields.some_text("TemplateId", context.template_id.as_ref());
}

fn write_action(body: &mut Object<'_>, action: &Action) {
    match action {
        Action::Add(id, item) => body.list("Items", &[item], |out, item| {
            object(out, |fields| write_add(fields, *id, item));
        }),
        Action::Update(item) => body.list("Items", &[item], |out, item| {
            object(out, |fields| write_update(fields, item));
        }),
        Action::Delete(id) => body.list("Ids", &[*id], |out, id| quote(out, &id.to_text())),
        Action::Undo(undoes) => body.text("Undoes", undoes),
        Action::Refresh {
            to_version,
            expected_revision,
        } => {
            if let Some(version) = to_version {
                body.raw("ToVersion", &version.to_string());
            }
            if let Some(revision) = expected_revision {
                body.raw("ExpectedRevision", &revision.to_string());
            }
        }
    }
}

fn write_add(fields: &mut Object<'_>, id: ItemId, item: &AddItem) {
    fields.id("Id", Some(id));
    fields.text("Text", &item.text);
    match item.kind {
        Kind::Item => {}
        Kind::Section => fields.text("Kind", "Section"),
        Kind::Info => fields.text("Kind", "Info"),
    }
    fields.id("ParentId", item.parent_id);
    fields.id("AfterId", item.after_id);
    fields.id("BeforeId", item.before_id);
    if item.required {
        fields.raw("Required", "true");
    }
    fields.some_text("Help", item.help.as_ref());
    fields.some_text("Note", item.note.as_ref());
    fields.some_text("Assignee", item.assignee.as_ref());
    if let Some(due) = item.due {
        fields.text("Due", &iso::due(due));
    }
}

fn write_update(fields: &mut Object<'_>, item: &UpdateItem) {
    fields.id("Id", Some(item.id));
    if let Some(version) = item.base_version {
        fields.raw("BaseVersion", &version.to_string());
    }
    match item.status {
        None => {}
        Some(Status::Open) => fields.text("Status", "Open"),
        Some(Status::Done) => fields.text("Status", "Done"),
        Some(Status::NotApplicable) => fields.text("Status", "NotApplicable"),
    }
    fields.patch("Reason", &item.reason, String::clone);
    fields.some_text("SeenTextHash", item.seen_text_hash.as_ref());
    fields.patch("Text", &item.text, String::clone);
    fields.patch("Note", &item.note, String::clone);
    fields.patch("Assignee", &item.assignee, String::clone);
    fields.patch("Due", &item.due, |due| iso::due(*due));
    fields.patch("ParentId", &item.parent_id, ItemId::to_text);
    fields.patch("AfterId", &item.after_id, ItemId::to_text);
    fields.patch("BeforeId", &item.before_id, ItemId::to_text);
}

#[cfg(test)]
mod tests;
