//! The form as it stands on the page: its panels, the button, and why it was not taken.

use leptos::prelude::*;

use super::page::Form;
use super::{faults, lines, place};
use crate::element::{El, all, button, el, nothing};
use crate::navigation::link;
use crate::parts::field::{switch, tick};
use crate::parts::load::{alert, sentence};
use crate::parts::panel::panel;
use crate::route::Route;
use crate::wording::{Wording, counted, fill};

/// The form, or what is needed first.
pub fn shown(form: Form) -> AnyView {
    if form.connections.with_value(|all| !place::any(all)) {
        return place::none(form).view();
    }
    let (app, words) = (form.app, form.app.language.export());
    let has_list = Memo::new(move |_| form.draft.with(|draft| !draft.title.is_empty()));
    el("form")
        .class("narrow-form")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            form.send();
        })
        .el(panel("export-place", words.place, place::fields(form)))
        .child(lines::panel(form))
        .live(move || {
            if has_list.get() {
                panel("export-by-hand", words.by_hand, by_hand(form)).view()
            } else {
                nothing()
            }
        })
        .el(el("div").class("card padded").el(switch(
            words.dry_run,
            Some(words.dry_run_hint),
            move || form.draft.with(|draft| draft.dry_run),
            move |on| form.draft.update(|draft| draft.dry_run = on),
        )))
        .live(move || trouble(form))
        .el(el("div").class("buttons").el(el("button")
            .attr("type", "submit")
            .class("button primary")
            .follow_text(move || {
                if form.busy.get() {
                    return words.starting.to_owned();
                }
                let n = app.selected.with(|chosen| chosen.len()) as u64;
                let (one, many) = if form.draft.with(|draft| draft.dry_run) {
                    (words.look_one, words.look_many)
                } else {
                    (words.export_one, words.export_many)
                };
                counted(app.language, n, one, many)
            })))
        .view()
}

/// How entries made by hand are found.
fn by_hand(form: Form) -> El {
    let words = form.app.language.export();
    let name = Memo::new(move |_| {
        form.draft
            .with(|draft| (draft.by_serial_number, draft.by_name))
    });
    el("div")
        .el(el("p").class("hint").text(words.by_hand_hint))
        .el(el("div")
            .class("ticks")
            .el(tick(
                words.by_serial_number,
                move || form.draft.with(|draft| draft.by_serial_number),
                move |on| form.draft.update(|draft| draft.by_serial_number = on),
            ))
            .el(tick(
                words.by_name,
                move || form.draft.with(|draft| draft.by_name),
                move |on| form.draft.update(|draft| draft.by_name = on),
            )))
        .live(move || {
            if name.get() == (false, false) {
                el("p").class("hint").text(words.by_nothing).view()
            } else {
                nothing()
            }
        })
}

/// Why it was not taken, and where that leads.
fn trouble(form: Form) -> AnyView {
    let (app, words) = (form.app, form.app.language.export());
    let Some(failure) = form.failure.get() else {
        return nothing();
    };
    if let ("RunInProgress", Some(run)) = (failure.code.as_str(), &failure.run) {
        return alert(words.in_progress)
            .el(el("div")
                .class("buttons")
                .el(link("button outlined", &Route::Run(run.clone())).text(words.to_that_run)))
            .view();
    }
    let gone = faults::gone(form, &failure);
    if !gone.is_empty() {
        let names = gone.join(", ");
        let without = move || {
            let gone = gone.clone();
            app.selected.update(|chosen| chosen.remove(gone));
            form.failure.set(None);
        };
        return alert(fill(words.gone, &[("names", &names)]))
            .el(el("div").class("buttons").el(button(
                "button outlined",
                words.gone_without,
                without,
            )))
            .view();
    }
    let others = faults::elsewhere(form, &failure);
    all(vec![
        alert(faults::whole(app, &failure).unwrap_or_else(|| sentence(app, &failure))).view(),
        if others.is_empty() {
            nothing()
        } else {
            el("ul")
                .class("faults")
                .els(others.into_iter().map(|one| el("li").text(one)))
                .view()
        },
    ])
}
