//! What became of each computer: a table that follows the run, shows one outcome alone, and goes on
//! page by page.
//!
//! While the run goes on, what is shown is read again when something has changed, at most about
//! once a second.

use checklist_shared::wire::workflow::{Outcome, PlannedAction, Run, RunAnswer, RunComputer};
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::page::{Page, SOME};
use super::{call, told};
use crate::api::{self, ApiError};
use crate::app::App;
use crate::connections::told::from_server;
use crate::element::{El, button, el, live, nothing};
use crate::navigation::outside;
use crate::parts::load::sentence;
use crate::parts::panel::head as panel_head;
use crate::parts::table;
use crate::wording::{Wording, fill};

/// So much later what is shown is read again after something has changed.
const SOON: u32 = 800;
/// The most computers of one answer.
const MOST: u32 = 1_000;

/// Reads the rows again whenever the run has changed, or others are to be shown.
pub fn keep_up(page: Page) {
    let soon = StoredValue::new(false);
    Effect::new(move |before: Option<u64>| {
        let revision = page.run.with(|run| run.revision);
        if before.is_some_and(|before| before != revision) && !soon.get_value() {
            soon.set_value(true);
            let refresh = move || {
                if soon.try_set_value(false).is_none() {
                    spawn_local(read_again(page));
                }
            };
            checklist_control::browser::set_timeout(SOON, Box::new(refresh));
        }
        revision
    });
    Effect::new(move |before: Option<()>| {
        page.only.track();
        if before.is_some() {
            spawn_local(read_again(page));
        }
    });
}

/// The call for computers from a place on.
fn asked(page: Page, after: Option<u32>, limit: u32) -> String {
    let mut query = format!("?Limit={limit}");
    if let Some(after) = after {
        query.push_str(&format!("&After={after}"));
    }
    if let Some(only) = page.only.get_untracked() {
        query.push_str(&format!("&Outcome={}", only.name()));
    }
    page.id.with_value(|id| call(id, &query))
}

/// Reads as many rows as are shown, and what the run did.
async fn read_again(page: Page) {
    let Some(only) = page.only.try_get_untracked() else {
        return;
    };
    let shown = page.rows.with_untracked(Vec::len);
    let wanted = u32::try_from(shown).unwrap_or(SOME).max(SOME);
    let (mut rows, mut after) = (Vec::<RunComputer>::new(), None);
    loop {
        let read = u32::try_from(rows.len()).unwrap_or(wanted);
        let limit = (wanted - read.min(wanted)).clamp(1, MOST);
        let answer = api::get::<RunAnswer>(page.app, &asked(page, after, limit)).await;
        // Others may be wanted by now, or the page was left.
        if page.only.try_get_untracked() != Some(only) {
            return;
        }
        let Ok(answer) = answer else {
            return; // what follows the run says that the server is out of reach
        };
        rows.extend(answer.computers);
        after = answer.next;
        page.hear(answer.run);
        page.steps.set(answer.steps);
        if after.is_none() || rows.len() >= wanted as usize {
            break;
        }
    }
    page.next.set(after);
    page.rows.set(rows);
}

async fn read_more(page: Page, busy: RwSignal<bool>, failure: RwSignal<Option<ApiError>>) {
    let (after, only) = (page.next.get_untracked(), page.only.get_untracked());
    if after.is_none() || busy.get_untracked() {
        return;
    }
    busy.set(true);
    let answer = api::get::<RunAnswer>(page.app, &asked(page, after, SOME)).await;
    if busy.try_set(false).is_some() || page.next.get_untracked() != after {
        return;
    }
    if page.only.get_untracked() != only {
        return;
    }
    match answer {
        Ok(answer) => {
            page.next.set(answer.next);
            page.rows.update(|rows| rows.extend(answer.computers));
        }
        Err(refused) => failure.set(Some(refused)),
    }
}

/// The panel.
pub fn panel(page: Page) -> El {
    let (app, words) = (page.app, page.app.language.runs());
    let heads = [words.computer, words.outcome, words.reason, words.entry];
    let each = For(ForProps::builder()
        .each(move || page.rows.get())
        // A row is drawn anew when anything of it has changed, or what the run does with it.
        .key(move |row| {
            let state = page.run.with_untracked(|run| run.state);
            (
                row.index,
                row.outcome,
                row.planned,
                row.attempts,
                row.reason.clone(),
                state,
            )
        })
        .children(move |row| page.run.with_untracked(|run| drawn(app, run, &row)).view())
        .build());
    let none = Memo::new(move |_| page.rows.with(Vec::is_empty));
    el("section")
        .class("card panel")
        .attr("aria-labelledby", "run-computers-title")
        .el(panel_head("run-computers-title", words.computers))
        .el(el("div").class("table-card").el(el("table")
            .class("table stacking run-rows")
            .attr("aria-labelledby", "run-computers-title")
            .el(table::heads(&heads))
            .el(el("tbody").child(each.into_any()))))
        .live(move || {
            if none.get() {
                el("p")
                    .class("quiet padded")
                    .text(words.none_of_these)
                    .view()
            } else {
                nothing()
            }
        })
        .child(more(page))
}

fn more(page: Page) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    let (busy, failure) = (RwSignal::new(false), RwSignal::new(None));
    let is_more = Memo::new(move |_| page.next.with(Option::is_some));
    live(move || {
        if !is_more.get() {
            return nothing();
        }
        let go_on = move || {
            failure.set(None);
            spawn_local(read_more(page, busy, failure));
        };
        el("div")
            .class("buttons centre padded")
            .el(button("button outlined", words.more, go_on))
            .live(move || match failure.get() {
                Some(failure) => el("p")
                    .class("hint danger")
                    .attr("role", "alert")
                    .text(sentence(app, &failure))
                    .view(),
                None => nothing(),
            })
            .view()
    })
}

fn drawn(app: App, run: &Run, row: &RunComputer) -> El {
    let words = app.language.runs();
    el("tr")
        .el(el("th")
            .attr("scope", "row")
            .el(el("bdi").class("run-name").text(row.name.clone()))
            .el(el("code").class("id").text(row.computer_id.clone())))
        .el(el("td")
            .attr("data-label", words.outcome)
            .el(told::became(app, run, row)))
        .el(el("td")
            .class("run-reason")
            .attr("data-label", words.reason)
            .el(why(app, run, row)))
        .el(el("td")
            .attr("data-label", words.entry)
            .maybe(entry(app, row)))
}

fn why(app: App, run: &Run, row: &RunComputer) -> El {
    let words = app.language.runs();
    // A new entry has all of its columns, which is no news; what failed has changed nothing.
    let tells = match (row.outcome, row.planned) {
        (Some(outcome), _) => matches!(outcome, Outcome::Updated | Outcome::Adopted),
        (None, planned) => matches!(planned, Some(PlannedAction::Update | PlannedAction::Adopt)),
    };
    let changed = (tells && !row.changed.is_empty()).then(|| {
        let text = if run.dry_run || row.outcome.is_none() {
            words.would_change
        } else {
            words.changed
        };
        let columns = row.changed.join(", ");
        el("p")
            .class("quiet long")
            .text(fill(text, &[("columns", &columns)]))
    });
    // What the reason says already is not said twice.
    let problem = row.problem.as_ref().filter(|problem| {
        problem.detail.is_some()
            && problem.detail != row.reason
            && Some(&problem.title) != row.reason.as_ref()
    });
    let hint = problem.and_then(|problem| problem.detail.clone());
    let attempts = (row.attempts > 1).then(|| {
        let n = row.attempts.to_string();
        el("p")
            .class("hint")
            .text(fill(words.attempts, &[("n", &n)]))
    });
    el("div")
        .class("run-why")
        .maybe(told::reason(app, run, row))
        .maybe(hint.map(|hint| from_server(app, hint).class("quiet long")))
        .maybe(changed)
        .maybe(attempts)
}

fn entry(app: App, row: &RunComputer) -> Option<El> {
    let words = app.language.runs();
    let number = row.item_id?.to_string();
    let text = fill(words.entry_number, &[("n", &number)]);
    let link = row.web_url.as_deref().and_then(outside);
    Some(match link {
        Some(link) => link
            .attr("aria-label", fill(words.open_entry, &[("n", &number)]))
            .text(text),
        None => el("span").text(text),
    })
}
