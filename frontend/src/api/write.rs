//! Request bodies, written by hand into one string.
//!
//! The shapes are those of `checklist_shared::wire`; the tests read every body back through
//! them, so the two cannot drift apart. Pure, called by `control::sync`, `control::load` and
//! by what survives a reload.

use checklist_shared::item::{Kind, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::{AddItem, UpdateItem};
use checklist_shared::{Context, ItemId, Timestamp};

use crate::state::operation::{Action, Operation};

/// Writes one JSON object.
struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl Object<'_> {
    fn name(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    fn raw(&mut self, name: &str, value: &str) {
        self.name(name).push_str(value);
    }

    fn text(&mut self, name: &str, value: &str) {
        quote(self.name(name), value);
    }

    fn some_text(&mut self, name: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    fn id(&mut self, name: &str, value: Option<ItemId>) {
        if let Some(value) = value {
            self.text(name, &value.to_string());
        }
    }

    fn patch<T>(&mut self, name: &str, value: &Patch<T>, text: impl Fn(&T) -> String) {
        match value {
            Patch::Keep => {}
            Patch::Clear => self.raw(name, "null"),
            Patch::Set(value) => self.text(name, &text(value)),
        }
    }

    fn object(&mut self, name: &str, fill: impl FnOnce(&mut Object<'_>)) {
        object(self.name(name), fill);
    }

    fn list<T>(&mut self, name: &str, values: &[T], mut write: impl FnMut(&mut String, &T)) {
        let out = self.name(name);
        out.push('[');
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            write(out, value);
        }
        out.push(']');
    }
}

fn object(out: &mut String, fill: impl FnOnce(&mut Object<'_>)) {
    out.push('{');
    fill(&mut Object { out, empty: true });
    out.push('}');
}

fn quote(out: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 32 => {
                let code = c as usize;
                out.push_str("\\u00");
                out.push(char::from(HEX[code >> 4]));
                out.push(char::from(HEX[code & 15]));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

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

/// Operations as they survive a reload: each with its call and the fields of its request.
#[must_use]
pub fn saved<'a>(operations: impl Iterator<Item = &'a Operation>) -> String {
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
        Action::Delete(id) => body.list("Ids", &[*id], |out, id| quote(out, &id.to_string())),
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
        fields.text("Due", &iso(due));
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
    fields.patch("Due", &item.due, |due| iso(*due));
    fields.patch("ParentId", &item.parent_id, ItemId::to_string);
    fields.patch("AfterId", &item.after_id, ItemId::to_string);
    fields.patch("BeforeId", &item.before_id, ItemId::to_string);
}

/// A time as RFC 3339 in UTC. Written out here because the calendar library that the server
/// uses for it is larger than everything else in this file.
#[must_use]
pub fn iso(time: Timestamp) -> String {
    let millis = time.as_millis();
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let mut out = String::with_capacity(24);
    digits(&mut out, year, 4);
    out.push('-');
    digits(&mut out, month, 2);
    out.push('-');
    digits(&mut out, day, 2);
    out.push('T');
    digits(&mut out, rest / 3_600_000, 2);
    out.push(':');
    digits(&mut out, rest / 60_000 % 60, 2);
    out.push(':');
    digits(&mut out, rest / 1_000 % 60, 2);
    out.push('.');
    digits(&mut out, rest % 1_000, 3);
    out.push('Z');
    out
}

fn digits(out: &mut String, value: i64, width: usize) {
    let text = value.to_string();
    for _ in text.len()..width {
        out.push('0');
    }
    out.push_str(&text);
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar. Years are
/// counted from March, so that the leap day is the last one and needs no case of its own.
const fn civil(days: i64) -> (i64, i64, i64) {
    // 719,468 days lie between 0000-03-01 and 1970-01-01; 146,097 days are 400 years.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

#[cfg(test)]
mod tests;
