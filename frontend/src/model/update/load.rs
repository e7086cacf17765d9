//! Loads a list: the first time, in another language, after an error.
//!
//! Every answer carries the number of its load, so that an outdated one is dropped.

use checklist_shared::item::Actor;

use crate::model::effect::{Effect, Source};
use crate::model::error::Error;
use crate::model::list::DirtyRows;
use crate::model::message::Timer;
use crate::model::notice::RejectionReason;
use crate::model::operation::Operation;
use crate::model::policy::backoff;
use crate::model::served::ServedList;
use crate::model::state::Model;
use crate::model::view_data::Phase;

impl Model {
    /// Begins with a list that a server has drawn, else by loading what the settings name. Of
    /// what was drawn nothing is asked: the stream of changes begins with its revision.
    pub(super) fn begin(&mut self, drawn: Option<Box<ServedList>>) {
        // A page is drawn with the present run.
        let drawn = drawn.filter(|_| !self.settings.shows_named_run());
        let Some(served) = drawn else {
            self.load();
            return;
        };
        let load = self.reading.begin();
        self.show_served(*served);
        self.on_loaded(Ok(()));
        if let Some(context) = self.context() {
            self.effects.push(Effect::Identify(load, context));
        }
    }

    /// Loads what the settings name, unless they name nothing yet.
    pub(super) fn load(&mut self) {
        let load = self.reading.begin();
        self.publish();
        let settings = &self.settings;
        let source = match self.context() {
            Some(context) => Source::List(context),
            None if !settings.template.is_empty() => Source::Template(settings.template.clone()),
            None if !settings.object_type.is_empty() => {
                Source::Type(settings.object_type.clone(), settings.purpose.clone())
            }
            None => return,
        };
        self.effects.push(Effect::Read(load, source));
    }

    /// A person asks once more after a failure.
    pub(super) fn load_again(&mut self) {
        self.card.phase = Phase::Loading;
        self.effects.push(Effect::DrawFace);
        self.load();
    }

    /// The list or the template that was asked for.
    pub(super) fn list_read(
        &mut self,
        load: u32,
        result: Result<Box<ServedList>, Error>,
        me: Option<Actor>,
    ) {
        if !self.reading.is_current(load) {
            return;
        }
        // The token may be one that several lists have asked for together.
        if result.is_ok() && me.as_ref().is_some_and(|me| self.is_other(me)) {
            return self.begin_for_other();
        }
        let result = result.map(|served| {
            let is_first = !self.list.meta.loaded;
            if let Some(me) = me {
                self.recognize(me);
            }
            self.show_served(*served);
            match self.context() {
                None => self.go_on_with_draft(),
                Some(_) if self.adopting.is_some() => self.go_on_with_draft(),
                // What waits is about the present run.
                Some(_) if self.settings.shows_named_run() => {}
                Some(_) if is_first => self.effects.extend([Effect::RecallView, Effect::Recall]),
                Some(_) => {}
            }
        });
        self.on_loaded(result);
    }

    /// Who reads a list that a server has drawn.
    pub(super) fn on_identified(&mut self, load: u32, me: Actor) {
        if !self.reading.is_current(load) {
            return;
        }
        self.recognize(me);
        self.keep_unsent();
        self.effects.extend([Effect::RecallView, Effect::Recall]);
        self.draw(DirtyRows {
            ids: self.list.order().to_vec(),
            structural: false,
        });
        self.effects.push(Effect::DrawFace);
    }

    /// Who the person is, as far as a token says.
    fn recognize(&mut self, me: Actor) {
        self.principal = Some(me.identity());
        self.list.me = me;
    }

    /// Shows what was served.
    pub(super) fn show_served(&mut self, served: ServedList) {
        let is_first = !self.list.meta.loaded;
        let affected = self.list.load(served, self.given.now);
        if is_first {
            self.hide_done_by_now();
        }
        self.draw_calmly(affected);
    }

    /// Puts operations into the queue that a person did earlier.
    pub(super) fn requeue(&mut self, operations: Vec<Operation>) {
        for operation in operations {
            // What is as wanted already needs no sending.
            if let Some(affected) = self.list.take_up(operation, self.given.now) {
                self.draw(affected);
            }
        }
        self.keep_unsent();
    }

    pub(super) fn on_loaded(&mut self, result: Result<(), Error>) {
        self.reading.finish(self.given.now);
        match result {
            Ok(()) => {
                self.reading.failed = 0;
                self.card.phase = Phase::Ready;
                self.publish();
                self.send();
                self.finish_read(None);
            }
            Err(failure) => {
                let refusal = failure.refusal();
                if matches!(refusal, RejectionReason::Network | RejectionReason::SignIn) {
                    self.load_later();
                }
                let is_news = self.card.phase != Phase::Failed(refusal.clone());
                self.card.phase = Phase::Failed(refusal);
                self.publish();
                let error = failure.describe(self.texts());
                if is_news {
                    self.say(error.message.clone());
                    self.error(error.clone());
                }
                self.finish_read(Some(error.clone()));
                // What waits for the list waits longer than a form can.
                self.flush.failed.get_or_insert(error);
                self.answer_flush();
            }
        }
    }

    /// What may pass by itself is tried again by itself.
    fn load_later(&mut self) {
        let number = self.next_number();
        let millis = backoff(self.reading.failed + 2, self.given.chance);
        self.reading.failed = self.reading.failed.saturating_add(1);
        self.reading.retry = number;
        self.effects.push(Effect::Wait(millis, Timer::Load(number)));
    }

    /// It is time to try once more.
    pub(super) fn retry_load(&mut self, number: u32) {
        if self.reading.retry == number && matches!(self.card.phase, Phase::Failed(_)) {
            self.load();
        }
    }
}
