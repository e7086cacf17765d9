//! The state of the list, for the screen and for the host.
//!
//! A person sees their own changes at once. A host gets only what
//! the server has confirmed: a form that says "completed" must not be wrong. A draft has no
//! server yet, so there the local state counts.

use checklist_shared::progress::State;

use super::arrange::summarize;
use super::effect::Effect;
use super::mode::Mode;
use super::view_data::{Phase, Strip, Summary};
use super::{Connection, Model};
use crate::i18n::{Words, fill, plural};
use crate::port::Snapshot;

impl Model {
    /// Updates the screen and the host with the present state. Before any event, so that listeners
    /// find the current form value, validity and states.
    pub(super) fn publish(&mut self) {
        self.mode = Mode::of(&self.settings, &self.language, &self.list);
        self.card.summary = summarize(&self.list);
        self.show_view();
        self.prune_selection();
        self.show_selection();
        self.card.messages.sign_in = self.connection() == Connection::NoToken;
        self.card.strip = Strip {
            update: self.list.meta.update,
            locked: self.list.list.locked.clone(),
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
            summary.state.is_completed()
        } else {
            state.is_completed()
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

/// A sentence about what is still open: "2 items still open: gateway logs, workaround".
#[must_use]
pub fn open_items_sentence(summary: &Summary, words: Words) -> String {
    /// More names than these are no longer read.
    const NAMED: usize = 3;
    if summary.state != State::Open {
        return String::new();
    }
    let texts = words.texts;
    let named: Vec<String> = summary
        .blockers
        .iter()
        .take(NAMED)
        .map(|(_, text)| truncate(text))
        .collect();
    let mut names = named.join(texts.semicolon());
    let more = summary.blocking.saturating_sub(NAMED as u32);
    if more > 0 {
        names = fill(
            texts.and_more(),
            &[("names", &names), ("n", &words.number(more))],
        );
    }
    plural(
        words,
        texts.still_open(),
        summary.blocking,
        &[("names", &names)],
    )
}

/// A text, shortened to fit into a list of texts.
fn truncate(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => [text.get(..at).unwrap_or(text).trim_end(), "…"].concat(),
        None => text.to_owned(),
    }
}
