//! What is said of runs: states, outcomes, steps, reasons, in the reader's language.

use checklist_shared::problem::Problem;
use checklist_shared::wire::workflow::{
    Outcome, Run, RunComputer, RunState, RunStep, Waiting, WaitingReason,
};

use crate::app::App;
use crate::connections::told::from_server;
use crate::element::{El, el};
use crate::logs::told::time;
use crate::wording::runs::Runs;
use crate::wording::{Language, Wording, fill};

/// A state, in words.
pub fn state(app: App, run: &Run) -> &'static str {
    let words = app.language.runs();
    let open = run.counts.failed + run.counts.ambiguous + run.counts.skipped > 0;
    match run.state {
        _ if run.cancelling => words.cancelling,
        RunState::Queued => words.queued,
        RunState::Running if run.waiting.is_some() => words.waiting,
        RunState::Running => words.running,
        RunState::AwaitingConfirmation => words.awaiting,
        RunState::Completed if open => words.completed_not_all,
        RunState::Completed => words.completed,
        RunState::Cancelled => words.cancelled,
        RunState::Failed => words.failed,
    }
}

/// Why a run waits, until when, and what comes then.
pub fn waiting(app: App, waiting: &Waiting) -> El {
    let words = app.language.runs();
    let why = match waiting.reason {
        WaitingReason::Throttled => words.waiting_throttled,
        WaitingReason::SiteUnreachable => words.waiting_away,
        WaitingReason::Retry => words.waiting_retry,
    };
    let line = |text: &'static str, at| el("p").text(text).text(" ").el(time(app, at));
    let give_up = waiting.give_up_at.map(|at| line(words.waiting_give_up, at));
    el("div")
        .class("notice")
        .el(line(why, waiting.until))
        .el(line(words.waiting_since, waiting.since).class("hint"))
        .maybe(give_up.map(|line| line.class("hint")))
        .el(from_server(app, waiting.detail.clone()).class("quiet long"))
}

/// A state as a pill, and with it whether nothing is written.
pub fn pills(app: App, run: &Run) -> El {
    let open = run.counts.failed + run.counts.ambiguous + run.counts.skipped > 0;
    let class = match run.state {
        RunState::Failed => "pill bad",
        RunState::AwaitingConfirmation => "pill warm",
        RunState::Running if run.waiting.is_some() => "pill warm",
        RunState::Completed if open => "pill warm",
        RunState::Queued | RunState::Cancelled => "pill plain",
        RunState::Running | RunState::Completed => "pill",
    };
    let dry = run.dry_run.then(|| {
        el("span")
            .class("pill plain")
            .text(app.language.runs().dry_run)
    });
    el("span")
        .class("pills")
        .el(el("span").class(class).text(state(app, run)))
        .maybe(dry)
}

/// What a run is called.
pub fn title(app: App, run: &Run) -> String {
    let words = app.language.runs();
    let text = if run.dry_run {
        words.title_dry
    } else {
        words.title
    };
    fill(text, &[("list", &run.list)])
}

/// An outcome; in a dry run what it would be.
pub fn outcome(app: App, outcome: Outcome, dry_run: bool) -> &'static str {
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

/// What became of a computer, as a pill.
pub fn became(app: App, run: &Run, computer: &RunComputer) -> El {
    let words = app.language.runs();
    let (class, text) = match (computer.outcome, computer.planned) {
        (Some(found), _) => {
            let class = match found {
                Outcome::Failed => "pill bad",
                Outcome::Ambiguous | Outcome::Skipped => "pill warm",
                Outcome::Unchanged | Outcome::NotPresent => "pill plain",
                _ => "pill",
            };
            (class, outcome(app, found, run.dry_run))
        }
        (None, Some(_)) if run.state == RunState::AwaitingConfirmation => {
            ("pill warm", words.waits)
        }
        (None, Some(_)) => ("pill plain", words.is_planned),
        (None, None) => ("pill plain", words.not_yet),
    };
    el("span").class(class).text(text)
}

/// A step.
pub fn step(app: App, step: &RunStep) -> El {
    let words = app.language.runs();
    let name = match step.name.as_str() {
        "Establish" => words.step_establish,
        "Read" => words.step_read,
        "Decide" => words.step_decide,
        "Write" => words.step_write,
        "Confirm" => words.step_confirm,
        _ => return from_server(app, step.name.clone()),
    };
    el("p").text(name)
}

/// Why a computer has come to its outcome. What the columns say is said beside it.
pub fn reason(app: App, run: &Run, computer: &RunComputer) -> Option<El> {
    let said = computer.reason.clone()?;
    let words = app.language.runs();
    // "Changed: …" names the columns, and they are told below it in the reader's language.
    if !computer.changed.is_empty() && said.starts_with("Changed: ") {
        return None;
    }
    let plain = said
        .split_once("; changed: ")
        .map_or(said.as_str(), |(before, _)| before)
        .trim_end_matches('.');
    let english = Language::En.runs();
    let known = REASONS
        .iter()
        .find(|reason| reason(english).trim_end_matches('.') == plain);
    Some(match known {
        Some(known) if run.dry_run && known(english) == english.why_no_entry => {
            el("p").text(words.why_would_no_entry)
        }
        Some(known) => el("p").text(known(words)),
        None => from_server(app, said),
    })
}

/// Sentences of the server that are known here.
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

/// What went wrong, in the server's own words.
pub fn problem(app: App, problem: &Problem) -> El {
    let sentence = problem.detail.as_ref().unwrap_or(&problem.title);
    from_server(app, sentence.clone())
}
