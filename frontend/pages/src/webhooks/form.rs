//! What stands in a webhook, as a dialog: for a new one, and for one that is changed.

use checklist_shared::patch::Patch;
use checklist_shared::wire::webhooks::{PutWebhook, Webhook, WebhookEvent, WebhookWithSecret};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{CALLS, call, told};
use crate::api::{self, Failure};
use crate::app::App;
use crate::element::{El, button, el, nothing};
use crate::parts::dialog::dialog;
use crate::parts::field::{Field, focus_first_fault, switch, tick};
use crate::parts::load::{alert, sentence};
use crate::wording::Wording;

/// What became of it.
pub enum Saved {
    /// It is new, and this is its secret.
    New(Box<WebhookWithSecret>),
    /// It was changed.
    Changed(Box<Webhook>),
}

#[derive(Clone, Copy)]
struct Form {
    app: App,
    wish: RwSignal<PutWebhook>,
    tried: RwSignal<bool>,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<Failure>>,
}

/// The dialog.
pub fn form(
    app: App,
    known: Option<&Webhook>,
    saved: impl Fn(Saved) + Copy + 'static,
    close: impl Fn() + Copy + 'static,
) -> AnyView {
    let words = app.language.webhooks();
    let id = known.map(|known| known.id.clone());
    let form = Form {
        app,
        wish: RwSignal::new(known.map_or_else(new_wish, wish_of)),
        tried: RwSignal::new(false),
        busy: RwSignal::new(false),
        failure: RwSignal::new(None),
    };
    let (title, action) = match known {
        Some(_) => (words.edit_title, app.language.frame().save),
        None => (words.new, words.create),
    };
    let send = move || form.send(id.clone(), saved);
    let enabled = known.is_some().then(|| {
        switch(
            words.enabled,
            Some(words.enabled_hint),
            move || form.wish.with(|wish| wish.enabled != Patch::Set(false)),
            move |on| form.wish.update(|wish| wish.enabled = Patch::Set(on)),
        )
    });
    let body = el("form")
        .class("dialog-body")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            send();
        })
        .el(line(
            form,
            Field::new("webhook-name", words.name).fault(form.fault("/Name")),
            |wish| &mut wish.name,
        ))
        .el(line(
            form,
            Field::new("webhook-url", words.url)
                .hint(words.url_hint)
                .fault(form.fault("/Url")),
            |wish| &mut wish.url,
        ))
        .el(events(form))
        .maybe(enabled)
        .live(move || trouble(form))
        .el(el("div")
            .class("buttons end")
            .el(button("button", app.language.frame().cancel, close))
            .el(el("button")
                .attr("type", "submit")
                .class("button primary")
                .text(action)));
    dialog(title, body.view(), close)
}

fn new_wish() -> PutWebhook {
    PutWebhook {
        events: vec![WebhookEvent::ChecklistCompleted],
        enabled: Patch::Set(true),
        ..PutWebhook::default()
    }
}

/// What a webhook is, as what is wished for.
pub fn wish_of(webhook: &Webhook) -> PutWebhook {
    PutWebhook {
        name: webhook.name.clone(),
        url: webhook.url.clone(),
        events: webhook.events.clone(),
        enabled: Patch::Set(webhook.enabled),
        revision: Some(webhook.revision),
    }
}

impl Form {
    /// What is wrong with a field: it is empty, or what the server says.
    fn fault(self, pointer: &'static str) -> impl Fn() -> Option<String> + Send + Sync + 'static {
        move || {
            let empty = self.wish.with(|wish| match pointer {
                "/Name" => wish.name.trim().is_empty(),
                _ => wish.url.trim().is_empty(),
            });
            if empty && self.tried.get() {
                return Some(self.app.language.frame().fault_required.to_owned());
            }
            self.failure.with(|failure| {
                let mut errors = failure.as_ref()?.errors.iter();
                let fault = errors.find(|fault| fault.pointer == pointer)?;
                Some(fault.detail.clone())
            })
        }
    }

    fn is_whole(self) -> bool {
        self.wish.with_untracked(|wish| {
            !wish.name.trim().is_empty() && !wish.url.trim().is_empty() && !wish.events.is_empty()
        })
    }

    fn send(self, id: Option<String>, saved: impl Fn(Saved) + Copy + 'static) {
        self.tried.set(true);
        self.failure.set(None);
        if !self.is_whole() || self.busy.get_untracked() {
            focus_first_fault();
            return;
        }
        self.busy.set(true);
        let (app, wish) = (self.app, self.wish.get_untracked());
        spawn_local(async move {
            let answer = match id {
                None => api::send::<WebhookWithSecret>(app, Method::POST, CALLS, &wish)
                    .await
                    .map(|made| Saved::New(Box::new(made))),
                Some(id) => api::send::<Webhook>(app, Method::PUT, &call(&id, ""), &wish)
                    .await
                    .map(|webhook| Saved::Changed(Box::new(webhook))),
            };
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(done) => saved(done),
                Err(failure) => {
                    self.failure.set(Some(failure));
                    focus_first_fault();
                }
            }
        });
    }
}

/// A line that is typed into the wish.
fn line(form: Form, field: Field, text: fn(&mut PutWebhook) -> &mut String) -> El {
    let now = text(&mut form.wish.get_untracked()).clone();
    field.line(now, move |typed| {
        form.wish.update(|wish| *text(wish) = typed);
    })
}

/// The events as boxes.
fn events(form: Form) -> El {
    let (app, words) = (form.app, form.app.language.webhooks());
    let boxes = WebhookEvent::ALL.into_iter().map(|event| {
        tick(
            told(app, event),
            move || form.wish.with(|wish| wish.events.contains(&event)),
            move |on| {
                form.wish.update(|wish| {
                    wish.events.retain(|own| *own != event);
                    if on {
                        wish.events.push(event);
                    }
                });
            },
        )
    });
    el("fieldset")
        .class("field")
        .el(el("legend").class("label").text(words.events))
        .el(el("div").class("ticks").els(boxes))
        .live(move || {
            if form.tried.get() && form.wish.with(|wish| wish.events.is_empty()) {
                el("p")
                    .class("hint danger")
                    .attr("role", "alert")
                    .text(words.events_needed)
                    .view()
            } else {
                nothing()
            }
        })
}

fn trouble(form: Form) -> AnyView {
    let words = form.app.language.webhooks();
    match form.failure.get() {
        None => nothing(),
        Some(failure) if failure.code == "WebhookChanged" => alert(words.changed).view(),
        Some(failure) => alert(sentence(form.app, &failure)).view(),
    }
}
