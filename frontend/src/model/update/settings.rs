//! Handles changed settings: another list, another language, or the object of a draft.
//!
//! Unsent operations of the old list are stored, and sent when it is shown again.

use std::rc::Rc;

use checklist_shared::item::Actor;

use crate::model::effect::Effect;
use crate::model::error::Error;
use crate::model::list::{DirtyRows, ListState};
use crate::model::state::{Model, context_of};
use crate::model::sync::Sync;
use crate::model::view_data::{Messages, Phase, Presence, Review};
use crate::port::Settings;

impl Model {
    /// Takes over other settings; loads when they name another list or language.
    pub(super) fn configure(&mut self, settings: Rc<Settings>, language: String) {
        let other_page = std::mem::replace(&mut self.language, language) != self.language;
        let before = std::mem::replace(&mut self.settings, Rc::clone(&settings));
        if before == settings && !other_page {
            return;
        }
        let same = before.base_url == settings.base_url
            && before.object_type == settings.object_type
            && before.purpose == settings.purpose
            && before.run == settings.run
            && before.template == settings.template;
        let words = before.lang != settings.lang || before.words != settings.words || other_page;
        if before.hide_completed != settings.hide_completed {
            self.follow_host();
        }
        if settings.hide_presence {
            self.present(Presence::default());
        }
        if same && before.object_id == settings.object_id && !words {
            self.publish();
            if before.autosave_off && !settings.autosave_off {
                self.send();
            }
        } else if same && before.object_id.is_empty() && !settings.object_id.is_empty() {
            self.adopt_draft();
        } else if same && before.object_id == settings.object_id {
            // Another language of the same list: what waits goes on waiting.
            self.load();
        } else {
            self.change_list();
        }
    }

    /// Whether somebody else is signed in than the person whose changes these are.
    #[must_use]
    pub fn is_other(&self, me: &Actor) -> bool {
        let principal = self.principal.as_ref();
        principal.is_some_and(|principal| *principal != me.identity())
    }

    /// Somebody else has signed in: what the person before them has not sent stays stored for that
    /// person, and the list is read anew.
    pub(super) fn begin_for_other(&mut self) {
        let error = Error::Token(String::new()).describe(self.texts());
        self.flush.failed.get_or_insert(error);
        self.card.adding = None;
        self.card.new_text.clear();
        self.change_list();
    }

    fn change_list(&mut self) {
        self.list = ListState::new(context_of(&self.settings));
        self.forget_view();
        self.principal = None;
        self.adopting = None;
        self.stored.clear();
        self.unsaid.clear();
        self.sync = Sync::Idle;
        self.problem = None;
        self.journal_told = false;
        self.held_back = false;
        self.answer_flush();
        self.card.phase = Phase::Loading;
        self.card.messages = Messages::default();
        self.card.review = Review::Closed;
        self.card.waiving = None;
        self.card.pasted = None;
        self.card.others = Presence::default();
        self.effects.push(Effect::DrawFace);
        self.draw(DirtyRows {
            ids: Vec::new(),
            structural: true,
        });
        self.load();
    }

    /// Forgets changes that wait for a form or for an object, as a form's reset does. What is
    /// sent at once otherwise is stored already and stays.
    pub(super) fn reset(&mut self) {
        if !self.settings.autosave_off && !self.is_draft() {
            return;
        }
        self.brought_back = None;
        let affected = self.list.reset(self.given.now);
        self.rest();
        self.keep_unsent();
        self.draw(affected);
        self.publish();
        self.send();
    }
}
