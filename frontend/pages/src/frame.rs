//! The frame around every page: the bar with its links, who is signed in, the open page, and the
//! dialogs that may stand over any page.
//!
//! Mounted once by `start`.

use checklist_shared::permission::Permission;
use leptos::prelude::*;
use leptos::web_sys::window;

use crate::app::App;
use crate::element::{El, all, button, el, live, nothing, typed};
use crate::kit::DialogOutlet;
use crate::navigation::{base, link};
use crate::parts::dialog::{Question, question};
use crate::parts::head::{empty, head};
use crate::parts::load::waiting;
use crate::route::{Filter, Route, Search};
use crate::session::{self, Person, Session};
use crate::wording::{Language, Wording, fill};
use crate::{
    computers, connections, keys, logs, platform_types, runs, sign_in_link, templates, webhooks,
};

/// Where the chosen language is kept.
const LANGUAGE: &str = "checklist-language";

/// Everything there is to see.
#[must_use]
pub fn frame(app: App) -> AnyView {
    // The same person again, after signing in again, must not draw the page anew.
    let session = Memo::new(move |_| app.session.get());
    live(move || match session.get() {
        Session::Unknown => el("main").class("entrance").el(waiting(app)).view(),
        Session::Nobody(_)
            if app
                .route
                .with_untracked(|route| *route == Route::SignInLink) =>
        {
            sign_in_link::page(app).view()
        }
        Session::Nobody(how) => session::page(app, how).view(),
        Session::Unreachable => session::unreachable(app).view(),
        Session::Somebody(person) => all(vec![
            el("a")
                .class("skip")
                .attr("href", "#page")
                .text(app.language.frame().skip)
                .view(),
            bar(app, &person).view(),
            el("main")
                .class("page")
                .id("page")
                .attr("tabindex", "-1")
                .child(open_page(app))
                .view(),
            el("p")
                .class("sr")
                .attr("role", "status")
                .follow_text(move || app.said.get())
                .view(),
            toast(app),
            DialogOutlet().into_any(),
            live(move || leaving(app)),
            live(move || session::ended(app)),
        ]),
    })
}

fn bar(app: App, person: &Person) -> El {
    let words = app.language.frame();
    let links = sections(app).into_iter().map(|section| {
        let here = section.here;
        let link = link("bar-link", &section.route).text(section.name);
        el("li").el(link.follow("aria-current", move || {
            here(&opened(app)).then(|| "page".to_owned())
        }))
    });
    el("header")
        .class("bar")
        .el(link("brand", &Route::Home)
            .el(el("img")
                .attr("src", [&base(), "/admin/assets/icon.svg"].concat())
                .attr("alt", "")
                .attr("width", "28")
                .attr("height", "28"))
            .el(el("span")
                .text(words.product)
                .el(el("small").text(words.administration))))
        .el(el("nav")
            .attr("aria-label", words.pages)
            .el(el("ul").class("bar-links").els(links)))
        .el(el("div")
            .class("who")
            .el(el("p")
                .class("who-name")
                .el(el("span")
                    .class("sr")
                    .text(fill(words.signed_in_as, &[("name", &person.name)])))
                .el(el("bdi")
                    .attr("aria-hidden", "true")
                    .text(person.name.clone()))
                .el(el("small").text(fill(words.tenant, &[("tenant", &person.tenant)]))))
            .el(languages(app))
            .el(button("button", words.sign_out, move || {
                if app.unsaved.get_untracked() {
                    app.leaving.set(Some(Route::Home));
                } else {
                    session::sign_out(app);
                }
            })))
}

fn languages(app: App) -> El {
    let options = [(Language::En, "English"), (Language::De, "Deutsch")]
        .into_iter()
        .map(|(language, name)| {
            el("option")
                .attr("value", language.tag())
                .attr("lang", language.tag())
                .flag("selected", language == app.language)
                .text(name)
        });
    let choose = move |tag: String| {
        if app.unsaved.get_untracked() {
            app.say(app.language.frame().unsaved_hint);
            return;
        }
        if let Some(window) = window() {
            if let Ok(Some(storage)) = window.local_storage() {
                let _ = storage.set_item(LANGUAGE, &tag);
            }
            let _ = window.location().reload();
        }
    };
    el("select")
        .class("input language")
        .attr("aria-label", app.language.frame().language)
        .els(options)
        .on("change", move |event| choose(typed(&event)))
}

/// The reader's language: chosen here once, else the browser's, as far as the pages speak it.
#[must_use]
pub fn language() -> Language {
    let chosen = window()
        .and_then(|window| window.local_storage().ok().flatten())
        .and_then(|storage| storage.get_item(LANGUAGE).ok().flatten());
    let tag = chosen.or_else(|| window().and_then(|window| window.navigator().language()));
    match Language::of(&tag.unwrap_or_default()) {
        Language::De => Language::De,
        _ => Language::En,
    }
}

struct Section {
    name: &'static str,
    route: Route,
    here: fn(&Route) -> bool,
}

/// The pages that the person may see.
fn sections(app: App) -> Vec<Section> {
    let words = app.language.frame();
    let all = [
        (
            Permission::Templates,
            words.templates,
            Route::Templates,
            is_template as fn(&Route) -> bool,
        ),
        (Permission::Templates, words.types, Route::Types, |route| {
            matches!(route, Route::Types | Route::NewType | Route::Type(_))
        }),
        (Permission::Admin, words.keys, Route::ApiKeys, |route| {
            matches!(route, Route::ApiKeys | Route::EmbedKeys)
        }),
        (Permission::Admin, words.people, Route::Users, |route| {
            *route == Route::Users
        }),
        (
            Permission::Admin,
            words.connections,
            Route::Connections,
            |route| {
                matches!(
                    route,
                    Route::Connections | Route::NewConnection | Route::Connection(_)
                )
            },
        ),
        (
            Permission::Admin,
            words.webhooks,
            Route::Webhooks,
            |route| matches!(route, Route::Webhooks | Route::Webhook(_)),
        ),
        (
            Permission::Sites,
            words.computers,
            Route::Computers(Filter::default()),
            |route| matches!(route, Route::Computers(_) | Route::Export),
        ),
        (Permission::Sites, words.runs, Route::Runs, |route| {
            matches!(route, Route::Runs | Route::Run(_))
        }),
        (
            Permission::Read,
            words.journal,
            Route::Journal(Search::default()),
            |route| matches!(route, Route::Journal(_)),
        ),
        (
            Permission::Audit,
            words.audit,
            Route::Audit(Search::default()),
            |route| matches!(route, Route::Audit(_)),
        ),
    ];
    let seen = all.into_iter().filter(|(permission, ..)| {
        app.session
            .with_untracked(|session| session.may(*permission))
    });
    seen.map(|(_, name, route, here)| Section { name, route, here })
        .collect()
}

fn is_template(route: &Route) -> bool {
    matches!(
        route,
        Route::Templates
            | Route::NewTemplate
            | Route::Template(_)
            | Route::Comparison(_)
            | Route::Import
    )
}

/// The page that the address means: the first one that the person may see, where it names none.
fn opened(app: App) -> Route {
    match app.route.get() {
        Route::Home | Route::SignInLink => sections(app)
            .into_iter()
            .next()
            .map_or(Route::Home, |section| section.route),
        route => route,
    }
}

/// The open page. What it is searched for is the page's own business: it is not drawn anew.
fn open_page(app: App) -> AnyView {
    let page = Memo::new(move |_| match opened(app) {
        Route::Computers(_) => Route::Computers(Filter::default()),
        Route::Journal(_) => Route::Journal(Search::default()),
        Route::Audit(_) => Route::Audit(Search::default()),
        route => route,
    });
    live(move || {
        let page = page.get();
        let words = app.language.frame();
        let seen = sections(app).iter().any(|section| (section.here)(&page));
        match page {
            Route::Unknown => all(vec![
                head(
                    app,
                    words.unknown_title,
                    Some(words.unknown_hint),
                    Vec::new(),
                )
                .view(),
                link("button primary", &Route::Home)
                    .text(words.to_start)
                    .view(),
            ]),
            _ if !seen => all(vec![
                head(app, words.administration, None, Vec::new()).view(),
                empty(words.nothing_to_see, words.nothing_to_see_hint, Vec::new()).view(),
            ]),
            Route::Templates => templates::list::page(app),
            Route::NewTemplate => templates::page::new(app),
            Route::Template(id) => templates::page::page(app, id),
            Route::Comparison(id) => templates::comparison::page(app, id),
            Route::Import => templates::import::page(app),
            Route::Types => platform_types::list::page(app),
            Route::NewType => platform_types::form::new(app),
            Route::Type(name) => platform_types::form::page(app, name),
            Route::ApiKeys => keys::api_keys::page(app),
            Route::EmbedKeys => keys::embed_keys::page(app),
            Route::Users => keys::people::page(app),
            Route::Connections => connections::list::page(app),
            Route::NewConnection => connections::page::new(app),
            Route::Connection(id) => connections::page::page(app, id),
            Route::Webhooks => webhooks::list::page(app),
            Route::Webhook(id) => webhooks::page::page(app, id),
            Route::Computers(_) => computers::page::page(app),
            Route::Export => computers::export::page::page(app),
            Route::Runs => runs::list::page(app),
            Route::Run(id) => runs::page::page(app, id),
            Route::Journal(_) => logs::journal::page(app),
            Route::Audit(_) => logs::audit::page(app),
            Route::Home | Route::SignInLink => nothing(),
        }
    })
}

/// What was done last, for the eye; the ear hears it from the status line.
fn toast(app: App) -> AnyView {
    let shown = RwSignal::new(String::new());
    Effect::new(move |_| {
        let said = app.said.get();
        shown.set(said.clone());
        checklist_control::browser::set_timeout(
            6_000,
            Box::new(move || {
                if shown.try_get_untracked().as_ref() == Some(&said) {
                    shown.set(String::new());
                }
            }),
        );
    });
    live(move || {
        let text = shown.get();
        if text.trim().is_empty() {
            nothing()
        } else {
            el("div")
                .class("toast")
                .attr("aria-hidden", "true")
                .text(text)
                .view()
        }
    })
}

/// The question before something unsaved is left behind.
fn leaving(app: App) -> AnyView {
    let Some(to) = app.leaving.get() else {
        return nothing();
    };
    let words = app.language.frame();
    let asked = Question {
        title: words.unsaved.to_owned(),
        hint: el("p").text(words.unsaved_hint),
        action: words.leave.to_owned(),
        takes_away: true,
    };
    question(
        app,
        asked,
        move || app.leave_for(to.clone()),
        move || app.leaving.set(None),
    )
}
