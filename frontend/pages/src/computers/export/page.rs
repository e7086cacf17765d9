//! The form that exports the chosen computers: which of them, where to, what goes where.
//!
//! What all parts of the form share is a plain copy of a few signals.

use checklist_shared::wire::connections::{ServiceConnection, ServiceConnections};
use checklist_shared::wire::workflow::{COMPUTER_EXPORT, Run, StartRun};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::draft::Draft;
use super::form;
use crate::api::{self, ApiError};
use crate::app::App;
use crate::computers::selection::MOST;
use crate::connections::CALLS as CONNECTIONS;
use crate::element::{all, el, live};
use crate::navigation::link;
use crate::parts::field::focus_first_fault;
use crate::parts::head::{empty, head};
use crate::parts::load::{alert, loaded};
use crate::route::{Filter, Route};
use crate::wording::{Wording, counted, fill};

/// What the parts of the form share.
#[derive(Clone, Copy)]
pub struct Form {
    /// What all pages share.
    pub app: App,
    /// What was chosen so far.
    pub draft: RwSignal<Draft>,
    /// All service connections.
    pub connections: StoredValue<Vec<ServiceConnection>>,
    /// Whether somebody has tried to send it.
    pub tried: RwSignal<bool>,
    /// Why it was not taken.
    pub failure: RwSignal<Option<ApiError>>,
    /// Whether it is on its way.
    pub busy: RwSignal<bool>,
    /// What was sent last, with its operation id: the same again is the same run.
    sent: StoredValue<Option<StartRun>>,
}

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.export();
    let is_empty = Memo::new(move |_| app.selected.with(|chosen| chosen.is_empty()));
    all(vec![
        el("p")
            .class("crumbs")
            .el(link("quiet-link", &Route::Computers(Filter::default()))
                .text(["← ", app.language.frame().computers].concat()))
            .view(),
        head(app, words.title, None, Vec::new()).view(),
        live(move || {
            if is_empty.get() {
                let choose = link("button primary", &Route::Computers(Filter::default()))
                    .text(words.to_computers);
                return empty(words.none, words.none_hint, vec![choose]).view();
            }
            all(vec![
                el("p")
                    .class("quiet export-intro")
                    .follow_text(move || {
                        let n = app.selected.with(|chosen| chosen.len());
                        counted(app.language, n as u64, words.one, words.many)
                    })
                    .view(),
                live(move || {
                    let n = app.selected.with(|chosen| chosen.len());
                    if n <= MOST {
                        return crate::element::nothing();
                    }
                    alert(fill(words.too_many, &[("n", &n.to_string())])).view()
                }),
                loaded(
                    app,
                    move || async move { api::get::<ServiceConnections>(app, CONNECTIONS).await },
                    move |answer| form::shown(Form::of(app, answer.service_connections)),
                ),
            ])
        }),
    ])
}

impl Form {
    fn of(app: App, connections: Vec<ServiceConnection>) -> Self {
        let mut draft = Draft::default();
        // Where there is no choice, nobody has to make it.
        if let Some(only) = super::place::only_one(&connections) {
            draft.choose_connection(only);
        }
        Self {
            app,
            draft: RwSignal::new(draft),
            connections: StoredValue::new(connections),
            tried: RwSignal::new(false),
            failure: RwSignal::new(None),
            busy: RwSignal::new(false),
            sent: StoredValue::new(None),
        }
    }

    /// Sends it, if nothing is missing; the page of the run is opened then.
    pub fn send(self) {
        if self.busy.get_untracked() {
            return;
        }
        self.tried.set(true);
        self.failure.set(None);
        let chosen = self.app.selected.get_untracked();
        let wish = self.draft.with_untracked(|draft| {
            let clear = draft.missing().is_none()
                && draft
                    .lines
                    .keys()
                    .all(|field| draft.rival(*field).is_none())
                && chosen.len() <= MOST;
            clear.then(|| draft.wish(&chosen))
        });
        let Some(wish) = wish else {
            focus_first_fault();
            return;
        };
        let wish = self.named(wish);
        self.busy.set(true);
        spawn_local(async move {
            let path = format!("/api/Vendor/Workflows/{COMPUTER_EXPORT}/Runs");
            let answer = api::send::<Run>(self.app, Method::POST, &path, &wish).await;
            if self.busy.try_set(false).is_some() {
                return;
            }
            match answer {
                Ok(run) => self.app.leave_for(Route::Run(run.id)),
                Err(failure) => {
                    self.failure.set(Some(failure));
                    focus_first_fault();
                }
            }
        });
    }

    /// With the operation id of the same wish before, or with a new one.
    fn named(self, wish: StartRun) -> StartRun {
        let before = self.sent.get_value().filter(|before| {
            let mut before = before.clone();
            before.operation_id = None;
            before == wish
        });
        let named = before.unwrap_or_else(|| StartRun {
            operation_id: Some(checklist_control::browser::new_id().to_string()),
            ..wish
        });
        self.sent.set_value(Some(named.clone()));
        named
    }
}
