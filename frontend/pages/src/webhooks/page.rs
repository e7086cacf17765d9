//! One webhook: its state and events, its deliveries, its test, its secret, deleting it.

use checklist_control::browser::date_and_time;
use checklist_shared::patch::Patch;
use checklist_shared::wire::webhooks::{
    PutWebhook, RotateSecret, Webhook, WebhookDelivery, WebhookWithSecret,
};

use super::deliveries::{self, deliveries};
use super::{call, event_names, form, state};
use crate::kit::*;

/// The page.
pub fn page(app: App, id: String) -> AnyView {
    load_from(call(&id, ""), move |webhook: Webhook| {
        webhook_page(app, &webhook.id.clone(), RwSignal::new(webhook))
    })
}

fn webhook_page(app: App, id: &str, webhook: RwSignal<Webhook>) -> AnyView {
    let words = app.language.webhooks();
    let list = deliveries(id);
    let test_call = call(id, "/Test");
    let test = move || {
        let request = api::act::<WebhookDelivery>(app, Method::POST, &test_call);
        app.send(request, move |_| {
            app.say(words.tested);
            list.reload();
        });
    };
    let name = Signal::derive(move || webhook.with(|webhook| webhook.name.clone()));
    view! {
        <BackLink to=Route::Webhooks label=app.language.frame().webhooks />
        <PageHead title=name>
            <Button label=words.delete class="danger" click=move || delete(app, &webhook.get_untracked()) />
            <Button label=words.rotate click=move || rotate_secret(app, webhook) />
            <Button label=words.edit class="outlined" click=move || form::edit(app, webhook) />
            <Button label=words.test class="primary" click=test />
        </PageHead>
        {move || notice(app, webhook)}
        <Panel id="webhook-title" title=words.about>{move || about(app, &webhook.get())}</Panel>
        {deliveries::panel(app, list)}
    }
    .into_any()
}

/// What an administrator has to know: it was turned off, or deliveries fail.
fn notice(app: App, webhook: RwSignal<Webhook>) -> AnyView {
    let words = app.language.webhooks();
    let current = webhook.get();
    if let Some(because) = current.off_because.filter(|_| !current.enabled) {
        let text = fill(words.turned_off, &[("because", &because)]);
        return view! {
            <Alert text>
                <div class="buttons"><Button label=words.turn_on click=move || turn_on(app, webhook) /></div>
            </Alert>
        }
        .into_any();
    }
    let notice = current.failing_since.map(|since| {
        let since = date_and_time(since, app.language.tag());
        let text = fill(words.failing_since, &[("time", &since)]);
        view! { <div class="notice" role="status"><p>{text}</p></div> }
    });
    notice.into_any()
}

fn about(app: App, webhook: &Webhook) -> AnyView {
    let words = app.language.webhooks();
    let rotated = webhook.old_secret_until.map(|until| {
        let until = date_and_time(until, app.language.tag());
        view! { <p class="hint">{fill(words.old_until, &[("time", &until)])}</p> }
    });
    let facts = facts([
        (words.state, state(app, webhook)),
        (
            words.url,
            view! { <bdi>{webhook.url.clone()}</bdi> }.into_any(),
        ),
        (words.events, event_names(app, webhook).into_any()),
    ]);
    view! { {facts} {rotated} }.into_any()
}

fn turn_on(app: App, webhook: RwSignal<Webhook>) {
    let current = webhook.get_untracked();
    let draft = form::draft_of(&current);
    let request = api::put(
        app,
        call(&current.id, ""),
        PutWebhook {
            enabled: Patch::Set(true),
            ..draft
        },
    );
    app.send(request, move |saved| {
        webhook.set(saved);
        app.say(app.language.webhooks().saved);
    });
}

fn rotate_secret(app: App, webhook: RwSignal<Webhook>) {
    let words = app.language.webhooks();
    let Webhook { id, name, .. } = webhook.get_untracked();
    let title = fill(words.rotate_title, &[("name", &name)]);
    let rotate = move || {
        api::post::<WebhookWithSecret>(app, call(&id, "/RotateSecret"), RotateSecret::default())
    };
    app.confirm_and_send(
        Question::harmless(title, words.rotate_hint, words.rotate),
        rotate,
        move |rotated| {
            app.show_secret(&rotated.webhook.name, rotated.secret, words.secret_hint);
            webhook.set(rotated.webhook);
        },
    );
}

fn delete(app: App, webhook: &Webhook) {
    let words = app.language.webhooks();
    let (title, done) = (
        fill(words.delete_title, &[("name", &webhook.name)]),
        fill(words.deleted, &[("name", &webhook.name)]),
    );
    let call = call(&webhook.id, "");
    let question = Question::destructive(title, words.delete_hint, words.delete_now);
    app.confirm_and_send(
        question,
        move || api::delete(app, &call),
        move |()| {
            app.leave_for(Route::Webhooks);
            app.say(done);
        },
    );
}
