//! The answer to a run that awaits confirmation, and counts of computers.

use std::collections::BTreeMap;

use checklist_shared::wire::workflow::{Choice, ConfirmRun, Confirmation, Outcome, OutcomeCounts};

/// What is ticked and decided so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether existing entries are adopted.
    pub adopt: bool,
    /// Whether entries are deleted. Off until somebody ticks it: nothing is deleted by oversight.
    pub delete: bool,
    /// The entry of each ambiguous computer; none where it gets a new one.
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
    /// Takes back what was ticked; what was decided stays.
    pub fn untick(&mut self) {
        let Self { adopt, delete, .. } = Self::default();
        (self.adopt, self.delete) = (adopt, delete);
    }

    /// The request for a run with this confirmation; a run without one gets the choices alone.
    #[must_use]
    pub fn request(&self, confirmation: Option<Confirmation>) -> ConfirmRun {
        let count = |is_ticked: bool, count: u32| (is_ticked && count > 0).then_some(count);
        let confirmation = confirmation.unwrap_or_default();
        ConfirmRun {
            adoptions: count(self.adopt, confirmation.adoptions),
            deletes: count(self.delete, confirmation.deletes),
            choices: self
                .choices
                .iter()
                .map(|(computer, item)| Choice {
                    computer_id: computer.clone(),
                    item_id: *item,
                })
                .collect(),
        }
    }
}

/// How many computers have an outcome.
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

/// How many computers can be retried once the run has ended.
#[must_use]
pub const fn unfinished(counts: &OutcomeCounts) -> u32 {
    counts.failed + counts.ambiguous + counts.skipped
}

/// How many quarters of a run are done.
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
    fn what_is_ticked_is_confirmed_with_its_count() {
        let confirmation = Confirmation {
            adoptions: 5,
            deletes: 60,
            ..Confirmation::default()
        };
        let mut answer = Answer::default();
        let request = answer.request(Some(confirmation));
        assert_eq!((request.adoptions, request.deletes), (Some(5), None));
        answer.delete = true;
        answer.adopt = false;
        answer.choices.insert("c-1".to_owned(), Some(7));
        answer.choices.insert("c-2".to_owned(), None);
        let request = answer.request(Some(confirmation));
        assert_eq!((request.adoptions, request.deletes), (None, Some(60)));
        assert_eq!(request.choices.len(), 2);
        assert_eq!(request.choices[1].item_id, None);
        let request = answer.request(None);
        assert_eq!((request.adoptions, request.deletes), (None, None));
    }

    #[test]
    fn a_quarter_counts_once_it_is_full() {
        assert_eq!(quarters(0, 0), 0);
        assert_eq!(quarters(24, 100), 0);
        assert_eq!(quarters(25, 100), 1);
        assert_eq!(quarters(99, 100), 3);
        assert_eq!(quarters(10_000, 10_000), 4);
    }
}
