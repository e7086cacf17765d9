//! What the parts of a run's page share.
//!
//! The newest revision counts, whether it came by the stream or as an answer.

use checklist_shared::wire::workflow::{Outcome, Run, RunAnswer, RunStep};

use super::call;
use crate::kit::*;

/// A run, and what is going on with it.
#[derive(Clone, Copy)]
pub struct RunPage {
    /// What all pages share.
    pub app: App,
    id: StoredValue<String>,
    /// The newest revision of the run.
    pub run: RwSignal<Run>,
    /// Its steps so far.
    pub steps: RwSignal<Vec<RunStep>>,
    /// The outcome of the computers that are listed; none lists all.
    pub outcome: RwSignal<Option<Outcome>>,
    /// Whether an action is being sent.
    pub busy: RwSignal<bool>,
    /// Why the last action failed.
    pub error: RwSignal<Option<ApiError>>,
    /// Whether the server has not been reached for a while.
    pub is_disconnected: RwSignal<bool>,
}

impl RunPage {
    /// A run as it was read.
    pub fn new(app: App, id: String, answer: RunAnswer) -> Self {
        Self {
            app,
            id: StoredValue::new(id),
            run: RwSignal::new(answer.run),
            steps: RwSignal::new(answer.steps),
            outcome: RwSignal::new(None),
            busy: RwSignal::new(false),
            error: RwSignal::new(None),
            is_disconnected: RwSignal::new(false),
        }
    }

    /// A call about the run.
    pub fn call(self, rest: &str) -> String {
        self.id.with_value(|id| call(id, rest))
    }

    /// Takes a revision, unless a newer one is there.
    pub fn update(self, run: Run) {
        if self.revision().is_some_and(|newest| newest < run.revision) {
            self.run.set(run);
        }
    }

    /// The newest revision; none once the page was left.
    pub fn revision(self) -> Option<u64> {
        self.run.try_with_untracked(|run| run.revision)
    }

    /// Reads the run and its steps again. Says whether the server answered.
    pub async fn refresh(self) -> bool {
        let Some(call) = self.id.try_with_value(|id| call(id, "?Limit=1")) else {
            return false;
        };
        let answer = api::get::<RunAnswer>(self.app, &call).await;
        match answer {
            Ok(answer) => {
                self.update(answer.run);
                self.steps.try_set(answer.steps);
                true
            }
            Err(_) => false,
        }
    }

    /// Whether the run has ended, or the page was left.
    pub fn is_over(self) -> bool {
        let is_final = self.run.try_with_untracked(|run| run.state.is_final());
        is_final.unwrap_or(true)
    }
}
