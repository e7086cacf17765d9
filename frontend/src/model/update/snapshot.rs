//! The state of the list, for the screen and for the host.
//!
//! A person sees their own changes at once. A host gets only what
//! the server has confirmed: a form that says "completed" must not be wrong. A draft has no
//! server yet, so there the local state counts.

use checklist_shared::progress::State;

use crate::model::effect::Effect;
use crate::model::mode::Mode;
use crate::model::sentences::open_items_sentence;
use crate::model::state::Model;
use crate::model::sync::Connection;
use crate::model::view_data::{Phase, Strip, Summary};
use crate::port::Snapshot;

impl Model {
    /// Updates the screen and the host with the present state. Before any event, so that listeners
    /// find the current form value, validity and states.
    pub(super) fn publish(&mut self) {
        self.mode = Mode::of(&self.settings, &self.language, &self.list);
        self.card.summary = Summary::of(&self.list);
        self.show_view();
        self.prune_selection();
        self.show_selection();
        self.card.messages.sign_in = self.connection() == Connection::NoToken;
        self.card.strip = Strip {
            update: self.list.meta.update,
            locked: self.list.list.locked.clone(),
            waived: self.list.list.waived.clone(),
            offline: self.connection() == Connection::Offline,
            sending: if self.flush.submitting {
                self.texts().saving_first().to_owned()
            } else {
                self.unsent_sentence()
            },
            draft: self.is_draft(),
        };
        self.effects.push(Effect::DrawFace);
        self.effects.push(Effect::Publish);
    }

    /// The present state, for the host.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let summary = &self.card.summary;
        let settings = &self.settings;
        let failed = matches!(self.card.phase, Phase::Failed(_));
        let state = if failed || self.adopting.is_some() {
            State::Unknown
        } else if self.is_draft() {
            summary.state
        } else {
            self.list.confirmed_progress().0
        };
        let locked = self.list.list.locked.is_some();
        let pending = self.unconfirmed_count();
        // What a form or a draft holds back on purpose is sent with it.
        let is_saving = pending > 0 && !settings.autosave_off && !self.is_draft();
        let is_open = !if settings.autosave_off && !failed {
            summary.state.may_pass()
        } else {
            state.may_pass()
        };
        Snapshot {
            state,
            completed: state.is_completed(),
            counts: summary.counts,
            blockers: summary.blockers.clone(),
            revision: self.list.list.revision,
            pending: u32::try_from(pending).unwrap_or(u32::MAX),
            offline: self.connection() == Connection::Offline,
            error: failed,
            readonly: settings.readonly || settings.disabled || locked,
            locked,
            draft: self.is_draft(),
            incomplete: is_open || is_saving,
            still_open: match summary.state {
                State::Open => open_items_sentence(summary, self.mode.words),
                // If the person cannot do anything about it, the message says who can.
                State::Empty if settings.required && !self.mode.add => {
                    self.texts().empty_ask().to_owned()
                }
                _ if is_saving => self.texts().saving().to_owned(),
                _ => String::new(),
            },
        }
    }
}
