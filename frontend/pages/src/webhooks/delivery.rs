//! One delivery of a webhook: what was sent, and what the receiver has answered, attempt by attempt.

use checklist_shared::wire::webhooks::{
    HeaderField, WebhookAttempt, WebhookDeliveryAnswer, WebhookResponse,
};

use super::deliveries::{CALLS, delivery_state};
use super::event_name;
use crate::kit::*;

/// The page.
pub fn page(app: App, webhook: String, id: String) -> AnyView {
    let words = app.language.webhooks();
    let call = [CALLS, "/", &encoded(&id)].concat();
    let show = move |answer: WebhookDeliveryAnswer| delivery_view(app, &answer);
    let body = load_from(call, show);
    view! {
        <BackLink to=Route::Webhook(webhook) label=words.deliveries />
        {body}
    }
    .into_any()
}

fn delivery_view(app: App, answer: &WebhookDeliveryAnswer) -> AnyView {
    let words = app.language.webhooks();
    let delivery = &answer.delivery;
    let about = facts([
        (words.state, delivery_state(app, delivery)),
        (words.when, time(delivery.created_at)),
        (words.attempts, delivery.attempts.to_string().into_any()),
        (
            "webhook-id",
            view! { <code>{delivery.id.clone()}</code> }.into_any(),
        ),
    ]);
    let count = answer.attempt_log.len();
    let attempts = answer.attempt_log.iter().rev().enumerate();
    let attempts = attempts.map(|(index, attempt)| attempt_view(app, attempt, index == 0));
    let attempts = attempts.collect::<Vec<_>>();
    let none = (count == 0).then(|| {
        view! { <Empty title=words.no_attempts hint=words.no_attempts_hint /> }
    });
    let body = text_block(&indented(&answer.body), words.body);
    view! {
        <PageHead title=event_name(app, delivery.event) />
        <Panel id="delivery-title" title=words.about>{about}</Panel>
        {attempts}
        {none}
        <Panel id="body-title" title=words.body>
            <p class="hint">{words.body_hint}</p>
            {body}
        </Panel>
    }
    .into_any()
}

fn attempt_view(app: App, attempt: &WebhookAttempt, is_open: bool) -> AnyView {
    let words = app.language.webhooks();
    let outcome = match (attempt.status, &attempt.failure) {
        (Some(status), None) => pill("", status.to_string()),
        (Some(status), Some(_)) => pill("bad", status.to_string()),
        (None, _) => pill("bad", words.failed),
    };
    let number = attempt.number.to_string();
    let millis = attempt.millis.to_string();
    let failure = attempt.failure.clone();
    let failure = failure.map(|failure| server_text(app, "warning", failure));
    let request = attempt.request.as_ref().map(|request| {
        view! {
            <h3 class="panel-title">{words.request}</h3>
            <p class="long"><code>{["POST ", &request.url].concat()}</code></p>
            {headers(&request.headers)}
        }
    });
    let response = match &attempt.response {
        Some(response) => response_view(app, response),
        None => view! { <p class="quiet">{words.no_response}</p> }.into_any(),
    };
    view! {
        <details class="card panel attempt" open=is_open>
            <summary class="panel-head">
                <span class="panel-title">{fill(words.attempt, &[("n", &number)])}</span>
                <span class="attempt-facts">
                    {time(attempt.at)}
                    <span class="quiet">{fill(words.duration, &[("n", &millis)])}</span>
                    {outcome}
                </span>
            </summary>
            <div class="panel-body">
                {failure}
                {request}
                <h3 class="panel-title">{words.response}</h3>
                {response}
            </div>
        </details>
    }
    .into_any()
}

fn response_view(app: App, response: &WebhookResponse) -> AnyView {
    let words = app.language.webhooks();
    let body = if response.body.is_empty() {
        view! { <p class="quiet">{words.empty_body}</p> }.into_any()
    } else {
        text_block(&response.body, words.response_body)
    };
    let cut = response
        .is_cut
        .then(|| view! { <p class="hint">{words.is_cut}</p> });
    view! { {headers(&response.headers)} {body} {cut} }.into_any()
}

fn headers(headers: &[HeaderField]) -> AnyView {
    let rows = headers.iter().map(|header| {
        view! { <dt><code>{header.name.clone()}</code></dt><dd><code>{header.value.clone()}</code></dd> }
    });
    view! { <dl class="facts headers">{rows.collect::<Vec<_>>()}</dl> }.into_any()
}

/// A text as it is. It scrolls, so it can have the focus and has a name.
fn text_block(text: &str, label: &'static str) -> AnyView {
    let text = text.to_owned();
    view! { <pre class="text-block" tabindex="0" role="group" aria-label=label>{text}</pre> }
        .into_any()
}

/// JSON in lines; anything else as it is.
fn indented(text: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let indented = value.and_then(|value| serde_json::to_string_pretty(&value));
    indented.unwrap_or_else(|_| text.to_owned())
}
