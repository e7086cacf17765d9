//! The form that applies a template, and the runs so far.

use checklist_shared::wire::admin::TemplateRow;
use checklist_shared::wire::apply::TemplateRun;

use super::{form, outcomes, runs_call, state_pill};
use crate::kit::*;

/// How often the runs are read again while one goes on, in milliseconds.
const POLL_INTERVAL: u32 = 3_000;

/// The page.
pub fn page(app: App) -> AnyView {
    let words = app.language.apply();
    let read = move || read_all::<TemplateRow>(app, "Templates");
    view! {
        <PageHead title=app.language.frame().apply intro=words.intro />
        {load(read, move |templates| form::view(app, &templates))}
        {runs(app)}
    }
    .into_any()
}

fn runs(app: App) -> AnyView {
    let (words, of_runs) = (app.language.apply(), app.language.runs());
    let address = |after: Option<&str>| match after {
        Some(after) => runs_call(&["?After=", &encoded(after)].concat()),
        None => runs_call(""),
    };
    let list = PagedList::<TemplateRun>::new(address, "Runs");
    list.poll(POLL_INTERVAL, |run| run.ended_at.is_none(), |run| &run.id);
    let columns = Columns::new()
        .on_panel()
        .heading(app.language.lists().template, |run: &TemplateRun| {
            let (to, name) = (Route::Applied(run.id.clone()), run.template.clone());
            view! { <PageLink to class="row-link"><bdi>{name}</bdi></PageLink> }
        })
        .cell(of_runs.state, move |run| state_pill(app, run))
        .cell(of_runs.outcomes, move |run| {
            outcomes(app, &run.counts, false)
        })
        .cell(of_runs.by, |run| {
            view! { <bdi>{run.started_by.clone()}</bdi> }
        })
        .cell_of("when", of_runs.when, |run| time(run.created_at));
    view! {
        <Panel id="apply-runs-title" title=app.language.frame().runs is_bare=true>
            <ResourceList list columns empty=(words.no_runs, "") />
        </Panel>
    }
    .into_any()
}
