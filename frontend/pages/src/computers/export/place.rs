//! Where the computers go: a service connection that can be used, and one of the lists that it
//! sees.

use checklist_shared::wire::connections::{ConnectionMethod, ConnectionState, ServiceConnection};
use checklist_shared::wire::site_lists::{SiteListFacts, SiteLists};
use leptos::prelude::*;

use super::faults;
use super::page::Form;
use crate::api;
use crate::app::App;
use crate::connections::call;
use crate::element::{El, all, el, live, nothing};
use crate::navigation::link;
use crate::parts::field::Field;
use crate::parts::load::loaded;
use crate::route::Route;
use crate::wording::{Wording, fill};

/// Whether a run can go through a connection while nobody is there.
fn is_usable(connection: &ServiceConnection) -> bool {
    connection.state == ConnectionState::Ready && connection.method != ConnectionMethod::PassThrough
}

/// Whether there is one that can be used.
pub fn any(connections: &[ServiceConnection]) -> bool {
    connections.iter().any(is_usable)
}

/// The only one that can be used.
pub fn only_one(connections: &[ServiceConnection]) -> Option<String> {
    let mut usable = connections.iter().filter(|one| is_usable(one));
    let first = usable.next()?;
    usable.next().is_none().then(|| first.id.clone())
}

/// What stands there when there is none.
pub fn none(form: Form) -> El {
    let words = form.app.language.export();
    let (route, label) = if form.connections.with_value(Vec::is_empty) {
        (Route::NewConnection, words.new_connection)
    } else {
        (Route::Connections, words.to_connections)
    };
    el("div")
        .class("card nothing")
        .el(el("p").class("nothing-title").text(words.no_connection))
        .el(el("p").class("quiet").text(words.no_connection_hint))
        .maybe(not_offered(form))
        .el(el("div")
            .class("buttons centre")
            .el(link("button primary", &route).text(label)))
}

/// Those that cannot be used, and why.
fn not_offered(form: Form) -> Option<El> {
    let words = form.app.language.export();
    let why = |connection: &ServiceConnection| {
        let text = match connection.state {
            _ if connection.method == ConnectionMethod::PassThrough => words.why_pass_through,
            ConnectionState::NeedsSecret => words.why_secret,
            _ => words.why_sign_in,
        };
        fill(text, &[("name", &connection.name)])
    };
    let names: Vec<String> = form.connections.with_value(|all| {
        let others = all.iter().filter(|one| !is_usable(one));
        others.map(why).collect()
    });
    (!names.is_empty()).then(|| {
        let names = names.join(", ");
        el("p")
            .class("hint")
            .text(fill(words.not_offered, &[("names", &names)]))
    })
}

/// The two choices.
pub fn fields(form: Form) -> El {
    let (app, words) = (form.app, form.app.language.export());
    let mut options = vec![(String::new(), words.choose.to_owned())];
    form.connections.with_value(|all| {
        let usable = all.iter().filter(|one| is_usable(one));
        options.extend(usable.map(|one| (one.id.clone(), one.name.clone())));
    });
    let chosen = form.draft.with_untracked(|draft| draft.connection.clone());
    let connection = Memo::new(move |_| form.draft.with(|draft| draft.connection.clone()));
    el("div")
        .el(Field::new("export-connection", words.connection)
            .hint(words.connection_hint)
            .fault(faults::at(form, "/ServiceConnection"))
            .choice(options, &chosen, move |id| {
                form.failure.set(None);
                form.draft.update(|draft| draft.choose_connection(id));
            }))
        .maybe(not_offered(form))
        .live(move || {
            let id = connection.get();
            if id.is_empty() {
                return nothing();
            }
            let path = call(&id, "/Lists");
            let test = link("quiet-link", &Route::Connection(id)).text(words.test_connection);
            all(vec![
                loaded(
                    app,
                    move || {
                        let path = path.clone();
                        async move { api::get::<SiteLists>(app, &path).await }
                    },
                    move |answer| lists(form, &answer.lists),
                ),
                el("p").el(test).view(),
            ])
        })
}

fn lists(form: Form, lists: &[SiteListFacts]) -> AnyView {
    let words = form.app.language.export();
    if lists.is_empty() {
        return el("p").class("hint").text(words.no_lists).view();
    }
    let mut options = vec![(String::new(), words.choose.to_owned())];
    options.extend(
        lists
            .iter()
            .map(|list| (list.id.clone(), named(form.app, list))),
    );
    let chosen = form.draft.with_untracked(|draft| draft.list.clone());
    let facts = StoredValue::new(lists.to_vec());
    let list = Memo::new(move |_| form.draft.with(|draft| draft.list.clone()));
    let leads = live(move || {
        let id = list.get();
        let url = facts.with_value(|facts| {
            let found = facts.iter().find(|one| one.id == id);
            found.and_then(|one| one.web_url.clone())
        });
        let link = url.as_deref().and_then(crate::navigation::outside);
        link.map_or_else(nothing, |link| {
            el("p").el(link.text(words.open_list)).view()
        })
    });
    all(vec![
        Field::new("export-list", words.list)
            .hint(words.list_hint)
            .fault(faults::at(form, "/List"))
            .choice(options, &chosen, move |id| {
                form.failure.set(None);
                form.draft.update(|draft| draft.choose_list(id));
            })
            .view(),
        leads,
    ])
}

fn named(app: App, list: &SiteListFacts) -> String {
    let words = app.language.export();
    let Some(n) = list.item_count else {
        return list.title.clone();
    };
    let text = if n == 1 {
        words.list_item
    } else {
        words.list_items
    };
    fill(text, &[("list", &list.title), ("n", &n.to_string())])
}
