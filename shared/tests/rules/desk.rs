//! An empty list, somebody who works on it, and items to add.

use checklist_shared::change::{Change, NewItem, Session, apply};
use checklist_shared::item::{Actor, Kind, Origin};
use checklist_shared::limits::Limits;
use checklist_shared::order::Place;
use checklist_shared::permission::Permissions;
use checklist_shared::undo::UndoRecord;
use checklist_shared::{Checklist, Context, ItemId, Timestamp, projection};

pub fn empty() -> Checklist {
    let context = Context::new("incident", "INC-1", "");
    projection::project(&context, None, Timestamp::from_millis(0))
}

pub fn id(number: u8) -> ItemId {
    ItemId::from_millis_and_random(1_700_000_000_000 + u64::from(number), *b"an item id")
}

/// What is done by somebody who may do everything.
pub fn as_somebody<T>(name: &str, act: impl FnOnce(&Session<'_>) -> T) -> T {
    let actor = Actor::person(name, name);
    act(&Session {
        actor: &actor,
        permissions: Permissions::all(),
        now: Timestamp::from_millis(60_000),
        limits: &Limits::default(),
        languages: &["en"],
    })
}

/// Does something to a list, and gives what takes it back.
pub fn act(list: &mut Checklist, change: Change) -> UndoRecord {
    let before = list.clone();
    let done = as_somebody("ada", |session| apply(list, &change, session));
    assert!(done.is_ok(), "{done:?}");
    list.revision += 1;
    UndoRecord::between(&before, list)
}

/// An item with a text, and nothing else that one may ask for.
pub fn new_item(number: u8) -> NewItem {
    NewItem {
        id: id(number),
        origin: Origin::Local,
        text: format!("Item {number}"),
        kind: Kind::Item,
        parent: None,
        place: Place::Last,
        required: false,
        help: None,
        note: None,
        assignee: None,
        due: None,
    }
}
