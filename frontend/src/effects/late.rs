//! Effects in a lazy chunk (`lazy`): reading templates, histories and dry runs, sending operations
//! other than ticks, restoring unsent operations, and processing the live stream.
//!
//! These effects wait for their chunk without fetching it: it is fetched when the browser is idle, or
//! at once for an action of the person ([`Controller::press`]).

use leptos::prelude::*;

use super::controller::Controller;
use super::deferred::DeferredCall;
use crate::api::saved::StoredOperations;
use crate::browser;
use crate::lazy::{self, SPLIT, Slot};
use crate::model::draft::StoredDraft;
use crate::model::effect::Effect;
use crate::model::message::Msg;

/// Performs an effect of the chunk.
pub type DeferredFn = fn(Controller, DeferredCall);

/// The chunk's function.
pub const RUN: DeferredFn = run;

thread_local! {
    static SLOT: Slot<DeferredFn> = const { Slot::empty() };
}

/// Stores the function once the chunk has loaded.
#[cfg(all(feature = "split", target_arch = "wasm32"))]
pub fn fill(run: DeferredFn) {
    SLOT.with(|slot| slot.fill(run));
}

impl Controller {
    /// Does something as soon as its code is here.
    pub(super) fn do_late(&self, late: DeferredCall) {
        let controller = *self;
        lazy::when_loaded(Box::new(move || {
            let run = if SPLIT {
                SLOT.with(Slot::get)
            } else {
                Some(RUN)
            };
            if let Some(run) = run {
                run(controller, late);
            }
        }));
    }

    /// Does what a person has pressed, as soon as its code is here; says so where it is not.
    pub(crate) fn press(&self, act: Box<dyn FnOnce()>) {
        if lazy::is_here() {
            return act();
        }
        let controller = *self;
        controller.screen().waits.set(true);
        lazy::when_loaded(Box::new(move || {
            controller.screen().waits.set(false);
            act();
        }));
        lazy::fetch();
    }
}

fn run(controller: Controller, late: DeferredCall) {
    match late {
        DeferredCall::Effect(effect) => run_effect(controller, effect),
        DeferredCall::Heard => controller.take_heard(),
        DeferredCall::Met(presence) => controller.take_presence(presence),
        DeferredCall::BringBack(kept) => {
            let StoredOperations {
                operations,
                place,
                keys,
                ..
            } = StoredOperations::read(&kept);
            controller.tell(Msg::BringBack(StoredDraft {
                place,
                keys,
                operations,
            }));
        }
    }
}

fn run_effect(controller: Controller, effect: Effect) {
    match effect {
        Effect::Read(load, source) => controller.read_draft(load, source),
        Effect::Send(context, operation, reason) => {
            controller.send_change(context, *operation, reason);
        }
        Effect::DryRun(context, version, revision) => {
            controller.dry_run(context, version, revision);
        }
        Effect::ReadHistory(request) => controller.read_history(*request),
        Effect::FindPeople(id, number, prefix) => {
            let done = move |found| controller.tell(Msg::PeopleFound(id, number, found));
            // Not before this is through: the host may answer at once.
            let host = controller.runtime().host();
            browser::soon(Box::new(move || host.find_people(prefix, Box::new(done))));
        }
        Effect::Recall => {
            controller.recall();
            // Not before the list is drawn that this belongs to.
            browser::soon(Box::new(move || controller.restore_typed_text()));
        }
        _ => {}
    }
}
