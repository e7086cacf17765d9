//! What a list takes in memory, in bytes: its structs and the texts that they point to.
//!
//! An estimate: an allocator rounds up, and boxed parts that few items have count without the texts in
//! them. It looks at each item, which costs less than deciding on the list does.

use std::sync::Arc;

use checklist_shared::item::Actor;
use checklist_shared::text::Text;
use checklist_shared::{Checklist, Item};

use super::list_key::ListKey;

/// The entry of a cache: the key, its pointers, and the list itself without items.
const ENTRY: usize = 2 * size_of::<ListKey>() + size_of::<Checklist>() + 64;

/// Counters of an `Arc` and its place in a list.
const POINTER: usize = 3 * size_of::<usize>();

/// The bytes of a cached list; `None` is one that does not exist.
pub(super) fn bytes(key: &ListKey, list: Option<&Checklist>) -> usize {
    let names = [&key.tenant, &key.object_type, &key.object_id, &key.purpose];
    let items = list.map_or(&[][..], |list| &list.items);
    let mut actors = SharedActors::default();
    ENTRY
        + 2 * names.into_iter().map(String::len).sum::<usize>()
        + items
            .iter()
            .map(|item| of_item(item, &mut actors))
            .sum::<usize>()
}

/// The actors that were counted last: items share them, and a list of hundreds has a few.
#[derive(Default)]
struct SharedActors<'a>([Option<&'a Arc<Actor>>; 4], usize);

impl<'a> SharedActors<'a> {
    fn count(&mut self, actor: &'a Arc<Actor>) -> usize {
        let mut counted = self.0.iter().flatten();
        if counted.any(|known| Arc::ptr_eq(known, actor)) {
            return 0;
        }
        self.0[self.1 % self.0.len()] = Some(actor);
        self.1 += 1;
        POINTER + of_actor(actor)
    }
}

fn of_item<'a>(item: &'a Item, shared: &mut SharedActors<'a>) -> usize {
    let plain = [&item.template_key, &item.reason, &item.note];
    let texts = [
        Some(&item.text),
        item.help.as_ref(),
        item.template_text.as_ref(),
    ];
    let actors = [
        Some(&item.created_by),
        Some(&item.modified_by),
        item.status_by.as_ref(),
    ];
    let boxed = [
        item.answer_format.as_deref().map_or(0, size_of_val),
        item.signal.as_deref().map_or(0, size_of_val),
        item.proposal.as_deref().map_or(0, size_of_val),
    ];
    let assignee = item.assignee.as_ref();
    POINTER
        + size_of::<Item>()
        + item.sort_key.len()
        + plain.into_iter().flatten().map(String::len).sum::<usize>()
        + texts.into_iter().flatten().map(of_text).sum::<usize>()
        + actors
            .into_iter()
            .flatten()
            .map(|actor| shared.count(actor))
            .sum::<usize>()
        + item
            .attested
            .as_ref()
            .map_or(0, |attested| attested.text.len())
        + assignee.map_or(0, |assignee| assignee.id.len() + assignee.name.len())
        + boxed.into_iter().sum::<usize>()
}

fn of_text(text: &Text) -> usize {
    match text {
        Text::Plain(text) => text.len(),
        Text::Localized(map) => map
            .iter()
            .map(|(language, text)| 2 * size_of::<String>() + language.len() + text.len())
            .sum(),
    }
}

fn of_actor(actor: &Actor) -> usize {
    let optional = [&actor.issuer, &actor.key];
    size_of::<Actor>()
        + actor.id.len()
        + actor.name.len()
        + optional
            .into_iter()
            .flatten()
            .map(String::len)
            .sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::context::Context;
    use checklist_shared::item::Origin;
    use checklist_shared::{ItemId, Timestamp};

    /// A list of ten items, all made by one person, as each item knows them.
    fn weight(by: impl Fn() -> Arc<Actor>) -> usize {
        let now = Timestamp::from_millis(0);
        let context = Context::new("incident", "1", "");
        let mut list = Checklist::empty(context.clone(), now);
        list.items = (0..10)
            .map(|n| {
                let id = ItemId::from_millis_and_random(n, [0; 10]);
                let text = Text::Plain("Call back".to_owned());
                let mut item = Item::new(id, Origin::Local, text, Actor::template(), now);
                item.created_by = by();
                item.modified_by = Arc::clone(&item.created_by);
                Arc::new(item)
            })
            .collect();
        bytes(&ListKey::of("acme", &context), Some(&list))
    }

    #[test]
    fn an_actor_that_items_share_counts_once() {
        let ada = Arc::new(Actor::person("ada", "Ada"));
        let (shared, apart) = (
            weight(|| Arc::clone(&ada)),
            weight(|| Arc::new(Actor::clone(&ada))),
        );
        assert_eq!(apart - shared, 9 * (POINTER + of_actor(&ada)));
    }
}
