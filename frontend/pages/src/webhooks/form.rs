//! The form of a webhook, in a dialog: for a new one, and for one that is changed.

use checklist_shared::patch::Patch;
use checklist_shared::wire::webhooks::{PutWebhook, Webhook, WebhookEvent, WebhookWithSecret};
use serde_json::json;

use super::{CALLS, call, event_name};
use crate::kit::*;

/// Opens the form of a new webhook; once created, its secret is shown.
pub fn create(app: App, list: PagedList<Webhook>) {
    let words = app.language.webhooks();
    let draft = PutWebhook {
        events: vec![WebhookEvent::ChecklistCompleted],
        enabled: Patch::Set(true),
        ..PutWebhook::default()
    };
    app.show_dialog(move || {
        let form = form_of(app, &draft);
        let create = move || {
            let request = move |draft| api::post::<WebhookWithSecret>(app, CALLS, draft);
            form.submit(request, move |created| {
                app.show_secret(&created.webhook.name, created.secret, words.secret_hint);
                list.reload();
            });
        };
        view! {
            <FormDialog form title=words.new action=words.create submit=create>{fields(app, form)}</FormDialog>
        }
        .into_any()
    });
}

/// Opens the form of a webhook; once saved, `webhook` is what it is now.
pub fn edit(app: App, webhook: RwSignal<Webhook>) {
    let words = app.language.webhooks();
    app.show_dialog(move || {
        let current = webhook.get_untracked();
        let form = form_of(app, &draft_of(&current));
        let save = move || {
            let call = call(&current.id, "");
            form.submit(
                move |draft| api::put::<Webhook>(app, call, draft),
                move |saved| {
                    app.close_dialog();
                    webhook.set(saved);
                    app.say(words.saved);
                },
            );
        };
        view! {
            <FormDialog form title=words.edit_title action=app.language.frame().save submit=save>
                {fields(app, form)}
                <Switch bind=form.flag("/Enabled") label=words.enabled hint=words.enabled_hint />
            </FormDialog>
        }
        .into_any()
    });
}

/// What is sent to leave a webhook as it is.
pub fn draft_of(webhook: &Webhook) -> PutWebhook {
    PutWebhook {
        name: webhook.name.clone(),
        url: webhook.url.clone(),
        events: webhook.events.clone(),
        enabled: Patch::Set(webhook.enabled),
        revision: Some(webhook.revision),
    }
}

fn form_of(app: App, draft: &PutWebhook) -> Form {
    Form::new("webhook", draft)
        .explain(ProblemCode::WebhookChanged, app.language.webhooks().changed)
}

fn fields(app: App, form: Form) -> AnyView {
    let words = app.language.webhooks();
    let boxes = WebhookEvent::ALL.into_iter().map(|event| {
        let name = json!(event);
        (
            form.contains("/Events", name.as_str().unwrap_or_default()),
            event_name(app, event),
        )
    });
    let error = form.error_at("/Events", move || {
        let is_empty = form.value("/Events").as_array().is_none_or(Vec::is_empty);
        is_empty.then(|| words.events_needed.to_owned())
    });
    view! {
        <Field bind=form.at("/Name").required() label=words.name />
        <Field bind=form.at("/Url").required() label=words.url hint=words.url_hint />
        <CheckBoxes legend=words.events boxes=boxes.collect() error />
    }
    .into_any()
}
