//! Answers of the server, as the control keeps them.
//!
//! Leaner than the wire types: items are already the records of the rules, only the hash of
//! the wording travels beside them. Made by `api::read`, taken in by `list`.

use checklist_shared::checklist::{Lock, TemplateRef};
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ItemProblemCode;
use checklist_shared::wire::list::TemplateUpdate;
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
