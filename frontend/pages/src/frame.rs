//! The frame around every page: the bar with who is signed in, the navigation beside it, the open
//! page, and the dialogs that may be open over any page.

use std::rc::Rc;

use leptos::web_sys::window;

use crate::app::{Person, Session};
use crate::kit::*;
use crate::navigation::icon;
use crate::sections::{is_allowed, navigation, open_route, passkeys_link, who};
use crate::session;
use crate::{
    apply, computers, connections, keys, lists, logs, open_items, overview, passkeys,
    platform_types, runs, sign_in_link, templates, webhooks,
};

/// The key of the chosen language in the browser's storage.
const LANGUAGE: &str = "checklist-language";

/// Everything on the screen.
#[must_use]
pub fn frame(app: App) -> AnyView {
    // The same person again, after signing in again, must not draw the page anew.
    let session = Memo::new(move |_| app.session.get());
    let view = move || {
        let session = session.get();
        untrack(|| match session {
            Session::Loading => view! { <main class="entrance"><Skeleton /></main> }.into_any(),
            Session::SignedOut(_) if app.route.get() == Route::SignInLink => {
                sign_in_link::page(app)
            }
            Session::SignedOut(methods) => session::sign_in_page(app, methods),
            Session::Unreachable => session::unreachable_page(app),
            Session::SignedIn(person) => signed_in(app, &person),
        })
    };
    view.into_any()
}

fn signed_in(app: App, person: &Person) -> AnyView {
    let has_ended = Memo::new(move |_| app.has_session_ended.get());
    let ended = move || {
        has_ended
            .get()
            .then(|| untrack(|| session::ended_dialog(app)))
    };
    view! {
        <a class="skip" href="#page">{app.language.frame().skip}</a>
        {bar(app, person)}
        <div class="beside">
            {navigation(app, person)}
            <main class="page" id="page" tabindex="-1">{open_page(app)}</main>
        </div>
        <p class="sr" role="status">{move || app.announcement.get()}</p>
        {toast(app)}
        <DialogOutlet />
        {move || unsaved_question(app)}
        {ended}
    }
    .into_any()
}

fn bar(app: App, person: &Person) -> AnyView {
    let words = app.language.frame();
    let sign_out = move || {
        if app.unsaved.get_untracked() {
            app.go(Route::Home);
        } else {
            session::sign_out(app);
        }
    };
    view! {
        <header class="bar">
            <PageLink to=Route::Home class="brand">
                <img src=icon() alt="" width="28" height="28" />
                <span>{words.product}<small>{words.administration}</small></span>
            </PageLink>
            <div class="who">
                {who(app, person)}
                {passkeys_link(app, person)}
                {language_choice(app)}
                <Button label=words.sign_out click=sign_out />
            </div>
        </header>
    }
    .into_any()
}

fn language_choice(app: App) -> AnyView {
    let options = [(Language::En, "English"), (Language::De, "Deutsch")].map(|(language, name)| {
        let tag = language.tag();
        view! { <option value=tag lang=tag selected=language == app.language>{name}</option> }
    });
    let choose = move |event| {
        if app.unsaved.get_untracked() {
            app.say(app.language.frame().unsaved_hint);
        } else if let Some(window) = window() {
            if let Ok(Some(storage)) = window.local_storage() {
                let _ = storage.set_item(LANGUAGE, &event_target_value(&event));
            }
            let _ = window.location().reload();
        }
    };
    let label = app.language.frame().language;
    view! { <select class="input language" aria-label=label on:change=choose>{options}</select> }
        .into_any()
}

/// The reader's language: the one chosen here, else the browser's if the pages have it.
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

/// Whether the person who is signed in can have passkeys.
fn has_passkeys(app: App) -> bool {
    app.session
        .with_untracked(|session| matches!(session, Session::SignedIn(person) if person.passkeys))
}

/// The open page. It is not drawn anew when only its search changes.
fn open_page(app: App) -> AnyView {
    let page = Memo::new(move |_| open_route(app).without_search());
    let view = move || {
        let page = page.get();
        untrack(|| page_view(app, page))
    };
    view.into_any()
}

fn page_view(app: App, page: Route) -> AnyView {
    let words = app.language.frame();
    let is_allowed = is_allowed(app, &page);
    match page {
        Route::Unknown => view! {
            <PageHead title=words.unknown_title intro=words.unknown_hint />
            <PageLink to=Route::Home class="button primary">{words.to_start}</PageLink>
        }
        .into_any(),
        Route::Passkeys if has_passkeys(app) => passkeys::page(app),
        Route::Passkeys => passkeys::not_for_this_sign_in(app),
        _ if !is_allowed => view! {
            <PageHead title=words.administration />
            <Empty title=words.nothing_to_see hint=words.nothing_to_see_hint />
        }
        .into_any(),
        Route::Home => overview::page::page(app),
        Route::Lists(_) => lists::list::page(app),
        Route::List(context) => lists::page::page(app, context),
        Route::OpenItems(_) => open_items::page(app),
        Route::Templates => templates::list::page(app),
        Route::NewTemplate => templates::page::new(app),
        Route::Template(id) => templates::page::page(app, id),
        Route::Comparison(id) => templates::comparison::page(app, id),
        Route::Health(id) => templates::health::page(app, id),
        Route::Import => templates::import::page(app),
        Route::Apply => apply::page::page(app),
        Route::Applied(id) => apply::run::page(app, id),
        Route::Types => platform_types::list::page(app),
        Route::NewType => platform_types::form::new(app),
        Route::Type(name) => platform_types::form::page(app, name),
        Route::ApiKeys => keys::api_keys::page(app),
        Route::EmbedKeys => keys::embed_keys::page(app),
        Route::Users(_) => keys::people::page(app),
        Route::Connections => connections::list::page(app),
        Route::NewConnection => connections::page::new(app),
        Route::Connection(id) => connections::page::page(app, id),
        Route::Webhooks => webhooks::list::page(app),
        Route::Webhook(id) => webhooks::page::page(app, id),
        Route::Delivery { webhook, id } => webhooks::delivery::page(app, webhook, id),
        Route::Computers(_) => computers::page::page(app),
        Route::Export => computers::export::page::page(app),
        Route::Runs => runs::list::page(app),
        Route::Run(id) => runs::page::page(app, id),
        Route::Journal(_) => logs::journal::page(app),
        Route::Audit(_) => logs::audit::page(app),
        Route::SignInLink => ().into_any(),
    }
}

/// The last announcement on the screen, for a while; screen readers get it from the status line.
fn toast(app: App) -> AnyView {
    let text = RwSignal::new(String::new());
    Effect::new(move |_| {
        let announcement = app.announcement.get();
        text.set(announcement.clone());
        let hide = move || {
            if text.try_get_untracked().as_ref() == Some(&announcement) {
                text.set(String::new());
            }
        };
        checklist_control::browser::set_timeout(6_000, Box::new(hide));
    });
    let view = move || {
        let text = Some(text.get()).filter(|text| !text.trim().is_empty());
        text.map(|text| view! { <div class="toast" aria-hidden="true">{text}</div> })
    };
    view.into_any()
}

/// The question before unsaved changes are lost.
fn unsaved_question(app: App) -> Option<AnyView> {
    let to = app.pending_route.get()?;
    let words = app.language.frame();
    let question = Question::destructive(words.unsaved, words.unsaved_hint, words.leave);
    let stay = move || app.pending_route.set(None);
    Some(untrack(|| {
        question.view(Rc::new(move || app.leave_for(to.clone())), Rc::new(stay))
    }))
}
