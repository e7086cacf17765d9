//! What another system reports of a row: its status, as of when, whether that is out of date by now, and
//! why a person has overridden it. Part of what describes the box.
//!
//! A report goes out of date without anything being sent, so an open page looks at the clock itself.

use checklist_shared::item::{Item, Status};
use checklist_shared::signal::Signal;
use leptos::prelude::*;

use super::at::nothing;
use super::meta;
use crate::i18n::fill;
use crate::model::mode::Mode;
use crate::wording::moment;
use crate::{STILL, browser, reader};

/// The lines about the signal of the row.
pub(crate) fn signal(item: &Item, mode: Mode) -> AnyView {
    let Some(signal) = item.signal.clone() else {
        return nothing();
    };
    // With "not applicable" the row has said why.
    let why = item
        .reason
        .as_deref()
        .filter(|_| item.overrides_signal() && item.status != Status::NotApplicable);
    let why = why.map(|reason| {
        let sentence = fill(mode.texts().overridden_because(), &[("reason", reason)]);
        view! { <p class="reason">{sentence}</p> }.into_any()
    });
    let is_stale = stale(&signal);
    let class = move || {
        if is_stale.get() {
            "reason signal stale"
        } else {
            "reason signal"
        }
    };
    view! {
        <p class=class part="signal">
            {move || report(&signal, is_stale.get(), mode)}
        </p>
        {why}
    }
    .into_any()
}

/// Whether the report is out of date; becomes true by itself.
fn stale(signal: &Signal) -> RwSignal<bool> {
    let Some(stale_at) = signal.stale_at else {
        return RwSignal::new(false);
    };
    let left = stale_at.as_millis() - reader::today().now;
    let is_stale = RwSignal::new(left <= 0);
    // A browser takes no longer time, and no page is open for weeks.
    if let Some(left) = i32::try_from(left).ok().filter(|left| *left > 0 && !STILL) {
        let turn = move || {
            let _ = is_stale.try_set(true);
        };
        browser::set_timeout(left.unsigned_abs(), Box::new(turn));
    }
    is_stale
}

fn report(signal: &Signal, is_stale: bool, mode: Mode) -> String {
    let texts = mode.texts();
    let source = signal.source.as_str();
    let Some(as_of) = signal.as_of else {
        return fill(texts.signal_waits(), &[("source", source)]);
    };
    let (text, when) = match signal.stale_at.filter(|_| is_stale) {
        Some(stale_at) => (texts.signal_stale(), stale_at),
        None => (texts.signal_reports(), as_of),
    };
    let status = meta::word(signal.reported(), mode);
    let when = moment(when, mode);
    fill(
        text,
        &[("source", source), ("status", status), ("when", &when)],
    )
}
