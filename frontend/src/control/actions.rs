//! What a person can do: every action, from the question to the host to the first drawing.
//!
//! Each asks the host, shows the change by the same rules that the server uses, tells the host,
//! says it and starts sending. Called by `components` and `keyboard`.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Status};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::{AddItem, UpdateItem};

use super::Controller;
use super::mode::Mode;
use super::port::{Before, ChangeDetail};
use super::screen::{Detail, Panel, Review, details_of, value_of};
use crate::browser;
use crate::i18n::fill;
use crate::state::list::{UndoStep, text_of};
use crate::state::moves;
use crate::state::notice::{Details, Notice, Refusal, Typed};
use crate::state::operation::{Action, Operation};

impl Controller {
    /// The item as it is shown.
    pub(crate) fn item(&self, id: ItemId) -> Option<Item> {
        self.with_state(|state| state.list.live(id).cloned())
    }

    pub(crate) fn mode(&self) -> Mode {
        self.face(|face| face.mode)
    }

    /// Sets the status. Nothing happens when it is that already.
    pub(crate) fn set_status(&self, id: ItemId, status: Status, reason: Option<String>) -> bool {
        let Some(item) = self.item(id) else {
            return false;
        };
        if !self.mode().check {
            return false;
        }
        let mut update = based_on(&item);
        update.status = Some(status);
        if status == Status::NotApplicable {
            update.reason = reason.map_or(Patch::Clear, Patch::Set);
        }
        if status != Status::Open {
            update.seen_text_hash = self.with_state(|state| state.seen_hash(&item));
        }
        let done = self.act(Before::Check, Action::Update(Box::new(update)));
        if done {
            let texts = self.texts();
            let said = match status {
                Status::Done => texts.said_checked,
                Status::Open => texts.said_opened,
                Status::NotApplicable => texts.said_not_applicable,
            };
            self.announce_with_count(said);
        }
        done
    }

    /// Opens the dialog for "not applicable", or goes back from it.
    pub(crate) fn ask_reason(&self, id: ItemId) {
        self.open(id, Panel::Reason(String::new(), false), ".editor input");
    }

    /// Sets to not applicable, unless a reason is needed and missing.
    pub(crate) fn give_reason(&self, id: ItemId, reason: &str) {
        let Some(item) = self.item(id) else { return };
        let reason = reason.trim();
        if item.not_applicable_needs_reason && reason.is_empty() {
            self.open(id, Panel::Reason(String::new(), true), ".editor input");
            return;
        }
        let reason = (!reason.is_empty()).then(|| reason.to_owned());
        self.set_status(id, Status::NotApplicable, reason);
        self.close(id);
    }

    /// Opens the text in its place.
    pub(crate) fn edit_text(&self, id: ItemId) {
        let Some(item) = self
            .item(id)
            .filter(|item| self.mode().edit && item.retired_at.is_none())
        else {
            return;
        };
        let text = match self.kept(id) {
            Some(Typed::Text(text)) => text,
            _ => text_of(&item).to_owned(),
        };
        self.open(id, Panel::Text(text, item.version), ".editor textarea");
    }

    /// Stores the text that was typed, on the version that it was based on.
    pub(crate) fn save_text(&self, id: ItemId, text: &str, base: u64) {
        let Some(item) = self.item(id) else { return };
        let text = text.trim();
        // An empty text means that nothing was meant, not that the item should go.
        if !text.is_empty() && text != text_of(&item) {
            let mut update = UpdateItem::of(id);
            update.base_version = Some(base);
            update.text = Patch::Set(text.to_owned());
            if self.act(Before::Edit, Action::Update(Box::new(update))) {
                self.announce(self.texts().said_saved.to_owned());
            }
        }
        self.close(id);
    }

    /// Takes the template's text instead of the person's.
    pub(crate) fn use_template_text(&self, id: ItemId) {
        let Some(item) = self.item(id) else { return };
        let mut update = based_on(&item);
        update.text = Patch::Clear;
        if self.act(Before::Edit, Action::Update(Box::new(update))) {
            self.announce(self.texts().said_saved.to_owned());
        }
        self.focus_row(id);
    }

    /// Keeps the person's text against somebody else's newer one.
    pub(crate) fn keep_mine(&self, id: ItemId) {
        let notice = self.row(id, |row| row.notice.clone()).flatten();
        if let (Some(item), Some(Notice::TextTaken { mine, .. })) = (self.item(id), notice) {
            self.dismiss(id);
            self.save_text(id, &mine, item.version);
        }
    }

    /// Opens note, assignee and due date.
    pub(crate) fn edit_details(&self, id: ItemId, field: Detail) {
        let Some(item) = self
            .item(id)
            .filter(|item| self.mode().edit && item.retired_at.is_none())
        else {
            return;
        };
        let mut details = details_of(&item);
        if let Some(Typed::Details(typed)) = self.kept(id) {
            details.note = typed.note.or(details.note);
            details.assignee = typed.assignee.or(details.assignee);
            details.due = typed.due.or(details.due);
        }
        let selector = match field {
            Detail::Note => ".editor textarea",
            Detail::Assignee => ".editor input[type=text]",
            Detail::Due => ".editor input[type=datetime-local]",
        };
        self.open(id, Panel::Details(details, item.version), selector);
    }

    /// Stores what was changed of note, assignee and due date.
    pub(crate) fn save_details(&self, id: ItemId, details: &Details, base: u64) {
        let Some(item) = self.item(id) else { return };
        let mut update = UpdateItem::of(id);
        update.base_version = Some(base);
        update.note = changed(details.note.as_deref(), item.note.as_deref());
        update.assignee = changed(details.assignee.as_deref(), item.assignee.as_deref());
        // The field knows minutes only; a due date that was not touched keeps its seconds.
        update.due = match details.due {
            Some(due) if due != item.due => due.map_or(Patch::Clear, Patch::Set),
            _ => Patch::Keep,
        };
        let nothing = update.note.is_keep() && update.assignee.is_keep() && update.due.is_keep();
        if !nothing && self.act(Before::Edit, Action::Update(Box::new(update))) {
            self.announce(self.texts().said_saved.to_owned());
        }
        self.close(id);
    }

    /// Adds an item at the end of the list or of a section. The field stays for the next one.
    pub(crate) fn add(&self, text: &str, section: Option<ItemId>) {
        let text = text.trim();
        if text.is_empty() || !self.mode().add {
            return;
        }
        let id = browser::new_id();
        let item = AddItem {
            id: Some(id),
            text: text.to_owned(),
            kind: Default::default(),
            parent_id: section,
            after_id: None,
            before_id: None,
            required: false,
            help: None,
            note: None,
            assignee: None,
            due: None,
        };
        if self.act(Before::Edit, Action::Add(id, Box::new(item))) {
            self.show(|face| face.new_text.clear());
            self.announce_with_count(self.texts().said_added);
        }
    }

    /// Deletes an item; the undo is offered without a clock.
    pub(crate) fn delete(&self, id: ItemId) {
        let Some(item) = self.item(id) else { return };
        if !self.mode().delete || item.retired_at.is_some() {
            return;
        }
        let next = self.neighbour(id);
        if !self.act(Before::Delete, Action::Delete(id)) {
            return;
        }
        let text = text_of(&item).to_owned();
        let operation = self.with_state(|state| state.queue.last_id());
        self.show(|face| {
            face.messages.deleted = operation.map(|operation| (text, operation));
        });
        self.announce_with_count(self.texts().said_deleted);
        match next {
            Some(next) => self.focus_row(next),
            None => self.focus_on(".add input, .add button, .messages button"),
        }
    }

    /// Moves an item by one step; the focus stays with it.
    pub(crate) fn move_by(&self, id: ItemId, up: bool) {
        let update = self
            .movable(id)
            .and_then(|item| self.with_state(|state| moves::step(state, &item, up)));
        self.place(id, update);
    }

    /// Moves an item to a position (from 1) among its siblings.
    pub(crate) fn move_to(&self, id: ItemId, position: usize) {
        let item = self.movable(id);
        let update = item
            .and_then(|item| self.with_state(|state| moves::to_position(state, &item, position)));
        self.place(id, update);
    }

    /// The items beside an item, itself included.
    pub(crate) fn siblings(&self, id: Option<ItemId>) -> Vec<ItemId> {
        let parent = id.and_then(|id| self.item(id)).map(|item| item.parent_id);
        parent
            .map(|parent| self.with_state(|state| moves::siblings(state, parent)))
            .unwrap_or_default()
    }

    fn movable(&self, id: ItemId) -> Option<Item> {
        self.item(id)
            .filter(|item| self.mode().reorder && item.retired_at.is_none())
    }

    fn place(&self, id: ItemId, update: Option<UpdateItem>) {
        let done =
            update.is_some_and(|update| self.act(Before::Edit, Action::Update(Box::new(update))));
        if let Some(item) = self.item(id).filter(|_| done) {
            let among = self.with_state(|state| moves::siblings(state, item.parent_id));
            let position = among
                .iter()
                .position(|other| *other == id)
                .map_or(0, |at| at + 1);
            let (position, count) = (position.to_string(), among.len().to_string());
            self.announce(fill(
                self.texts().said_moved,
                &[("position", &position), ("count", &count)],
            ));
        }
        self.close(id);
    }

    /// Takes the person's last operation back.
    pub fn undo(&self) {
        let step = self.inner().state.borrow_mut().undo(browser::now());
        self.undone(step);
    }

    /// Takes a certain operation back, whatever the person has done since.
    pub(crate) fn undo_operation(&self, id: &str) {
        let step = self
            .inner()
            .state
            .borrow_mut()
            .undo_operation(id, browser::now());
        self.undone(step);
    }

    fn undone(&self, step: UndoStep) {
        let taken = match &step {
            UndoStep::Nothing => None,
            UndoStep::Withdrawn(operation, _) => Some(operation.id.as_str()),
            UndoStep::Ask(id) => Some(id.as_str()),
        };
        self.show(|face| {
            // Also when nothing was taken back: the offer has been used.
            face.messages
                .deleted
                .take_if(|(_, operation)| taken.is_none_or(|taken| taken == operation));
        });
        match step {
            UndoStep::Nothing => {}
            UndoStep::Withdrawn(_, affected) => {
                self.remember();
                self.draw(&affected);
                self.publish();
                self.host().user_change(ChangeDetail {
                    what: "undo",
                    item: None,
                    before: None,
                    after: None,
                });
                self.announce_with_count(self.texts().said_undone);
            }
            UndoStep::Ask(id) => {
                self.act(Before::Edit, Action::Undo(id));
            }
        }
    }

    /// Takes over the template's changes that were shown.
    pub(crate) fn apply_refresh(&self) {
        let revision = self.face(|face| match face.review {
            Review::Shown(_, revision) => Some(revision),
            _ => None,
        });
        let Some(revision) = revision else {
            return;
        };
        let (to_version, quiet) = self.with_state(|state| {
            (
                state.meta.update.map(|update| update.to_version),
                state.queue.is_empty(),
            )
        });
        // Own operations on their way change the revision too; they are no reason to refuse.
        let expected_revision = quiet.then_some(revision);
        if self.act(
            Before::Refresh,
            Action::Refresh {
                to_version,
                expected_revision,
            },
        ) {
            self.show(|face| face.review = Review::Closed);
            self.focus_first_open();
        }
    }

    /// Stores what was typed into what is open in a row.
    pub(crate) fn save(&self, id: ItemId, panel: Panel) {
        match panel {
            Panel::Text(text, base) => self.save_text(id, &text, base),
            Panel::Details(details, base) => self.save_details(id, &details, base),
            Panel::Reason(reason, _) => self.give_reason(id, &reason),
            Panel::Position(text) => match text.trim().parse() {
                Ok(position) => self.move_to(id, position),
                Err(_) => self.close(id),
            },
            Panel::Closed | Panel::Menu(_) => {}
        }
    }

    /// Opens something in a row and focuses it.
    pub(crate) fn open(&self, id: ItemId, panel: Panel, focus: &'static str) {
        if self.show_row(id, |row| row.panel = panel).is_some() {
            self.focus_in_row(id, focus);
        }
    }

    /// Closes what is open in a row; the focus goes back to the row.
    pub(crate) fn close(&self, id: ItemId) {
        if self.show_row(id, |row| row.panel = Panel::Closed).is_some() {
            self.focus_row(id);
        }
    }

    /// Takes the notice of a row away.
    pub(crate) fn dismiss(&self, id: ItemId) {
        if self.show_row(id, |row| row.notice = None).is_some() {
            self.focus_row(id);
        }
    }

    /// What was typed into a change that did not happen; its notice has done its work then.
    fn kept(&self, id: ItemId) -> Option<Typed> {
        let kept = self.typed(id)?;
        self.show_row(id, |row| row.notice = None);
        Some(kept)
    }

    fn typed(&self, id: ItemId) -> Option<Typed> {
        self.row(id, |row| row.notice.as_ref()?.typed().cloned())?
    }

    /// Opens the editor with what was typed before.
    pub(crate) fn edit_again(&self, id: ItemId) {
        match self.typed(id) {
            Some(Typed::Reason(reason)) => {
                self.dismiss(id);
                self.open(id, Panel::Reason(reason, false), ".editor input");
            }
            Some(Typed::Details(details)) => {
                let field = if details.note.is_some() {
                    Detail::Note
                } else if details.assignee.is_some() {
                    Detail::Assignee
                } else {
                    Detail::Due
                };
                self.edit_details(id, field);
            }
            _ => self.edit_text(id),
        }
    }

    /// Does it: asks, shows, tells, sends. `false` when the host or the rules said no.
    fn act(&self, before: Before, action: Action) -> bool {
        let id = action.item();
        if !self.host().before(before, id) {
            return false;
        }
        let what = action.what();
        let old = id
            .and_then(|id| self.item(id))
            .and_then(|item| value_of(&item, what));
        let typed = Typed::of(&action);
        let operation = Operation {
            id: browser::new_id().to_string(),
            action,
        };
        let shown = self
            .inner()
            .state
            .borrow_mut()
            .dispatch(operation, browser::now());
        match shown {
            Ok(Some(affected)) => self.draw(&affected),
            Ok(None) => return false,
            Err(code) => {
                let refusal = Refusal::of_item(code);
                match id.filter(|id| self.screen().row(*id).is_some()) {
                    Some(id) => self.say_at_row(id, Notice::Refused(refusal, typed)),
                    None => {
                        self.announce(refusal.sentence(self.texts()));
                        self.show(|face| face.messages.refused = Some(refusal));
                    }
                }
                return false;
            }
        }
        if let Some(id) = id {
            // The person has gone on; what was told about the last change is over.
            self.show_row(id, |row| row.notice = None);
        }
        self.remember();
        self.publish();
        let new = id
            .and_then(|id| self.item(id))
            .and_then(|item| value_of(&item, what));
        self.host().user_change(ChangeDetail {
            what,
            item: id,
            before: old,
            after: new,
        });
        self.send();
        true
    }
}

/// An update on the version that is shown.
fn based_on(item: &Item) -> UpdateItem {
    let mut update = UpdateItem::of(item.id);
    update.base_version = Some(item.version);
    update
}

fn changed(typed: Option<&str>, shown: Option<&str>) -> Patch<String> {
    match typed.map(str::trim) {
        None => Patch::Keep,
        Some(typed) if typed == shown.unwrap_or_default() => Patch::Keep,
        Some("") => Patch::Clear,
        Some(typed) => Patch::Set(typed.to_owned()),
    }
}
