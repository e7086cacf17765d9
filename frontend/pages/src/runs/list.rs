//! All runs, the newest first: where they go, how far they are, their results.
//!
//! While one of them goes on, the first page is read again every few seconds.

use checklist_shared::wire::workflow::{Outcome, Run};

use super::answer::count;
use super::{CALLS, labels};
use crate::kit::*;
use crate::route::Filter;

/// How often the list is read again while a run goes on, in milliseconds.
const POLL_INTERVAL: u32 = 4_000;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.runs();
    let list = PagedList::<Run>::searchable(CALLS);
    list.poll(POLL_INTERVAL, |run| !run.state.is_final(), |run| &run.id);
    let columns = Columns::new()
        .heading(words.list, |run: &Run| {
            let to = Route::Run(run.id.clone());
            let (list, connection) = (run.list.clone(), run.connection_name.clone());
            view! {
                <PageLink to class="row-link"><bdi>{list}</bdi></PageLink>
                <small class="under"><bdi>{connection}</bdi></small>
            }
        })
        .cell(words.state, move |run| state(app, run))
        .cell(words.outcomes, move |run| outcomes(app, run))
        .cell(
            words.by,
            |run| view! { <bdi>{run.started_by.clone()}</bdi> },
        )
        .cell_of("when", words.when, |run| time(run.created_at));
    let to_computers = move || {
        let to = Route::Computers(Filter::default());
        view! { <PageLink to class="button outlined">{words.to_computers}</PageLink> }
    };
    view! {
        <PageHead title=app.language.frame().runs intro=words.intro>{to_computers()}</PageHead>
        <ResourceList list columns search=words.search_hint empty=(words.empty, words.empty_hint)>{to_computers()}</ResourceList>
    }
    .into_any()
}

fn state(app: App, run: &Run) -> AnyView {
    let words = app.language.runs();
    let until = run.waiting.as_ref().map(|waiting| {
        view! { <small class="under">{words.next_attempt}" "{time(waiting.until)}</small> }
    });
    let progress = (!run.state.is_final()).then(|| {
        view! { <small class="under">{labels::progress(app, run)}</small> }
    });
    view! { {labels::pills(app, run)}{until}{progress} }.into_any()
}

fn outcomes(app: App, run: &Run) -> String {
    let counts = Outcome::ALL.into_iter().filter_map(|outcome| {
        let count = count(&run.counts, outcome);
        let name = labels::outcome_name(app, outcome, run.dry_run);
        (count > 0).then(|| format!("{name}: {count}"))
    });
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() {
        "–".to_owned()
    } else {
        counts.join(", ")
    }
}
