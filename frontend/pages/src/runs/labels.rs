//! Runs in the reader's language: states, outcomes, steps, reasons, entries of the list.

use checklist_shared::computer::ComputerField;
use checklist_shared::phrase::{Phrase, STEPS};
use checklist_shared::wire::workflow::{
    Candidate, Outcome, Run, RunComputer, RunState, RunStep, Waiting, WaitingReason,
};

use super::answer::unfinished;
use crate::computers::labels::field_name;
use crate::connections::format::problem_sentence;
use crate::kit::*;
use crate::phrase;
use crate::wording::runs::Runs;

/// The name of a state.
pub fn state_name(app: App, run: &Run) -> &'static str {
    let words = app.language.runs();
    match run.state {
        _ if run.cancelling => words.stopping,
        RunState::Queued => words.queued,
        RunState::Running if run.waiting.is_some() => words.waiting,
        RunState::Running => words.running,
        RunState::AwaitingConfirmation => words.awaiting,
        RunState::Completed if unfinished(&run.counts) > 0 => words.completed_with_issues,
        RunState::Completed => words.completed,
        RunState::Cancelled => words.stopped,
        RunState::Failed => words.failed,
    }
}

/// A state as a pill, with another one for a dry run.
pub fn pills(app: App, run: &Run) -> AnyView {
    let class = match run.state {
        RunState::Failed => "bad",
        RunState::AwaitingConfirmation => "warm",
        RunState::Running if run.waiting.is_some() => "warm",
        RunState::Completed if unfinished(&run.counts) > 0 => "warm",
        RunState::Queued | RunState::Cancelled => "plain",
        RunState::Running | RunState::Completed => "",
    };
    let dry_run = run
        .dry_run
        .then(|| pill("plain", app.language.runs().dry_run));
    view! { <span class="pills">{pill(class, state_name(app, run))}{dry_run}</span> }.into_any()
}

/// Why a run waits, until when, and what comes then.
pub fn waiting(app: App, waiting: Waiting) -> AnyView {
    let words = app.language.runs();
    let reason = match waiting.reason {
        WaitingReason::Throttled => words.waiting_throttled,
        WaitingReason::SiteUnreachable => words.waiting_unreachable,
        WaitingReason::Retry => words.waiting_retry,
    };
    let give_up = waiting.give_up_at.map(|at| {
        view! { <p class="hint">{words.waiting_give_up}" "{time(at)}</p> }
    });
    view! {
        <div class="notice">
            <p>{reason}" "{time(waiting.until)}</p>
            <p class="hint">{words.waiting_since}" "{time(waiting.since)}</p>
            {give_up}
            {server_text(app, "quiet long", waiting.detail)}
        </div>
    }
    .into_any()
}

/// How many computers are done.
pub fn progress(app: App, run: &Run) -> String {
    let words = app.language.runs();
    let (count, total) = (run.settled.to_string(), run.total.to_string());
    let text = match (run.settled == run.total, run.total) {
        (true, 1) => words.settled_one,
        (true, _) => words.settled_all,
        _ => words.settled,
    };
    fill(text, &[("n", &count), ("total", &total)])
}

/// The title of a run.
pub fn title(app: App, run: &Run) -> String {
    let words = app.language.runs();
    let text = if run.dry_run {
        words.title_dry
    } else {
        words.title
    };
    fill(text, &[("list", &run.list)])
}

/// The name of an outcome; in a dry run of what it would be.
pub fn outcome_name(app: App, outcome: Outcome, dry_run: bool) -> &'static str {
    let words = app.language.runs();
    match (outcome, dry_run) {
        (Outcome::Created, false) => words.was_created,
        (Outcome::Updated, false) => words.was_updated,
        (Outcome::Adopted, false) => words.was_adopted,
        (Outcome::Deleted, false) => words.was_deleted,
        (Outcome::Created, true) => words.would_be_created,
        (Outcome::Updated, true) => words.would_be_updated,
        (Outcome::Adopted, true) => words.would_be_adopted,
        (Outcome::Deleted, true) => words.would_be_deleted,
        (Outcome::Unchanged, _) => words.was_unchanged,
        (Outcome::NotPresent, _) => words.was_not_present,
        (Outcome::Ambiguous, _) => words.was_ambiguous,
        (Outcome::Skipped, _) => words.was_skipped,
        (Outcome::Failed, _) => words.was_failed,
    }
}

/// The outcome of a computer as a pill; what is planned where there is none yet.
pub fn outcome_pill(app: App, row: &RunComputer, state: RunState, is_dry_run: bool) -> AnyView {
    let words = app.language.runs();
    match (row.outcome, row.planned) {
        (Some(outcome), _) => {
            let class = match outcome {
                Outcome::Failed => "bad",
                Outcome::Ambiguous | Outcome::Skipped => "warm",
                Outcome::Unchanged | Outcome::NotPresent => "plain",
                _ => "",
            };
            pill(class, outcome_name(app, outcome, is_dry_run))
        }
        (None, Some(_)) if state == RunState::AwaitingConfirmation => pill("warm", words.awaiting),
        (None, Some(_)) => pill("plain", words.in_work),
        (None, None) => pill("plain", words.pending),
    }
}

/// The name of a step, as a paragraph.
pub fn step(app: App, class: &'static str, step: &RunStep) -> AnyView {
    let words = app.language.runs();
    let name = match step.name.as_str() {
        "Establish" => words.step_establish,
        "Read" => words.step_read,
        "Decide" => words.step_decide,
        "Write" => words.step_write,
        "Confirm" => words.step_confirm,
        _ => return server_text(app, class, step.name.clone()),
    };
    view! { <p class=class>{name}</p> }.into_any()
}

/// What a step did, as a paragraph; what a site said about it is in the site's words.
pub fn step_detail(app: App, detail: &str) -> AnyView {
    let parsed = Phrase::parse(detail, STEPS).filter(|_| app.language == Language::De);
    let Some((said, rest)) = parsed else {
        return server_text(app, "quiet long", detail.to_owned());
    };
    let rest = (!rest.is_empty()).then(|| server_text(app, "quiet long", rest.to_owned()));
    view! { <p class="quiet long">{phrase::sentence(app, &said, detail)}</p>{rest} }.into_any()
}

/// The reason of an outcome, as a paragraph. The columns that changed are listed beside it.
pub fn reason(
    app: App,
    class: &'static str,
    is_dry_run: bool,
    row: &RunComputer,
) -> Option<AnyView> {
    let reason = row.reason.clone()?;
    let (words, english) = (app.language.runs(), Language::En.runs());
    if !row.changed.is_empty() && reason.starts_with("Changed: ") {
        return None;
    }
    let plain = reason.split_once("; changed: ");
    let plain = plain.map_or(reason.as_str(), |(before, _)| before);
    let plain = plain.trim_end_matches('.');
    let known = REASONS
        .iter()
        .find(|known| known(english).trim_end_matches('.') == plain);
    let Some(known) = known else {
        // The run says above what the site answered.
        let problem = row
            .problem
            .as_ref()
            .filter(|_| app.language != Language::En);
        let sentence = problem.and_then(|problem| problem_sentence(app, problem.code));
        return Some(match sentence {
            Some(text) => view! { <p>{text}</p> }.into_any(),
            None => server_text(app, class, reason),
        });
    };
    let text = if is_dry_run && known(english) == english.why_no_entry {
        words.why_would_no_entry
    } else {
        known(words)
    };
    let class = (!class.is_empty()).then_some(class);
    Some(view! { <p class=class>{text}</p> }.into_any())
}

/// The reasons of the server that have a translation.
const REASONS: [fn(&Runs) -> &'static str; 14] = [
    |words| words.why_no_entry,
    |words| words.why_scrapped,
    |words| words.why_scrapped_absent,
    |words| words.why_as_it_should,
    |words| words.why_was_changed,
    |words| words.why_by_hand,
    |words| words.why_cancelled,
    |words| words.why_not_confirmed,
    |words| words.why_waits,
    |words| words.why_no_computer,
    |words| words.why_several_own,
    |words| words.why_several_entries,
    |words| words.why_several_computers,
    |words| words.why_other_serial,
];

/// The number of an entry.
pub fn entry_number(app: App, number: i64) -> String {
    fill(
        app.language.runs().entry_number,
        &[("n", &number.to_string())],
    )
}

/// The title and the number of an entry.
pub fn entry_name(app: App, entry: &Candidate) -> String {
    let title = match entry.title.trim() {
        "" => app.language.runs().untitled,
        title => title,
    };
    [title, " · ", &entry_number(app, entry.item_id)].concat()
}

/// What an entry has in common with a computer.
pub fn matched_by(app: App, entry: &Candidate) -> String {
    let words = app.language.runs();
    if entry.matched_by == ComputerField::Id {
        return words.matched_by_key.to_owned();
    }
    let field = field_name(app, entry.matched_by);
    fill(words.matched_by, &[("field", field)])
}
