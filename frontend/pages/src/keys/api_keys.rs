//! API keys of programs: creating one, seeing its secret once, revoking it.

use checklist_shared::wire::access::{ApiKey, CreatedApiKey, Revocation, Revoked};
use serde_json::json;

use super::{contexts, expiry, key_state, last, revoke_button, roles, tabs};
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let list = PagedList::<ApiKey>::searchable("ApiKeys");
    let columns = Columns::new()
        .heading(words.name, |key: &ApiKey| {
            view! { <bdi>{key.name.clone()}</bdi><code class="id">{key.id.clone()}</code> }
        })
        .cell(words.roles, move |key| roles::names(app, &key.roles))
        .cell(words.contexts, move |key| {
            contexts::format(app, key.contexts.as_deref())
        })
        .cell(words.sources, |key| key.sources.join(", "))
        .cell(words.expires, move |key| {
            expiry::format(app, key.expires_at)
        })
        .cell_of("when", words.last_used, |key| last(key.last_used_at))
        .cell(words.state, |key| key_state(key.expires_at, key.revoked_at))
        .actions(words.actions, move |key| {
            let call = ["ApiKeys/", &encoded(&key.id)].concat();
            revoke_button(
                *list,
                &key.name,
                call,
                words.revoke_api_hint,
                key.revoked_at,
            )
        });
    let new = move || {
        view! { <Button label=words.api_new class="primary" click=move || app.show_dialog(move || form(app, list)) /> }
    };
    view! {
        <PageHead title=app.language.frame().keys intro=words.api_intro>
            <Button label=words.end_all class="danger" click=move || revoke_everything(app) />
            {new()}
        </PageHead>
        {tabs(&Route::ApiKeys)}
        <ResourceList list columns search=words.api_search_hint empty=(words.api_empty, words.api_empty_hint)>{new()}</ResourceList>
    }
    .into_any()
}

fn form(app: App, list: PagedList<ApiKey>) -> AnyView {
    let words = app.language.keys();
    let form = Form::new("key", &json!({ "Name": "", "Roles": [] }));
    let create = move || {
        let request = move |draft| api::post::<CreatedApiKey>(app, "ApiKeys", draft);
        form.submit(request, move |created| {
            app.show_secret(&created.key.name, created.secret, words.secret_hint);
            list.reload();
        });
    };
    view! {
        <FormDialog form title=words.api_new action=words.create submit=create>
            <Field bind=form.at("/Name").required() label=words.name />
            {roles::check_boxes(form, words.roles, &roles::ROLES)}
            {contexts::field(form)}
            <Field bind=form.at("/Sources").optional().converted(LINES) label=words.sources hint=words.sources_hint rows=2 />
            {expiry::field(form)}
        </FormDialog>
    }
    .into_any()
}

fn revoke_everything(app: App) {
    let words = app.language.keys();
    let question =
        Question::destructive(words.end_all_title, words.end_all_hint, words.end_all_now);
    let everything = Revocation {
        jti: None,
        everything: Some(true),
    };
    let revoke = move || api::post::<Revoked>(app, "Revocations", everything.clone());
    app.confirm_and_send(question, revoke, move |_| app.say(words.end_all_done));
}
