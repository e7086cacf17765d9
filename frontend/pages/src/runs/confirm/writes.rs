//! Adoptions and deletes that wait: how many, which ones, and a box for each of the two.

use checklist_shared::wire::workflow::{Confirmation, PlannedAction, RunComputer};

use super::entry;
use crate::element::{El, el};
use crate::navigation::outside;
use crate::parts::field::tick;
use crate::runs::page::Page;
use crate::wording::{Wording, counted, fill};
use leptos::prelude::*;

/// So many names are told before the rest is only counted.
const NAMED: usize = 200;

/// Adoptions and deletes, each to be ticked.
pub fn writes(page: Page, asked: Confirmation, waiting: &[RunComputer]) -> El {
    let words = page.app.language.runs();
    let before = if asked.first_run {
        words.confirm_first
    } else {
        words.confirm_rest
    };
    let of = |action: PlannedAction| -> Vec<RunComputer> {
        let planned = waiting.iter().filter(|one| one.planned == Some(action));
        planned.cloned().collect()
    };
    let adopt = (asked.adoptions > 0).then(|| {
        let label = counted(
            page.app.language,
            asked.adoptions.into(),
            words.adopt_one,
            words.adopt_many,
        );
        group(
            page,
            tick(
                label,
                move || page.answer.with(|answer| answer.adopt),
                move |on| page.answer.update(|answer| answer.adopt = on),
            ),
            vec![words.adopt_hint.to_owned()],
            &of(PlannedAction::Adopt),
        )
    });
    let delete = (asked.deletes > 0).then(|| {
        let label = counted(
            page.app.language,
            asked.deletes.into(),
            words.delete_one,
            words.delete_many,
        );
        let own = asked.own_entries.to_string();
        let mut hints = vec![fill(words.delete_hint, &[("own", &own)])];
        if asked.adopted_deletes > 0 {
            let n = asked.adopted_deletes.to_string();
            hints.push(fill(words.delete_adopted, &[("n", &n)]));
        }
        hints.push(words.delete_recycled.to_owned());
        group(
            page,
            tick(
                label,
                move || page.answer.with(|answer| answer.delete),
                move |on| page.answer.update(|answer| answer.delete = on),
            ),
            hints,
            &of(PlannedAction::Delete),
        )
    });
    el("div")
        .class("form-fields")
        .el(el("p").text(before))
        .maybe(adopt)
        .maybe(delete)
}

fn group(page: Page, tick: El, hints: Vec<String>, computers: &[RunComputer]) -> El {
    let words = page.app.language.runs();
    let named = computers.iter().take(NAMED).map(|one| {
        let entry = one.candidates.first();
        let entry = entry.map(|entry| entry::linked(page, entry, &one.name));
        let number = one.item_id.filter(|_| one.candidates.is_empty());
        let plain = number.map(|n| {
            let text = fill(words.entry_number, &[("n", &n.to_string())]);
            let link = one.web_url.as_deref().and_then(outside);
            link.unwrap_or_else(|| el("span")).text(text)
        });
        el("li")
            .el(el("bdi").class("run-name").text(one.name.clone()))
            .maybe(entry)
            .maybe(plain)
    });
    let rest = computers.len().saturating_sub(NAMED);
    let rest = (rest > 0).then(|| {
        let n = rest.to_string();
        el("li")
            .class("quiet")
            .text(fill(words.and_more, &[("n", &n)]))
    });
    let hints = hints
        .into_iter()
        .map(|hint| el("p").class("hint").text(hint));
    el("div")
        .class("run-group")
        .el(tick)
        .el(el("div").class("radio-about").els(hints).el(el("details")
            .flag("open", computers.len() <= 5)
            .el(el("summary").text(words.which))
            .el(el("ul").class("run-named").els(named).maybe(rest))))
}
