//! All templates: their state, their versions, and how many lists follow them.

use checklist_shared::wire::admin::{TemplateBundle, TemplateRow, Templates};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::exchange::download;
use crate::api;
use crate::app::App;
use crate::element::{El, all, button, el};
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::listing::{Kind, Piece, listing, piece};
use crate::parts::load::sentence;
use crate::parts::table::card_table;
use crate::route::Route;
use crate::wording::{Wording, fill};

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.templates();
    let actions = vec![
        link("button", &Route::Import).text(words.import),
        button("button", words.export, move || export(app)),
        link("button primary", &Route::NewTemplate).text(words.new),
    ];
    all(vec![
        head(
            app,
            app.language.frame().templates,
            Some(words.intro),
            actions,
        )
        .view(),
        listing(
            app,
            RwSignal::new(0),
            Kind {
                call: "Templates",
                read: |app, call| piece(app, call, rows_of),
                hint: words.search_hint,
                show: Box::new(move |rows| table(app, rows)),
                empty: Box::new(move || {
                    let actions = vec![
                        link("button primary", &Route::NewTemplate).text(words.new),
                        link("button", &Route::Import).text(words.import),
                    ];
                    empty(words.empty, words.empty_hint, actions)
                }),
            },
        ),
    ])
}

/// The rows of an answer, and where the next ones begin.
pub fn rows_of(page: Templates) -> Piece<TemplateRow> {
    (page.templates, page.next)
}

fn table(app: App, rows: &[TemplateRow]) -> El {
    let words = app.language.templates();
    let heads = [words.name, words.status, words.rows, words.lists];
    card_table(&heads, rows.iter().map(|row| table_row(app, row)))
}

fn table_row(app: App, row: &TemplateRow) -> El {
    let words = app.language.templates();
    let number = |version: u32| fill(words.version, &[("n", &version.to_string())]);
    let (name, tag) = name_of(app, row);
    let published = (row.version > 0).then(|| el("span").class("pill").text(number(row.version)));
    let draft = row
        .draft_version
        .map(|_| el("span").class("pill warm").text(words.draft));
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(link("row-link", &Route::Template(row.id.clone()))
                .el(el("span").attr("dir", "auto").attr("lang", tag).text(name)))
            .el(el("code").class("id").text(row.id.clone())))
        .el(el("td")
            .attr("data-label", words.status)
            .el(el("span").class("pills").maybe(published).maybe(draft)))
        .el(el("td")
            .class("number")
            .attr("data-label", words.rows)
            .text(row.items.to_string()))
        .el(el("td")
            .class("number")
            .attr("data-label", words.lists)
            .text(row.lists.to_string()))
}

/// The name in the reader's language, with the language that it is in.
pub fn name_of(app: App, row: &TemplateRow) -> (String, String) {
    match row.name.resolve(&[app.language.tag()]) {
        Some((tag, name)) => (name.to_owned(), tag.to_owned()),
        None => (row.id.clone(), String::new()),
    }
}

fn export(app: App) {
    spawn_local(async move {
        match api::get::<TemplateBundle>(app, "Templates/Export").await {
            Ok(bundle) => download("templates.json", &bundle),
            Err(failure) => app.say(sentence(app, &failure)),
        }
    });
}
