//! Answers of the server, as the control keeps them.
//!
//! Leaner than the wire types: items are already the records of the rules, only the hash of
//! the wording travels beside them. Made by `api::read` in a browser and from the answers' own
//! types on a server, taken in by `list`.

use checklist_shared::checklist::{Lock, TemplateRef};
#[cfg(feature = "ssr")]
use checklist_shared::item::AspectVersions;
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ItemProblemCode;
#[cfg(feature = "ssr")]
use checklist_shared::text::Text;
#[cfg(feature = "ssr")]
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::TemplateUpdate;
#[cfg(feature = "ssr")]
use checklist_shared::wire::list::{LimitsView, ListAnswer};
use checklist_shared::wire::write::{Outcome, RefreshCase};
use checklist_shared::{Item, ItemId};

/// An item with what a tick has to echo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedItem {
    /// The item, its texts in the reader's language.
    pub item: Item,
    /// The `TextHash` of its text.
    pub text_hash: String,
}

/// The answer of GetItems for one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedList {
    /// 0 while the list was never written.
    pub revision: u64,
    /// The items; only the changed ones when `delta`.
    pub items: Vec<ServedItem>,
    /// Whether `items` holds only what has changed.
    pub delta: bool,
    /// What was deleted, with `delta`.
    pub removed: Vec<ItemId>,
    /// The list's name.
    pub title: Option<String>,
    /// The template that it follows, with the rule in force.
    pub template: TemplateRef,
    /// What a newer version would bring.
    pub update: Option<TemplateUpdate>,
    /// Set while nobody may change the list.
    pub locked: Option<Lock>,
    /// What this reader may do.
    pub permissions: Permissions,
    /// How much fits in.
    pub limits: Limits,
}

/// The answer of a writing call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServedWrite {
    /// The list's revision afterwards.
    pub revision: u64,
    /// One entry for each item.
    pub results: Vec<ServedResult>,
    /// Why nothing was written to the journal although it was asked for.
    pub journal_reason: Option<String>,
    /// Of a refresh: what changed or would change.
    pub changes: Vec<ServedChange>,
    /// Whether items that are not among the results have another place key now.
    pub rebalanced: bool,
}

/// What became of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedResult {
    /// The item.
    pub id: ItemId,
    /// What became of it.
    pub outcome: Outcome,
    /// As it is now.
    pub item: Option<ServedItem>,
    /// Why it was not changed.
    pub problem: Option<ServedProblem>,
}

/// Why one item was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedProblem {
    /// The code; `None` when a newer server knows more of them.
    pub code: Option<ItemProblemCode>,
    /// Its name on the wire.
    pub name: String,
    /// The server's sentence.
    pub detail: String,
}

/// One line of a dry run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedChange {
    /// Which case it is.
    pub case: RefreshCase,
    /// The text before.
    pub before: Option<String>,
    /// The text after.
    pub after: Option<String>,
}

#[cfg(feature = "ssr")]
impl From<&ListAnswer> for ServedList {
    fn from(list: &ListAnswer) -> Self {
        Self {
            revision: list.revision,
            items: list.items.iter().flatten().map(ServedItem::from).collect(),
            delta: false,
            removed: Vec::new(),
            title: list.title.clone(),
            template: TemplateRef {
                id: list.template_id.clone().unwrap_or_default(),
                version: list.template_version.unwrap_or_default(),
                completion_rule: list.completion_rule,
            },
            update: list.template_update,
            locked: list.locked.clone(),
            permissions: list.permissions,
            limits: limits(&list.limits),
        }
    }
}

#[cfg(feature = "ssr")]
fn limits(limits: &LimitsView) -> Limits {
    Limits {
        items: limits.items.max as usize,
        text: limits.text as usize,
        help: limits.help as usize,
        note: limits.note as usize,
        batch: limits.batch as usize,
        ..Limits::default()
    }
}

#[cfg(feature = "ssr")]
impl From<&ItemView> for ServedItem {
    fn from(view: &ItemView) -> Self {
        let item = Item {
            id: view.id,
            template_key: view.template_key.clone(),
            origin: view.origin,
            kind: view.kind,
            parent_id: view.parent_id,
            sort_key: view.sort_key.clone(),
            text: Text::Plain(view.text.clone()),
            help: view.help.clone().map(Text::Plain),
            text_overridden: view.text_overridden,
            template_text: view.template_text.clone().map(Text::Plain),
            status: view.status,
            reason: view.reason.clone(),
            status_by: view.status_by.clone(),
            status_at: view.status_at,
            attested: view.attested.clone(),
            required: view.required,
            allow_not_applicable: view.allow_not_applicable,
            not_applicable_needs_reason: view.not_applicable_needs_reason,
            assignee: view.assignee.clone(),
            assignee_by_person: false,
            due: view.due,
            due_by_person: false,
            note: view.note.clone(),
            version: view.version,
            changed_in: AspectVersions::default(),
            revision: 0,
            created_by: view.created_by.clone(),
            created_at: view.created_at,
            modified_by: view.modified_by.clone(),
            modified_at: view.modified_at,
            retired_at: view.retired_at,
            deleted_at: None,
            changed_since_checked: view.changed_since_checked,
        };
        Self {
            item,
            text_hash: view.text_hash.clone(),
        }
    }
}
