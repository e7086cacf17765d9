//! Merges one item: which case it is, and the resulting change.
//!
//! `placement` determines the positions afterwards, when all rows are known.

use std::collections::HashSet;
use std::sync::Arc;

use super::report::{Refreshed, change, wording};
use crate::assignee::Assignee;
use crate::change::Session;
use crate::change::allowed::is_resolved_by_rule;
use crate::checklist::Checklist;
use crate::definition::{DefinitionField as Field, DefinitionFields};
use crate::due_dates::DueDates;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::{AspectVersions, Item, Kind, Status};
use crate::order;
use crate::projection::project_item;
use crate::signal::Signal;
use crate::template::{OnTextChange, Template, TemplateItem};
use crate::text::Text;
use crate::wire::write::RefreshCase as Case;

/// A merge under way.
pub(super) struct Merge<'a> {
    pub(super) base: Option<&'a Template>,
    pub(super) target: &'a Template,
    pub(super) session: &'a Session<'a>,
    pub(super) revision: u64,
    due_dates: DueDates,
    /// Items that this refresh has added and that have no position yet.
    pub(super) unplaced: HashSet<ItemId>,
    /// Items that this refresh has brought back as they were.
    pub(super) returned: HashSet<ItemId>,
    pub(super) done: Refreshed,
}

impl<'a> Merge<'a> {
    pub(super) fn new(
        base: Option<&'a Template>,
        target: &'a Template,
        session: &'a Session<'a>,
        list: &Checklist,
    ) -> Self {
        Self {
            base,
            target,
            session,
            revision: list.revision + 1,
            due_dates: DueDates::of(target, list, list.created_at),
            unplaced: HashSet::new(),
            returned: HashSet::new(),
            done: Refreshed::default(),
        }
    }

    fn report(&mut self, case: Case, item: &Item, before: Option<String>, what: What) {
        let key = item.template_key.as_deref().unwrap_or_default();
        let after = item.is_live().then(|| wording(item, self.session));
        let event = Event::about(what, item, self.session.languages)
            .changing(before.clone(), after.clone());
        self.done
            .changes
            .push(change(case, key, item.id, before, after));
        self.done.events.push(event);
    }

    /// Goes through the template's items: what is there follows, what is missing is added.
    pub(super) fn follow(&mut self, list: &mut Checklist) {
        let target = self.target;
        for theirs in &target.items {
            let mine = list
                .items
                .iter()
                .position(|item| item.template_key.as_deref() == Some(theirs.key.as_str()));
            match mine {
                None => self.add_missing(list, theirs),
                Some(index) if list.items[index].is_live() => {
                    let mut item = Item::clone(&list.items[index]);
                    self.follow_live(&mut item, theirs);
                    list.items[index] = Arc::new(item);
                }
                Some(index) => self.revive(list, index, theirs),
            }
        }
    }

    /// Follows with one item alone, whose row is there and not deleted.
    #[cfg(feature = "records")]
    pub(super) fn follow_one(&mut self, list: &mut Checklist, id: ItemId) {
        let Some(index) = list.items.iter().position(|item| item.id == id) else {
            return;
        };
        let key = list.items[index].template_key.as_deref();
        let Some(theirs) = key.and_then(|key| self.target.item(key)) else {
            return;
        };
        let mut item = Item::clone(&list.items[index]);
        self.follow_live(&mut item, theirs);
        list.items[index] = Arc::new(item);
    }

    /// Whether an item is added that no person has deleted, as far as the list knows: it is new in
    /// the template, or newly required after a person deleted it and the purge removed it.
    fn case_of_missing(&self, theirs: &TemplateItem) -> Option<Case> {
        match self.base.and_then(|base| base.item(&theirs.key)) {
            None => Some(Case::Added),
            Some(before) if theirs.required && !before.required => Some(Case::Resurrected),
            Some(_) => None,
        }
    }

    /// No such key in the list: new in the template, or deleted by a person and purged since.
    fn add_missing(&mut self, list: &mut Checklist, theirs: &TemplateItem) {
        let Some(case) = self.case_of_missing(theirs) else {
            return;
        };
        let due = self.due_dates.due(theirs);
        let mut item = project_item(list, theirs, String::new(), due, self.session.now);
        if list.any(item.id).is_some() {
            // Somebody has given this very id to an item of their own; it is not ours to take.
            return;
        }
        item.revision = self.revision;
        self.unplaced.insert(item.id);
        self.report(case, &item, None, What::Added);
        list.items.push(Arc::new(item));
    }

    /// The key is there but deleted: by an earlier version of the template, by the undo of the
    /// refresh that brought it, or by a person. In the first two cases it is as if it had never
    /// been there.
    fn revive(&mut self, list: &mut Checklist, index: usize, theirs: &TemplateItem) {
        let old = &list.items[index];
        let by_template = old.retired_at.is_some();
        let was_required = if old.definition_by_person.contains(Field::Required) {
            let before = self.base.and_then(|base| base.item(&theirs.key));
            before.is_none_or(|before| before.required)
        } else {
            old.required
        };
        let newly_required = theirs.required && !was_required;
        let case = if by_template {
            self.case_of_missing(theirs)
        } else {
            newly_required.then_some(Case::Resurrected)
        };
        let Some(case) = case else {
            return;
        };
        let version = old.version + 1;
        let due = self.due_dates.due(theirs);
        let mut item = project_item(list, theirs, String::new(), due, self.session.now);
        item.id = old.id;
        item.version = version;
        item.changed_in = AspectVersions::all(version);
        item.revision = self.revision;
        item.created_at = old.created_at;
        item.modified_by = self.session.actor.clone().into();
        self.unplaced.insert(item.id);
        if by_template {
            // Cleared by a person, which does not count as touched.
            if old.assignee_by_person {
                item.assignee.clone_from(&old.assignee);
                item.assignee_by_person = true;
            }
            if old.due_by_person {
                item.due = old.due;
                item.due_by_person = true;
            }
        }
        let was_open = old.status == Status::Open;
        self.report(case, &item, None, What::Restored);
        if !was_open {
            // Made anew, so it is open: the trail tells every status.
            let event = Event::about(What::Reopened, &item, self.session.languages);
            self.done.events.push(event);
        }
        list.items[index] = Arc::new(item);
    }

    fn follow_live(&mut self, item: &mut Item, theirs: &TemplateItem) {
        let before = wording(item, self.session);
        let mut followed = false;
        let took_two = item.second_person;

        if item.retired_at.take().is_some() {
            bump(item, self.revision, self.session);
            self.returned.insert(item.id);
            self.report(Case::Returned, item, Some(before.clone()), What::Restored);
        }
        if item.status == Status::NotApplicable && !theirs.allow_not_applicable {
            self.reopen(item);
            self.report(
                Case::NotApplicableNoLongerAllowed,
                item,
                Some(before.clone()),
                What::Reopened,
            );
        }
        self.follow_who_resolves(item, theirs, &before, &mut followed);
        self.follow_text(item, theirs, &before, &mut followed);

        let by_person = self.set_otherwise(item);
        let help = if by_person.contains(Field::Help) {
            item.help.clone()
        } else {
            theirs.help.clone().map(Text::Localized)
        };
        let required = if by_person.contains(Field::Required) {
            item.required
        } else {
            theirs.required
        };
        // A heading, an answer and a signal are the template's. What it has come to require, or to ask a
        // second person for, was turned into a row to read by somebody who did not need to ask for that.
        let is_needed = required || (theirs.second_person && !took_two);
        let has_persons_kind = by_person.contains(Field::Kind)
            && (item.kind == Kind::Item || !is_needed)
            && theirs.kind != Kind::Section
            && theirs.answer_format.is_none()
            && theirs.signal.is_none();
        let kind = if has_persons_kind {
            item.kind
        } else {
            theirs.kind
        };
        let required = required && (kind == Kind::Item || !by_person.contains(Field::Required));
        let role = if item.assignee_by_person {
            item.assignee.clone()
        } else {
            theirs.assignee_role.as_deref().map(Assignee::from)
        };
        let due = if item.due_by_person {
            item.due
        } else {
            self.due_dates.due(theirs)
        };
        let same = item.help == help
            && item.kind == kind
            && item.required == required
            && item.allow_not_applicable == theirs.allow_not_applicable
            && item.not_applicable_needs_reason == theirs.not_applicable_needs_reason
            && item.assignee == role
            && item.due == due;
        if !same {
            let version = bump(item, self.revision, self.session);
            if (item.kind, item.required, &item.help) != (kind, required, &help) {
                item.changed_in.definition = version;
            }
            item.help = help;
            item.required = required;
            item.definition_by_person = by_person.with(Field::Kind, has_persons_kind);
            item.allow_not_applicable = theirs.allow_not_applicable;
            item.not_applicable_needs_reason = theirs.not_applicable_needs_reason;
            let proposed = item.open_proposal().map(|open| open.status);
            if proposed == Some(Status::NotApplicable) && !item.allow_not_applicable {
                item.end_open_proposal();
            }
            if item.assignee != role {
                item.assignee = role;
                item.changed_in.assignee = version;
            }
            if item.due != due {
                item.due = due;
                item.changed_in.due = version;
            }
            if item.kind != kind {
                item.kind = kind;
                item.end_open_proposal();
                // A heading has no status; what was attested stays in the audit trail.
                if item.kind != Kind::Item && item.status != Status::Open {
                    self.reopen(item);
                }
            }
            followed = true;
        }
        let is_reported = self
            .done
            .changes
            .last()
            .is_some_and(|last| last.id == Some(item.id));
        if followed && !is_reported {
            self.report(Case::Updated, item, Some(before), What::FollowedTemplate);
        }
    }

    /// What of the item's definition a person has set, unless it was set back to what the version says that
    /// the list follows now: from there on it follows the template again.
    fn set_otherwise(&self, item: &Item) -> DefinitionFields {
        let key = item.template_key.as_deref();
        let base = key.and_then(|key| self.base?.item(key));
        let is_other = |field: &Field| {
            base.is_none_or(|base| match field {
                Field::Kind => item.kind != base.kind,
                Field::Required => item.required != base.required,
                Field::Help => match (&item.help, &base.help) {
                    (Some(help), Some(text)) => {
                        !Text::Localized(text.clone()).says(help.resolve(self.session.languages))
                    }
                    (help, text) => help.is_some() || text.is_some(),
                },
            })
        };
        item.definition_by_person.iter().filter(is_other).collect()
    }

    /// What a program or an agent has resolved is open again when it needs a person, and what one has
    /// resolved when it takes a second person, and what is done without evidence when it needs some, or
    /// without an answer that its format accepts;
    /// what a program has resolved is open, too, when another signal sets it from now on.
    fn follow_who_resolves(
        &mut self,
        item: &mut Item,
        theirs: &TemplateItem,
        before: &str,
        followed: &mut bool,
    ) {
        let says = (
            item.needs_person,
            item.second_person,
            item.requires_evidence,
            item.answer_format.as_deref(),
        );
        let asks = (
            theirs.needs_person,
            theirs.second_person,
            theirs.requires_evidence,
            theirs.answer_format.as_ref(),
        );
        let signal = signal_of(item, theirs);
        if says == asks && item.signal == signal {
            return;
        }
        bump(item, self.revision, self.session);
        let is_bound_anew = signal.as_ref().is_some_and(|new| new.status.is_none())
            && !(item.status_by.as_ref()).is_some_and(|by| by.is_confirmed_by_person());
        item.signal = signal;
        if item.status != Status::NotApplicable && !item.overrides_signal() {
            item.reason = None;
        }
        item.needs_person = theirs.needs_person;
        item.second_person = theirs.second_person;
        item.requires_evidence = theirs.requires_evidence;
        item.answer_format = theirs.answer_format.clone().map(Box::new);
        let is_resolved = is_resolved_by_rule(item) && !is_bound_anew;
        if item.status == Status::Open || is_resolved {
            *followed = true;
            return;
        }
        self.reopen(item);
        self.report(
            Case::Reopened,
            item,
            Some(before.to_owned()),
            What::Reopened,
        );
    }

    fn follow_text(
        &mut self,
        item: &mut Item,
        theirs: &TemplateItem,
        before: &str,
        followed: &mut bool,
    ) {
        let text = Text::Localized(theirs.text.clone());
        if item.text_overridden {
            if item.template_text.as_ref() != Some(&text) {
                bump(item, self.revision, self.session);
                item.template_text = Some(text);
                self.report(
                    Case::TextKept,
                    item,
                    Some(before.to_owned()),
                    What::FollowedTemplate,
                );
            }
            return;
        }
        if item.text == text {
            return;
        }
        let version = bump(item, self.revision, self.session);
        item.text = text;
        item.changed_in.text = version;
        item.end_open_proposal();
        if item.status == Status::Open {
            *followed = true;
            return;
        }
        let new_wording = item.has_new_wording();
        match theirs.on_text_change {
            OnTextChange::Reopen if new_wording => {
                self.reopen(item);
                self.report(
                    Case::Reopened,
                    item,
                    Some(before.to_owned()),
                    What::Reopened,
                );
            }
            OnTextChange::Flag if new_wording => {
                item.changed_since_checked = true;
                self.report(
                    Case::ChangedSinceChecked,
                    item,
                    Some(before.to_owned()),
                    What::FollowedTemplate,
                );
            }
            _ => {
                item.changed_since_checked = item.changed_since_checked && new_wording;
                *followed = true;
            }
        }
    }

    fn reopen(&self, item: &mut Item) {
        let version = bump(item, self.revision, self.session);
        item.status = Status::Open;
        item.status_by = Some(self.session.actor.clone().into());
        item.status_at = Some(self.session.now);
        item.reason = None;
        item.attested = None;
        item.proposal = None;
        item.changed_since_checked = false;
        item.changed_in.status = version;
        // The next report sets it again.
        item.signal = (item.signal.as_ref()).map(|signal| Box::new(signal.forgetting()));
    }

    /// What the template no longer has: deleted when nobody touched it, retired otherwise.
    pub(super) fn drop_missing(&mut self, list: &mut Checklist) {
        let keys: HashSet<&str> = self
            .target
            .items
            .iter()
            .map(|item| item.key.as_str())
            .collect();
        // In display order, so that the report does not depend on how the list was loaded.
        let gone: Vec<ItemId> = order::display(list)
            .into_iter()
            .filter(|item| {
                item.template_key
                    .as_deref()
                    .is_some_and(|key| !keys.contains(key))
            })
            .filter(|item| item.retired_at.is_none())
            .map(|item| item.id)
            .collect();
        for id in gone {
            let Some(index) = list.items.iter().position(|item| item.id == id) else {
                continue;
            };
            let mut item = Item::clone(&list.items[index]);
            let before = wording(&item, self.session);
            bump(&mut item, self.revision, self.session);
            item.retired_at = Some(self.session.now);
            item.definition_by_person = self.set_otherwise(&item);
            if item.is_touched() {
                self.report(Case::Retired, &item, Some(before), What::Retired);
            } else {
                // Both marks together say that the template, not a person, deleted it.
                item.deleted_at = Some(self.session.now);
                self.report(Case::Removed, &item, Some(before), What::Deleted);
            }
            list.items[index] = Arc::new(item);
        }
    }

    /// The section that the target version puts an item into.
    pub(super) fn parent_of(&self, list: &Checklist, item: &Item) -> Option<ItemId> {
        let key = self
            .target
            .item(item.template_key.as_deref()?)?
            .parent_key
            .as_deref()?;
        list.items
            .iter()
            .find(|other| other.template_key.as_deref() == Some(key))
            .map(|section| section.id)
    }
}

/// The signal of an item as the template has it, with what it has reported so far.
#[cfg(feature = "records")]
fn signal_of(item: &Item, theirs: &TemplateItem) -> Option<Box<Signal>> {
    let binding = theirs.signal.as_ref()?;
    let signal = item.signal.as_ref();
    Some(Box::new(signal.map_or_else(
        || Signal::of(binding),
        |signal| signal.following(binding),
    )))
}

/// In the control the server says it.
#[cfg(not(feature = "records"))]
fn signal_of(item: &Item, _theirs: &TemplateItem) -> Option<Box<Signal>> {
    item.signal.clone()
}

/// Marks an item as changed by this refresh and returns its new version.
pub(super) fn bump(item: &mut Item, revision: u64, session: &Session<'_>) -> u64 {
    // One refresh is one change of an item, however many of its fields follow.
    if item.revision != revision {
        item.version += 1;
        item.revision = revision;
        // A deleted item may get another place, and keeps who deleted it, and when.
        if item.is_live() {
            item.modified_by = session.actor.clone().into();
            item.modified_at = session.now;
        }
    }
    item.version
}
