//! The passkeys of the person who is signed in: add, rename, remove; and signing in with one.
//!
//! Offered after a sign-in with a one-time link, so that nobody needs another link.

use checklist_shared::wire::passkey::{Passkey, PasskeyOptions};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use wasm_bindgen_futures::spawn_local;

use crate::kit::*;
use crate::navigation::base;
use crate::webauthn::{self, Ceremony, Refusal};

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.passkeys();
    if !webauthn::is_supported() {
        return view! {
            <PageHead title=words.title intro=words.intro />
            <Empty title=words.unsupported hint=words.unsupported_hint />
        }
        .into_any();
    }
    let list = PagedList::<Passkey>::new(|_| "/session/passkeys".to_owned(), "Passkeys");
    let columns = Columns::new()
        .heading(words.name, |passkey: &Passkey| {
            view! { <bdi>{passkey.name.clone()}</bdi> }
        })
        .cell_of("when", words.added, |passkey| time(passkey.created_at))
        .cell_of("when", words.used, move |passkey| {
            passkey.used_at.map_or_else(|| words.never.into_any(), time)
        })
        .actions(words.actions, move |passkey| actions(app, list, passkey));
    let add = move || app.show_dialog(move || form(app, list));
    view! {
        <PageHead title=words.title intro=words.intro>
            <Button label=words.add class="primary" click=add />
        </PageHead>
        <ResourceList list columns empty=(words.empty, words.empty_hint) />
    }
    .into_any()
}

/// The page for somebody who has none: of the demo, of an identity provider, or at a server that is
/// reached by an IP address.
pub fn not_for_this_sign_in(app: App) -> AnyView {
    let words = app.language.passkeys();
    view! {
        <PageHead title=words.title intro=words.intro />
        <Empty title=words.not_for_sign_in hint=words.not_for_sign_in_hint />
    }
    .into_any()
}

fn actions(app: App, list: PagedList<Passkey>, passkey: &Passkey) -> AnyView {
    let words = app.language.passkeys();
    let rename_name = fill(words.rename_named, &[("name", &passkey.name)]);
    let remove_name = fill(words.remove_named, &[("name", &passkey.name)]);
    let (renamed, removed) = (passkey.clone(), passkey.clone());
    let rename = move || {
        let passkey = renamed.clone();
        app.show_dialog(move || rename_form(app, list, &passkey));
    };
    let remove = move || {
        let is_last = untrack(|| list.with(|rows| rows.count() == 1));
        let hint = if is_last {
            words.remove_last_hint
        } else {
            words.remove_hint
        };
        let title = fill(words.remove_title, &[("name", &removed.name)]);
        let question = Question::destructive(title, hint, words.remove);
        let call = ["/session/passkeys/", &encoded(&removed.id)].concat();
        app.confirm_and_send(
            question,
            move || api::delete(app, call.clone()),
            move |()| {
                app.say(words.removed);
                list.reload();
            },
        );
    };
    view! {
        <Button label=words.rename name=rename_name click=rename />
        <Button label=words.remove name=remove_name class="danger" click=remove />
    }
    .into_any()
}

fn form(app: App, list: PagedList<Passkey>) -> AnyView {
    let words = app.language.passkeys();
    let form = Form::new("passkey", &json!({ "Name": "" }));
    let add = move || {
        let request = move |draft: Value| async move {
            let begun = api::post::<PasskeyOptions>(app, "/session/passkeys/options", json!({}));
            let options = begun.await?.public_key;
            let credential = answer(app, Ceremony::Create, &options).await?;
            let new = json!({ "Name": draft["Name"], "Credential": credential });
            api::post::<Passkey>(app, "/session/passkeys", new).await
        };
        form.submit(request, move |passkey| {
            app.close_dialog();
            app.say(fill(words.is_added, &[("name", &passkey.name)]));
            list.reload();
        });
    };
    view! {
        <FormDialog form title=words.add action=words.go_on submit=add>
            <Field bind=form.at("/Name").required() label=words.name hint=words.name_hint />
            <p class="quiet">{words.add_hint}</p>
        </FormDialog>
    }
    .into_any()
}

fn rename_form(app: App, list: PagedList<Passkey>, passkey: &Passkey) -> AnyView {
    let words = app.language.passkeys();
    let form = Form::new("passkey", &json!({ "Name": passkey.name }));
    let call = ["/session/passkeys/", &encoded(&passkey.id)].concat();
    let save = move || {
        let call = call.clone();
        form.submit(
            move |draft| api::put::<IgnoredAny>(app, call, draft),
            move |_| {
                app.close_dialog();
                list.reload();
            },
        );
    };
    view! {
        <FormDialog form title=words.rename action=app.language.frame().save submit=save>
            <Field bind=form.at("/Name").required() label=words.name />
        </FormDialog>
    }
    .into_any()
}

/// Signs in with a passkey, then calls `done`; a failure stays on the page.
pub fn sign_in(app: App, done: fn(App)) {
    spawn_local(async move {
        match try_sign_in(app).await {
            Ok(_) => done(app),
            Err(error) if error.status == 0 && error.code.is_empty() => {
                app.say(app.language.frame().unreachable);
            }
            Err(error) if error.code == CANCELLED => {
                app.sign_in_problem.set("PasskeyCancelled".to_owned())
            }
            Err(_) => app.sign_in_problem.set("Passkey".to_owned()),
        }
    });
}

async fn try_sign_in(app: App) -> Result<IgnoredAny, ApiError> {
    let begun: PasskeyOptions = post("/session/passkey/options", json!({})).await?;
    let credential = answer(app, Ceremony::Get, &begun.public_key).await?;
    post("/session/passkey", json!({ "Credential": credential })).await
}

/// Without a session a call does not wait for one.
async fn post<T: DeserializeOwned>(path: &str, body: Value) -> Result<T, ApiError> {
    let url = [&base(), path].concat();
    api::once(Method::POST, &url, Some(&body.to_string())).await
}

/// The person has cancelled, or taken too long.
const CANCELLED: &str = "PasskeyCancelled";

/// What the authenticator has answered.
async fn answer(app: App, ceremony: Ceremony, options: &Value) -> Result<Value, ApiError> {
    let words = app.language.passkeys();
    let answered = webauthn::ask(ceremony, options).await;
    answered.map_err(|refusal| match refusal {
        Refusal::Cancelled => ApiError::of_browser(CANCELLED, words.add_cancelled),
        Refusal::Present => ApiError::of_browser("PasskeyPresent", words.add_present),
        Refusal::Elsewhere => ApiError::of_browser("PasskeyElsewhere", words.add_elsewhere),
        Refusal::Failed => ApiError::of_browser("PasskeyFailed", words.add_failed),
    })
}
