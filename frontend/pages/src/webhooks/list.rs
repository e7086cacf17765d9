//! All webhooks: where they lead, which events they send, whether they are delivered.

use checklist_shared::wire::webhooks::Webhook;

use super::{CALLS, event_names, form, state};
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.webhooks();
    let list = PagedList::<Webhook>::searchable(CALLS);
    let new = move || view! { <Button label=words.new class="primary" click=move || form::create(app, list) /> };
    let columns = Columns::new()
        .heading(words.name, |webhook: &Webhook| {
            let to = Route::Webhook(webhook.id.clone());
            let name = webhook.name.clone();
            view! { <PageLink to class="row-link"><bdi>{name}</bdi></PageLink> }
        })
        .cell_of(
            "long",
            words.url,
            |webhook| view! { <bdi>{webhook.url.clone()}</bdi> },
        )
        .cell(words.events, move |webhook| event_names(app, webhook))
        .cell(words.state, move |webhook| state(app, webhook));
    view! {
        <PageHead title=app.language.frame().webhooks intro=words.intro>{new()}</PageHead>
        <ResourceList list columns search=words.search_hint empty=(words.empty, words.empty_hint)>{new()}</ResourceList>
    }
    .into_any()
}
