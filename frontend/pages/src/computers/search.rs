//! What the inventory is searched for: words and a status, kept in the address.

use checklist_shared::computer::ComputerStatus;
use leptos::prelude::*;

use super::told;
use crate::app::App;
use crate::element::{El, button, el, live, nothing};
use crate::parts::field::Field;
use crate::route::{Filter, Route};
use crate::wording::Wording;

/// What the page that is open is searched for.
#[must_use]
pub fn filter(route: &Route) -> Filter {
    match route {
        Route::Computers(filter) => filter.clone(),
        _ => Filter::default(),
    }
}

/// The fields.
pub fn form(app: App) -> El {
    let words = app.language.computers();
    let now = Memo::new(move |_| filter(&app.route.get()));
    let typed = RwSignal::new(now.get_untracked());
    // Back and forward change the search too; then the fields follow.
    let epoch = RwSignal::new(0_u32);
    Effect::new(move |before: Option<Filter>| {
        let now = now.get();
        if before.is_some_and(|before| before != now) && typed.get_untracked() != now {
            typed.set(now.clone());
            epoch.update(|epoch| *epoch += 1);
        }
        now
    });
    let go = move || {
        let wanted = typed.get_untracked();
        if wanted != now.get_untracked() {
            app.rename(Route::Computers(wanted));
        }
    };
    let fields = live(move || {
        epoch.track();
        let shown = typed.get_untracked();
        let statuses = ComputerStatus::ALL.map(|status| {
            let name = told::status_name(app, status).to_owned();
            (status.name().to_owned(), name)
        });
        let options = std::iter::once((String::new(), words.any_status.to_owned()))
            .chain(statuses)
            .collect();
        el("div")
            .class("search-fields")
            .el(Field::new("computers-search", words.search)
                .hint(words.search_hint)
                .of_kind("search", shown.text.clone(), move |text| {
                    typed.update(|filter| filter.text = text)
                }))
            .el(Field::new("computers-status", words.status).choice(
                options,
                &shown.status,
                move |status| {
                    typed.update(|filter| filter.status = status);
                    go();
                },
            ))
            .view()
    });
    let reset = live(move || {
        if now.with(Filter::is_empty) {
            return nothing();
        }
        button("button", words.reset, move || reset(app)).view()
    });
    el("form")
        .class("card search")
        .attr("role", "search")
        .on("submit", move |event| {
            event.prevent_default();
            go();
        })
        .child(fields)
        .el(el("div")
            .class("buttons")
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(words.search_now))
            .child(reset))
}

/// Searches for nothing in particular.
pub fn reset(app: App) {
    app.rename(Route::Computers(Filter::default()));
}
