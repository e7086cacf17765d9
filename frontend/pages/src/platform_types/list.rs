//! All types: which classes they include, how many templates they name, whether their journal works.

use checklist_shared::wire::admin::{Class, Type, Types};
use leptos::prelude::*;

use super::journal_state;
use crate::app::App;
use crate::element::{El, all, el};
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::listing::{Kind, listing, piece};
use crate::route::Route;
use crate::wording::{Wording, counted};

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.platform_types();
    let new = || link("button primary", &Route::NewType).text(words.new);
    all(vec![
        head(
            app,
            app.language.frame().types,
            Some(words.intro),
            vec![new()],
        )
        .view(),
        listing(
            app,
            RwSignal::new(0),
            Kind {
                call: "Types",
                read: |app, call| piece(app, call, |page: Types| (page.types, page.next)),
                hint: words.search_hint,
                show: Box::new(move |types| {
                    let cards = types.iter().map(|kind| card(app, kind));
                    el("ul").class("cards").els(cards)
                }),
                empty: Box::new(move || empty(words.empty, words.empty_hint, vec![new()])),
            },
        ),
    ])
}

fn card(app: App, kind: &Type) -> El {
    let words = app.language.platform_types();
    let class = |class: Class, name: &'static str| {
        kind.classes
            .contains(&class)
            .then(|| el("span").class("pill").text(name))
    };
    let always = kind
        .always_journal
        .then(|| el("span").class("pill").text(words.always));
    let (ready, sentence) = journal_state(app, &kind.classes);
    let templates = kind.templates.len() as u64;
    let templates = if templates == 0 {
        words.no_purposes.to_owned()
    } else {
        counted(
            app.language,
            templates,
            words.purposes_one,
            words.purposes_other,
        )
    };
    el("li")
        .class("card type-card")
        .el(el("h2")
            .class("panel-title")
            .el(link("row-link", &Route::Type(kind.name.clone()))
                .el(el("bdi").text(kind.name.clone()))))
        .el(el("p")
            .class("pills")
            .maybe(class(Class::UnitOfWork, words.unit_of_work))
            .maybe(class(Class::ChecklistItem, words.checklist_item))
            .maybe(always))
        .el(el("p").class("quiet").text(templates))
        .maybe((!ready).then(|| el("p").class("warning").text(sentence)))
}
