//! Changes kind, *required* and help of an item, where its template allows it.
//!
//! What a person has set stays through a refresh. All checks come before the first write.

use super::allowed::{
    is_lessened, may_be_info, may_change_definition, may_resolve, needed_to_redefine,
};
use super::checks::{Log, within};
use super::details::new_value;
use super::request::{ItemPatch, Session};
use crate::checklist::Checklist;
use crate::definition::DefinitionField;
use crate::event::{Event, What};
use crate::item::{Item, Kind};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::text::Text;

/// The values to set; `None` leaves what is there.
pub(super) struct Definition<'a> {
    kind: Option<Kind>,
    required: Option<bool>,
    help: Option<Option<&'a str>>,
}

impl<'a> Definition<'a> {
    /// What a patch really changes.
    pub(super) fn of_patch(
        list: &Checklist,
        item: &Item,
        patch: &'a ItemPatch,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let is_help = |help: &Option<&str>| match (help, &item.help) {
            (None, None) => true,
            (Some(help), Some(text)) => text.says(help),
            _ => false,
        };
        let mut definition = Self {
            kind: patch.kind.filter(|kind| *kind != item.kind),
            required: patch.required.filter(|required| *required != item.required),
            help: new_value(&patch.help).filter(|help| !is_help(help)),
        };
        if definition.is_empty() {
            return Ok(definition);
        }
        session.need(Permission::Edit)?;
        if item.retired_at.is_some() {
            return Err(Code::ItemRetired);
        }
        let may_change = |field| may_change_definition(list, item, field);
        if !definition.fields().all(may_change) {
            return Err(Code::NotChangeable);
        }
        let kind = definition.kind.unwrap_or(item.kind);
        if definition.kind.is_some() && !may_be_info(item)
            || kind == Kind::Section && definition.kind.is_some()
            || kind != Kind::Item
                && patch.required == Some(true)
                && (definition.required.is_some() || definition.kind.is_some())
        {
            return Err(Code::InvalidKind);
        }
        // A row to read is never required.
        if definition.kind == Some(Kind::Info) && item.required {
            definition.required = Some(false);
        }
        let required = definition.required.unwrap_or(item.required);
        if !(session.permissions).holds(needed_to_redefine(item, kind, required)) {
            return Err(Code::RequiredItem);
        }
        let is_lessened = is_lessened(item, kind, required);
        if item.counts() && is_lessened && !may_resolve(item, session.actor) {
            return Err(Code::NeedsPerson);
        }
        within(definition.help.flatten().unwrap_or(""), session.limits.help)?;
        if patch.is_behind(item.changed_in.definition) {
            return Err(Code::FieldConflict);
        }
        Ok(definition)
    }

    fn fields(&self) -> impl Iterator<Item = DefinitionField> {
        [
            self.kind.map(|_| DefinitionField::Kind),
            self.required.map(|_| DefinitionField::Required),
            self.help.map(|_| DefinitionField::Help),
        ]
        .into_iter()
        .flatten()
    }

    /// Whether the row becomes one of another kind.
    pub(super) const fn has_kind(&self) -> bool {
        self.kind.is_some()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.kind.is_none() && self.required.is_none() && self.help.is_none()
    }

    /// Sets the values, as changes of that version of the item.
    pub(super) fn write(self, item: &mut Item, version: u64, session: &Session<'_>, log: &mut Log) {
        for field in self.fields() {
            let what = What::of_definition(field);
            let before = what.value(item, session.languages);
            match field {
                DefinitionField::Kind => item.kind = self.kind.unwrap_or_default(),
                DefinitionField::Required => item.required = self.required.unwrap_or_default(),
                DefinitionField::Help => item.help = self.help.flatten().map(Text::from),
            }
            item.definition_by_person = item.definition_by_person.with(field, true);
            item.changed_in.definition = version;
            log.note(|| {
                let after = what.value(item, session.languages);
                Event::about(what, item, session.languages).between(before, after)
            });
        }
    }
}
