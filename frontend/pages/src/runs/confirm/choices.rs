//! Computers that could be several entries: the entries to choose from, none of them, or later.

use checklist_shared::wire::workflow::RunComputer;
use leptos::prelude::*;

use super::entry;
use crate::element::{El, all, button, el, live, nothing};
use crate::navigation::outside;
use crate::runs::page::Page;
use crate::runs::told;
use crate::wording::{Wording, fill};

/// So many choices are drawn at a time.
const CHOICES: usize = 25;

/// A choice for each computer that could be several entries, some at a time.
pub fn choices(page: Page, open: Vec<RunComputer>, waits: bool) -> El {
    let words = page.app.language.runs();
    let title = waits.then(|| el("h3").class("run-sub").text(words.ambiguous));
    let shown = RwSignal::new(CHOICES);
    let total = open.len();
    let each = live(move || {
        let shown = shown.get();
        let some = open.iter().take(shown).map(|one| choice(page, one).view());
        all(some.collect())
    });
    el("div")
        .class("form-fields")
        .maybe(title)
        .el(el("p").class("hint").text(words.ambiguous_hint))
        .child(each)
        .live(move || {
            if shown.get() >= total {
                return nothing();
            }
            let more = move || shown.update(|shown| *shown += CHOICES);
            el("div")
                .class("buttons")
                .el(button("button outlined", words.more, more))
                .view()
        })
}

fn choice(page: Page, computer: &RunComputer) -> El {
    let words = page.app.language.runs();
    let id = computer.computer_id.clone();
    let run = page.run.get_untracked();
    let why = told::reason(page.app, &run, computer);
    let pick = |label: El, choice: Option<Option<i64>>| {
        let (here, there) = (id.clone(), id.clone());
        el("div").class("run-pick").el(el("label")
            .class("tick")
            .el(el("input")
                .attr("type", "radio")
                .attr("name", format!("choice-{}", computer.index))
                .class("box")
                .checked(move || {
                    page.answer
                        .with(|answer| answer.choices.get(&here).copied() == choice)
                })
                .on("change", move |_| {
                    page.answer.update(|answer| {
                        match choice {
                            Some(choice) => answer.choices.insert(there.clone(), choice),
                            None => answer.choices.remove(&there),
                        };
                    });
                }))
            .el(label))
    };
    let plain = |text: &'static str| el("span").text(text);
    let candidates = computer.candidates.iter().map(|entry| {
        let number = entry.item_id.to_string();
        let label = el("span").el(el("bdi").text(entry::named(page, entry)));
        let link = entry.web_url.as_deref().and_then(outside);
        let link = link.map(|link| {
            link.class("quiet-link")
                .attr("aria-label", fill(words.open_entry, &[("n", &number)]))
                .text("↗")
        });
        let found = format!(" {}", entry::found_by(page, entry));
        pick(
            label.el(el("small").class("quiet").text(found)),
            Some(Some(entry.item_id)),
        )
        .maybe(link)
    });
    el("fieldset")
        .class("run-choice")
        .el(el("legend").el(el("bdi").class("run-name").text(computer.name.clone())))
        .maybe(why.map(|why| why.class("hint")))
        .els(candidates)
        .el(pick(plain(words.none_of_them), Some(None)))
        .el(pick(plain(words.later), None))
}
