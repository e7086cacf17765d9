//! Handles messages: what each of them changes, and which effects follow.
//!
//! The dispatch table is here. Each file below adds to [`Model`] what it does for its messages; what
//! a tick does not need is called through [`late`], which a lazy chunk brings.

mod acting;
mod bulk;
mod details;
mod drafting;
mod dragging;
mod editing;
mod flush;
mod history;
pub mod late;
mod live;
mod load;
mod moving;
mod outcome;
mod pasting;
mod perform;
mod reading;
mod review;
mod search;
mod selecting;
mod settings;
mod snapshot;
mod speech;
mod suggestions;
mod sync;
mod undoing;
mod unsent;
mod visibility;
mod waiving;

use crate::model::effect::Effect;
use crate::model::list::DirtyRows;
use crate::model::message::{MessageContext, Msg, Timer};
use crate::model::state::Model;
use crate::port::ErrorDetail;

/// Handles a message; returns the resulting effects.
pub fn update(model: &mut Model, message: Msg, given: MessageContext) -> Vec<Effect> {
    if model.ended {
        return model.answer_after_end(message);
    }
    model.given = given;
    model.take(message);
    std::mem::take(&mut model.effects)
}

impl Model {
    fn take(&mut self, message: Msg) {
        if message.is_late() {
            return self.take_late(message);
        }
        match message {
            Msg::Begin(drawn) => self.begin(drawn),
            Msg::Configure(settings, language) => self.configure(settings, language),
            Msg::Flush(waiter) => self.flush(waiter),
            Msg::Refresh(waiter) => self.refresh(waiter),
            Msg::Reset => self.reset(),
            Msg::SubmitWaits(waits) => self.submit_waits(waits),
            Msg::Print(is_printing) => self.print(is_printing),
            Msg::End => self.end(),
            Msg::Do(action) => self.perform_first(action),
            Msg::Allowed(act) => self.act(*act),
            Msg::ListRead(load, result, me) => self.list_read(load, result, me),
            Msg::ChangesRead(load, result) => self.changes_read(load, result),
            Msg::Identified(load, me) => self.on_identified(load, me),
            Msg::OtherPerson => self.begin_for_other(),
            Msg::Stored(kept) => self.set_unsent_storage(kept),
            Msg::ViewRecalled(choice) => self.view_recalled(choice),
            Msg::Answered(id, result) => self.on_answer(&id, result),
            Msg::Present(others) => self.present(others),
            Msg::Stream(connection) => self.stream(connection),
            Msg::Back => self.look_again(),
            Msg::Online => {
                self.wake();
                self.look_again();
            }
            Msg::Over(timer) => self.on_timer(timer),
            // Late, and taken above.
            Msg::BringBack(_)
            | Msg::Recalled(_)
            | Msg::HistoryRead(..)
            | Msg::PeopleFound(..)
            | Msg::Reviewed(..)
            | Msg::Heard(_) => {}
        }
    }

    fn on_timer(&mut self, timer: Timer) {
        match timer {
            Timer::Retry(number) => self.retry(number),
            Timer::Load(number) => self.retry_load(number),
            Timer::Flush(number) => self.flush_late(number),
            Timer::Suggest(id, number) => self.ask_people(id, number),
            Timer::SuggestSlow(id, number) => self.people_slow(id, number),
            Timer::Fresh(news) => {
                let faded = self.rows.fade(news);
                self.effects.extend(faded.into_iter().map(Effect::DrawRow));
            }
        }
    }

    pub(super) fn error(&mut self, error: ErrorDetail) {
        self.flush.failed.get_or_insert_with(|| error.clone());
        self.effects.push(Effect::Error(error));
    }

    /// Draws rows; what the groups are follows from the list.
    pub(super) fn draw(&mut self, mut affected: DirtyRows) {
        affected.structural |= self.concerns_hidden(&affected);
        affected.ids.extend(self.list.compare_assignees());
        self.arrange(&affected);
        self.effects.push(Effect::Draw(affected));
    }

    pub(super) fn arrange(&mut self, affected: &DirtyRows) {
        if affected.structural {
            self.arrange_view();
            let list = &self.list;
            self.rows.retain(|id| list.live(id).is_some());
            self.prune_selection();
        }
        self.follow_search(affected);
    }
}
