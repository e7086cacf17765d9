//! The pages about checklists: all of them, and one to look at.

pub mod list;
pub mod page;
mod runs;

use checklist_shared::progress::{Counts, State};

use crate::kit::*;

/// The state of a list, as a pill.
fn state_pill(app: App, state: State, is_locked: bool) -> AnyView {
    let words = app.language.lists();
    let state = match state {
        State::Complete => pill("", words.complete),
        State::Waived => pill("plain", words.waived),
        State::Open => pill("warm", words.open),
        State::Empty | State::Unknown => pill("plain", words.without_items),
    };
    let locked = is_locked.then(|| pill("plain", words.locked));
    view! { <span class="pills">{state}{locked}</span> }.into_any()
}

/// How much of a list is done: "4 of 5".
fn progress(app: App, counts: Counts) -> String {
    let (done, total) = (counts.done.to_string(), counts.applicable().to_string());
    let words = app.language.lists();
    fill(words.done_of, &[("done", &done), ("total", &total)])
}

/// The purpose for people.
fn purpose(app: App, purpose: &str) -> String {
    match purpose {
        "" => app.language.lists().default_purpose.to_owned(),
        purpose => purpose.to_owned(),
    }
}

/// The template that a list follows, with a link to it where the person may see templates.
pub fn template(app: App, id: Option<&str>, version: Option<u32>) -> AnyView {
    let words = app.language.lists();
    let Some(id) = id else {
        return view! { <span class="quiet">{words.no_template}</span> }.into_any();
    };
    let version = version.map(|version| {
        let version = fill(words.version, &[("n", &version.to_string())]);
        view! { <small class="under">{version}</small> }
    });
    let may_see = app
        .session
        .with_untracked(|session| session.may(checklist_shared::permission::Permission::Templates));
    let name = view! { <bdi>{id.to_owned()}</bdi> };
    let name = if may_see {
        view! { <PageLink to=Route::Template(id.to_owned()) class="">{name}</PageLink> }.into_any()
    } else {
        name.into_any()
    };
    view! { {name}{version} }.into_any()
}
