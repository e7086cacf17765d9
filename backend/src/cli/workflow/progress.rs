//! How far a run is, for whoever watches: a bar on a terminal, a line for each change elsewhere.
//!
//! Goes to stderr, so that stdout holds the result alone.

use std::io::{IsTerminal as _, Write as _};

use checklist_shared::wire::workflow::{Outcome, OutcomeCounts, Run, RunState};

/// How wide the bar is.
const WIDTH: u32 = 30;

/// Shows how far a run is.
pub(super) struct RunProgressLine {
    terminal: bool,
    shown: String,
}

impl RunProgressLine {
    pub(super) fn start() -> Self {
        Self {
            terminal: std::io::stderr().is_terminal(),
            shown: String::new(),
        }
    }

    pub(super) fn show(&mut self, run: &Run) {
        let line = if self.terminal {
            format!("{} {}", bar(run.settled, run.total), sentence(run))
        } else {
            sentence(run)
        };
        if line == self.shown {
            return;
        }
        let mut out = std::io::stderr().lock();
        // Nobody may be there to read it.
        let _ = if self.terminal {
            write!(out, "\r\x1b[K{line}")
        } else {
            writeln!(out, "{line}")
        };
        let _ = out.flush();
        self.shown = line;
    }

    pub(super) fn end(&mut self) {
        if self.terminal {
            let _ = writeln!(std::io::stderr());
        }
    }
}

fn bar(done: u32, total: u32) -> String {
    let full = u64::from(done) * u64::from(WIDTH) / u64::from(total.max(1));
    let full = usize::try_from(full).unwrap_or_default();
    let rest = WIDTH as usize - full.min(WIDTH as usize);
    format!("[{}{}]", "#".repeat(full), "-".repeat(rest))
}

/// How far a run is, in a sentence.
pub(super) fn sentence(run: &Run) -> String {
    let state = match run.state {
        RunState::Queued => "waiting",
        RunState::Running if run.cancelling => "stopping",
        RunState::Running if run.waiting.is_some() => "waiting",
        RunState::Running => "running",
        RunState::AwaitingConfirmation => "waiting to be confirmed",
        RunState::Completed if run.dry_run => "would be done",
        RunState::Completed => "done",
        RunState::Cancelled => "cancelled",
        RunState::Failed => "failed",
    };
    let mut text = format!("{}/{} {state}", run.settled, run.total);
    if let Some(waiting) = &run.waiting {
        text.push_str(&format!(" until {}: {}", waiting.until, waiting.detail));
    }
    for outcome in Outcome::ALL {
        let count = of(&run.counts, outcome);
        if count > 0 {
            text.push_str(&format!(", {count} {}", outcome.name()));
        }
    }
    text
}

const fn of(counts: &OutcomeCounts, outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Created => counts.created,
        Outcome::Updated => counts.updated,
        Outcome::Adopted => counts.adopted,
        Outcome::Deleted => counts.deleted,
        Outcome::Unchanged => counts.unchanged,
        Outcome::NotPresent => counts.not_present,
        Outcome::Ambiguous => counts.ambiguous,
        Outcome::Skipped => counts.skipped,
        Outcome::Failed => counts.failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_the_run_is_done() {
        assert_eq!(bar(0, 0), format!("[{}]", "-".repeat(30)));
        assert_eq!(
            bar(5, 10),
            format!("[{}{}]", "#".repeat(15), "-".repeat(15))
        );
        assert_eq!(bar(10, 10), format!("[{}]", "#".repeat(30)));
    }
}
