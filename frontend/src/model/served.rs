//! A list as the server returned it, with its items as the records that the rules work on.
//!
//! Built from the answer of GetItems and from a template, in the browser and on a server alike. The
//! hash of a wording is not kept: a tick computes it from the text that was served.

use checklist_shared::checklist::{ListMark, TemplateRef};
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::wire::list::{LimitsView, ListAnswer, TemplateUpdate};
use checklist_shared::{Item, ItemId};

/// The answer of GetItems for one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedList {
    /// 0 while the list was never written.
    pub revision: u64,
    /// The items, their texts in the reader's language; only the changed ones when `delta`.
    pub items: Vec<Item>,
    /// Whether the browser projected them from a template, and no server has served them.
    pub is_draft: bool,
    /// Whether `items` holds only what has changed.
    pub delta: bool,
    /// The deleted items, with `delta`.
    pub removed: Vec<ItemId>,
    /// The list's name.
    pub title: Option<String>,
    /// The template that it follows, with the rule in force.
    pub template: TemplateRef,
    /// The changes of a newer template version, as numbers.
    pub update: Option<TemplateUpdate>,
    /// Set while nobody may change the list.
    pub locked: Option<ListMark>,
    /// Set while the list may pass although items are open.
    pub waived: Option<ListMark>,
    /// The number of the run, if it is a closed one.
    pub run: Option<u32>,
    /// The reader's permissions.
    pub permissions: Permissions,
    /// The limits of the list.
    pub limits: Limits,
}

impl From<ListAnswer> for ServedList {
    fn from(list: ListAnswer) -> Self {
        let items = list.items.unwrap_or_default();
        Self {
            revision: list.revision,
            items: items.into_iter().map(Item::from).collect(),
            is_draft: false,
            delta: list.delta,
            removed: list.removed,
            title: list.title,
            template: TemplateRef {
                id: list.template_id.unwrap_or_default(),
                version: list.template_version.unwrap_or_default(),
                completion_rule: list.completion_rule,
                changeable: list.changeable,
            },
            update: list.template_update,
            locked: list.locked,
            waived: list.waived,
            run: (list.run.filter(|run| run.closed.is_some())).map(|run| run.number),
            permissions: list.permissions,
            limits: limits(&list.limits),
        }
    }
}

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
