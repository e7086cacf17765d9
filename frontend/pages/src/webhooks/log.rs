//! What a webhook was sent, the newest first: what became of it, and sending it again.
//!
//! While something waits, the first page is read again every few seconds.

use checklist_control::browser::date_and_time;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookDeliveriesPage, WebhookDelivery};
use gloo_net::http::Method;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::{DELIVERIES, told};
use crate::api;
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::logs::told::time;
use crate::parts::load::{failed, loaded, sentence};
use crate::parts::panel;
use crate::parts::table;
use crate::route::encoded;
use crate::runs::follow::sleep;
use crate::wording::{Wording, fill};

/// How often a page with something that waits is read again.
const EVERY: u32 = 2_000;

#[derive(Clone, Copy)]
struct Log {
    app: App,
    /// The webhook.
    webhook: StoredValue<String>,
    rows: RwSignal<Vec<WebhookDelivery>>,
    next: RwSignal<Option<String>>,
    failure: RwSignal<Option<api::Failure>>,
}

/// The log of a webhook. It is read again when `epoch` changes.
pub fn log(app: App, webhook: &str, epoch: RwSignal<u32>) -> AnyView {
    let words = app.language.webhooks();
    let webhook = webhook.to_owned();
    let rows = live(move || {
        epoch.track();
        let (first, id) = (first_page(&webhook), webhook.clone());
        loaded(
            app,
            move || {
                let first = first.clone();
                async move { api::get::<WebhookDeliveriesPage>(app, &first).await }
            },
            move |page| {
                let log = Log {
                    app,
                    webhook: StoredValue::new(id.clone()),
                    rows: RwSignal::new(page.deliveries),
                    next: RwSignal::new(page.next),
                    failure: RwSignal::new(None),
                };
                watch(log);
                shown(log)
            },
        )
    });
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "deliveries-title")
        .el(panel::head("deliveries-title", words.deliveries))
        .child(rows)
        .view()
}

fn first_page(webhook: &str) -> String {
    format!("{DELIVERIES}?Webhook={}", encoded(webhook))
}

fn shown(log: Log) -> AnyView {
    let (app, words) = (log.app, log.app.language.webhooks());
    let none = Memo::new(move |_| log.rows.with(Vec::is_empty));
    let heads = [
        words.event,
        words.state,
        words.attempts,
        words.when,
        words.actions,
    ];
    let table = live(move || {
        if none.get() {
            return el("p")
                .class("panel-body quiet")
                .text(words.log_empty)
                .view();
        }
        let rows = For(ForProps::builder()
            .each(move || log.rows.get())
            .key(|row| (row.id.clone(), row.attempts, row.state, row.next_attempt_at))
            .children(move |one| row(log, &one).view())
            .build());
        el("table")
            .class("table stacking")
            .el(table::heads(&heads))
            .el(el("tbody").child(rows.into_any()))
            .view()
    });
    let more = live(move || {
        if let Some(failure) = log.failure.get() {
            return failed(app, &failure, move || {
                log.failure.set(None);
                log.older();
            })
            .view();
        }
        if log.next.with(Option::is_none) {
            return nothing();
        }
        let older = button("button outlined", words.older, move || log.older());
        el("div").class("buttons centre").el(older).view()
    });
    all(vec![table, more])
}

impl Log {
    fn older(self) {
        let Some(after) = self.next.get_untracked() else {
            return;
        };
        self.next.set(None);
        let first = self.webhook.with_value(|webhook| first_page(webhook));
        spawn_local(async move {
            let path = format!("{first}&After={}", encoded(&after));
            match api::get::<WebhookDeliveriesPage>(self.app, &path).await {
                Ok(page) => {
                    self.next.try_set(page.next);
                    self.rows.try_update(|rows| rows.extend(page.deliveries));
                }
                Err(failure) => {
                    self.next.try_set(Some(after));
                    self.failure.try_set(Some(failure));
                }
            }
        });
    }

    /// Puts what was read again in the place of what it was, and what is new before it.
    fn take(self, newest: Vec<WebhookDelivery>) {
        self.rows.try_update(|rows| {
            rows.retain(|row| newest.iter().all(|new| new.id != row.id));
            let older = std::mem::replace(rows, newest);
            rows.extend(older);
        });
    }

    async fn read_again(self) {
        let Some(first) = self.webhook.try_with_value(|webhook| first_page(webhook)) else {
            return;
        };
        if let Ok(page) = api::get::<WebhookDeliveriesPage>(self.app, &first).await {
            self.take(page.deliveries);
        }
    }

    fn replay(self, id: String) {
        let (app, words) = (self.app, self.app.language.webhooks());
        spawn_local(async move {
            let path = [DELIVERIES, "/", &encoded(&id), "/Replay"].concat();
            match api::act::<WebhookDelivery>(app, Method::POST, &path).await {
                Ok(_) => app.say(words.replayed),
                Err(failure) => app.say(sentence(app, &failure)),
            }
            self.read_again().await;
        });
    }
}

fn watch(log: Log) {
    spawn_local(async move {
        loop {
            sleep(EVERY).await;
            let waits = |row: &WebhookDelivery| row.state == DeliveryState::Pending;
            let waiting = log.rows.try_with_untracked(|rows| rows.iter().any(waits));
            match waiting {
                None => return, // the page was left
                Some(true) if checklist_control::browser::is_visible() => log.read_again().await,
                Some(_) => {}
            }
        }
    });
}

fn row(log: Log, delivery: &WebhookDelivery) -> El {
    let (app, words) = (log.app, log.app.language.webhooks());
    let (class, state) = match delivery.state {
        DeliveryState::Pending => ("pill plain", words.pending),
        DeliveryState::Delivered => ("pill", words.delivered),
        DeliveryState::Failed => ("pill bad", words.failed),
    };
    let event = told(app, delivery.event);
    let when = date_and_time(delivery.created_at, app.language.tag());
    let under = |text: String| el("small").class("under").text(text);
    let next = delivery.next_attempt_at.filter(|_| delivery.attempts > 0);
    let next = next.map(|next| date_and_time(next, app.language.tag()));
    let id = delivery.id.clone();
    let replay = button("button", words.replay, move || log.replay(id.clone()));
    let named = fill(words.replay_named, &[("event", event), ("time", &when)]);
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .text(event)
            .el(el("code").class("id").text(delivery.id.clone())))
        .el(el("td")
            .attr("data-label", words.state)
            .el(el("span").class(class).text(state))
            .maybe(delivery.last_failure.clone().map(under))
            .maybe(next.map(|time| under(fill(words.next_attempt, &[("time", &time)])))))
        .el(el("td")
            .attr("data-label", words.attempts)
            .text(delivery.attempts.to_string()))
        .el(el("td")
            .class("when")
            .attr("data-label", words.when)
            .el(time(app, delivery.created_at)))
        .el(el("td")
            .class("toggle-cell")
            .el(replay.attr("aria-label", named)))
}
