//! Signing in with a one-time link: what the link is good for, and the press that uses it up.
//!
//! The secret stands behind the `#` of the address, where no server sees it; it is taken out of the
//! address bar at once.

use checklist_shared::wire::access::{AdminLink, AdminLinkState};
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::web_sys::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;

use crate::api::once;
use crate::app::App;
use crate::element::{El, button, el, nothing};
use crate::navigation::{base, href};
use crate::parts::field::{Field, focus_first_fault};
use crate::parts::load::{alert, sentence, waiting};
use crate::route::Route;
use crate::session::find_out;
use crate::wording::{Wording, fill};

/// What is known of the link.
#[derive(Clone, PartialEq)]
enum State {
    Asked,
    Found(AdminLink),
    Failed(String),
}

/// The page.
pub fn page(app: App) -> El {
    let words = app.language.frame();
    let secret = StoredValue::new(taken_from_address());
    let state = RwSignal::new(State::Asked);
    let name = RwSignal::new(String::new());
    let is_nameless = RwSignal::new(false);
    spawn_local(async move {
        let body = serde_json::json!({ "Link": secret.get_value() }).to_string();
        let url = [&base(), "/session/link"].concat();
        let answer = once::<AdminLink>(Method::POST, &url, Some(&body)).await;
        state.set(match answer {
            Ok(link) => State::Found(link),
            Err(failure) => State::Failed(sentence(app, &failure)),
        });
    });
    let use_it = move || {
        let asks_for_name = state
            .with_untracked(|state| matches!(state, State::Found(link) if link.name.is_none()));
        is_nameless.set(asks_for_name && name.with_untracked(|name| name.trim().is_empty()));
        if is_nameless.get_untracked() {
            focus_first_fault();
            return;
        }
        spawn_local(async move {
            let body = serde_json::json!({
                "Link": secret.get_value(),
                "Name": Some(name.get_untracked()).filter(|name| !name.trim().is_empty()),
            });
            let url = [&base(), "/session/link/sign-in"].concat();
            match once::<serde_json::Value>(Method::POST, &url, Some(&body.to_string())).await {
                Ok(_) => {
                    app.rename(Route::Home);
                    find_out(app);
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    };
    el("main").class("entrance").el(el("section")
        .class("card entrance-card")
        .attr("aria-labelledby", "entrance-title")
        .el(el("h1")
            .id("entrance-title")
            .class("page-title")
            .text(words.link_title))
        .live(move || match state.get() {
            State::Asked => waiting(app).view(),
            State::Failed(sentence) => alert(sentence).view(),
            State::Found(link) => found(app, &link, (name, is_nameless), use_it).view(),
        })
        .live(move || match app.said.get() {
            said if said.is_empty() => nothing(),
            said => alert(said).view(),
        }))
}

fn found(
    app: App,
    link: &AdminLink,
    (name, is_nameless): (RwSignal<String>, RwSignal<bool>),
    use_it: impl Fn() + Copy + Send + 'static,
) -> El {
    let words = app.language.frame();
    let why_not = match link.state {
        AdminLinkState::Open => None,
        AdminLinkState::Used => Some(words.link_used),
        AdminLinkState::Expired => Some(words.link_expired),
        AdminLinkState::OtherBrowser => Some(words.link_elsewhere),
    };
    if let Some(sentence) = why_not {
        return alert(sentence);
    }
    let tenant = link.tenant.clone().unwrap_or_default();
    let hint = match &link.name {
        Some(name) => fill(
            words.link_hint_known,
            &[("tenant", &tenant), ("name", name)],
        ),
        None => fill(words.link_hint, &[("tenant", &tenant)]),
    };
    let field = link.name.is_none().then(|| {
        Field::new("link-name", words.link_name)
            .hint(words.link_name_hint)
            .fault(move || {
                is_nameless
                    .get()
                    .then(|| words.link_name_missing.to_owned())
            })
            .line("", move |text| name.set(text))
    });
    el("form")
        .class("entrance-form")
        .on("submit", move |event| {
            event.prevent_default();
            use_it();
        })
        .el(el("p").class("quiet").text(hint))
        .maybe(field)
        .el(el("div")
            .class("buttons")
            .el(button("button primary", words.sign_in, use_it)))
}

/// The secret of the link. It does not stay where somebody could read it, or in the history.
fn taken_from_address() -> String {
    let Some(window) = window() else {
        return String::new();
    };
    let hash = window.location().hash().unwrap_or_default();
    if let Ok(history) = window.history() {
        let address = href(&Route::SignInLink);
        // A browser that refuses shows the link a little longer; it is used up all the same.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
    hash.trim_start_matches('#').to_owned()
}
