//! What a list takes in memory, in bytes: its structs and the texts that they point to.
//!
//! An estimate: an allocator rounds up, and boxed parts that few items have count without the texts in
//! them. It looks at each item, which costs less than deciding on the list does.

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
    ENTRY
        + 2 * names.into_iter().map(String::len).sum::<usize>()
        + items.iter().map(|item| of_item(item)).sum::<usize>()
}

fn of_item(item: &Item) -> usize {
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
        + actors.into_iter().flatten().map(of_actor).sum::<usize>()
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
    actor.id.len()
        + actor.name.len()
        + optional
            .into_iter()
            .flatten()
            .map(String::len)
            .sum::<usize>()
}
