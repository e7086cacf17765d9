//! The deliveries of a webhook, the newest first: their state, and sending one again.
//!
//! While one is pending, the first page is read again every few seconds.

use checklist_control::browser::date_and_time;
use checklist_shared::wire::webhooks::{DeliveryState, WebhookDelivery};

use super::event_name;
use crate::kit::*;

/// The calls about deliveries, below the base URL.
pub const CALLS: &str = "/api/Vendor/WebhookDeliveries";
/// How often deliveries are read again while one is pending, in milliseconds.
const POLL_INTERVAL: u32 = 2_000;

/// The deliveries of a webhook.
pub type Deliveries = PagedList<WebhookDelivery>;

/// Reads the deliveries of a webhook.
pub fn deliveries(webhook: &str) -> Deliveries {
    let first = format!("{CALLS}?Webhook={}", encoded(webhook));
    let address = move |after: Option<&str>| match after {
        Some(after) => format!("{first}&After={}", encoded(after)),
        None => first.clone(),
    };
    let list = Deliveries::new(address, "Deliveries");
    list.poll(
        POLL_INTERVAL,
        |one| one.state == DeliveryState::Pending,
        |one| &one.id,
    );
    list
}

/// The panel.
pub fn panel(app: App, list: Deliveries) -> AnyView {
    let words = app.language.webhooks();
    let columns = Columns::new()
        .on_panel()
        .heading(words.event, move |delivery: &WebhookDelivery| {
            let name = event_name(app, delivery.event);
            let to = Route::Delivery {
                webhook: delivery.webhook.clone(),
                id: delivery.id.clone(),
            };
            view! {
                <PageLink to class="row-link">{name}</PageLink>
                <code class="id">{delivery.id.clone()}</code>
            }
        })
        .cell(words.state, move |delivery| delivery_state(app, delivery))
        .cell(words.attempts, |delivery| delivery.attempts.to_string())
        .cell_of("when", words.when, |delivery| time(delivery.created_at))
        .actions(words.actions, move |delivery| {
            replay_button(app, list, delivery)
        });
    view! {
        <Panel id="deliveries-title" title=words.deliveries is_bare=true>
            <ResourceList list columns empty=(words.log_empty, words.log_empty_hint) />
        </Panel>
    }
    .into_any()
}

pub fn delivery_state(app: App, delivery: &WebhookDelivery) -> AnyView {
    let words = app.language.webhooks();
    let state = match delivery.state {
        DeliveryState::Pending => pill("plain", words.pending),
        DeliveryState::Delivered => pill("", words.delivered),
        DeliveryState::Failed => pill("bad", words.failed),
    };
    let next = delivery
        .next_attempt_at
        .filter(|_| delivery.attempts > 0)
        .map(|next| {
            fill(
                words.next_attempt,
                &[("time", &date_and_time(next, app.language.tag()))],
            )
        });
    let under =
        |text: Option<String>| text.map(|text| view! { <small class="under">{text}</small> });
    view! { {state} {under(delivery.last_failure.clone())} {under(next)} }.into_any()
}

fn replay_button(app: App, list: Deliveries, delivery: &WebhookDelivery) -> AnyView {
    let words = app.language.webhooks();
    let when = date_and_time(delivery.created_at, app.language.tag());
    let name = fill(
        words.replay_named,
        &[("event", event_name(app, delivery.event)), ("time", &when)],
    );
    let call = [CALLS, "/", &encoded(&delivery.id), "/Replay"].concat();
    let replay = move || {
        let request = api::act::<WebhookDelivery>(app, Method::POST, &call);
        app.send(request, move |_| {
            app.say(words.replayed);
            list.reload();
        });
    };
    view! { <Button label=words.replay name click=replay /> }.into_any()
}
