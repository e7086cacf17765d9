//! Keys of host platforms: registering a public key, limiting it to pages, revoking it.

use checklist_shared::permission::{Permissions, Role};
use checklist_shared::wire::access::{EmbedKey, EmbedKeys, PutEmbedKey};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

use super::{contexts, expiry, roles, state, tabs};
use crate::api::{self, Failure};
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::parts::dialog::{Question, dialog, question};
use crate::parts::field::Field;
use crate::parts::head::{empty, head};
use crate::parts::listing::{Kind, listing, piece};
use crate::parts::load::{alert, sentence};
use crate::parts::table::card_table;
use crate::route::{Route, encoded};
use crate::wording::{Wording, fill};

#[derive(Clone, Copy)]
struct Page {
    app: App,
    epoch: RwSignal<u32>,
    making: RwSignal<bool>,
    revoking: RwSignal<Option<EmbedKey>>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let page = Page {
        app,
        epoch: RwSignal::new(0),
        making: RwSignal::new(false),
        revoking: RwSignal::new(None),
    };
    let actions = vec![button("button primary", words.embed_new, move || {
        page.making.set(true)
    })];
    all(vec![
        head(
            app,
            app.language.frame().keys,
            Some(words.embed_intro),
            actions,
        )
        .view(),
        tabs(app, &Route::EmbedKeys).view(),
        listing(
            app,
            page.epoch,
            Kind {
                call: "EmbedKeys",
                read: |app, call| piece(app, call, |page: EmbedKeys| (page.embed_keys, page.next)),
                hint: words.embed_search_hint,
                show: Box::new(move |keys| table(page, keys)),
                empty: Box::new(move || {
                    empty(words.embed_empty, words.embed_empty_hint, Vec::new())
                }),
            },
        ),
        live(move || {
            if page.making.get() {
                form(page)
            } else {
                nothing()
            }
        }),
        live(move || revoking(page)),
    ])
}

fn table(page: Page, keys: &[EmbedKey]) -> El {
    let words = page.app.language.keys();
    let heads = [
        words.kid,
        words.algorithm,
        words.origins,
        words.ceiling,
        words.expires,
        words.state,
        words.actions,
    ];
    card_table(&heads, keys.iter().map(|key| row(page, key)))
}

fn row(page: Page, key: &EmbedKey) -> El {
    let (app, words) = (page.app, page.app.language.keys());
    let origins = key
        .origins
        .as_ref()
        .map_or_else(|| words.any_origin.to_owned(), |origins| origins.join(", "));
    let own = key.clone();
    let revoke = key.revoked_at.is_none().then(|| {
        button("button danger", words.revoke, move || {
            page.revoking.set(Some(own.clone()))
        })
        .attr(
            "aria-label",
            fill(words.revoke_named, &[("name", &key.kid)]),
        )
    });
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(el("bdi").text(key.kid.clone())))
        .el(el("td")
            .attr("data-label", words.algorithm)
            .text(key.algorithm.clone()))
        .el(el("td").attr("data-label", words.origins).text(origins))
        .el(el("td")
            .attr("data-label", words.ceiling)
            .text(roles::fitting(app.language, key.permissions))
            .maybe(key.contexts.as_deref().map(|contexts| {
                el("small").text([" (", &contexts::told(app, Some(contexts)), ")"].concat())
            })))
        .el(el("td")
            .attr("data-label", words.expires)
            .text(expiry::told(app, key.expires_at)))
        .el(el("td").attr("data-label", words.state).el(state(
            app,
            key.expires_at,
            key.revoked_at.is_some(),
        )))
        .el(el("td").class("toggle-cell").maybe(revoke))
}

fn form(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.keys());
    let (kid, public_key) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (origins, day) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (issuer, lists) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let chosen = RwSignal::new(vec![Role::Owner]);
    let (tried, failure) = (RwSignal::new(false), RwSignal::new(None::<Failure>));
    let register = move || {
        tried.set(true);
        failure.set(None);
        let name = kid.get_untracked().trim().to_owned();
        let lines: Vec<String> = origins
            .get_untracked()
            .lines()
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect();
        let Some(contexts) = contexts::read(&lists.get_untracked()) else {
            return;
        };
        let roles = chosen.get_untracked();
        if roles.is_empty() {
            return;
        }
        let permissions = roles.iter().flat_map(|role| role.permissions().iter());
        let permissions: Permissions = permissions.collect();
        let issuer = issuer.get_untracked().trim().to_owned();
        let key = PutEmbedKey {
            public_key: public_key.get_untracked().trim().to_owned(),
            origins: (!lines.is_empty()).then_some(lines).into(),
            issuer: (!issuer.is_empty()).then_some(issuer).into(),
            permissions: Some(permissions.iter().collect()).into(),
            contexts: contexts.into(),
            expires_at: expiry::end_of(&day.get_untracked()).into(),
        };
        if name.is_empty() || key.public_key.is_empty() {
            return;
        }
        spawn_local(async move {
            let path = ["EmbedKeys/", &encoded(&name)].concat();
            match api::send::<EmbedKey>(app, Method::PUT, &path, &key).await {
                Ok(_) => {
                    page.making.try_set(false);
                    page.epoch.try_update(|epoch| *epoch += 1);
                    app.say(fill(words.registered, &[("name", &name)]));
                }
                Err(refused) => {
                    failure.try_set(Some(refused));
                }
            }
        });
    };
    // What the server says about a field stands at the field.
    let told = move |field: &'static str| {
        let failure = failure.get()?;
        let fault = failure
            .errors
            .iter()
            .find(|fault| fault.pointer.split('/').nth(1) == Some(field));
        fault.map(|fault| fault.detail.clone())
    };
    let required = app.language.frame().fault_required;
    let no_kid = move || {
        (tried.get() && kid.with(|kid| kid.trim().is_empty()))
            .then(|| required.to_owned())
            .or_else(|| told("Kid"))
    };
    let no_key = move || {
        (tried.get() && public_key.with(|key| key.trim().is_empty()))
            .then(|| required.to_owned())
            .or_else(|| told("PublicKey"))
    };
    let no_context = move || {
        (tried.get() && lists.with(|text| contexts::read(text).is_none()))
            .then(|| words.contexts_wrong.to_owned())
            .or_else(|| told("Contexts"))
    };
    let body = el("form")
        .class("dialog-body")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            register();
        })
        .el(Field::new("embed-kid", words.kid)
            .hint(words.kid_hint)
            .fault(no_kid)
            .line("", move |text| kid.set(text)))
        .el(Field::new("embed-key", words.public_key)
            .class("field code-field")
            .hint(words.public_key_hint)
            .fault(no_key)
            .area(4, "", move |text| public_key.set(text)))
        .el(Field::new("embed-origins", words.origins)
            .hint(words.origins_hint)
            .fault(move || told("Origins"))
            .area(2, "", move |text| origins.set(text)))
        .el(roles::ceiling(app, chosen, tried))
        .el(Field::new("embed-contexts", words.contexts)
            .hint(words.contexts_hint)
            .fault(no_context)
            .area(2, "", move |text| lists.set(text)))
        .el(Field::new("embed-issuer", words.issuer)
            .hint(words.embed_issuer_hint)
            .fault(move || told("Issuer"))
            .line("", move |text| issuer.set(text)))
        .el(expiry::field(app, "embed-expires", day))
        .live(move || match failure.get() {
            Some(failure) => alert(sentence(app, &failure)).view(),
            None => nothing(),
        })
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, move || {
                page.making.set(false)
            }))
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(words.register)));
    dialog(words.embed_new, body.view(), move || page.making.set(false))
}

fn revoking(page: Page) -> AnyView {
    let Some(key) = page.revoking.get() else {
        return nothing();
    };
    let (app, words) = (page.app, page.app.language.keys());
    let asked = Question {
        title: fill(words.revoke_title, &[("name", &key.kid)]),
        hint: el("p").text(words.revoke_embed_hint),
        action: words.revoke_now.to_owned(),
        takes_away: true,
    };
    let act = move || {
        let kid = key.kid.clone();
        spawn_local(async move {
            let path = ["EmbedKeys/", &encoded(&kid)].concat();
            match api::act::<Value>(app, Method::DELETE, &path).await {
                Ok(_) => app.say(fill(words.revoked_now, &[("name", &kid)])),
                Err(failure) => app.say(sentence(app, &failure)),
            }
            page.epoch.try_update(|epoch| *epoch += 1);
        });
    };
    question(app, asked, act, move || page.revoking.set(None))
}
