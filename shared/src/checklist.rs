//! A checklist: the aggregate that every rule works on.
//!
//! It contains all items, including retired and soft-deleted ones. The server's store loads and
//! saves it; the control keeps it for what is on the screen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::definition::DefinitionFields;
use crate::facts::Facts;
use crate::id::ItemId;
use crate::item::{Actor, Item};
use crate::template::CompletionRule;
use crate::time::Timestamp;

/// A list and all its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist {
    /// Which list it is.
    pub context: Context,
    /// 0 for a list that was never written, then counts every writing operation.
    pub revision: u64,
    /// The template it was made from, if any.
    pub template: Option<TemplateRef>,
    /// The facts by which items of the template apply to it.
    pub facts: Facts,
    /// Set while nobody may change the list.
    pub locked: Option<ListMark>,
    /// Set while the list may pass although items are open.
    pub waived: Option<ListMark>,
    /// Whether a person has moved items, so that a refresh no longer follows the template's order.
    pub reordered: bool,
    /// Which run of the list this is.
    pub run: Run,
    /// When the run was first written; for a projected list the time of reading.
    pub created_at: Timestamp,
    /// All items, in no particular order; see [`crate::order::display`]. Shared, because a change
    /// touches one or two of them: a copy of a list copies pointers, not texts.
    pub items: Vec<Arc<Item>>,
}

/// The number of the first run.
pub const FIRST_RUN: u32 = 1;

/// A run of a list: from its beginning, or from when it started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which run of the list it is; the first one is 1.
    pub number: u32,
    /// The list's revision with which it began: whoever knows an older one knows nothing of it.
    pub since: u64,
}

impl Run {
    /// That of a list that was never started again.
    pub const FIRST: Self = Self {
        number: FIRST_RUN,
        since: 0,
    };
}

/// Which version of which template a list follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct TemplateRef {
    /// The template's id.
    pub id: String,
    /// The version that the list was made from or last refreshed to.
    pub version: u32,
    /// Its completion rule.
    pub completion_rule: CompletionRule,
    /// What of the definition of its items people may change.
    #[serde(default, skip_serializing_if = "DefinitionFields::is_empty")]
    pub changeable: DefinitionFields,
}

/// Who locked a list, let it pass, or closed its run, when and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListMark {
    /// Why. Absent once it was erased, and where a lock has no reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}

impl Checklist {
    /// A list with nothing in it that was never written.
    #[must_use]
    pub fn empty(context: Context, now: Timestamp) -> Self {
        Self {
            context,
            revision: 0,
            template: None,
            facts: Facts::default(),
            locked: None,
            waived: None,
            reordered: false,
            run: Run::FIRST,
            created_at: now,
            items: Vec::new(),
        }
    }

    /// The id of the item that `template_key` projects to in this run.
    #[must_use]
    pub fn projected_id(&self, template_key: &str) -> ItemId {
        ItemId::projected_in(self.run.number, &self.context, template_key)
    }

    /// The item of that id, unless it is deleted.
    #[must_use]
    pub fn live(&self, id: ItemId) -> Option<&Item> {
        self.items
            .iter()
            .map(|item| &**item)
            .find(|item| item.id == id && item.is_live())
    }

    /// The item of that id, deleted or not.
    #[must_use]
    pub fn any(&self, id: ItemId) -> Option<&Item> {
        self.items
            .iter()
            .map(|item| &**item)
            .find(|item| item.id == id)
    }

    /// The same, to be changed.
    pub fn any_mut(&mut self, id: ItemId) -> Option<&mut Item> {
        self.items
            .iter_mut()
            .find(|item| item.id == id)
            .map(Arc::make_mut)
    }

    /// How many items count against the limit: all that are not deleted.
    #[must_use]
    pub fn used(&self) -> usize {
        self.items.iter().filter(|item| item.is_live()).count()
    }

    /// The completion rule in force.
    #[must_use]
    pub fn completion_rule(&self) -> CompletionRule {
        self.template
            .as_ref()
            .map_or(CompletionRule::All, |template| template.completion_rule)
    }

    /// What of the definition of its template's items people may change.
    #[must_use]
    pub fn changeable(&self) -> DefinitionFields {
        let template = self.template.as_ref();
        template
            .map(|template| template.changeable)
            .unwrap_or_default()
    }
}
