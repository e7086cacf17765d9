//! Who may tick and who may delete, for the rules, the server and the user interface.
//!
//! One permission is not always enough: unticking somebody else's item, or deleting an item that the
//! template requires, needs more than one. [`apply`] never rejects for lack of a permission what
//! these functions allow.
//!
//! [`apply`]: super::apply

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::{Actor, Item, Kind, Status};
use crate::permission::{Permission, Permissions};

/// The permissions that giving the item another status needs.
#[must_use]
pub fn needed_to_set_status(item: &Item, actor: &Actor) -> Permissions {
    let needed = Permissions::default().with(Permission::Check);
    let others = (item.status_by.as_ref()).is_some_and(|by| !by.is_same(actor));
    if item.status != Status::Open && others {
        needed.with(Permission::UncheckOthers)
    } else {
        needed
    }
}

/// Whether the actor may resolve the item, say anything else of why it does not apply, or delete it:
/// what needs a person is left to one. Opening it again is left to everybody, since it completes
/// nothing.
#[must_use]
pub const fn may_resolve(item: &Item, actor: &Actor) -> bool {
    !item.needs_person || actor.is_confirmed_by_person()
}

/// The permissions that deleting the item needs. A section takes its items along.
#[must_use]
pub fn needed_to_delete(list: &Checklist, id: ItemId) -> Permissions {
    let needed = Permissions::default().with(Permission::Delete);
    let protected = list
        .items
        .iter()
        .any(|item| goes_with(item, id) && item.is_protected());
    if protected {
        needed.with(Permission::DeleteRequired)
    } else {
        needed
    }
}

/// Whether deleting the item of that id deletes this one.
pub(super) fn goes_with(item: &Item, id: ItemId) -> bool {
    item.is_live() && (item.id == id || item.parent_id == Some(id))
}

/// Whether the actor may give the item another status.
#[must_use]
pub fn may_set_status(item: &Item, actor: &Actor, permissions: Permissions) -> bool {
    item.kind == Kind::Item
        && item.retired_at.is_none()
        && permissions.holds(needed_to_set_status(item, actor))
}

/// Whether the actor may say that the item does not apply.
#[must_use]
pub fn may_set_not_applicable(item: &Item, actor: &Actor, permissions: Permissions) -> bool {
    item.allow_not_applicable && may_set_status(item, actor, permissions)
}

/// Whether somebody with these permissions may delete the item.
#[must_use]
pub fn may_delete(list: &Checklist, id: ItemId, permissions: Permissions) -> bool {
    permissions.holds(needed_to_delete(list, id))
}
