//! The fields of an item that need the permission `Edit` and are decided each for itself: note,
//! assignee and due date.
//!
//! `add` and `update` set them through here. All checks come before the first write.

use super::checks::{Log, tidy_option, within};
use super::request::{ItemPatch, NewItem, Session};
use crate::assignee::Assignee;
use crate::due::Due;
use crate::event::{Event, Value, What};
use crate::item::Item;
use crate::patch::Patch;
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;

/// The values to set; `None` leaves what is there.
#[derive(Default)]
pub(super) struct Details<'a> {
    note: Option<Option<&'a str>>,
    assignee: Option<Option<Assignee>>,
    due: Option<Option<Due>>,
}

impl<'a> Details<'a> {
    /// What a new item begins with.
    pub(super) fn of_new(new: &'a NewItem, session: &Session<'_>) -> Result<Self, Code> {
        let set = |text: &'a Option<String>| tidy_option(text.as_deref()).map(Some);
        let details = Self {
            note: set(&new.note),
            assignee: new.assignee.as_ref().and_then(Assignee::tidy).map(Some),
            due: new.due.map(Some),
        };
        details.check_lengths(session)?;
        Ok(details)
    }

    /// What a patch really changes.
    pub(super) fn of_patch(
        item: &Item,
        patch: &'a ItemPatch,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let details = Self {
            note: new_value(&patch.note).filter(|note| *note != item.note.as_deref()),
            assignee: (patch
                .assignee
                .new_value()
                .map(|who| who.and_then(Assignee::tidy)))
            .filter(|who| Assignee::is_changed(item.assignee.as_ref(), who.as_ref())),
            due: (patch.due.new_value().map(Option::<&Due>::copied)).filter(|due| *due != item.due),
        };
        if details.is_empty() {
            return Ok(details);
        }
        session.need(Permission::Edit)?;
        if item.retired_at.is_some() {
            return Err(Code::ItemRetired);
        }
        details.check_lengths(session)?;
        let versions = [
            details.note.and(Some(item.changed_in.note)),
            details
                .assignee
                .as_ref()
                .and(Some(item.changed_in.assignee)),
            details.due.and(Some(item.changed_in.due)),
        ];
        let mut versions = versions.into_iter().flatten();
        if versions.any(|version| patch.is_behind(version)) {
            return Err(Code::FieldConflict);
        }
        Ok(details)
    }

    fn check_lengths(&self, session: &Session<'_>) -> Result<(), Code> {
        within(self.note.flatten().unwrap_or(""), session.limits.note)?;
        let assignee = self.assignee.as_ref().and_then(Option::as_ref);
        for (_, text, most) in Assignee::limited_texts(assignee) {
            within(text.unwrap_or(""), most)?;
        }
        Ok(())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.note.is_none() && self.assignee.is_none() && self.due.is_none()
    }

    /// Sets the values, as changes of that version of the item.
    pub(super) fn write(self, item: &mut Item, version: u64, session: &Session<'_>, log: &mut Log) {
        let mut changed = |what: What, item: &Item, after: Value| {
            log.note(|| {
                Event::about(what, item, session.languages)
                    .between(what.value(item, session.languages), after)
            });
        };
        if let Some(note) = self.note.map(|note| note.map(str::to_owned)) {
            changed(What::NoteChanged, item, note.clone().into());
            item.note = note;
            item.changed_in.note = version;
        }
        if let Some(assignee) = self.assignee {
            changed(What::AssigneeChanged, item, assignee.as_ref().into());
            item.assignee = assignee;
            item.assignee_by_person = true;
            item.changed_in.assignee = version;
        }
        if let Some(due) = self.due {
            changed(
                What::DueChanged,
                item,
                due.map(|due| due.to_string()).into(),
            );
            item.due = due;
            item.due_by_person = true;
            item.changed_in.due = version;
        }
    }
}

/// An empty string in a request means the same as `null`: there is nothing.
pub(super) fn new_value(patch: &Patch<String>) -> Option<Option<&str>> {
    patch
        .new_value()
        .map(|value| tidy_option(value.map(String::as_str)))
}
