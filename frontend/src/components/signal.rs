//! What another system reports of a row: its status, as of when, whether that is out of date by now, and
//! why a person has overridden it. Part of what describes the box.

use checklist_shared::item::{Item, Status};
use leptos::prelude::*;

use super::meta;
use crate::i18n::fill;
use crate::model::mode::Mode;
use crate::reader;
use crate::wording::moment;

/// The lines about the signal of the row.
pub(super) fn signal(item: &Item, mode: Mode) -> AnyView {
    let texts = mode.texts();
    let Some(signal) = &item.signal else {
        return ().into_any();
    };
    let now = reader::today().now;
    let stale_at = signal.stale_at.filter(|at| at.as_millis() <= now);
    let said = match (signal.as_of, stale_at) {
        (None, _) => fill(texts.signal_waits(), &[("source", &signal.source)]),
        (Some(as_of), stale_at) => {
            let text = match stale_at {
                Some(_) => texts.signal_stale(),
                None => texts.signal_reports(),
            };
            let when = moment(stale_at.unwrap_or(as_of), mode);
            let status = meta::word(signal.reported(), mode);
            let parts = [
                ("source", signal.source.as_str()),
                ("status", status),
                ("when", &when),
            ];
            fill(text, &parts)
        }
    };
    // With "not applicable" the row has said why.
    let why = item
        .reason
        .as_deref()
        .filter(|_| item.overrides_signal() && item.status != Status::NotApplicable);
    let why = why.map(|reason| {
        let sentence = fill(texts.overridden_because(), &[("reason", reason)]);
        view! { <p class="reason">{sentence}</p> }.into_any()
    });
    let class = if stale_at.is_some() {
        "reason signal stale"
    } else {
        "reason signal"
    };
    view! {
        <p class=class part="signal">
            {said}
        </p>
        {why}
    }
    .into_any()
}
