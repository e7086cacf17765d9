//! All service connections: where they lead, how they sign in, whether they can be used.

use checklist_shared::wire::connections::ServiceConnection;

use super::{CALLS, consent, format};
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.connections();
    let list = PagedList::<ServiceConnection>::searchable(CALLS);
    let new = move || view! { <PageLink to=Route::NewConnection class="button primary">{words.new}</PageLink> };
    let columns = Columns::new()
        .heading(words.name, |connection: &ServiceConnection| {
            let to = Route::Connection(connection.id.clone());
            let name = connection.name.clone();
            view! { <PageLink to class="row-link"><bdi>{name}</bdi></PageLink> }
        })
        .cell(words.method, |connection| connection.method.name())
        .cell_of(
            "long",
            words.site,
            |connection| view! { <bdi>{connection.url.clone()}</bdi> },
        )
        .cell(words.state, move |connection| {
            format::state(app, connection.state)
        })
        .cell(
            words.owner,
            |connection| view! { <bdi>{connection.owner_name.clone()}</bdi> },
        );
    view! {
        <PageHead title=app.language.frame().connections intro=words.intro>{new()}</PageHead>
        {consent::return_notice(app, false)}
        <ResourceList list columns search=words.search_hint empty=(words.empty, words.empty_hint)>{new()}</ResourceList>
    }
    .into_any()
}
