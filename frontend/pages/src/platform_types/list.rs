//! All types: their classes, how many templates they name, whether their journal works.

use checklist_shared::wire::admin::{Class, Type};

use super::journal_state;
use crate::kit::*;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.platform_types();
    let list = PagedList::<Type>::searchable("Types");
    let columns = Columns::list("cards", move |kind: &Type| card(app, kind));
    let new =
        move || view! { <PageLink to=Route::NewType class="button primary">{words.new}</PageLink> };
    view! {
        <PageHead title=app.language.frame().types intro=words.intro>{new()}</PageHead>
        <ResourceList list columns search=words.search_hint empty=(words.empty, words.empty_hint)>
            {new()}
        </ResourceList>
    }
    .into_any()
}

fn card(app: App, kind: &Type) -> AnyView {
    let words = app.language.platform_types();
    let has = |class: Class| kind.classes.contains(&class);
    let pills = [
        (has(Class::UnitOfWork), words.unit_of_work),
        (has(Class::ChecklistItem), words.checklist_item),
        (kind.always_journal, words.always),
    ];
    let pills = pills.map(|(is_on, text)| is_on.then(|| pill("", text)));
    let (is_ready, sentence) = journal_state(app, &kind.classes);
    let templates = match kind.templates.len() as u64 {
        0 => words.no_purposes.to_owned(),
        n => counted(app.language, n, words.purposes_count),
    };
    let name = kind.name.clone();
    view! {
        <li class="card type-card">
            <h2 class="panel-title">
                <PageLink to=Route::Type(name.clone()) class="row-link"><bdi>{name}</bdi></PageLink>
            </h2>
            <p class="pills">{pills.into_iter().collect::<Vec<_>>()}</p>
            <p class="quiet">{templates}</p>
            {(!is_ready).then(|| view! { <p class="warning">{sentence}</p> })}
        </li>
    }
    .into_any()
}
