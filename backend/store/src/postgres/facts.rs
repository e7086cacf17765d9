//! Collects the facts about a list from what was read.
//!
//! A template that is not cached is reported as missing. The caller loads it and collects the facts
//! again.

use std::collections::HashSet;
use std::sync::Arc;

use checklist_shared::template::Template;
use checklist_shared::undo::UndoRecord;

use super::catalogue::Catalogue;
use super::list_rows::StoredList;
use super::memory::Memory;
use crate::store::{ListFacts, ListRequest, TemplateChoice};
use crate::stored_list;
use crate::unreadable_type::UnreadableType;

/// A source of templates.
pub(super) struct Templates<'a> {
    tenant: &'a str,
    memory: &'a Memory,
    catalogue: &'a Catalogue,
    /// Versions that do not exist in the database.
    in_vain: &'a HashSet<(String, u32)>,
    /// Versions that have to be loaded.
    pub(super) missing: Vec<(String, u32)>,
}

impl<'a> Templates<'a> {
    pub(super) const fn new(
        tenant: &'a str,
        memory: &'a Memory,
        catalogue: &'a Catalogue,
        in_vain: &'a HashSet<(String, u32)>,
    ) -> Self {
        Self {
            tenant,
            memory,
            catalogue,
            in_vain,
            missing: Vec::new(),
        }
    }

    fn get(&mut self, choice: &TemplateChoice) -> Option<Arc<Template>> {
        let version = self.catalogue.version(choice)?;
        let template = self.memory.template(self.tenant, &choice.id, version);
        if template.is_none() {
            let edition = (choice.id.clone(), version);
            if !self.in_vain.contains(&edition) {
                self.missing.push(edition);
            }
        }
        template
    }
}

/// The facts about one list. They are complete only if `templates.missing` is empty afterwards.
///
/// # Errors
/// If the list's type cannot be read.
pub(super) fn gather(
    wanted: &ListRequest,
    stored: Option<&StoredList>,
    undo: Option<&UndoRecord>,
    templates: &mut Templates<'_>,
) -> Result<ListFacts, UnreadableType> {
    let catalogue = templates.catalogue;
    let template = |choice: &TemplateChoice| Ok(templates.get(choice));
    stored_list::facts(wanted, stored, &catalogue.types, undo, template)
}
