//! The sections of the pages: which ones a person may see, and the navigation in groups.
//!
//! On a narrow view the navigation is behind a button, and closes when a page is opened.

use checklist_shared::permission::Permission;
use leptos::ev;

use crate::app::Person;
use crate::kit::*;
use crate::navigation::base;
use crate::route::{Filter, ItemSearch, ListSearch, Search, UserSearch};

/// A section: its name and its first page.
type Section = (&'static str, Route);

/// A heading with its sections; the first group has none.
struct Group {
    heading: Option<&'static str>,
    sections: Vec<Section>,
}

/// The groups of what the person may see; no group is empty.
fn groups(app: App) -> Vec<Group> {
    let words = app.language.frame();
    let (admin, templates, sites) = (Permission::Admin, Permission::Templates, Permission::Sites);
    let lists = Route::Lists(ListSearch::default());
    let open_items = Route::OpenItems(ItemSearch::default());
    let computers = Route::Computers(Filter::default());
    let (journal, audit) = (
        Route::Journal(Search::default()),
        Route::Audit(Search::default()),
    );
    let all = [
        (None, vec![(admin, words.overview, Route::Home)]),
        (
            Some(words.of_lists),
            vec![
                (Permission::Read, words.open_items, open_items),
                (Permission::Read, words.lists, lists),
                (templates, words.templates, Route::Templates),
                (templates, words.types, Route::Types),
                (admin, words.apply, Route::Apply),
            ],
        ),
        (
            Some(words.of_access),
            vec![
                (admin, words.people, Route::Users(UserSearch::default())),
                (admin, words.keys, Route::ApiKeys),
            ],
        ),
        (
            Some(words.of_extensions),
            vec![
                (admin, words.webhooks, Route::Webhooks),
                (admin, words.connections, Route::Connections),
                (sites, words.computers, computers),
                (sites, words.runs, Route::Runs),
            ],
        ),
        (
            Some(words.of_logs),
            vec![
                (Permission::Read, words.journal, journal),
                (Permission::Audit, words.audit, audit),
            ],
        ),
    ];
    app.session.with_untracked(|session| {
        let groups = all.into_iter().map(|(heading, sections)| {
            let sections = sections
                .into_iter()
                .filter(|(permission, ..)| session.may(*permission));
            Group {
                heading,
                sections: sections.map(|(_, name, route)| (name, route)).collect(),
            }
        });
        groups.filter(|group| !group.sections.is_empty()).collect()
    })
}

/// Whether the person may see a page.
#[must_use]
pub fn is_allowed(app: App, page: &Route) -> bool {
    let section = page.section();
    groups(app)
        .iter()
        .flat_map(|group| &group.sections)
        .any(|(_, route)| *route == section)
}

/// The page of the address: the first one that the person may see where it has none.
#[must_use]
pub fn open_route(app: App) -> Route {
    match app.route.get() {
        Route::Home | Route::SignInLink => {
            let first = groups(app)
                .into_iter()
                .find_map(|group| group.sections.into_iter().next());
            first.map_or(Route::Home, |(_, route)| route)
        }
        route => route,
    }
}

/// The person who is signed in, and the tenant.
#[must_use]
pub fn who(app: App, person: &Person) -> AnyView {
    let words = app.language.frame();
    view! {
        <p class="who-name">
            <span class="sr">{fill(words.signed_in_as, &[("name", &person.name)])}</span>
            <bdi aria-hidden="true">{person.name.clone()}</bdi>
            <small>{fill(words.tenant, &[("tenant", &person.tenant)])}</small>
        </p>
    }
    .into_any()
}

/// Where a person who may have passkeys keeps them.
#[must_use]
pub fn passkeys_link(app: App, person: &Person) -> AnyView {
    let title = app.language.passkeys().title;
    person
        .passkeys
        .then(|| view! { <PageLink to=Route::Passkeys class="button">{title}</PageLink> })
        .into_any()
}

/// The navigation beside the page. On a narrow view it has the name of the person, for which the bar
/// has no room there; it comes after the pages, so that the key Tab goes from the button to them.
#[must_use]
pub fn navigation(app: App, person: &Person) -> AnyView {
    let words = app.language.frame();
    let is_open = RwSignal::new(false);
    Effect::new(move |_| {
        app.route.track();
        is_open.set(false);
    });
    let groups = groups(app).into_iter().map(|group| {
        let links = group.sections.into_iter().map(|(name, route)| {
            let address = href(&route);
            let current = move || (open_route(app).section() == route).then_some("page");
            view! { <li><a class="section-link" href=address aria-current=current>{name}</a></li> }
        });
        let links = links.collect::<Vec<_>>();
        view! {
            <div class="section-group">
                {group.heading.map(|heading| view! { <h2 class="section-heading">{heading}</h2> })}
                <ul>{links}</ul>
            </div>
        }
    });
    let groups = groups.collect::<Vec<_>>();
    let docs = [&base(), "/docs/"].concat();
    let close_on_escape = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            is_open.set(false);
            if let Some(button) = element("sections-button") {
                focus(&button);
            }
        }
    };
    view! {
        <div class="sections" class:open=move || is_open.get() on:keydown=close_on_escape>
            <button
                type="button"
                id="sections-button"
                class="button outlined sections-button"
                aria-expanded=move || is_open.get().to_string()
                aria-controls="sections"
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                {words.menu}
            </button>
            <nav id="sections" aria-label=words.pages>
                {groups}
                <div class="section-group">
                    <ul>
                        <li><a class="section-link" href=docs target="_blank" rel="noopener">{words.documentation}</a></li>
                    </ul>
                </div>
            </nav>
            <aside class="who-narrow" aria-label=fill(words.signed_in_as, &[("name", &person.name)])>
                {who(app, person)}{passkeys_link(app, person)}
            </aside>
        </div>
    }
    .into_any()
}
