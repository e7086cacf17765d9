//! Counts what the store has read about the lists of a template.
//!
//! Invariant: the order in which a page has its rows makes no difference, since databases have their own.

use std::collections::{BTreeMap, HashMap};

use checklist_shared::due::Due;
use checklist_shared::event::What;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::text::Text;
use checklist_shared::time::Timestamp;
use checklist_store::template_health::{HealthItem, HealthRows, HealthSource};

/// The most different texts that are told apart, so that the memory has a bound.
const TEXTS: usize = 20_000;

/// What was counted so far.
pub(super) struct Figures {
    now: Timestamp,
    /// Lists.
    pub(super) lists: u32,
    /// The items of the template.
    pub(super) by_key: BTreeMap<String, Figure>,
    /// What was added by hand, by its normalized text.
    pub(super) added: HashMap<String, AddedText>,
    /// Whether there are more texts than are told apart.
    pub(super) has_more_texts: bool,
}

/// How one item fares.
#[derive(Default)]
pub(super) struct Figure {
    /// Whether a list has it whose version has it.
    pub(super) is_in_use: bool,
    pub(super) done: u32,
    pub(super) not_applicable: u32,
    pub(super) open: u32,
    pub(super) edited: u32,
    pub(super) deleted: u32,
    pub(super) reopened: u32,
    pub(super) resolved_late: u32,
    pub(super) overdue: u32,
    /// Milliseconds from the beginning of each list to the first resolution there.
    waits: Vec<i64>,
}

/// A text that was added by hand.
pub(super) struct AddedText {
    /// As it was written in the list that was read first.
    pub(super) text: String,
    /// In how many lists.
    pub(super) lists: u32,
    /// The last list that was counted.
    last: u64,
}

/// What the history of an item says.
#[derive(Default)]
struct History {
    reopened: u32,
    first_resolved: Option<Timestamp>,
}

impl Figures {
    /// Nothing yet; what is overdue is so at `now`.
    pub(super) fn at(now: Timestamp) -> Self {
        Self {
            now,
            lists: 0,
            by_key: BTreeMap::new(),
            added: HashMap::new(),
            has_more_texts: false,
        }
    }

    /// Adds a page of lists; those that began before `since` have no rows and do not count.
    pub(super) fn add(&mut self, page: HealthRows, since: Option<Timestamp>) {
        let mut histories: HashMap<(u64, ItemId), History> = HashMap::new();
        for change in page.changes {
            let history = histories.entry((change.list, change.id)).or_default();
            if change.what == What::Reopened {
                history.reopened += 1;
            } else {
                let first = history.first_resolved.unwrap_or(change.at);
                history.first_resolved = Some(first.min(change.at));
            }
        }
        let mut lists = HashMap::new();
        for (place, list) in page.lists.iter().enumerate() {
            if since.is_none_or(|since| list.started_at >= since) {
                lists.insert(list.position.number, (place, list.started_at));
                self.lists += 1;
            }
        }
        let mut added = Vec::new();
        for item in page.items {
            let Some((place, started_at)) = lists.get(&item.list) else {
                continue;
            };
            let history = histories.remove(&(item.list, item.id)).unwrap_or_default();
            if let HealthSource::Added(text) = item.source {
                added.push((*place, item.id, item.list, text));
            } else {
                self.add_item(item, &history, *started_at);
            }
        }
        added.sort_unstable_by_key(|(place, id, ..)| (*place, *id));
        for (_, _, list, text) in added {
            self.add_text(list, &text);
        }
    }

    fn add_item(&mut self, item: HealthItem, history: &History, started_at: Timestamp) {
        let HealthSource::Template {
            key,
            is_edited,
            is_info,
            is_retired,
            is_deleted,
        } = item.source
        else {
            return;
        };
        let figure = self.by_key.entry(key).or_default();
        figure.is_in_use |= !is_retired;
        if is_deleted {
            // With both marks a refresh has removed it, or an undo, and no person.
            figure.deleted += u32::from(!is_retired);
            return;
        }
        if is_retired && item.status == Status::Open {
            return; // nobody has to do it
        }
        figure.edited += u32::from(is_edited);
        if is_info {
            return; // nothing there can be resolved
        }
        match item.status {
            Status::Done => figure.done += 1,
            Status::NotApplicable => figure.not_applicable += 1,
            Status::Open => figure.open += 1,
        }
        figure.reopened += history.reopened;
        let due = item.due.map(Due::end);
        let is_over = |at: Option<Timestamp>| at.zip(due).is_some_and(|(at, due)| at > due);
        if item.status == Status::Open {
            figure.overdue += u32::from(is_over(Some(self.now)));
        } else {
            figure.resolved_late += u32::from(is_over(item.status_at));
        }
        if let Some(at) = history.first_resolved {
            let wait = at.as_millis() - started_at.as_millis();
            figure.waits.push(wait.max(0));
        }
    }

    fn add_text(&mut self, list: u64, text: &Text) {
        let text = text.resolve(&[]);
        let normalized = normalized(text);
        if !self.added.contains_key(&normalized) && self.added.len() >= TEXTS {
            self.has_more_texts = true;
            return;
        }
        let entry = self.added.entry(normalized).or_insert_with(|| AddedText {
            text: text.to_owned(),
            lists: 0,
            last: list,
        });
        // One list may have it twice.
        if entry.lists == 0 || entry.last != list {
            (entry.lists, entry.last) = (entry.lists + 1, list);
        }
    }
}

impl Figure {
    /// The median time to the first resolution in seconds.
    pub(super) fn median_seconds(&mut self) -> Option<u64> {
        self.waits.sort_unstable();
        let middle = self.waits.len() / 2;
        let upper = *self.waits.get(middle)?;
        let median = match self.waits.len() % 2 {
            0 => i64::midpoint(upper, *self.waits.get(middle - 1)?),
            _ => upper,
        };
        u64::try_from(median / 1_000).ok()
    }
}

/// A text without what makes no difference: case, and how much space there is.
pub(super) fn normalized(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_times_lies_between_the_two_in_the_middle() {
        let median = |waits: &[i64]| {
            let waits = waits.iter().map(|seconds| seconds * 1_000).collect();
            let mut figure = Figure {
                waits,
                ..Figure::default()
            };
            figure.median_seconds()
        };
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[7]), Some(7));
        assert_eq!(median(&[90, 1, 4]), Some(4));
        assert_eq!(median(&[90, 2, 1, 4]), Some(3));
    }

    #[test]
    fn case_and_spaces_make_no_difference_in_any_script() {
        assert_eq!(
            normalized("  Ask\tthe\nÜBER-user "),
            normalized("ask the über-user")
        );
        assert_eq!(normalized("اتصل  بالعميل"), normalized("اتصل بالعميل"));
        assert_ne!(normalized("Ask"), normalized("Asked"));
    }
}
