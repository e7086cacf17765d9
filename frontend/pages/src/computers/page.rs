//! The inventory: a search, the table, what is chosen and what can be done with it, the import.

use leptos::prelude::*;

use super::rows::Rows;
use super::selection::MOST;
use super::{import, search};
use crate::app::App;
use crate::element::{all, button, el, live, nothing};
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::load::alert;
use crate::route::{Filter, Route};
use crate::wording::{Wording, counted, fill};

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.computers();
    let importing = RwSignal::new(false);
    let rows = Rows::of(app);
    let import = move |class| button(class, words.import, move || importing.set(true));
    let filter = Memo::new(move |_| search::filter(&app.route.get()));
    let none = Memo::new(move |_| rows.total.get() == Some(0));
    let anything = Memo::new(move |_| filter.with(Filter::is_empty));
    // The fields stay where they are, and keep the focus, whatever is searched for.
    let is_bare = Memo::new(move |_| none.get() && anything.get());
    all(vec![
        head(
            app,
            app.language.frame().computers,
            Some(words.intro),
            vec![import("button outlined")],
        )
        .view(),
        live(move || {
            if is_bare.get() {
                empty(
                    words.empty,
                    words.empty_hint,
                    vec![import("button primary")],
                )
                .view()
            } else {
                search::form(app).view()
            }
        }),
        chosen(rows, app),
        rows.table(),
        live(move || {
            if none.get() && !anything.get() {
                let again = button("button", words.reset, move || search::reset(app));
                empty(words.found_none, words.found_none_hint, vec![again]).view()
            } else {
                nothing()
            }
        }),
        rows.foot(),
        live(move || {
            if importing.get() {
                import::dialog_of(app, rows, importing)
            } else {
                nothing()
            }
        }),
    ])
}

/// How many computers are chosen, and what can be done about it.
fn chosen(rows: Rows, app: App) -> AnyView {
    let words = app.language.computers();
    let selected = app.selected;
    let count = Memo::new(move |_| selected.with(super::selection::Selection::len));
    // Whether the search finds computers that are not chosen; what is not shown may be.
    let finds_more = Memo::new(move |_| {
        let total = rows.total.get().unwrap_or_default();
        let shown = rows.shown.with(|shown| {
            selected.with(|selected| {
                let mut chosen = shown.iter().map(|view| selected.has(&view.computer.id));
                chosen.all(|chosen| chosen)
            })
        });
        total > 0 && !(shown && count.get() as u64 >= total)
    });
    let all_found = move || {
        let total = rows.total.get().unwrap_or_default();
        let label = counted(app.language, total, words.choose_one, words.choose_other);
        button("button", label, move || rows.choose_all())
    };
    el("div")
        .class("chosen-bar")
        .follow("data-chosen", move || (count.get() > 0).then(String::new))
        .el(el("p").attr("role", "status").follow_text(move || {
            counted(
                app.language,
                count.get() as u64,
                words.chosen_one,
                words.chosen_other,
            )
        }))
        .el(el("div")
            .class("buttons")
            .live(move || {
                if finds_more.get() {
                    all_found().view()
                } else {
                    nothing()
                }
            })
            .live(move || {
                if count.get() == 0 {
                    return nothing();
                }
                let clear = button("button", words.choose_none, move || {
                    selected.update(super::selection::Selection::clear)
                });
                all(vec![clear.view(), all(actions(app)).into_any()])
            }))
        .live(move || {
            if count.get() > MOST {
                alert(fill(words.too_many, &[("n", &MOST.to_string())])).view()
            } else {
                nothing()
            }
        })
        .view()
}

/// What can be done with the computers that are chosen.
fn actions(app: App) -> Vec<AnyView> {
    let export = link("button primary", &Route::Export).text(app.language.export().title);
    vec![export.view()]
}
