//! Whether a connection can be used, and "Connect": the person signs in at the authorization
//! server, and the page says what came of it when the browser is back.

use checklist_shared::wire::connections::{
    ConnectionMethod, ConnectionState, ConsentBegun, ServiceConnection,
};
use leptos::web_sys::window;

use super::state::Page;
use super::{call, format};
use crate::kit::*;

/// What the address says about a consent. An address alone connects nothing: that somebody is
/// connected is said only of a connection that is ready.
pub fn return_notice(app: App, is_ready: bool) -> Option<AnyView> {
    let words = app.language.connections();
    if is_ready && parameter("Connected") == "true" {
        let text = words.connected;
        let notice = view! { <div class="notice fine" role="status"><p>{text}</p></div> };
        return Some(notice.into_any());
    }
    let text = match parameter("ConsentProblem").as_str() {
        "Refused" => words.back_refused,
        "Expired" => words.back_expired,
        "Changed" => words.back_changed,
        "ProviderFailed" => words.back_provider_failed,
        "NotLasting" => words.back_not_lasting,
        _ => return None,
    };
    Some(view! { <Alert text /> }.into_any())
}

/// The panel that says whether the connection can be used.
pub fn panel(page: Page, connection: ServiceConnection) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let hint = match connection.state {
        ConnectionState::Ready => words.ready_hint,
        ConnectionState::NeedsSignIn => words.needs_sign_in_hint,
        ConnectionState::NeedsSecret => words.needs_secret_hint,
    };
    let problem = connection.problem.clone();
    let code = |text: String| view! { <code class="long">{text}</code> }.into_any();
    let owner = view! { <bdi>{connection.owner_name.clone()}</bdi> }.into_any();
    let mut rows = vec![(words.owner, owner)];
    if !connection.scopes.is_empty() {
        rows.push((words.provider_scope, code(connection.scopes.join(" "))));
    }
    if !connection.allowed_private_ranges.is_empty() {
        let ranges = connection.allowed_private_ranges.join(", ");
        rows.push((words.private_ranges, code(ranges)));
    }
    view! {
        <Panel id="state-title" title=words.state beside=format::state(app, connection.state)>
            <p>{hint}</p>
            {problem.map(|problem| server_text(app, "warning", problem))}
            {facts(rows)}
            {(connection.method == ConnectionMethod::Delegated).then(|| connect_form(page, connection))}
        </Panel>
    }
    .into_any()
}

fn connect_form(page: Page, connection: ServiceConnection) -> AnyView {
    let (app, words) = (page.app, page.app.language.connections());
    let (busy, alert) = (RwSignal::new(false), RwSignal::new(None));
    let (class, action) = if connection.state == ConnectionState::NeedsSignIn {
        ("primary", words.connect)
    } else {
        ("outlined", words.connect_again)
    };
    let issuer = connection.issuer.clone().unwrap_or_default();
    let hint = fill(words.connect_hint, &[("issuer", &issuer)]);
    let connect = move || {
        if untrack(|| page.form.is_changed()) {
            alert.set(Some(words.save_first.to_owned()));
            return;
        }
        alert.set(None);
        let path = call(&connection.id, "/Connect");
        let request = api::act::<ConsentBegun>(app, Method::POST, &path);
        let owner = connection.owner_name.clone();
        app.send_once(busy, request, move |answer| match answer {
            Ok(begun) => {
                busy.set(true); // until the browser has left
                if let Some(window) = window() {
                    let _ = window.location().set_href(&begun.authorization_url);
                }
            }
            Err(error) if error.status == 403 => {
                alert.set(Some(fill(words.connect_not_yours, &[("owner", &owner)])));
            }
            Err(error) => alert.set(Some(error_sentence(app, &error))),
        });
    };
    let label =
        Signal::derive(move || if busy.get() { words.connecting } else { action }.to_owned());
    view! {
        <div class="form-fields">
            <p class="hint">{hint}</p>
            {move || alert.get().map(|text| view! { <Alert text /> })}
            <div class="buttons"><Button label class click=connect /></div>
        </div>
    }
    .into_any()
}
