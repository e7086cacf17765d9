//! Where the computers go: a service connection that can be used, and one of its lists.

use checklist_shared::wire::connections::{ConnectionMethod, ConnectionState, ServiceConnection};
use checklist_shared::wire::site_lists::{SiteListFacts, SiteLists};
use serde_json::json;

use super::state::Export;
use crate::connections::call;
use crate::kit::*;

/// Whether a run can use a connection while nobody is there.
pub fn is_usable(connection: &ServiceConnection) -> bool {
    connection.state == ConnectionState::Ready && connection.method != ConnectionMethod::PassThrough
}

/// Stands in place of the form when no connection can be used.
pub fn no_connection(app: App, connections: &[ServiceConnection]) -> AnyView {
    let words = app.language.export();
    let (to, label) = if connections.is_empty() {
        (Route::NewConnection, words.new_connection)
    } else {
        (Route::Connections, words.to_connections)
    };
    view! {
        <div class="card nothing">
            <p class="nothing-title">{words.no_connection}</p>
            <p class="quiet">{words.no_connection_hint}</p>
            {unusable(app, connections)}
            <div class="buttons centre"><PageLink to class="button primary">{label}</PageLink></div>
        </div>
    }
    .into_any()
}

/// The connections that cannot be used, and why.
fn unusable(app: App, connections: &[ServiceConnection]) -> Option<AnyView> {
    let words = app.language.export();
    let unusable = connections.iter().filter(|one| !is_usable(one));
    let names = unusable.map(|connection| {
        let text = match connection.state {
            _ if connection.method == ConnectionMethod::PassThrough => words.why_pass_through,
            ConnectionState::NeedsSecret => words.why_secret,
            _ => words.why_sign_in,
        };
        fill(text, &[("name", &connection.name)])
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let text = fill(words.not_offered, &[("names", &names)]);
    (!names.is_empty()).then(|| view! { <p class="hint">{text}</p> }.into_any())
}

/// The two choices.
pub fn fields(export: Export, connections: &[ServiceConnection]) -> AnyView {
    let Export {
        app, form, columns, ..
    } = export;
    let words = app.language.export();
    let usable = connections.iter().filter(|one| is_usable(one));
    let options = options(app, usable.map(|one| (one.id.clone(), one.name.clone())));
    let connection = chosen(form, "/ServiceConnection");
    let list = chosen(form, "/List");
    // What was chosen of another site or list does not hold for this one.
    reset_when_changed(connection, move || form.set("/List", json!("")));
    reset_when_changed(list, move || {
        columns.set(None);
        form.set("/KeyColumn", json!(null));
    });
    let lists = move || {
        let id = connection.get();
        (!id.is_empty()).then(|| {
            view! {
                {lists(export, &id, list)}
                <p><PageLink to=Route::Connection(id) class="quiet-link">{words.test_connection}</PageLink></p>
            }
        })
    };
    let bind = form
        .at("/ServiceConnection")
        .required()
        .id("export-connection");
    view! {
        <Select bind label=words.connection hint=words.connection_hint options />
        {unusable(app, connections)}
        {lists}
    }
    .into_any()
}

/// What is chosen at a pointer.
pub fn chosen(form: Form, pointer: &'static str) -> Memo<String> {
    Memo::new(move |_| {
        let value = form.value(pointer);
        value.as_str().unwrap_or_default().to_owned()
    })
}

fn reset_when_changed(choice: Memo<String>, reset: impl Fn() + 'static) {
    Effect::new(move |before: Option<String>| {
        let now = choice.get();
        if before.is_some_and(|before| before != now) {
            reset();
        }
        now
    });
}

fn options(app: App, options: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let none = (String::new(), app.language.export().choose.to_owned());
    std::iter::once(none).chain(options).collect()
}

fn lists(export: Export, connection: &str, list: Memo<String>) -> AnyView {
    let Export { app, form, .. } = export;
    let words = app.language.export();
    let call = call(connection, "/Lists");
    load_from(call, move |SiteLists { lists }| {
        if lists.is_empty() {
            return view! { <p class="hint">{words.no_lists}</p> }.into_any();
        }
        let named = lists
            .iter()
            .map(|list| (list.id.clone(), list_name(app, list)));
        let options = options(app, named);
        let link = move || {
            let list = lists.iter().find(|one| list.with(|id| one.id == *id))?;
            let address = list.web_url.as_deref()?;
            Some(
                view! { <p>{external_link(Some(address), "quiet-link", None, words.open_list)}</p> },
            )
        };
        let bind = form.at("/List").required();
        view! { <Select bind label=words.list hint=words.list_hint options />{link} }.into_any()
    })
}

fn list_name(app: App, list: &SiteListFacts) -> String {
    let words = app.language.export();
    let text = match list.item_count {
        None => return list.title.clone(),
        Some(1) => words.list_item,
        Some(_) => words.list_items,
    };
    let count = list.item_count.unwrap_or_default().to_string();
    fill(text, &[("list", &list.title), ("n", &count)])
}
