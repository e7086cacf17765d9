//! Adds an item.
//!
//! The same id with the same text is a retry and not a second item, so a client that does not know
//! whether its request arrived can send it again.

use std::sync::Arc;

use super::checks::{Log, check_parent, neighbour, tidy, tidy_option, within};
use super::request::{Applied, NewItem, Session};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::item::{AspectVersions, Item, Status};
use crate::limits::Limits;
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
    let note = tidy_option(new.note.as_deref());
    let assignee = tidy_option(new.assignee.as_deref());
    within(help.unwrap_or(""), session.limits.help)?;
    within(note.unwrap_or(""), session.limits.note)?;
    within(assignee.unwrap_or(""), Limits::IDENTIFIER)?;

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

    let item = Item {
        id: new.id,
        template_key: None,
        origin: new.origin,
        kind: new.kind,
        parent_id: parent,
        sort_key,
        text: Text::from(text),
        help: help.map(Text::from),
        text_overridden: false,
        template_text: None,
        status: Status::Open,
        reason: None,
        status_by: None,
        status_at: None,
        attested: None,
        required: new.required,
        // What a person adds, a person may also call not applicable; no template forbids it.
        allow_not_applicable: true,
        not_applicable_needs_reason: false,
        assignee: assignee.map(str::to_owned),
        assignee_by_person: assignee.is_some(),
        due: new.due,
        due_by_person: new.due.is_some(),
        note: note.map(str::to_owned),
        version: 1,
        changed_in: AspectVersions {
            status: 1,
            text: 1,
            note: 1,
            assignee: 1,
            due: 1,
            place: 1,
        },
        revision: list.revision + 1,
        created_by: session.actor.clone(),
        created_at: session.now,
        modified_by: session.actor.clone(),
        modified_at: session.now,
        retired_at: None,
        deleted_at: None,
        changed_since_checked: false,
    };
    let mut log = Log::default();
    log.note(|| Event::about(What::Added, &item, session.languages));
    list.items.push(Arc::new(item));
    Ok(Applied::Changed(log.0))
}
