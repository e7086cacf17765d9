//! Telling the screen and the host how things stand, and keeping what is not sent yet.
//!
//! Called after every change, before any event.

use checklist_shared::progress::State;

use super::Controller;
use super::arrange::summarize;
use super::mode::Mode;
use super::port::Snapshot;
use super::screen::{Phase, Strip, Summary};
use crate::api::saved::Saved;
use crate::browser;
use crate::i18n::{Words, fill, plural};

impl Controller {
    /// Tells the screen and the host how things stand. Before any event, so that listeners
    /// find form value, validity and states as they are.
    pub(super) fn publish(&self) {
        let inner = self.inner();
        let settings = self.settings();
        let draft = settings.object_id.is_empty();
        let offline = inner.offline.get() || inner.cut_off.get();
        let (mode, summary, strip, pending, revision) = self.with_state(|state| {
            let strip = Strip {
                update: state.meta.update,
                locked: state.list.locked.clone(),
                offline,
                draft,
            };
            (
                Mode::of(&settings, state),
                summarize(state),
                strip,
                state.queue.len(),
                state.list.revision,
            )
        });
        let failed = self.face(|face| matches!(face.phase, Phase::Failed(_)));
        let locked = strip.locked.is_some();
        let state = if failed {
            State::Unknown
        } else {
            summary.state
        };
        let snapshot = Snapshot {
            state,
            completed: state.is_completed(),
            counts: summary.counts,
            blockers: summary.blockers.clone(),
            revision,
            pending: u32::try_from(pending).unwrap_or(u32::MAX),
            offline,
            error: failed,
            readonly: settings.readonly || settings.disabled || locked,
            locked,
            draft,
            still_open: still_open(&summary, mode.words),
        };
        self.screen().set_mode(mode);
        self.show(|face| {
            face.summary = summary;
            face.strip = strip;
        });
        let before = inner.snapshot.replace(snapshot.clone());
        if before == snapshot {
            return;
        }
        let host = self.host();
        host.changed(&snapshot);
        if before.completed != snapshot.completed {
            host.completed_changed(snapshot.completed);
        }
    }

    /// Keeps what is not sent yet for after a reload.
    pub(super) fn remember(&self) {
        let Some(key) = self.storage_key() else {
            return;
        };
        let saved = self.with_state(|state| {
            (!state.queue.is_empty()).then(|| Saved::of(state.queue.iter()).text())
        });
        browser::keep(&key, saved.as_deref());
    }

    /// Where unsent operations of this person and this list are kept.
    pub(super) fn storage_key(&self) -> Option<String> {
        let context = self.context()?;
        let principal = self.inner().principal.borrow().clone()?;
        let base_url = self.inner().settings.borrow().base_url.clone();
        // A character that cannot stand in any part keeps the parts apart.
        Some(
            [
                "checklist",
                &base_url,
                &principal,
                &context.object_type,
                &context.object_id,
                &context.purpose,
            ]
            .join("\u{1f}"),
        )
    }
}

/// A sentence about what is still open: "2 items still open: gateway logs, workaround".
pub(crate) fn still_open(summary: &Summary, words: Words) -> String {
    /// More names than these are no longer read.
    const NAMED: usize = 3;
    if summary.state != State::Open {
        return String::new();
    }
    let texts = words.texts;
    let mut names = String::new();
    for (_, text) in summary.blockers.iter().take(NAMED) {
        let before = if names.is_empty() {
            ""
        } else {
            texts.semicolon()
        };
        names = [&names, before, &short(text)].concat();
    }
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

/// A text that is short enough to stand among others.
fn short(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => [text.get(..at).unwrap_or(text).trim_end(), "…"].concat(),
        None => text.to_owned(),
    }
}
