//! One webhook: what it is told, whether it is taken, what it was sent; its test, its secret and
//! its end.

use checklist_control::browser::date_and_time;
use checklist_shared::patch::Patch;
use checklist_shared::wire::webhooks::{RotateSecret, Webhook, WebhookDelivery, WebhookWithSecret};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

use super::form::{self, Saved};
use super::{call, log, state, told};
use crate::api;
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::keys::secret::{Secret, shown as secret_shown};
use crate::navigation::link;
use crate::parts::dialog::{Question, question};
use crate::parts::head::head;
use crate::parts::load::{loaded, sentence};
use crate::parts::panel::panel;
use crate::route::Route;
use crate::wording::{Wording, fill};

/// What is asked over the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Form,
    Rotation,
    Deletion,
}

#[derive(Clone, Copy)]
struct Page {
    app: App,
    known: RwSignal<Webhook>,
    open: RwSignal<Open>,
    secret: RwSignal<Option<Secret>>,
    /// Counts what makes the log old.
    sent: RwSignal<u32>,
}

/// The page.
pub fn page(app: App, id: String) -> AnyView {
    loaded(
        app,
        move || {
            let path = call(&id, "");
            async move { api::get::<Webhook>(app, &path).await }
        },
        move |known| {
            shown(Page {
                app,
                known: RwSignal::new(known),
                open: RwSignal::new(Open::Nothing),
                secret: RwSignal::new(None),
                sent: RwSignal::new(0),
            })
        },
    )
}

fn shown(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.webhooks());
    let id = page.known.with_untracked(|known| known.id.clone());
    let name = Memo::new(move |_| page.known.with(|known| known.name.clone()));
    let ask = move |class: &'static str, label: &'static str, what: Open| {
        button(class, label, move || page.open.set(what))
    };
    all(vec![
        el("p")
            .class("crumbs")
            .el(link("quiet-link", &Route::Webhooks)
                .text(["← ", app.language.frame().webhooks].concat()))
            .view(),
        live(move || {
            let actions = vec![
                ask("button danger", words.delete, Open::Deletion),
                ask("button", words.rotate, Open::Rotation),
                ask("button outlined", words.edit, Open::Form),
                button("button primary", words.test, move || page.test()),
            ];
            head(app, &name.get(), None, actions).view()
        }),
        live(move || notice(page)),
        live(move || facts(page)),
        log::log(app, &id, page.sent),
        live(move || match page.open.get() {
            Open::Nothing => nothing(),
            Open::Form => editing(page),
            Open::Rotation => rotating(page),
            Open::Deletion => deleting(page),
        }),
        live(move || match page.secret.get() {
            Some(secret) => secret_shown(app, &secret, words.secret_hint, move || {
                page.secret.set(None)
            }),
            None => nothing(),
        }),
    ])
}

impl Page {
    fn close(self) {
        self.open.set(Open::Nothing);
    }

    fn call(self, act: &str) -> String {
        self.known.with_untracked(|known| call(&known.id, act))
    }

    fn test(self) {
        let (app, path) = (self.app, self.call("/Test"));
        spawn_local(async move {
            match api::act::<WebhookDelivery>(app, Method::POST, &path).await {
                Ok(_) => {
                    app.say(app.language.webhooks().tested);
                    self.sent.try_update(|sent| *sent += 1);
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    }

    fn turn_on(self) {
        let (app, path) = (self.app, self.call(""));
        let mut wish = self.known.with_untracked(form::wish_of);
        wish.enabled = Patch::Set(true);
        spawn_local(async move {
            match api::send::<Webhook>(app, Method::PUT, &path, &wish).await {
                Ok(webhook) => {
                    self.known.try_set(webhook);
                    app.say(app.language.webhooks().saved);
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    }
}

/// What an administrator has to know: it is off, or nothing is taken.
fn notice(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.webhooks());
    let known = page.known.get();
    if let Some(because) = known.off_because.filter(|_| !known.enabled) {
        let turn_on = button("button", words.turn_on, move || page.turn_on());
        return el("div")
            .class("notice danger")
            .attr("role", "alert")
            .el(el("p").text(fill(words.turned_off, &[("because", &because)])))
            .el(el("div").class("buttons").el(turn_on))
            .view();
    }
    let Some(since) = known.failing_since else {
        return nothing();
    };
    let since = date_and_time(since, app.language.tag());
    el("div")
        .class("notice")
        .attr("role", "status")
        .el(el("p").text(fill(words.failing_since, &[("time", &since)])))
        .view()
}

fn facts(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.webhooks());
    let known = page.known.get();
    let fact = |label: &'static str, value: El| [el("dt").text(label), el("dd").el(value)];
    let events: Vec<&str> = known.events.iter().map(|one| told(app, *one)).collect();
    let old = known.old_secret_until.map(|until| {
        let until = date_and_time(until, app.language.tag());
        el("p")
            .class("hint")
            .text(fill(words.old_until, &[("time", &until)]))
    });
    let list = el("dl")
        .class("facts")
        .els(fact(words.state, state(app, &known)))
        .els(fact(words.url, el("bdi").text(known.url.clone())))
        .els(fact(words.events, el("span").text(events.join(", "))));
    let body = el("div").el(list).maybe(old);
    panel("webhook-title", words.about, body).view()
}

fn editing(page: Page) -> AnyView {
    let known = page.known.get_untracked();
    let saved = move |saved: Saved| {
        page.close();
        if let Saved::Changed(webhook) = saved {
            page.known.set(*webhook);
        }
        page.app.say(page.app.language.webhooks().saved);
    };
    form::form(page.app, Some(&known), saved, move || page.close())
}

fn rotating(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.webhooks());
    let name = page.known.with_untracked(|known| known.name.clone());
    let asked = Question {
        title: fill(words.rotate_title, &[("name", &name)]),
        hint: el("p").text(words.rotate_hint),
        action: words.rotate.to_owned(),
        takes_away: false,
    };
    let act = move || {
        let path = page.call("/RotateSecret");
        spawn_local(async move {
            let wish = RotateSecret::default();
            match api::send::<WebhookWithSecret>(app, Method::POST, &path, &wish).await {
                Ok(made) => {
                    page.secret
                        .try_set(Some((made.webhook.name.clone(), made.secret)));
                    page.known.try_set(made.webhook);
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    };
    question(app, asked, act, move || page.close())
}

fn deleting(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.webhooks());
    let name = page.known.with_untracked(|known| known.name.clone());
    let asked = Question {
        title: fill(words.delete_title, &[("name", &name)]),
        hint: el("p").text(words.delete_hint),
        action: words.delete_now.to_owned(),
        takes_away: true,
    };
    let act = move || {
        let (path, name) = (page.call(""), name.clone());
        spawn_local(async move {
            match api::act::<Value>(app, Method::DELETE, &path).await {
                Ok(_) => {
                    app.leave_for(Route::Webhooks);
                    app.say(fill(words.deleted, &[("name", &name)]));
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    };
    question(app, asked, act, move || page.close())
}
