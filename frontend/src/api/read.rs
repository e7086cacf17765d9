//! Answers, taken apart by name.
//!
//! What the browser has parsed becomes the records that the rules work on. What is missing
//! becomes a harmless default, because answers may grow and older servers may know less. Called
//! by `control` and `batch`.

use checklist_shared::Timestamp;
use checklist_shared::checklist::{Lock, TemplateRef};
use checklist_shared::item::{Actor, AspectVersions, Attested, Basis, Item, Origin};
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::ItemProblemCode as Code;
use checklist_shared::text::Text;
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::{Outcome, RefreshCase};
use wasm_bindgen::JsValue;

use super::error::Failure;
use super::fields::Fields;
use crate::state::draft::TemplateRow;
use crate::state::policy::Reply;
use crate::state::served::{
    ServedChange, ServedItem, ServedList, ServedProblem, ServedResult, ServedWrite,
};

/// One list of GetItems.
///
/// # Errors
/// The problem that stands in its place, or what cannot be read.
pub fn list(value: &JsValue) -> Result<ServedList, Failure> {
    let fields = Fields::of(value);
    if let (None, Some(code)) = (fields.text("State"), fields.text("Code")) {
        let status = fields.number("status").unwrap_or(422.0) as u16;
        let detail = fields.said("detail");
        return Err(Failure {
            reply: Reply::Status {
                code: status,
                retry_after: None,
            },
            code,
            detail,
        });
    }
    let revision = fields
        .number("Revision")
        .ok_or_else(|| Failure::unreadable("no Revision"))? as u64;
    let items = fields.list("Items").iter().filter_map(item).collect();
    let ids = fields
        .list("Removed")
        .iter()
        .filter_map(|id| id.as_string()?.parse().ok())
        .collect();
    let update = fields
        .fields("TemplateUpdate")
        .map(|update| TemplateUpdate {
            from_version: update.count("FromVersion"),
            to_version: update.count("ToVersion"),
            added: update.count("Added"),
            changed: update.count("Changed"),
            removed: update.count("Removed"),
        });
    let locked = fields.fields("Locked").map(|lock| Lock {
        reason: lock.text("Reason"),
        by: lock.actor("By").unwrap_or_else(|| Actor::person("", "")),
        at: lock.time("At").unwrap_or(Timestamp::from_millis(0)),
    });
    Ok(ServedList {
        revision,
        items,
        delta: fields.flag("Delta"),
        removed: ids,
        title: fields.text("Title"),
        template: TemplateRef {
            id: fields.said("TemplateId"),
            version: fields.count("TemplateVersion"),
            completion_rule: fields.completion_rule(),
        },
        update,
        locked,
        permissions: permissions(&fields.list("Permissions")),
        limits: fields
            .fields("Limits")
            .map_or_else(Limits::default, |limits| read_limits(&limits)),
    })
}

fn permissions(names: &[JsValue]) -> Permissions {
    names
        .iter()
        .filter_map(|name| Permission::from_name(&name.as_string()?))
        .collect()
}

fn read_limits(fields: &Fields) -> Limits {
    let ours = Limits::default();
    let or = |value: u32, ours: usize| if value == 0 { ours } else { value as usize };
    let items = fields.fields("Items").map_or(0, |items| items.count("Max"));
    Limits {
        items: or(items, ours.items),
        text: or(fields.count("Text"), ours.text),
        help: or(fields.count("Help"), ours.help),
        note: or(fields.count("Note"), ours.note),
        batch: or(fields.count("Batch"), ours.batch),
        ..ours
    }
}

/// One item; `None` when it has no id that could be addressed.
fn item(value: &JsValue) -> Option<ServedItem> {
    let fields = Fields::of(value);
    let id = fields.id("Id")?;
    let modified_at = fields
        .time("ModifiedAt")
        .unwrap_or(Timestamp::from_millis(0));
    let modified_by = fields
        .actor("ModifiedBy")
        .unwrap_or_else(|| Actor::person("", ""));
    let attested = fields.fields("Attested").map(|attested| Attested {
        text: attested.said("Text"),
        language: attested.text("Language"),
        template_version: attested
            .number("TemplateVersion")
            .map(|version| version as u32),
        basis: match attested.word("Basis", &["Seen"]) {
            Some(_) => Basis::Seen,
            None => Basis::Assumed,
        },
    });
    let item = Item {
        id,
        template_key: fields.text("TemplateKey"),
        origin: match fields.word("Origin", &["Template", "Api"]) {
            Some(0) => Origin::Template,
            Some(_) => Origin::Api,
            None => Origin::Local,
        },
        kind: fields.kind(),
        parent_id: fields.id("ParentId"),
        sort_key: fields.said("SortKey"),
        text: Text::Plain(fields.said("Text")),
        help: fields.text("Help").map(Text::Plain),
        text_overridden: fields.flag("TextOverridden"),
        template_text: fields.text("TemplateText").map(Text::Plain),
        status: fields.status().unwrap_or_default(),
        reason: fields.text("Reason"),
        status_by: fields.actor("StatusBy"),
        status_at: fields.time("StatusAt"),
        attested,
        required: fields.flag("Required"),
        allow_not_applicable: fields.flag("AllowNotApplicable"),
        not_applicable_needs_reason: fields.flag("NotApplicableNeedsReason"),
        assignee: fields.text("Assignee"),
        assignee_by_person: false,
        due: fields.due("Due"),
        due_by_person: false,
        note: fields.text("Note"),
        version: fields.number("Version").unwrap_or(1.0) as u64,
        // Which aspect changed last is the server's to know; here nothing is ever too old.
        changed_in: AspectVersions::default(),
        revision: 0,
        // Nothing here asks for it, and it would weigh as much as the text.
        created_by: Actor::person("", ""),
        created_at: fields.time("CreatedAt").unwrap_or(modified_at),
        modified_by,
        modified_at,
        retired_at: fields.time("RetiredAt"),
        deleted_at: None,
        changed_since_checked: fields.flag("ChangedSinceChecked"),
    };
    Some(ServedItem {
        item,
        text_hash: fields.said("TextHash"),
    })
}

/// The answer of a writing call.
#[must_use]
pub fn write(value: &JsValue) -> ServedWrite {
    let fields = Fields::of(value);
    let journal = fields.fields("Journal");
    ServedWrite {
        revision: fields.number("Revision").unwrap_or(0.0) as u64,
        results: fields.list("Results").iter().filter_map(result).collect(),
        journal_reason: journal.and_then(|journal| journal.text("Reason")),
        changes: fields.list("Changes").iter().map(change).collect(),
        rebalanced: fields.flag("Rebalanced"),
    }
}

const OUTCOMES: [(&str, Outcome); 6] = [
    ("Created", Outcome::Created),
    ("Updated", Outcome::Updated),
    ("Deleted", Outcome::Deleted),
    ("Restored", Outcome::Restored),
    ("Unchanged", Outcome::Unchanged),
    ("Conflict", Outcome::Conflict),
];

fn result(value: &JsValue) -> Option<ServedResult> {
    let fields = Fields::of(value);
    let outcome = fields.word("Outcome", &OUTCOMES.map(|(name, _)| name));
    let outcome = outcome.and_then(|at| OUTCOMES.get(at));
    let problem = fields.fields("Problem").map(|problem| {
        let code = problem.word("Code", &CODES.map(|(name, _)| name));
        ServedProblem {
            code: code.and_then(|at| CODES.get(at)).map(|(_, code)| *code),
            detail: problem.said("Detail"),
            name: problem.said("Code"),
        }
    });
    Some(ServedResult {
        id: fields.id("Id")?,
        outcome: outcome.map_or(Outcome::Failed, |(_, outcome)| *outcome),
        item: item(&fields.get("Item")),
        problem,
    })
}

/// The codes that mean something to the reader; others are told in the server's words.
const CODES: [(&str, Code); 13] = [
    ("ItemNotFound", Code::ItemNotFound),
    ("PermissionDenied", Code::PermissionDenied),
    ("StatusConflict", Code::StatusConflict),
    ("TextConflict", Code::TextConflict),
    ("WordingConflict", Code::WordingConflict),
    ("FieldConflict", Code::FieldConflict),
    ("PlaceConflict", Code::PlaceConflict),
    ("InvalidPlace", Code::InvalidPlace),
    ("InvalidParent", Code::InvalidParent),
    ("ReasonRequired", Code::ReasonRequired),
    ("LimitExceeded", Code::LimitExceeded),
    ("RequiredItem", Code::RequiredItem),
    ("BaseVersionAhead", Code::BaseVersionAhead),
];

const CASES: [(&str, RefreshCase); 10] = [
    ("Added", RefreshCase::Added),
    ("ChangedSinceChecked", RefreshCase::ChangedSinceChecked),
    ("Reopened", RefreshCase::Reopened),
    ("TextKept", RefreshCase::TextKept),
    ("Removed", RefreshCase::Removed),
    ("Retired", RefreshCase::Retired),
    ("Returned", RefreshCase::Returned),
    (
        "NotApplicableNoLongerAllowed",
        RefreshCase::NotApplicableNoLongerAllowed,
    ),
    ("Resurrected", RefreshCase::Resurrected),
    ("Moved", RefreshCase::Moved),
];

fn change(value: &JsValue) -> ServedChange {
    let fields = Fields::of(value);
    let case = fields.word("Case", &CASES.map(|(name, _)| name));
    let case = case.and_then(|at| CASES.get(at));
    ServedChange {
        case: case.map_or(RefreshCase::Updated, |(_, case)| *case),
        before: fields.text("Before"),
        after: fields.text("After"),
    }
}

/// A template in one language: its name, its completion rule, its rows.
#[must_use]
pub fn template(value: &JsValue) -> (TemplateRef, Option<String>, Vec<TemplateRow>) {
    let fields = Fields::of(value);
    let rows = fields.list("Items").iter().map(template_row).collect();
    let reference = TemplateRef {
        id: fields.said("Id"),
        version: fields.count("Version"),
        completion_rule: fields.completion_rule(),
    };
    (reference, fields.text("Name"), rows)
}

fn template_row(value: &JsValue) -> TemplateRow {
    let fields = Fields::of(value);
    TemplateRow {
        key: fields.said("Key"),
        kind: fields.kind(),
        parent_key: fields.text("ParentKey"),
        text: fields.said("Text"),
        help: fields.text("Help"),
        required: fields.flag("Required"),
        allow_not_applicable: fields.flag("AllowNotApplicable"),
        not_applicable_needs_reason: fields.flag("NotApplicableNeedsReason"),
        assignee_role: fields.text("AssigneeRole"),
    }
}

/// The template that a type names for a purpose.
#[must_use]
pub fn template_of_type(value: &JsValue, purpose: &str) -> Option<String> {
    Fields::of(value).fields("Templates")?.text(purpose)
}
