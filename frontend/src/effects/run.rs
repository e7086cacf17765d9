//! Runs the effects of a message, in order.
//!
//! No borrow is held while the host is called, because its listeners may call back at once; an event
//! carries the state at the time it is dispatched.

use std::rc::Rc;

use checklist_shared::ItemId;

use super::controller::Controller;
use super::deferred::DeferredCall;
use super::inputs::message_context;
use super::runtime::Runtime;
use crate::STILL;
use crate::browser;
use crate::lazy;
use crate::model::effect::{Effect, Focus, Source};
use crate::model::message::{GuardedAction, Msg};
use crate::model::update;
use crate::port::{CompletionCallback, ErrorDetail};

impl Controller {
    /// Tells the model what has happened, and does what follows.
    pub(crate) fn tell(&self, message: Msg) {
        if message.is_late() && !lazy::is_here() {
            let (controller, is_pressed) = (*self, matches!(message, Msg::Do(_)));
            let act = Box::new(move || controller.tell(message));
            return if is_pressed {
                self.press(act)
            } else {
                lazy::when_loaded(act)
            };
        }
        if matches!(message, Msg::Online | Msg::Back) {
            lazy::fetch_again();
        }
        let runtime = self.runtime();
        let effects = update(&mut runtime.model.borrow_mut(), message, message_context());
        let mut is_face_due = false;
        for effect in effects {
            if matches!(effect, Effect::DrawFace) {
                is_face_due = true;
                continue;
            }
            if reaches_the_page(&effect) && std::mem::take(&mut is_face_due) {
                runtime.draw_card();
            }
            // A page that is drawn on a server is not alive.
            if !STILL || draws(&effect) {
                self.run(&runtime, effect);
            }
        }
        if is_face_due {
            runtime.draw_card();
        }
    }

    /// The same with somebody who waits for an answer.
    pub(crate) fn ask_model(&self, done: CompletionCallback, message: fn(u32) -> Msg) {
        let waiter = self.runtime().wait(done);
        self.tell(message(waiter));
    }

    fn run(&self, runtime: &Rc<Runtime>, effect: Effect) {
        match effect {
            Effect::Draw(affected) => {
                self.draw(&affected);
                lazy::fetch_when_idle();
            }
            Effect::DrawCalmly(affected) => {
                self.draw_calmly(&affected);
                lazy::fetch_when_idle();
            }
            Effect::DrawRow(id) => runtime.draw_row(id),
            Effect::DrawFace => runtime.draw_card(),
            Effect::Publish => runtime.publish(),
            Effect::Ask(act) => self.ask_host(runtime, act),
            Effect::Changed(change) => runtime.host().user_change(change),
            Effect::Error(error) => runtime.host().error(error),
            Effect::ErrorAtRow(code, item) => {
                let message = self.row_sentence(item).unwrap_or_default();
                runtime.host().error(ErrorDetail {
                    code,
                    status: 422,
                    message,
                    item: Some(item),
                });
            }
            Effect::Answer(waiter, result) => {
                if let Some(done) = runtime.take_waiter(waiter) {
                    done(result);
                }
            }
            Effect::Read(load, Source::List(context)) => self.read_list(load, context),
            Effect::Read(..) => {
                self.do_late(DeferredCall::Effect(effect));
                lazy::fetch();
            }
            Effect::ReadChanges(load, context, since) => self.read_changes(load, context, since),
            Effect::Identify(load, context) => self.identify(load, context),
            Effect::Send(context, operation, reason) => self.send(context, *operation, reason),
            Effect::DryRun(..)
            | Effect::ReadHistory(_)
            | Effect::FindPeople(..)
            | Effect::Recall => {
                self.do_late(DeferredCall::Effect(effect));
            }
            Effect::Store(operation) => self.store(&operation),
            Effect::Discard(id) => self.discard(&id),
            Effect::RecallView => self.recall_view(),
            Effect::StoreView(choice) => self.store_view(&choice),
            Effect::Say(sentence) => self.announce(sentence),
            Effect::SayRow(id) => {
                if let Some(sentence) = self.row_sentence(id) {
                    self.announce(sentence);
                }
            }
            Effect::Focus(focus) => self.focus(focus),
            Effect::Wait(millis, timer) => {
                let controller = *self;
                browser::set_timeout(millis, Box::new(move || controller.tell(Msg::Over(timer))));
            }
        }
    }

    /// Asks about each of several items, and leaves those out that the host stops.
    fn ask_host(&self, runtime: &Rc<Runtime>, mut act: Box<GuardedAction>) {
        let (host, before) = (runtime.host(), act.before);
        let is_bulk = act.action.is_bulk();
        act.action.retain(|id| host.before(before, Some(id)));
        let is_allowed = if is_bulk {
            !act.action.ids().is_empty()
        } else {
            host.before(before, act.action.item())
        };
        if is_allowed {
            self.tell(Msg::Allowed(act));
        }
    }

    fn focus(&self, focus: Focus) {
        match focus {
            Focus::Row(id) => self.focus_row(id),
            Focus::InRow(id, selector) => self.focus_in_row(id, selector),
            Focus::First(selector) => self.focus_on(selector),
            Focus::FirstOpen => self.focus_first_open(),
        }
    }

    fn row_sentence(&self, id: ItemId) -> Option<String> {
        let mode = self.mode();
        let notice = self.row(id, |row| row.notice.clone()).flatten()?;
        Some(crate::wording::sentence(&notice, mode))
    }
}

/// Whether somebody outside may look at the screen now, or call back.
const fn reaches_the_page(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Publish
            | Effect::Ask(_)
            | Effect::Changed(_)
            | Effect::Error(_)
            | Effect::ErrorAtRow(..)
            | Effect::Answer(..)
            | Effect::Focus(_)
    )
}

const fn draws(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Draw(_) | Effect::DrawCalmly(_) | Effect::DrawRow(_)
    )
}
