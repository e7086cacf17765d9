//! All checklists: searched by object, purpose, template and state.

use checklist_shared::wire::lists::FoundList;

use super::{progress, purpose, state_pill, template};
use crate::kit::*;
use crate::route::ListSearch;

/// How many lists are read at a time.
const PAGE_SIZE: usize = 50;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.lists();
    let search = search_of(|route| match route {
        Route::Lists(search) => Some(search),
        _ => None,
    });
    let address =
        move |after: Option<&str>| search.with(|search| search.call("Lists", PAGE_SIZE, after));
    let list = PagedList::<FoundList>::new(address, "Lists");
    let list = list.filtered_when(move || !search.with(ListSearch::is_empty));
    let columns = Columns::new()
        .heading(words.object, |found: &FoundList| {
            let (to, id) = (
                Route::List(found.context.clone()),
                found.context.object_id.clone(),
            );
            let kind = found.context.object_type.clone();
            view! {
                <PageLink to class="row-link"><bdi>{id}</bdi></PageLink>
                <span class="id"><bdi>{kind}</bdi></span>
            }
        })
        .cell(words.purpose, move |found| {
            view! { <bdi>{purpose(app, &found.context.purpose)}</bdi> }
        })
        .cell(words.state, move |found| {
            state_pill(app, found.state, found.locked.is_some())
        })
        .cell_of("number", words.progress, move |found| {
            progress(app, found.counts)
        })
        .cell_of("long", words.template, move |found| {
            let newer = found.newer_version.map(|version| {
                let text = fill(words.newer_version, &[("n", &version.to_string())]);
                view! { <small class="under">{text}</small> }
            });
            let own = template(app, found.template_id.as_deref(), found.template_version);
            view! { {own}{newer} }
        })
        .cell_of("when", words.changed, |found| time(found.changed_at));
    view! {
        <PageHead title=app.language.frame().lists intro=words.intro />
        {form(app, search)}
        <ResourceList
            list
            columns
            empty=(words.empty, words.empty_hint)
            nothing_found=(words.found_none, words.found_none_hint)
            more=more_or_search_on(*list)
            count=default_count(*list)
        />
    }
    .into_any()
}

fn form(app: App, search: Memo<ListSearch>) -> AnyView {
    let words = app.language.lists();
    let form = search_fields(search);
    let line = move |pointer: &'static str, label: &'static str| {
        view! { <Field bind=form.at(pointer) label kind="search" /> }
    };
    let states = options([
        ("", words.any_state),
        ("Open", words.open),
        ("Complete", words.complete),
        ("Waived", words.waived),
        ("Empty", words.without_items),
    ]);
    let updates = options([
        ("", words.any_state),
        ("true", words.update_offered),
        ("false", words.update_none),
    ]);
    let fields = view! {
        {line("/ObjectId", words.object_id)}
        {line("/ObjectType", words.object_type)}
        <Select bind=form.at("/State") label=words.state options=states />
    };
    let more = view! {
        {line("/Purpose", words.purpose)}
        {line("/Template", words.template_id)}
        <Select bind=form.at("/UpdateOffered") label=words.update options=updates />
    };
    let more = (
        ["Purpose", "Template", "UpdateOffered"].as_slice(),
        more.into_any(),
    );
    search_form(form, search, Route::Lists, fields.into_any(), Some(more))
}
