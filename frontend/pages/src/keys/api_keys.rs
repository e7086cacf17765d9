//! Keys of programs: making one, seeing its secret once, revoking it.

use checklist_shared::wire::access::{
    ApiKey, ApiKeys, CreatedApiKey, NewApiKey, Revocation, Revoked,
};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

use super::secret::{Secret, shown};
use super::{contexts, expiry, roles, state, tabs};
use crate::api;
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
    /// Counts what makes the list old.
    epoch: RwSignal<u32>,
    making: RwSignal<bool>,
    secret: RwSignal<Option<Secret>>,
    revoking: RwSignal<Option<ApiKey>>,
    ending: RwSignal<bool>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let page = Page {
        app,
        epoch: RwSignal::new(0),
        making: RwSignal::new(false),
        secret: RwSignal::new(None),
        revoking: RwSignal::new(None),
        ending: RwSignal::new(false),
    };
    let actions = vec![
        button("button danger", words.end_all, move || {
            page.ending.set(true)
        }),
        button("button primary", words.api_new, move || {
            page.making.set(true)
        }),
    ];
    all(vec![
        head(
            app,
            app.language.frame().keys,
            Some(words.api_intro),
            actions,
        )
        .view(),
        tabs(app, &Route::ApiKeys).view(),
        listing(
            app,
            page.epoch,
            Kind {
                call: "ApiKeys",
                read: |app, call| piece(app, call, |page: ApiKeys| (page.api_keys, page.next)),
                hint: words.api_search_hint,
                show: Box::new(move |keys| table(page, keys)),
                empty: Box::new(move || empty(words.api_empty, words.api_empty_hint, Vec::new())),
            },
        ),
        live(move || {
            if page.making.get() {
                form(page)
            } else {
                nothing()
            }
        }),
        live(move || match page.secret.get() {
            Some(secret) => shown(app, &secret, words.secret_hint, move || {
                page.secret.set(None)
            }),
            None => nothing(),
        }),
        live(move || revoking(page)),
        live(move || ending(page)),
    ])
}

fn table(page: Page, keys: &[ApiKey]) -> El {
    let words = page.app.language.keys();
    let heads = [
        words.name,
        words.roles,
        words.contexts,
        words.expires,
        words.state,
        words.actions,
    ];
    card_table(&heads, keys.iter().map(|key| row(page, key)))
}

fn row(page: Page, key: &ApiKey) -> El {
    let (app, words) = (page.app, page.app.language.keys());
    let names: Vec<&str> = key
        .roles
        .iter()
        .map(|role| roles::name(app.language, *role))
        .collect();
    let own = key.clone();
    let revoke = key.revoked_at.is_none().then(|| {
        button("button danger", words.revoke, move || {
            page.revoking.set(Some(own.clone()))
        })
        .attr(
            "aria-label",
            fill(words.revoke_named, &[("name", &key.name)]),
        )
    });
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(el("bdi").text(key.name.clone()))
            .el(el("code").class("id").text(key.id.clone())))
        .el(el("td")
            .attr("data-label", words.roles)
            .text(names.join(", ")))
        .el(el("td")
            .attr("data-label", words.contexts)
            .text(contexts::told(app, key.contexts.as_deref())))
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
    let (name, limits, day) = (
        RwSignal::new(String::new()),
        RwSignal::new(String::new()),
        RwSignal::new(String::new()),
    );
    let (chosen, tried, trouble) = (
        RwSignal::new(Vec::new()),
        RwSignal::new(false),
        RwSignal::new(String::new()),
    );
    let busy = RwSignal::new(false);
    let create = move || {
        tried.set(true);
        let contexts = contexts::read(&limits.get_untracked());
        let key = NewApiKey {
            name: name.get_untracked().trim().to_owned(),
            roles: chosen.get_untracked(),
            contexts: contexts.clone().flatten(),
            expires_at: expiry::end_of(&day.get_untracked()),
        };
        if key.name.is_empty() || key.roles.is_empty() || contexts.is_none() || busy.get_untracked()
        {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let answer = api::send::<CreatedApiKey>(app, Method::POST, "ApiKeys", &key).await;
            busy.try_set(false);
            match answer {
                Ok(made) => {
                    page.making.try_set(false);
                    page.secret.try_set(Some((made.key.name, made.secret)));
                    page.epoch.try_update(|epoch| *epoch += 1);
                }
                Err(failure) => {
                    let told = failure.errors.first().map(|fault| fault.detail.clone());
                    trouble.try_set(told.unwrap_or_else(|| sentence(app, &failure)));
                }
            }
        });
    };
    let nameless = move || {
        (tried.get() && name.with(|name| name.trim().is_empty()))
            .then(|| app.language.frame().fault_required.to_owned())
    };
    let misread = move || {
        (tried.get() && limits.with(|limits| contexts::read(limits).is_none()))
            .then(|| words.contexts_wrong.to_owned())
    };
    let body = el("form")
        .class("dialog-body")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            create();
        })
        .el(Field::new("key-name", words.name)
            .fault(nameless)
            .line("", move |text| name.set(text)))
        .el(roles::choice(app, chosen, tried))
        .el(Field::new("key-contexts", words.contexts)
            .hint(words.contexts_hint)
            .fault(misread)
            .area(2, "", move |text| limits.set(text)))
        .el(expiry::field(app, "key-expires", day))
        .live(move || {
            let trouble = trouble.get();
            if trouble.is_empty() {
                nothing()
            } else {
                alert(trouble).view()
            }
        })
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, move || {
                page.making.set(false)
            }))
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(words.create)));
    dialog(words.api_new, body.view(), move || page.making.set(false))
}

fn revoking(page: Page) -> AnyView {
    let Some(key) = page.revoking.get() else {
        return nothing();
    };
    let (app, words) = (page.app, page.app.language.keys());
    let asked = Question {
        title: fill(words.revoke_title, &[("name", &key.name)]),
        hint: el("p").text(words.revoke_api_hint),
        action: words.revoke_now.to_owned(),
        takes_away: true,
    };
    let act = move || {
        let key = key.clone();
        spawn_local(async move {
            let path = ["ApiKeys/", &encoded(&key.id)].concat();
            match api::act::<Value>(app, Method::DELETE, &path).await {
                Ok(_) => app.say(fill(words.revoked_now, &[("name", &key.name)])),
                Err(failure) => app.say(sentence(app, &failure)),
            }
            page.epoch.try_update(|epoch| *epoch += 1);
        });
    };
    question(app, asked, act, move || page.revoking.set(None))
}

fn ending(page: Page) -> AnyView {
    if !page.ending.get() {
        return nothing();
    }
    let (app, words) = (page.app, page.app.language.keys());
    let asked = Question {
        title: words.end_all_title.to_owned(),
        hint: el("p").text(words.end_all_hint),
        action: words.end_all_now.to_owned(),
        takes_away: true,
    };
    let act = move || {
        spawn_local(async move {
            let everything = Revocation {
                jti: None,
                everything: Some(true),
            };
            match api::send::<Revoked>(app, Method::POST, "Revocations", &everything).await {
                Ok(_) => app.say(words.end_all_done),
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    };
    question(app, asked, act, move || page.ending.set(false))
}
