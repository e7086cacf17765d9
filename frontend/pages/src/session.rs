//! Who is signed in: finding out, signing in, signing out, and a session that ends meanwhile.
//!
//! A session that ends does not take the page away: a dialog asks to sign in again, in place in
//! the demo and in a second tab with a provider, and what was typed stays. Drawn before every
//! page; called by `start` and `frame`.

use checklist_shared::permission::Permission;
use checklist_shared::wire::access::{self, SignInWays};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;

use crate::api::{self, once};
use crate::app::App;
use crate::element::{El, all, button, el, nothing};
use crate::navigation::{base, parameter};
use crate::parts::dialog::dialog;
use crate::parts::load::alert;
use crate::wording::Wording;

/// What is known about the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// Nothing yet.
    Unknown,
    /// Nobody is signed in; how it can be done.
    Nobody(SignInWays),
    /// Somebody is.
    Somebody(Person),
    /// The server could not be asked.
    Unreachable,
}

/// Whoever is signed in. Without the session's end: the same person again is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name for people.
    pub name: String,
    /// Whose data they see.
    pub tenant: String,
    /// What they may do.
    pub permissions: Vec<Permission>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Refusal {
    #[serde(rename = "SignIn")]
    sign_in: SignInWays,
}

impl Session {
    /// Whether somebody is signed in who has that permission.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        matches!(self, Self::Somebody(person) if person.permissions.contains(&permission))
    }
}

/// Asks the server who is signed in.
pub fn find_out(app: App) {
    spawn_local(async move {
        let session = ask().await;
        let somebody = matches!(session, Session::Somebody(_));
        // A page that is open stays open while nobody is signed in.
        if somebody || !matches!(app.session.get_untracked(), Session::Somebody(_)) {
            app.session.set(session);
        }
        if somebody {
            app.refused.set(String::new());
        }
        if somebody && app.ended.get_untracked() {
            app.ended.set(false);
            api::resume_waiting_calls();
        }
    });
}

async fn ask() -> Session {
    let url = [&base(), "/session"].concat();
    let Ok(response) = gloo_net::http::Request::get(&url)
        .header("Accept", "application/json")
        .send()
        .await
    else {
        return Session::Unreachable;
    };
    let text = response.text().await.unwrap_or_default();
    match response.status() {
        200 => match serde_json::from_str::<access::Session>(&text) {
            Ok(session) => Session::Somebody(Person {
                name: session.name,
                tenant: session.tenant,
                permissions: session.permissions,
            }),
            Err(_) => Session::Unreachable,
        },
        401 => Session::Nobody(
            serde_json::from_str::<Refusal>(&text)
                .unwrap_or_default()
                .sign_in,
        ),
        _ => Session::Unreachable,
    }
}

/// Enters the demo as its administrator.
fn enter_demo(app: App) {
    spawn_local(async move {
        let url = [&base(), "/demo/session"].concat();
        match once::<serde_json::Value>(Method::POST, &url, Some("{}")).await {
            Ok(_) => find_out(app),
            Err(_) => app.say(app.language.frame().unreachable),
        }
    });
}

/// Ends the session.
pub fn sign_out(app: App) {
    spawn_local(async move {
        let url = [&base(), "/session/sign-out"].concat();
        if once::<serde_json::Value>(Method::POST, &url, Some("{}"))
            .await
            .is_ok()
        {
            app.unsaved.set(false);
            app.session.set(ask().await);
        } else {
            app.say(app.language.frame().unreachable);
        }
    });
}

/// The page of somebody who is not signed in.
pub fn page(app: App, how: SignInWays) -> El {
    let words = app.language.frame();
    let hint = match how {
        SignInWays { demo: true, .. } => words.demo_hint,
        SignInWays { oidc: true, .. } => words.oidc_hint,
        _ => words.no_sign_in,
    };
    el("main").class("entrance").el(el("section")
        .class("card entrance-card")
        .attr("aria-labelledby", "entrance-title")
        .el(el("img")
            .attr("src", [&base(), "/admin/assets/icon.svg"].concat())
            .attr("alt", "")
            .attr("width", "44")
            .attr("height", "44"))
        .el(el("h1")
            .id("entrance-title")
            .class("page-title")
            .text(words.product))
        .live(move || match why_not(app, &app.refused.get()) {
            Some(sentence) => refused(app, sentence),
            None => nothing(),
        })
        .el(el("p").class("quiet").text(hint))
        .el(ways_in(app, how, false))
        .el(el("p")
            .class("sr")
            .attr("role", "status")
            .follow_text(move || app.said.get())))
}

/// Why a sign-in came to nothing, with what an administrator needs to register the person.
fn refused(app: App, sentence: &'static str) -> AnyView {
    let words = app.language.frame();
    let issuer = parameter("SignInIssuer");
    let subject = parameter("SignInSubject");
    if subject.is_empty() {
        return alert(sentence).view();
    }
    all(vec![
        alert(sentence).view(),
        el("dl")
            .class("facts")
            .el(el("dt").text(words.issuer))
            .el(el("dd").el(el("code").text(issuer)))
            .el(el("dt").text(words.account_id))
            .el(el("dd").el(el("code").text(subject)))
            .view(),
    ])
}

/// Why a sign-in came to nothing, for whoever has just tried.
fn why_not(app: App, problem: &str) -> Option<&'static str> {
    let words = app.language.frame();
    match problem {
        "" => None,
        "Expired" => Some(words.sign_in_expired),
        "NotRegistered" => Some(words.sign_in_not_registered),
        "ProviderFailed" => Some(words.sign_in_provider_failed),
        _ => Some(words.sign_in_refused),
    }
}

/// The page while the server cannot be asked.
pub fn unreachable(app: App) -> El {
    let words = app.language.frame();
    el("main").class("entrance").el(el("section")
        .class("card entrance-card")
        .attr("role", "alert")
        .el(el("h1").class("page-title").text(words.unreachable))
        .el(el("p").class("quiet").text(words.unreachable_hint))
        .el(el("div")
            .class("buttons")
            .el(button("button primary", words.try_again, move || {
                app.session.set(Session::Unknown);
                find_out(app);
            }))))
}

fn ways_in(app: App, how: SignInWays, beside: bool) -> El {
    let words = app.language.frame();
    let provider = how.oidc.then(|| {
        let here = if beside {
            "/admin/".to_owned()
        } else {
            ["/admin", &app.route.get_untracked().path()].concat()
        };
        let back = form_urlencoded::byte_serialize(here.as_bytes()).collect::<String>();
        let link = el("a")
            .class("button primary")
            .attr(
                "href",
                [&base(), "/session/sign-in?ReturnTo=", &back].concat(),
            )
            .text(words.sign_in);
        if beside {
            link.attr("target", "_blank").attr("rel", "opener")
        } else {
            link
        }
    });
    let demo = how
        .demo
        .then(|| button("button primary", words.enter_demo, move || enter_demo(app)).focused());
    let check = (beside && how.oidc)
        .then(|| button("button", words.signed_in_there, move || find_out(app)));
    el("div")
        .class("buttons")
        .maybe(provider)
        .maybe(demo)
        .maybe(check)
}

/// The dialog over a page whose session has ended.
pub fn ended(app: App) -> AnyView {
    if !app.ended.get() {
        return nothing();
    }
    let words = app.language.frame();
    let how = RwSignal::new(SignInWays::default());
    spawn_local(async move {
        match ask().await {
            Session::Nobody(ways) => {
                how.try_set(ways);
            }
            Session::Somebody(_) => find_out(app),
            _ => {}
        }
    });
    let body = all(vec![
        el("p").text(words.ended_hint).view(),
        el("div")
            .live(move || ways_in(app, how.get(), true).view())
            .view(),
    ]);
    dialog(words.ended, body, || {})
}
