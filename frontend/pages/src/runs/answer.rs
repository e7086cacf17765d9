//! What a person answers to a run that waits, before it is sent; and how far a run is, in numbers.

use std::collections::BTreeMap;

use checklist_shared::wire::workflow::{
    Choice, ConfirmRun, Confirmation, Outcome, OutcomeCounts, PlannedAction, Run, RunComputer,
};

/// What a person has ticked and chosen so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether entries made by hand are adopted.
    pub adopt: bool,
    /// Whether entries are deleted. Nobody deletes by not looking: it has to be ticked.
    pub delete: bool,
    /// The entry of a computer that could be several, or that it is none of them.
    pub choices: BTreeMap<String, Option<i64>>,
}

impl Default for Answer {
    fn default() -> Self {
        Self {
            adopt: true,
            delete: false,
            choices: BTreeMap::new(),
        }
    }
}

impl Answer {
    /// What is sent to a run that asks this; one that asks nothing gets the choices alone.
    #[must_use]
    pub fn wish(&self, asked: Option<Confirmation>) -> ConfirmRun {
        let number = |ticked: bool, asked: u32| (ticked && asked > 0).then_some(asked);
        let asked = asked.unwrap_or_default();
        let choices = self.choices.iter();
        ConfirmRun {
            adoptions: number(self.adopt, asked.adoptions),
            deletes: number(self.delete, asked.deletes),
            choices: choices
                .map(|(computer, item)| Choice {
                    computer_id: computer.clone(),
                    item_id: *item,
                })
                .collect(),
        }
    }
}

/// What a run has in mind, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InMind {
    /// New entries.
    pub creates: u32,
    /// Entries that change.
    pub updates: u32,
    /// Entries made by hand that become a computer's own.
    pub adoptions: u32,
    /// Entries that go.
    pub deletes: u32,
}

impl InMind {
    /// What these computers are planned for.
    #[must_use]
    pub fn of(computers: &[RunComputer]) -> Self {
        let mut found = Self::default();
        for planned in computers.iter().filter_map(|one| one.planned) {
            *match planned {
                PlannedAction::Create => &mut found.creates,
                PlannedAction::Update => &mut found.updates,
                PlannedAction::Adopt => &mut found.adoptions,
                PlannedAction::Delete => &mut found.deletes,
            } += 1;
        }
        found
    }
}

/// How many computers have come to an outcome.
#[must_use]
pub const fn count(counts: &OutcomeCounts, outcome: Outcome) -> u32 {
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

/// Whether something is left that can be tried once more.
#[must_use]
pub const fn can_be_retried(run: &Run) -> bool {
    run.state.is_final() && run.counts.failed + run.counts.ambiguous + run.counts.skipped > 0
}

/// How many quarters of a run are done: what is worth saying aloud.
#[must_use]
pub const fn quarters(settled: u32, total: u32) -> u32 {
    if total == 0 {
        return 0;
    }
    (settled as u64 * 4 / total as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ticked_is_confirmed_and_with_the_number_that_was_shown() {
        let asked = Confirmation {
            adoptions: 5,
            deletes: 60,
            ..Confirmation::default()
        };
        let mut answer = Answer::default();
        let wish = answer.wish(Some(asked));
        assert_eq!((wish.adoptions, wish.deletes), (Some(5), None));
        answer.delete = true;
        answer.adopt = false;
        answer.choices.insert("c-1".to_owned(), Some(7));
        answer.choices.insert("c-2".to_owned(), None);
        let wish = answer.wish(Some(asked));
        assert_eq!((wish.adoptions, wish.deletes), (None, Some(60)));
        assert_eq!(wish.choices.len(), 2);
        assert_eq!(wish.choices[1].item_id, None);
        let wish = answer.wish(None);
        assert_eq!((wish.adoptions, wish.deletes), (None, None));
    }

    #[test]
    fn a_run_is_told_of_quarter_by_quarter() {
        assert_eq!(quarters(0, 0), 0);
        assert_eq!(quarters(24, 100), 0);
        assert_eq!(quarters(25, 100), 1);
        assert_eq!(quarters(99, 100), 3);
        assert_eq!(quarters(10_000, 10_000), 4);
    }

    #[test]
    fn what_is_planned_is_counted_by_kind() {
        let computer = |planned| RunComputer {
            index: 0,
            computer_id: "c".to_owned(),
            name: "PC".to_owned(),
            outcome: None,
            planned,
            reason: None,
            problem: None,
            changed: Vec::new(),
            item_id: None,
            web_url: None,
            candidates: Vec::new(),
            attempts: 0,
            settled_at: None,
        };
        let all = [
            computer(Some(PlannedAction::Create)),
            computer(Some(PlannedAction::Create)),
            computer(Some(PlannedAction::Delete)),
            computer(None),
        ];
        let expected = InMind {
            creates: 2,
            deletes: 1,
            ..InMind::default()
        };
        assert_eq!(InMind::of(&all), expected);
    }
}
