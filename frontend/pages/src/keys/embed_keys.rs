//! Embed keys of host platforms: registering a public key, limiting it to pages, revoking it.

use checklist_shared::permission::{Permissions, Role};
use checklist_shared::wire::access::EmbedKey;
use serde_json::{Value, json};

use super::{contexts, expiry, key_state, last, revoke_button, roles, tabs};
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.keys();
    let list = PagedList::<EmbedKey>::searchable("EmbedKeys");
    let columns = Columns::new()
        .heading(
            words.kid,
            |key: &EmbedKey| view! { <bdi>{key.kid.clone()}</bdi> },
        )
        .cell(words.algorithm, |key| key.algorithm.clone())
        .cell(words.origins, |key| {
            key.origins
                .as_ref()
                .map_or_else(|| words.any_origin.to_owned(), |all| all.join(", "))
        })
        .cell(words.ceiling, move |key| {
            let contexts = key.contexts.as_deref();
            let contexts =
                contexts.map(|all| [" (", &contexts::format(app, Some(all)), ")"].concat());
            let roles = roles::fitting(app, key.permissions);
            view! { {roles} {contexts.map(|contexts| view! { <small>{contexts}</small> })} }
        })
        .cell(words.expires, move |key| {
            expiry::format(app, key.expires_at)
        })
        .cell_of("when", words.last_used, |key| last(key.last_used_at))
        .cell(words.state, |key| key_state(key.expires_at, key.revoked_at))
        .actions(words.actions, move |key| {
            revoke_button(
                *list,
                &key.kid,
                call(&key.kid),
                words.revoke_embed_hint,
                key.revoked_at,
            )
        });
    let new = move || {
        view! { <Button label=words.embed_new class="primary" click=move || app.show_dialog(move || form(app, list)) /> }
    };
    view! {
        <PageHead title=app.language.frame().keys intro=words.embed_intro>{new()}</PageHead>
        {tabs(&Route::EmbedKeys)}
        <ResourceList list columns search=words.embed_search_hint empty=(words.embed_empty, words.embed_empty_hint)>{new()}</ResourceList>
    }
    .into_any()
}

fn call(kid: &str) -> String {
    ["EmbedKeys/", &encoded(kid)].concat()
}

fn form(app: App, list: PagedList<EmbedKey>) -> AnyView {
    let words = app.language.keys();
    // `null` and not absent: a key that is registered again gets nothing from what it was.
    let draft = json!({
        "Kid": "", "PublicKey": "", "Roles": [Role::Owner],
        "Origins": null, "Contexts": null, "Issuer": null, "ExpiresAt": null,
    });
    let form = Form::new("embed", &draft);
    let register = move || {
        let request = move |mut draft: Value| {
            let kid = draft["Kid"].as_str().unwrap_or_default().to_owned();
            let roles: Vec<Role> =
                serde_json::from_value(draft["Roles"].take()).unwrap_or_default();
            let permissions: Permissions = roles
                .iter()
                .flat_map(|role| role.permissions().iter())
                .collect();
            draft["Permissions"] = json!(permissions);
            if let Value::Object(fields) = &mut draft {
                fields.retain(|name, _| name != "Kid" && name != "Roles");
            }
            api::put::<EmbedKey>(app, call(&kid), draft)
        };
        form.submit(request, move |key| {
            app.close_dialog();
            app.say(fill(words.registered, &[("name", &key.kid)]));
            list.reload();
        });
    };
    let public_key = form.at("/PublicKey").required();
    let public_key = public_key.invalid(words.public_key_wrong);
    view! {
        <FormDialog form title=words.embed_new action=words.embed_new submit=register>
            <Field bind=form.at("/Kid").required() label=words.kid hint=words.kid_hint />
            <Field bind=public_key label=words.public_key hint=words.public_key_hint rows=4 is_code=true />
            <Field bind=form.at("/Origins").optional().converted(LINES) label=words.origins hint=words.origins_hint rows=2 />
            {roles::check_boxes(form, words.ceiling, &roles::EMBEDDED)}
            {contexts::field(form)}
            <Field bind=form.at("/Issuer").optional() label=words.issuer hint=words.embed_issuer_hint />
            {expiry::field(form)}
        </FormDialog>
    }
    .into_any()
}
