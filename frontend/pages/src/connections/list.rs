//! All service connections: where they lead, how they sign in, whether they can be used.

use checklist_shared::wire::connections::{ServiceConnection, ServiceConnections};
use leptos::prelude::*;

use super::{CALLS, consent, told};
use crate::api;
use crate::app::App;
use crate::element::{El, all, el, nothing};
use crate::navigation::link;
use crate::parts::head::{empty, head};
use crate::parts::load::loaded;
use crate::parts::table::card_table;
use crate::route::Route;
use crate::wording::Wording;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.connections();
    let new = || link("button primary", &Route::NewConnection).text(words.new);
    all(vec![
        head(
            app,
            app.language.frame().connections,
            Some(words.intro),
            vec![new()],
        )
        .view(),
        consent::came_back(app, false).map_or_else(nothing, El::view),
        loaded(
            app,
            move || async move { api::get::<ServiceConnections>(app, CALLS).await },
            move |answer| {
                let connections = &answer.service_connections;
                if connections.is_empty() {
                    return empty(words.empty, words.empty_hint, vec![new()]).view();
                }
                let heads = [
                    words.name,
                    words.method,
                    words.site,
                    words.state,
                    words.owner,
                ];
                card_table(&heads, connections.iter().map(|one| row(app, one))).view()
            },
        ),
    ])
}

fn row(app: App, connection: &ServiceConnection) -> El {
    let words = app.language.connections();
    let route = Route::Connection(connection.id.clone());
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(link("row-link", &route).el(el("bdi").text(connection.name.clone()))))
        .el(el("td")
            .attr("data-label", words.method)
            .text(connection.method.name()))
        .el(el("td")
            .class("long")
            .attr("data-label", words.site)
            .el(el("bdi").text(connection.url.clone())))
        .el(el("td")
            .attr("data-label", words.state)
            .el(told::state(app, connection.state)))
        .el(el("td")
            .attr("data-label", words.owner)
            .el(el("bdi").text(connection.owner_name.clone())))
}
