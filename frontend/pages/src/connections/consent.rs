//! Whether a connection can be used, and "Connect": the person signs in with the authorization
//! server, and what came of it is said when the browser is back.

use checklist_shared::wire::connections::{
    ConnectionMethod, ConnectionState, ConsentBegun, ServiceConnection,
};
use gloo_net::http::Method;
use leptos::prelude::*;
use leptos::web_sys::window;
use wasm_bindgen_futures::spawn_local;

use super::page::Page;
use super::{call, told};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{El, el, live, nothing};
use crate::navigation::parameter;
use crate::parts::load::{alert, sentence};
use crate::wording::{Wording, fill};

/// What the address says about a consent that has come back. An address alone connects nothing:
/// that somebody is connected is said only of a connection that is ready.
pub fn came_back(app: App, is_ready: bool) -> Option<El> {
    let words = app.language.connections();
    if is_ready && parameter("Connected") == "true" {
        return Some(
            el("div")
                .class("notice fine")
                .attr("role", "status")
                .el(el("p").text(words.connected)),
        );
    }
    let problem = match parameter("ConsentProblem").as_str() {
        "Refused" => words.back_refused,
        "Expired" => words.back_expired,
        "Changed" => words.back_changed,
        "ProviderFailed" => words.back_provider_failed,
        "NotLasting" => words.back_not_lasting,
        _ => return None,
    };
    Some(alert(problem))
}

/// The panel that says whether the connection can be used.
pub fn panel(page: Page) -> AnyView {
    live(move || match page.known.get() {
        Some(connection) => state(page, &connection).view(),
        None => nothing(),
    })
}

fn state(page: Page, connection: &ServiceConnection) -> El {
    let (app, words) = (page.app, page.app.language.connections());
    let hint = match connection.state {
        ConnectionState::Ready => words.ready_hint,
        ConnectionState::NeedsSignIn => words.needs_sign_in_hint,
        ConnectionState::NeedsSecret => words.needs_secret_hint,
    };
    let problem = connection
        .problem
        .clone()
        .map(|problem| told::from_server(app, problem).class("warning"));
    let fact = |name: &'static str, value: El| [el("dt").text(name), el("dd").el(value)];
    let scopes = (!connection.scopes.is_empty()).then(|| {
        let scopes = connection.scopes.join(" ");
        fact(words.provider_scope, el("code").class("long").text(scopes))
    });
    let ranges = (!connection.allowed_private_ranges.is_empty()).then(|| {
        let ranges = connection.allowed_private_ranges.join(", ");
        fact(words.private_ranges, el("code").class("long").text(ranges))
    });
    let connect = (connection.method == ConnectionMethod::Delegated)
        .then(|| connecting(page, connection.clone()));
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "state-title")
        .el(el("div")
            .class("panel-head")
            .el(el("h2")
                .class("panel-title")
                .id("state-title")
                .text(words.state))
            .el(told::state(app, connection.state)))
        .el(el("div")
            .class("panel-body")
            .el(el("p").text(hint))
            .maybe(problem)
            .el(el("dl")
                .class("facts")
                .els(fact(
                    words.owner,
                    el("bdi").text(connection.owner_name.clone()),
                ))
                .els(scopes.into_iter().flatten())
                .els(ranges.into_iter().flatten()))
            .maybe(connect))
}

fn connecting(page: Page, connection: ServiceConnection) -> El {
    let words = page.app.language.connections();
    let (busy, trouble) = (RwSignal::new(false), RwSignal::new(String::new()));
    let (class, label) = if connection.state == ConnectionState::NeedsSignIn {
        ("button primary", words.connect)
    } else {
        ("button outlined", words.connect_again)
    };
    let issuer = connection.issuer.clone().unwrap_or_default();
    let begin = move || {
        if busy.get_untracked() {
            return;
        }
        if page.is_changed() {
            trouble.set(words.save_first.to_owned());
            return;
        }
        trouble.set(String::new());
        busy.set(true);
        let connection = connection.clone();
        spawn_local(async move {
            let path = call(&connection.id, "/Connect");
            match api::act::<ConsentBegun>(page.app, Method::POST, &path).await {
                // It stays busy until the browser has gone there.
                Ok(begun) => go_to(&begun.authorization_url),
                Err(failure) => {
                    busy.try_set(false);
                    trouble.try_set(refused(page.app, &connection, &failure));
                }
            }
        });
    };
    el("div")
        .class("form-fields")
        .el(el("p")
            .class("hint")
            .text(fill(words.connect_hint, &[("issuer", &issuer)])))
        .live(move || {
            let trouble = trouble.get();
            if trouble.is_empty() {
                nothing()
            } else {
                alert(trouble).view()
            }
        })
        .el(el("div").class("buttons").el(el("button")
            .attr("type", "button")
            .class(class)
            .on("click", move |_| begin())
            .follow_text(move || if busy.get() { words.connecting } else { label }.to_owned())))
}

fn refused(app: App, connection: &ServiceConnection, failure: &ApiError) -> String {
    let words = app.language.connections();
    if failure.status == 403 {
        let owner = [("owner", connection.owner_name.as_str())];
        fill(words.connect_not_yours, &owner)
    } else {
        sentence(app, failure)
    }
}

fn go_to(address: &str) {
    if let Some(window) = window() {
        let _ = window.location().set_href(address);
    }
}
