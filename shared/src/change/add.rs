//! Adds an item.
//!
//! The same id with the same text is a retry and not a second item, so a client that does not know
//! whether its request arrived can send it again.

use std::sync::Arc;

use super::checks::{Log, check_parent, neighbour, tidy, tidy_option, within};
use super::details::Details;
use super::request::{Applied, NewItem, Session};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::item::{Item, Kind};
use crate::order;
use crate::permission::Permission;
use crate::problem::ItemProblemCode;
use crate::text::Text;

pub(super) fn apply(
    list: &mut Checklist,
    new: &NewItem,
    session: &Session<'_>,
) -> Result<Applied, ItemProblemCode> {
    session.need(Permission::Add)?;
    let text = tidy(&new.text)?;
    within(text, session.limits.text)?;
    let help = tidy_option(new.help.as_deref());
    within(help.unwrap_or(""), session.limits.help)?;
    let details = Details::of_new(new, session)?;

    if let Some(present) = list.any(new.id) {
        let same =
            present.is_live() && present.text == Text::from(text) && present.kind == new.kind;
        return if same {
            Ok(Applied::Unchanged)
        } else {
            Err(ItemProblemCode::IdTaken)
        };
    }
    if list.used() >= session.limits.items {
        return Err(ItemProblemCode::LimitExceeded);
    }

    // A neighbour says which section it is when the caller does not.
    let parent = match (new.parent, neighbour(new.place)) {
        (None, Some(id)) => list.any(id).ok_or(ItemProblemCode::InvalidPlace)?.parent_id,
        (parent, _) => parent,
    };
    check_parent(list, parent, new.kind)?;
    let sort_key =
        order::make_room(list, parent, new.place, None).ok_or(ItemProblemCode::InvalidPlace)?;

    let text = Text::from(text);
    let mut item = Item {
        kind: new.kind,
        parent_id: parent,
        sort_key,
        help: help.map(Text::from),
        required: new.required && new.kind == Kind::Item,
        // What a person adds, a person may also call not applicable; no template forbids it.
        allow_not_applicable: true,
        revision: list.revision + 1,
        ..Item::new(new.id, new.origin, text, session.actor.clone(), session.now)
    };
    // One event tells of all of it.
    details.write(&mut item, 1, session, &mut Log::default());
    let mut log = Log::default();
    log.note(|| Event::about(What::Added, &item, session.languages));
    list.items.push(Arc::new(item));
    Ok(Applied::Changed(log.0))
}
