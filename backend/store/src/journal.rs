//! Builds the sentence of a journal entry: what one actor did to a list.
//!
//! Several changes of the same item count once, under the last status.

use std::collections::HashMap;

use checklist_shared::event::{Event, What};
use checklist_shared::id::ItemId;
use checklist_shared::item::Actor;

/// How long an entry may be extended, in milliseconds since its start.
pub const FOLD_MILLIS: i64 = 2 * 60 * 1_000;

/// The maximum number of events of an entry, to keep it readable.
pub const FOLD_EVENTS: u64 = 200;

/// The data of a list's newest entry that decides whether it is extended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The author of the entry, see [`author`].
    pub author: String,
    /// The start of the entry, in milliseconds since 1970.
    pub started_at: i64,
    /// The number of events in the entry.
    pub events: u64,
}

impl Tail {
    /// Whether an actor's events at this time can be added to the entry.
    #[must_use]
    pub fn takes(&self, actor: &Actor, at: i64, events: u64) -> bool {
        self.author == author(actor)
            && at - self.started_at <= FOLD_MILLIS
            && self.events + events <= FOLD_EVENTS
    }
}

/// The key that separates entries: what a program does on behalf of one person does not extend an
/// entry about another person.
#[must_use]
pub fn author(actor: &Actor) -> String {
    match &actor.on_behalf_of {
        Some(principal) => format!("{}\u{1f}{}", actor.identity(), author(principal)),
        None => actor.identity(),
    }
}

/// Builds the sentence, for example "3 checked, 1 added, 5 of 7 done".
#[must_use]
pub fn sentence(events: &[Event], done: u32, applicable: u32) -> String {
    let mut parts: Vec<String> = tally(events)
        .into_iter()
        .map(|(words, count, of_list)| {
            if of_list {
                words.to_owned()
            } else {
                format!("{count} {words}")
            }
        })
        .collect();
    parts.push(format!("{done} of {applicable} done"));
    parts.join(", ")
}

/// The number of items per kind of event, without kinds that do not occur.
fn tally(events: &[Event]) -> Vec<(&'static str, usize, bool)> {
    // An item may count under several kinds, but only under its last status.
    let mut last_status: HashMap<ItemId, usize> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        if let (true, Some(id)) = (is_status(event.what), event.item_id) {
            last_status.insert(id, index);
        }
    }
    let mut items_by_kind: HashMap<What, Vec<Option<ItemId>>> = HashMap::new();
    for (index, event) in events.iter().enumerate() {
        let overtaken = is_status(event.what)
            && event
                .item_id
                .is_some_and(|id| last_status.get(&id) != Some(&index));
        let items = items_by_kind.entry(event.what).or_default();
        if !overtaken && !items.contains(&event.item_id) {
            items.push(event.item_id);
        }
    }
    What::COUNTED
        .iter()
        .filter_map(|(what, words)| {
            let items = items_by_kind.get(what).filter(|items| !items.is_empty())?;
            Some((*words, items.len(), items.iter().all(Option::is_none)))
        })
        .collect()
}

const fn is_status(what: What) -> bool {
    matches!(
        what,
        What::Checked | What::Reopened | What::MarkedNotApplicable
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(what: What, item: u8) -> Event {
        Event {
            item_id: Some(ItemId::from_bytes([item; 16])),
            ..Event::of_list(what)
        }
    }

    #[test]
    fn checks_are_counted_and_the_state_of_the_list_follows() {
        let events = [
            event(What::Checked, 1),
            event(What::Checked, 2),
            event(What::Checked, 3),
        ];
        assert_eq!(sentence(&events, 5, 7), "3 checked, 5 of 7 done");
    }

    #[test]
    fn an_item_counts_once_with_its_last_status() {
        let events = [
            event(What::Checked, 1),
            event(What::Reopened, 1),
            event(What::Checked, 1),
        ];
        assert_eq!(sentence(&events, 1, 2), "1 checked, 1 of 2 done");
    }

    #[test]
    fn what_happened_to_the_list_as_a_whole_has_no_number() {
        let events = [Event::of_list(What::Locked)];
        assert_eq!(sentence(&events, 0, 2), "locked, 0 of 2 done");
    }
}
