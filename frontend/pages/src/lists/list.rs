//! All checklists: searched by object, purpose, template and state.
//!
//! The address bar always has the search, so that it can be bookmarked and sent.

use checklist_shared::wire::lists::FoundList;

use super::{progress, purpose, state_pill, template};
use crate::kit::*;
use crate::route::ListSearch;

/// How many lists are read at a time.
const PAGE_SIZE: &str = "50";

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.lists();
    let search = Memo::new(move |_| match app.route.get() {
        Route::Lists(search) => search,
        _ => ListSearch::default(),
    });
    let address = move |after: Option<&str>| search.with(|search| address(search, after));
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
    let more = move || {
        if list.count() == 0 {
            words.search_on
        } else {
            app.language.frame().load_more
        }
    };
    view! {
        <PageHead title=app.language.frame().lists intro=words.intro />
        {form(app, search)}
        <ResourceList
            list
            columns
            empty=(words.empty, words.empty_hint)
            nothing_found=(words.found_none, words.found_none_hint)
            more=Signal::derive(move || more().to_owned())
            count=default_count(*list)
        />
    }
    .into_any()
}

fn address(search: &ListSearch, after: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("Limit", PAGE_SIZE);
    for (name, value) in search.fields() {
        if !value.trim().is_empty() {
            query.append_pair(&name, value.trim());
        }
    }
    if let Some(after) = after {
        query.append_pair("After", after);
    }
    ["Lists?", &query.finish()].concat()
}

fn form(app: App, search: Memo<ListSearch>) -> AnyView {
    let words = app.language.lists();
    let form = Form::new("search", &search.get_untracked());
    // Back and forward change the search too; then the fields follow.
    Effect::new(move |_| form.reset(&search.get()));
    let submit = move || {
        let wanted = untrack(|| form.read::<ListSearch>()).unwrap_or_default();
        if wanted != search.get_untracked() {
            app.rename(Route::Lists(wanted));
        }
    };
    let line = move |pointer: &'static str, label: &'static str| {
        view! { <Field bind=form.at(pointer) label kind="search" /> }
    };
    let states = [
        ("", words.any_state),
        ("Open", words.open),
        ("Complete", words.complete),
        ("Waived", words.waived),
        ("Empty", words.without_items),
    ];
    let states = states.map(|(name, label)| (name.to_owned(), label.to_owned()));
    let updates = options([
        ("", words.any_state),
        ("true", words.update_offered),
        ("false", words.update_none),
    ]);
    let reset = move || {
        let clear = move || app.rename(Route::Lists(ListSearch::default()));
        (!search.with(ListSearch::is_empty))
            .then(|| view! { <Button label=words.reset click=clear /> })
    };
    view! {
        <form class="card search" role="search" on:submit=submitted(submit)>
            <div class="search-fields">
                {line("/ObjectId", words.object_id)}
                {line("/ObjectType", words.object_type)}
                {line("/Purpose", words.purpose)}
                {line("/Template", words.template_id)}
                <Select bind=form.at("/State") label=words.state options=states.to_vec() />
                <Select bind=form.at("/UpdateOffered") label=words.update options=updates />
            </div>
            <div class="buttons">
                <SubmitButton label=app.language.frame().search_now />
                {reset}
            </div>
        </form>
    }
    .into_any()
}
