//! Answers, taken apart by name.
//!
//! The browser has parsed them already; here each field is fetched once and becomes the record
//! that the rules work on. What is missing becomes a harmless default, because answers may grow
//! and older servers may know less. Called by `control` and `batch`.

use checklist_shared::checklist::{Lock, TemplateRef};
use checklist_shared::item::{
    Actor, ActorKind, AspectVersions, Attested, Basis, Item, Kind, Origin, Status,
};
use checklist_shared::limits::Limits;
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::template::CompletionRule;
use checklist_shared::text::Text;
use checklist_shared::wire::list::TemplateUpdate;
use checklist_shared::wire::write::{AddItem, Outcome, RefreshCase, UpdateItem};
use checklist_shared::{ItemId, Timestamp};
use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::error::Failure;
use crate::browser;
use crate::state::draft::TemplateRow;
use crate::state::operation::{Action, Operation};
use crate::state::policy::Reply;
use crate::state::served::{
    ServedChange, ServedItem, ServedList, ServedProblem, ServedResult, ServedWrite,
};

/// A parsed object.
#[derive(Clone, Debug)]
pub struct Fields(JsValue);

impl Fields {
    /// The fields of a value; one that is no object has none.
    #[must_use]
    pub fn of(value: &JsValue) -> Self {
        Self(value.clone())
    }

    fn get(&self, name: &str) -> JsValue {
        if self.0.is_object() {
            Reflect::get(&self.0, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
        } else {
            JsValue::UNDEFINED
        }
    }

    /// A text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).as_string()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name).as_f64()
    }

    fn count(&self, name: &str) -> u32 {
        self.number(name).unwrap_or(0.0) as u32
    }

    /// Whether it says `true`.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.get(name).as_bool().unwrap_or(false)
    }

    /// An object inside.
    #[must_use]
    pub fn fields(&self, name: &str) -> Option<Self> {
        let value = self.get(name);
        value.is_object().then_some(Self(value))
    }

    /// The entries of an array.
    #[must_use]
    pub fn list(&self, name: &str) -> Vec<JsValue> {
        self.get(name)
            .dyn_into::<Array>()
            .map(|array| array.iter().collect())
            .unwrap_or_default()
    }

    fn id(&self, name: &str) -> Option<ItemId> {
        self.text(name)?.parse().ok()
    }

    fn time(&self, name: &str) -> Option<Timestamp> {
        browser::parse_time(&self.text(name)?)
    }

    fn actor(&self, name: &str) -> Option<Actor> {
        let actor = self.fields(name)?;
        let kind = match actor.text("Kind").as_deref() {
            Some("Automation") => ActorKind::Automation,
            Some("Api") => ActorKind::Api,
            _ => ActorKind::Person,
        };
        Some(Actor {
            id: actor.text("Id").unwrap_or_default(),
            name: actor.text("Name").unwrap_or_default(),
            kind,
            on_behalf_of: None,
        })
    }

    fn patch<T>(&self, name: &str, read: impl FnOnce(&Self) -> Option<T>) -> Patch<T> {
        let value = self.get(name);
        if value.is_undefined() {
            Patch::Keep
        } else {
            read(self).map_or(Patch::Clear, Patch::Set)
        }
    }
}

/// One list of GetItems.
///
/// # Errors
/// The problem that stands in its place, or what cannot be read.
pub fn list(value: &JsValue) -> Result<ServedList, Failure> {
    let fields = Fields::of(value);
    if let (None, Some(code)) = (fields.text("State"), fields.text("Code")) {
        let status = fields.number("status").unwrap_or(422.0) as u16;
        let detail = fields.text("detail").unwrap_or_default();
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
    let rule = match fields.text("CompletionRule").as_deref() {
        Some("Required") => CompletionRule::Required,
        _ => CompletionRule::All,
    };
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
            id: fields.text("TemplateId").unwrap_or_default(),
            version: fields.count("TemplateVersion"),
            completion_rule: rule,
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
        text: attested.text("Text").unwrap_or_default(),
        language: attested.text("Language"),
        template_version: attested
            .number("TemplateVersion")
            .map(|version| version as u32),
        basis: if attested.text("Basis").as_deref() == Some("Seen") {
            Basis::Seen
        } else {
            Basis::Assumed
        },
    });
    let item = Item {
        id,
        template_key: fields.text("TemplateKey"),
        origin: match fields.text("Origin").as_deref() {
            Some("Template") => Origin::Template,
            Some("Api") => Origin::Api,
            _ => Origin::Local,
        },
        kind: kind(fields.text("Kind").as_deref()),
        parent_id: fields.id("ParentId"),
        sort_key: fields.text("SortKey").unwrap_or_default(),
        text: Text::Plain(fields.text("Text").unwrap_or_default()),
        help: fields.text("Help").map(Text::Plain),
        text_overridden: fields.flag("TextOverridden"),
        template_text: fields.text("TemplateText").map(Text::Plain),
        status: status(fields.text("Status").as_deref()).unwrap_or_default(),
        reason: fields.text("Reason"),
        status_by: fields.actor("StatusBy"),
        status_at: fields.time("StatusAt"),
        attested,
        required: fields.flag("Required"),
        allow_not_applicable: fields.flag("AllowNotApplicable"),
        not_applicable_needs_reason: fields.flag("NotApplicableNeedsReason"),
        assignee: fields.text("Assignee"),
        assignee_by_person: false,
        due: fields.time("Due"),
        due_by_person: false,
        note: fields.text("Note"),
        version: fields.number("Version").unwrap_or(1.0) as u64,
        // Which aspect changed last is the server's to know; here nothing is ever too old.
        changed_in: AspectVersions::default(),
        revision: 0,
        created_by: modified_by.clone(),
        created_at: fields.time("CreatedAt").unwrap_or(modified_at),
        modified_by,
        modified_at,
        retired_at: fields.time("RetiredAt"),
        deleted_at: None,
        changed_since_checked: fields.flag("ChangedSinceChecked"),
    };
    Some(ServedItem {
        item,
        text_hash: fields.text("TextHash").unwrap_or_default(),
    })
}

fn kind(name: Option<&str>) -> Kind {
    match name {
        Some("Section") => Kind::Section,
        Some("Info") => Kind::Info,
        _ => Kind::Item,
    }
}

fn status(name: Option<&str>) -> Option<Status> {
    match name? {
        "Open" => Some(Status::Open),
        "Done" => Some(Status::Done),
        "NotApplicable" => Some(Status::NotApplicable),
        _ => None,
    }
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
    }
}

fn result(value: &JsValue) -> Option<ServedResult> {
    let fields = Fields::of(value);
    let outcome = match fields.text("Outcome").as_deref()? {
        "Created" => Outcome::Created,
        "Updated" => Outcome::Updated,
        "Deleted" => Outcome::Deleted,
        "Unchanged" => Outcome::Unchanged,
        "Conflict" => Outcome::Conflict,
        _ => Outcome::Failed,
    };
    let problem = fields.fields("Problem").map(|problem| {
        let name = problem.text("Code").unwrap_or_default();
        ServedProblem {
            code: problem_code(&name),
            detail: problem.text("Detail").unwrap_or_default(),
            name,
        }
    });
    Some(ServedResult {
        id: fields.id("Id")?,
        outcome,
        item: item(&fields.get("Item")),
        problem,
    })
}

/// The codes that mean something to the reader; others are told in the server's words.
fn problem_code(name: &str) -> Option<ItemProblemCode> {
    use ItemProblemCode as Code;
    Some(match name {
        "ItemNotFound" => Code::ItemNotFound,
        "PermissionDenied" => Code::PermissionDenied,
        "StatusConflict" => Code::StatusConflict,
        "TextConflict" => Code::TextConflict,
        "WordingConflict" => Code::WordingConflict,
        "FieldConflict" => Code::FieldConflict,
        "PlaceConflict" => Code::PlaceConflict,
        "InvalidPlace" => Code::InvalidPlace,
        "InvalidParent" => Code::InvalidParent,
        "ReasonRequired" => Code::ReasonRequired,
        "LimitExceeded" => Code::LimitExceeded,
        _ => return None,
    })
}

fn change(value: &JsValue) -> ServedChange {
    let fields = Fields::of(value);
    let case = match fields.text("Case").as_deref() {
        Some("Added") => RefreshCase::Added,
        Some("ChangedSinceChecked") => RefreshCase::ChangedSinceChecked,
        Some("Reopened") => RefreshCase::Reopened,
        Some("TextKept") => RefreshCase::TextKept,
        Some("Removed") => RefreshCase::Removed,
        Some("Retired") => RefreshCase::Retired,
        Some("Returned") => RefreshCase::Returned,
        Some("NotApplicableNoLongerAllowed") => RefreshCase::NotApplicableNoLongerAllowed,
        Some("Resurrected") => RefreshCase::Resurrected,
        Some("Moved") => RefreshCase::Moved,
        _ => RefreshCase::Updated,
    };
    ServedChange {
        case,
        before: fields.text("Before"),
        after: fields.text("After"),
    }
}

/// A template in one language: its name, its completion rule, its rows.
#[must_use]
pub fn template(value: &JsValue) -> (TemplateRef, Option<String>, Vec<TemplateRow>) {
    let fields = Fields::of(value);
    let rows = fields.list("Items").iter().map(template_row).collect();
    let rule = match fields.text("CompletionRule").as_deref() {
        Some("Required") => CompletionRule::Required,
        _ => CompletionRule::All,
    };
    let reference = TemplateRef {
        id: fields.text("Id").unwrap_or_default(),
        version: fields.count("Version"),
        completion_rule: rule,
    };
    (reference, fields.text("Name"), rows)
}

fn template_row(value: &JsValue) -> TemplateRow {
    let fields = Fields::of(value);
    TemplateRow {
        key: fields.text("Key").unwrap_or_default(),
        kind: kind(fields.text("Kind").as_deref()),
        parent_key: fields.text("ParentKey"),
        text: fields.text("Text").unwrap_or_default(),
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

/// Operations that survived a reload; what cannot be read is left out.
#[must_use]
pub fn saved(value: &JsValue) -> Vec<Operation> {
    Fields::of(value)
        .list("Operations")
        .iter()
        .filter_map(saved_operation)
        .collect()
}

fn saved_operation(value: &JsValue) -> Option<Operation> {
    let fields = Fields::of(value);
    let first = fields.list("Items").first().map(Fields::of);
    let action = match fields.text("Call")?.as_str() {
        "AddItems" => {
            let item = first?;
            let id = item.id("Id")?;
            Action::Add(
                id,
                Box::new(AddItem {
                    id: Some(id),
                    text: item.text("Text")?,
                    kind: kind(item.text("Kind").as_deref()),
                    parent_id: item.id("ParentId"),
                    after_id: item.id("AfterId"),
                    before_id: item.id("BeforeId"),
                    required: item.flag("Required"),
                    help: item.text("Help"),
                    note: item.text("Note"),
                    assignee: item.text("Assignee"),
                    due: item.time("Due"),
                }),
            )
        }
        "UpdateItems" => {
            let item = first?;
            let mut update = UpdateItem::of(item.id("Id")?);
            update.base_version = item.number("BaseVersion").map(|version| version as u64);
            update.status = status(item.text("Status").as_deref());
            update.reason = item.patch("Reason", |item| item.text("Reason"));
            update.seen_text_hash = item.text("SeenTextHash");
            update.text = item.patch("Text", |item| item.text("Text"));
            update.note = item.patch("Note", |item| item.text("Note"));
            update.assignee = item.patch("Assignee", |item| item.text("Assignee"));
            update.due = item.patch("Due", |item| item.time("Due"));
            update.parent_id = item.patch("ParentId", |item| item.id("ParentId"));
            update.after_id = item.patch("AfterId", |item| item.id("AfterId"));
            update.before_id = item.patch("BeforeId", |item| item.id("BeforeId"));
            Action::Update(Box::new(update))
        }
        "DeleteItems" => Action::Delete(fields.list("Ids").first()?.as_string()?.parse().ok()?),
        "Undo" => Action::Undo(fields.text("Undoes")?),
        // A refresh was asked for by looking at a dry run that is gone after the reload.
        _ => return None,
    };
    Some(Operation {
        id: fields.text("OperationId")?,
        action,
    })
}
