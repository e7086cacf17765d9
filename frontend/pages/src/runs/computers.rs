//! The result for each computer: a table that follows the run and can list one outcome alone.
//!
//! While the run goes on, the rows that are loaded are read again when something has changed, at
//! most about once a second.

use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunComputer};
use wasm_bindgen_futures::spawn_local;

use super::labels;
use super::state::RunPage;
use crate::kit::*;

/// How many computers are read at a time.
const PAGE_SIZE: u32 = 100;
/// How long after a change the rows are read again, in milliseconds.
const REFRESH_DELAY: u32 = 800;

/// The panel.
pub fn panel(page: RunPage) -> AnyView {
    let words = page.app.language.runs();
    let address = move |after: Option<&str>| {
        let after = after.map(|after| ["&After=", after].concat());
        let outcome = page.outcome.get();
        let outcome = outcome.map(|outcome| ["&Outcome=", outcome.name()].concat());
        let (after, outcome) = (after.unwrap_or_default(), outcome.unwrap_or_default());
        page.call(&format!("?Limit={PAGE_SIZE}{after}{outcome}"))
    };
    let list = PagedList::<RunComputer>::new(address, "Computers")
        .filtered_when(move || page.outcome.with(Option::is_some));
    refresh_when_changed(page, list);
    view! {
        <Panel id="run-computers-title" title=words.computers is_bare=true>
            <ResourceList list columns=columns(page) empty=(words.no_computers, "") />
        </Panel>
    }
    .into_any()
}

fn refresh_when_changed(page: RunPage, list: PagedList<RunComputer>) {
    let is_scheduled = StoredValue::new(false);
    let refresh = move || async move {
        loop {
            sleep(REFRESH_DELAY).await;
            let revision = page.revision();
            page.refresh().await;
            list.refresh().await;
            if page.revision() == revision {
                break;
            }
        }
        is_scheduled.try_set_value(false);
    };
    Effect::new(move |before: Option<u64>| {
        let revision = page.run.with(|run| run.revision);
        if before.is_some_and(|before| before != revision) && !is_scheduled.get_value() {
            is_scheduled.set_value(true);
            spawn_local(refresh());
        }
        revision
    });
}

fn columns(page: RunPage) -> Columns<RunComputer> {
    let (app, words) = (page.app, page.app.language.runs());
    let is_dry_run = page.run.with_untracked(|run| run.dry_run);
    let state = Memo::new(move |_| page.run.with(|run| run.state));
    Columns::new()
        .class("run-rows")
        .on_panel()
        .heading(words.computer, |row: &RunComputer| {
            let (name, id) = (row.name.clone(), row.computer_id.clone());
            view! { <bdi class="run-name">{name}</bdi><code class="id">{id}</code> }
        })
        .cell(words.outcome, move |row| {
            let row = row.clone();
            move || labels::outcome_pill(app, &row, state.get(), is_dry_run)
        })
        .cell_of("run-reason", words.reason, move |row| {
            reason(app, is_dry_run, row)
        })
        .cell(words.entry, move |row| {
            let number = row.item_id?.to_string();
            let text = fill(words.entry_number, &[("n", &number)]);
            let name = fill(words.open_entry, &[("n", &number)]);
            Some(external_link(row.web_url.as_deref(), "", Some(name), text))
        })
}

fn reason(app: App, is_dry_run: bool, row: &RunComputer) -> AnyView {
    let words = app.language.runs();
    // A new entry has all columns, and where an attempt failed, nothing was changed.
    let has_changes = match (row.outcome, row.planned) {
        (Some(outcome), _) => matches!(outcome, Outcome::Updated | Outcome::Adopted),
        (None, planned) => matches!(planned, Some(PlannedAction::Update | PlannedAction::Adopt)),
    };
    let changes = (has_changes && !row.changed.is_empty()).then(|| {
        let text = if is_dry_run || row.outcome.is_none() {
            words.would_change
        } else {
            words.changed
        };
        let text = fill(text, &[("columns", &row.changed.join(", "))]);
        view! { <p class="quiet long">{text}</p> }
    });
    // The reason may be the problem already.
    let problem = row.problem.as_ref().filter(|problem| {
        problem.detail != row.reason && Some(&problem.title) != row.reason.as_ref()
    });
    let problem = problem.and_then(|problem| problem.detail.clone());
    let problem = problem.map(|detail| server_text(app, "quiet long", detail));
    let attempts = (row.attempts > 1).then(|| {
        let text = fill(words.attempts, &[("n", &row.attempts.to_string())]);
        view! { <p class="hint">{text}</p> }
    });
    let reason = labels::reason(app, "", is_dry_run, row);
    view! { <div class="run-why">{reason}{problem}{changes}{attempts}</div> }.into_any()
}
