//! All templates: their versions, their rows, and how many lists use them.

use checklist_shared::template::TemplateStatus;
use checklist_shared::wire::admin::{TemplateBundle, TemplateRow};

use crate::kit::*;
use crate::route::ListSearch;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.templates();
    let list = PagedList::<TemplateRow>::searchable("Templates");
    let columns = Columns::new()
        .heading(words.name, move |row| heading(app, row))
        .cell(words.status, move |row: &TemplateRow| {
            let published = (row.version > 0).then(|| {
                let number = row.version.to_string();
                pill("", fill(words.version, &[("n", &number)]))
            });
            let draft = row.draft_version.map(|_| pill("warm", words.draft));
            let is_retired = row.status == TemplateStatus::Retired;
            let retired = is_retired.then(|| pill("warm", words.retired));
            view! { <span class="pills">{published}{draft}{retired}</span> }
        })
        .cell_of("number", words.rows, |row| row.items.to_string())
        .cell_of("number", words.lists, lists);
    let export = move || {
        let request = api::get::<TemplateBundle>(app, "Templates/Export");
        app.send(request, |bundle| download_json("templates.json", &bundle));
    };
    let new = move || view! { <PageLink to=Route::NewTemplate class="button primary">{words.new}</PageLink> };
    let import =
        move || view! { <PageLink to=Route::Import class="button">{words.import}</PageLink> };
    view! {
        <PageHead title=app.language.frame().templates intro=words.intro>
            {import()}
            <Button label=words.export click=export />
            {new()}
        </PageHead>
        <ResourceList list columns search=words.search_hint empty=(words.empty, words.empty_hint)>
            {new()}
            {import()}
        </ResourceList>
    }
    .into_any()
}

/// How many lists follow a template, with the way to them.
fn lists(row: &TemplateRow) -> AnyView {
    let count = row.lists.to_string();
    let to = Route::Lists(ListSearch {
        template: row.id.clone(),
        ..ListSearch::default()
    });
    match row.lists {
        0 => count.into_any(),
        _ => view! { <PageLink to class="">{count}</PageLink> }.into_any(),
    }
}

fn heading(app: App, row: &TemplateRow) -> AnyView {
    let (name, tag) = name_of(app, row);
    let id = row.id.clone();
    view! {
        <PageLink to=Route::Template(id.clone()) class="row-link">
            <span dir="auto" lang=tag>{name}</span>
        </PageLink>
        <code class="id">{id}</code>
    }
    .into_any()
}

/// The name in the reader's language, with the language that it is in.
pub fn name_of(app: App, row: &TemplateRow) -> (String, String) {
    match row.name.resolve(&[app.language.tag()]) {
        Some((tag, name)) => (name.to_owned(), tag.to_owned()),
        None => (row.id.clone(), String::new()),
    }
}
