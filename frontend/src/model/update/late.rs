//! Messages other than ticks, which a lazy chunk handles (`lazy`).
//!
//! [`Msg::is_late`] says which these are; the sender makes sure that the chunk has loaded. A message
//! that arrives too early changes nothing.

use crate::lazy::{SPLIT, Slot};
use crate::model::message::{Msg, UserAction};
use crate::model::state::Model;

/// The functions of the chunk that the model calls.
#[derive(Clone, Copy)]
pub struct LateFunctions {
    take: fn(&mut Model, Msg),
    go_on: fn(&mut Model),
}

/// The chunk's table of functions.
pub const FUNCTIONS: LateFunctions = LateFunctions { take, go_on };

thread_local! {
    static SLOT: Slot<LateFunctions> = const { Slot::empty() };
}

/// Stores the functions once the chunk has loaded.
pub fn fill(functions: LateFunctions) {
    SLOT.with(|slot| slot.fill(functions));
}

fn functions() -> Option<LateFunctions> {
    if SPLIT {
        SLOT.with(Slot::get)
    } else {
        Some(FUNCTIONS)
    }
}

impl Msg {
    /// Whether a lazy chunk handles what follows from it.
    #[must_use]
    pub const fn is_late(&self) -> bool {
        match self {
            Self::Do(action) => !matches!(
                action,
                UserAction::SetStatus(..)
                    | UserAction::LoadAgain
                    | UserAction::TryAgain
                    | UserAction::HideDone(_)
                    | UserAction::Collapse(..)
                    | UserAction::Reveal(_)
            ),
            Self::BringBack(_)
            | Self::Recalled(_)
            | Self::HistoryRead(..)
            | Self::PeopleFound(..)
            | Self::Reviewed(..)
            | Self::Heard(_) => true,
            _ => false,
        }
    }
}

impl Model {
    pub(super) fn take_late(&mut self, message: Msg) {
        if let Some(functions) = functions() {
            (functions.take)(self, message);
        }
    }

    /// A draft has its template, or its list: what was done in it goes on.
    pub(super) fn go_on_with_draft(&mut self) {
        if let Some(functions) = functions() {
            (functions.go_on)(self);
        }
    }
}

fn take(model: &mut Model, message: Msg) {
    match message {
        Msg::BringBack(draft) => model.bring_back(draft),
        Msg::Recalled(operations) => model.on_recalled(operations),
        Msg::HistoryRead(id, after, page) => model.history_read(id, after, page),
        Msg::PeopleFound(id, number, found) => model.people_found(id, number, found),
        Msg::Reviewed(revision, result) => model.on_review(revision, result),
        Msg::Heard(change) => model.receive_change(*change),
        Msg::Do(action) => model.perform(action),
        _ => {}
    }
}

fn go_on(model: &mut Model) {
    match model.context() {
        None => model.do_again(),
        Some(_) => model.send_draft(),
    }
}
