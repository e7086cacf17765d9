//! All webhooks: where they lead, what they are told, whether they are taken.

use checklist_shared::wire::webhooks::{Webhook, Webhooks};
use leptos::prelude::*;

use super::form::{self, Saved};
use super::{CALLS, state, told};
use crate::api;
use crate::app::App;
use crate::element::{El, all, button, el, live, nothing};
use crate::keys::secret::{Secret, shown};
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::load::loaded;
use crate::parts::table::card_table;
use crate::route::Route;
use crate::wording::Wording;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.webhooks();
    let (epoch, making) = (RwSignal::new(0_u32), RwSignal::new(false));
    let secret: RwSignal<Option<Secret>> = RwSignal::new(None);
    let new = move || button("button primary", words.new, move || making.set(true));
    let saved = move |saved: Saved| {
        making.set(false);
        if let Saved::New(made) = saved {
            secret.set(Some((made.webhook.name, made.secret)));
        }
        epoch.update(|epoch| *epoch += 1);
    };
    all(vec![
        head(
            app,
            app.language.frame().webhooks,
            Some(words.intro),
            vec![new()],
        )
        .view(),
        live(move || {
            epoch.track();
            loaded(
                app,
                move || async move { api::get::<Webhooks>(app, CALLS).await },
                move |answer| {
                    if answer.webhooks.is_empty() {
                        return empty(words.empty, words.empty_hint, vec![new()]).view();
                    }
                    let heads = [words.name, words.url, words.events, words.state];
                    card_table(&heads, answer.webhooks.iter().map(|one| row(app, one))).view()
                },
            )
        }),
        live(move || {
            if making.get() {
                form::form(app, None, saved, move || making.set(false))
            } else {
                nothing()
            }
        }),
        live(move || match secret.get() {
            Some(made) => shown(app, &made, words.secret_hint, move || secret.set(None)),
            None => nothing(),
        }),
    ])
}

fn row(app: App, webhook: &Webhook) -> El {
    let words = app.language.webhooks();
    let route = Route::Webhook(webhook.id.clone());
    let events: Vec<&str> = webhook.events.iter().map(|one| told(app, *one)).collect();
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(link("row-link", &route).el(el("bdi").text(webhook.name.clone()))))
        .el(el("td")
            .class("long")
            .attr("data-label", words.url)
            .el(el("bdi").text(webhook.url.clone())))
        .el(el("td")
            .attr("data-label", words.events)
            .text(events.join(", ")))
        .el(el("td")
            .attr("data-label", words.state)
            .el(state(app, webhook)))
}
