//! Signing in with a one-time link: its state, and the button that uses it up.
//!
//! The secret is in the fragment of the address, which no server gets; it is removed from the
//! address bar at once.

use checklist_shared::wire::access::{AdminLink, AdminLinkState, Session};
use leptos::web_sys::window;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;

use crate::host::is_ip_address;
use crate::kit::*;
use crate::navigation::base;
use crate::session::refresh;
use crate::webauthn;

/// The page.
pub fn page(app: App) -> AnyView {
    let secret = StoredValue::new(take_secret());
    let read = move || post::<AdminLink>("/session/link", json!({ "Link": secret.get_value() }));
    view! {
        <main class="entrance">
            <section class="card entrance-card" aria-labelledby="entrance-title">
                <h1 id="entrance-title" class="page-title">{app.language.frame().link_title}</h1>
                {load(read, move |link| form(app, &link, &secret.get_value()))}
            </section>
        </main>
    }
    .into_any()
}

async fn post<T: DeserializeOwned>(path: &'static str, body: Value) -> Result<T, ApiError> {
    api::once(
        Method::POST,
        &[&base(), path].concat(),
        Some(&body.to_string()),
    )
    .await
}

fn form(app: App, link: &AdminLink, secret: &str) -> AnyView {
    let words = app.language.frame();
    let unusable = match link.state {
        AdminLinkState::Open => None,
        AdminLinkState::Used => Some(words.link_used),
        AdminLinkState::Expired => Some(words.link_expired),
        AdminLinkState::OtherBrowser => Some(words.link_elsewhere),
    };
    if let Some(text) = unusable {
        return view! { <Alert text /> }.into_any();
    }
    let tenant = link.tenant.as_deref().unwrap_or_default();
    let hint = match &link.name {
        Some(name) => fill(words.link_hint_named, &[("tenant", tenant), ("name", name)]),
        None => fill(words.link_hint, &[("tenant", tenant)]),
    };
    let ip_address_warning = is_at_ip_address().then(|| {
        let text = app.language.passkeys().ip_address_warning;
        view! { <p class="notice warn">{text}</p> }
    });
    let form = Form::new("link", &json!({ "Link": secret, "Name": null }));
    let name = link.name.is_none().then(|| {
        focus_first_field();
        let bind = form
            .at("/Name")
            .optional()
            .required_with(words.link_name_missing);
        view! { <Field bind label=words.link_name hint=words.link_name_hint /> }
    });
    let sign_in = move || {
        let signed_in = move |session: Session| {
            // Whoever adds a passkey now needs no link the next time.
            let is_offered = session.passkeys && webauthn::is_supported();
            app.rename(if is_offered {
                Route::Passkeys
            } else {
                Route::Home
            });
            refresh(app);
        };
        form.submit(|draft| post("/session/link/sign-in", draft), signed_in);
    };
    view! {
        <form class="entrance-form" novalidate on:submit=submitted(sign_in)>
            <p class="quiet">{hint}</p>
            {ip_address_warning}
            {name}
            <FormAlert form />
            <div class="buttons"><SubmitButton label=words.sign_in /></div>
        </form>
    }
    .into_any()
}

/// Whether the page is at an IP address, for which browsers have no passkeys.
fn is_at_ip_address() -> bool {
    let host = window().and_then(|window| window.location().hostname().ok());
    host.is_some_and(|host| is_ip_address(&host))
}

/// The secret of the link. It is removed from the address, so that nobody reads it there or in the
/// history.
fn take_secret() -> String {
    let Some(window) = window() else {
        return String::new();
    };
    let hash = window.location().hash().unwrap_or_default();
    if let Ok(history) = window.history() {
        let address = href(&Route::SignInLink);
        // A browser that refuses leaves the link in the address; it can be used once only.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
    hash.trim_start_matches('#').to_owned()
}
