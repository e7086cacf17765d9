//! One service connection: whether it can be used, what stands in it, its test, and its end.
//!
//! What all parts of the page share is a plain copy of a few signals.

use checklist_shared::wire::connections::{
    ConnectionState, ConnectionTest, ServiceCapabilityProvider, ServiceCapabilityProviders,
    ServiceConnection,
};
use gloo_net::http::Method;
use leptos::prelude::*;
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;

use super::draft::Draft;
use super::{CALLS, call, consent, form, told, trial};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::element::{all, button, el, live, nothing};
use crate::navigation::link;
use crate::parts::dialog::{Question, question};
use crate::parts::field::focus_first_fault;
use crate::parts::head::head;
use crate::parts::load::{loaded, sentence};
use crate::route::Route;
use crate::wording::{Wording, fill};

/// The call that lists what can grant access.
const PROVIDERS: &str = "/api/Vendor/SiteActivities/ServiceCapabilityProviders";

/// What the parts of the page share.
#[derive(Clone, Copy)]
pub struct Page {
    /// What all pages share.
    pub app: App,
    /// The connection as the server has told it last; none while it is not there yet.
    pub known: RwSignal<Option<ServiceConnection>>,
    /// What is being written.
    pub draft: RwSignal<Draft>,
    /// What was written last.
    pub saved: RwSignal<Draft>,
    /// Why it was not saved.
    pub failure: RwSignal<Option<ApiError>>,
    /// Whether it is being saved.
    pub busy: RwSignal<bool>,
    /// What the last test has found.
    pub tested: RwSignal<Option<ConnectionTest>>,
    /// Whether what the address says about a consent is still worth saying.
    pub is_back: RwSignal<bool>,
    /// Counts how often everything is read anew.
    epoch: RwSignal<u32>,
    deleting: RwSignal<bool>,
}

/// The page of a connection that is not there yet.
pub fn new(app: App) -> AnyView {
    page_of(app, None)
}

/// The page of a connection.
pub fn page(app: App, id: String) -> AnyView {
    page_of(app, Some(id))
}

fn page_of(app: App, id: Option<String>) -> AnyView {
    let epoch = RwSignal::new(0);
    live(move || {
        epoch.track();
        let id = id.clone();
        let read = move || {
            let id = id.clone();
            async move {
                let known = match id {
                    Some(id) => Some(api::get::<ServiceConnection>(app, &call(&id, "")).await?),
                    None => None,
                };
                let providers = api::get::<ServiceCapabilityProviders>(app, PROVIDERS).await?;
                Ok::<_, ApiError>((known, providers.service_capability_providers))
            }
        };
        loaded(app, read, move |(known, providers)| {
            shown(Page::of(app, known, epoch), providers)
        })
    })
}

impl Page {
    fn of(app: App, known: Option<ServiceConnection>, epoch: RwSignal<u32>) -> Self {
        let draft = known.as_ref().map(Draft::of).unwrap_or_default();
        Self {
            app,
            known: RwSignal::new(known),
            draft: RwSignal::new(draft.clone()),
            saved: RwSignal::new(draft),
            failure: RwSignal::new(None),
            busy: RwSignal::new(false),
            tested: RwSignal::new(None),
            is_back: RwSignal::new(true),
            epoch,
            deleting: RwSignal::new(false),
        }
    }

    /// Whether something is written that is not saved.
    pub fn is_changed(self) -> bool {
        self.draft
            .with(|draft| self.saved.with(|saved| draft != saved))
    }

    /// What is wrong with a field, named as on the wire.
    pub fn fault(self, field: &'static str) -> impl Fn() -> Option<String> + Send + Sync + 'static {
        move || {
            self.failure
                .with(|failure| told::fault(self.app, failure.as_ref()?, field))
        }
    }

    /// Reads everything anew; what is not saved is gone.
    pub fn load_again(self) {
        self.epoch.update(|epoch| *epoch += 1);
    }

    /// Saves what is written.
    pub fn save(self) {
        if self.busy.get_untracked() {
            return;
        }
        self.busy.set(true);
        self.failure.set(None);
        self.is_back.set(false);
        let known = self.known.with_untracked(|known| {
            known
                .as_ref()
                .map(|known| (known.id.clone(), known.revision))
        });
        let (method, path, revision) = match known {
            Some((id, revision)) => (Method::PUT, call(&id, ""), Some(revision)),
            None => (Method::POST, CALLS.to_owned(), None),
        };
        let wish = self.draft.with_untracked(|draft| draft.wish(revision));
        spawn_local(async move {
            let answer = api::send::<ServiceConnection>(self.app, method, &path, &wish).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(connection) if revision.is_none() => {
                    self.app.leave_for(Route::Connection(connection.id));
                    self.app.say(self.app.language.connections().saved);
                }
                Ok(connection) => {
                    self.take(connection);
                    self.app.say(self.app.language.connections().saved);
                }
                Err(failure) => {
                    self.failure.set(Some(failure));
                    focus_first_fault();
                }
            }
        });
    }

    fn take(self, connection: ServiceConnection) {
        let draft = Draft::of(&connection);
        self.saved.set(draft.clone());
        self.draft.set(draft);
        self.tested.set(None);
        self.known.set(Some(connection));
    }
}

fn shown(page: Page, providers: Vec<ServiceCapabilityProvider>) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let is_new = page.known.with_untracked(Option::is_none);
    let is_ready = page.known.with_untracked(|known| {
        known
            .as_ref()
            .is_some_and(|known| known.state == ConnectionState::Ready)
    });
    Effect::new(move |_| app.unsaved.set(page.is_changed()));
    let name = Memo::new(move |_| {
        page.known.with(|known| {
            let name = known.as_ref().map(|known| known.name.clone());
            name.unwrap_or_else(|| words.new.to_owned())
        })
    });
    let end = move || {
        button("button danger", words.delete, move || {
            page.deleting.set(true)
        })
    };
    all(vec![
        el("p")
            .class("crumbs")
            .el(link("quiet-link", &Route::Connections)
                .text(["← ", app.language.frame().connections].concat()))
            .view(),
        live(move || {
            let actions = if is_new { Vec::new() } else { vec![end()] };
            head(app, &name.get(), None, actions).view()
        }),
        el("div")
            .class("narrow-form")
            .live(move || match consent::came_back(app, is_ready) {
                Some(told) if page.is_back.get() => told.view(),
                _ => nothing(),
            })
            .child(consent::panel(page))
            .el(form::form(page, providers))
            .child(if is_new {
                nothing()
            } else {
                trial::panel(page)
            })
            .view(),
        live(move || deleting(page)),
    ])
}

fn deleting(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let known = page.known.get_untracked();
    let Some(connection) = known.filter(|_| page.deleting.get()) else {
        return nothing();
    };
    let asked = Question {
        title: fill(words.delete_title, &[("name", &connection.name)]),
        hint: el("p").text(words.delete_hint),
        action: words.delete_now.to_owned(),
        takes_away: true,
    };
    let act = move || {
        let (id, name) = (connection.id.clone(), connection.name.clone());
        spawn_local(async move {
            match api::act::<Value>(app, Method::DELETE, &call(&id, "")).await {
                Ok(_) => {
                    app.leave_for(Route::Connections);
                    app.say(fill(words.deleted, &[("name", &name)]));
                }
                Err(failure) => app.say(sentence(app, &failure)),
            }
        });
    };
    question(app, asked, act, move || page.deleting.set(false))
}
