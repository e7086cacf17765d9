//! The pages about who may call: API keys of programs, embed keys of host platforms, people.

pub mod api_keys;
mod contexts;
pub mod embed_keys;
mod expiry;
pub mod people;
mod retention;
mod roles;

use checklist_shared::Timestamp;

use crate::kit::*;

/// The tabs over both kinds of keys.
fn tabs(current: &Route) -> AnyView {
    let app = use_app();
    let words = app.language.keys();
    let tab = |route: Route, name: &'static str| {
        let is_current = (route == *current).then_some("page");
        view! { <li><a class="tab" href=href(&route) aria-current=is_current>{name}</a></li> }
    };
    view! {
        <nav aria-label=app.language.frame().keys>
            <ul class="tabs">{tab(Route::ApiKeys, words.api)} {tab(Route::EmbedKeys, words.embed)}</ul>
        </nav>
    }
    .into_any()
}

/// Whether a key can be used, as a pill.
fn key_state(expires: Option<Timestamp>, revoked: Option<Timestamp>) -> AnyView {
    let words = use_app().language.keys();
    let has_expired = expires.is_some_and(|at| at.as_millis() <= checklist_control::browser::now());
    match (revoked, has_expired) {
        (Some(_), _) => pill("bad", words.revoked),
        (_, true) => pill("warm", words.expired),
        _ => pill("", words.active),
    }
}

/// When something last happened.
fn last(at: Option<Timestamp>) -> AnyView {
    match at {
        Some(at) => time(at),
        None => {
            let never = use_app().language.keys().never_yet;
            view! { <span class="quiet">{never}</span> }.into_any()
        }
    }
}

/// The button that revokes a key at that address; none once it is revoked.
fn revoke_button(
    list: List,
    name: &str,
    call: String,
    hint: &'static str,
    revoked: Option<Timestamp>,
) -> AnyView {
    let app = use_app();
    let words = app.language.keys();
    if revoked.is_some() {
        return ().into_any();
    }
    let with_name = |text| fill(text, &[("name", name)]);
    let (label, done) = (with_name(words.revoke_named), with_name(words.revoked_now));
    let question = Question::destructive(with_name(words.revoke_title), hint, words.revoke_now);
    let ask = move || {
        let (call, done) = (call.clone(), done.clone());
        let revoke = move || api::delete(app, &call);
        app.confirm_and_send(question.clone(), revoke, move |()| {
            app.say(done);
            list.reload();
        });
    };
    view! { <Button label=words.revoke name=label class="danger" click=ask /> }.into_any()
}
