//! Who may tick and who may delete, for the rules, the server and the user interface.
//!
//! One permission is not always enough: unticking somebody else's item, or deleting an item that the
//! template requires, needs more than one. [`apply`] never rejects for lack of a permission what
//! these functions allow.
//!
//! [`apply`]: super::apply

use crate::answer::Answer;
use crate::checklist::Checklist;
use crate::definition::DefinitionField;
use crate::id::ItemId;
use crate::item::{Actor, ActorKind, Item, Kind, Origin, Status};
use crate::permission::{Permission, Permissions};
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Evidence;

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

/// Whether the actor may set another status than the item has: where a signal sets it, a person alone
/// does beside the signal.
#[must_use]
pub const fn may_set_by_hand(item: &Item, actor: &Actor) -> bool {
    item.signal.is_none() || actor.is_confirmed_by_person()
}

/// Whether the actor may confirm what somebody has done: a person, and another one. A program or an
/// agent that acted for a person is that person here. Who was erased might be anybody, so nobody can.
#[must_use]
pub fn may_confirm(done_by: &Actor, actor: &Actor) -> bool {
    actor.kind == ActorKind::Person
        && done_by.kind != ActorKind::Erased
        && !actor.is_one_person(done_by)
}

/// Whether the actor may replace or take back a proposal for the item without deciding about it: the
/// same program for the same person; where it takes a second person, the first one by whatever means.
/// Nobody is left to take back the proposal of somebody who was erased, so anybody may replace it.
#[must_use]
pub fn may_take_back(item: &Item, proposed_by: &Actor, actor: &Actor) -> bool {
    let is_same_proposer =
        || proposed_by.is_same(actor) && proposed_by.acted_for().is_same(actor.acted_for());
    proposed_by.kind == ActorKind::Erased
        || is_same_proposer()
        || (item.second_person && proposed_by.is_one_person(actor))
}

/// What the status needs and does not have: evidence, or an answer of the item's format. "Not
/// applicable" needs a reason at most.
#[must_use]
pub fn missing_support(
    item: &Item,
    status: Status,
    evidence: Option<&Evidence>,
    answer: Option<&Answer>,
) -> Option<Code> {
    if status != Status::Done {
        return None;
    }
    if item.requires_evidence && evidence.is_none() {
        return Some(Code::EvidenceRequired);
    }
    match (&item.answer_format, answer) {
        (Some(_), None) => Some(Code::AnswerRequired),
        (Some(format), Some(answer)) if !format.accepts(&answer.value) => Some(Code::InvalidAnswer),
        _ => None,
    }
}

/// Whether it takes more than a tick to say that the item is done: evidence, or an answer.
#[must_use]
pub fn takes_support(item: &Item) -> bool {
    missing_support(item, Status::Done, None, None).is_some()
}

/// Whether the item may stay as it is resolved under what its template asks by now.
pub(crate) fn is_resolved_by_rule(item: &Item) -> bool {
    let by = item.status_by.as_ref();
    let accepted = item.proposal.as_ref().filter(|one| one.accepted);
    let both = accepted.zip(by);
    // Erasure keeps what was done: by two and with evidence, though it is no longer known which.
    let is_erased = both.is_some_and(|(accepted, by)| {
        [&accepted.by, by]
            .iter()
            .any(|one| one.kind == ActorKind::Erased)
    });
    let by_two = both.is_some_and(|(accepted, by)| may_confirm(&accepted.by, by));
    by.is_none_or(|by| may_resolve(item, by))
        && (is_erased
            || ((!item.second_person || by_two)
                && missing_support(item, item.status, item.evidence(), item.answer()).is_none()))
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

/// Whether people may change that of the item's definition: of what they have added themselves all, else
/// what the template of the list allows.
#[must_use]
pub fn may_change_definition(list: &Checklist, item: &Item, field: DefinitionField) -> bool {
    item.origin != Origin::Template || list.changeable().contains(field)
}

/// Whether the item can become an information row, or the row an item: nothing is lost by it.
#[must_use]
pub fn may_be_info(item: &Item) -> bool {
    item.kind != Kind::Section
        && item.status == Status::Open
        && item.answer_format.is_none()
        && item.signal.is_none()
        && item.open_proposal().is_none()
}

/// The permissions that giving the item this kind, and making it required or not, needs. To no longer
/// require what the template requires is as good as deleting it.
#[must_use]
pub fn needed_to_redefine(item: &Item, kind: Kind, required: bool) -> Permissions {
    let needed = Permissions::default().with(Permission::Edit);
    let is_protected = item.required || item.second_person;
    if is_protected && item.origin == Origin::Template && is_lessened(item, kind, required) {
        needed.with(Permission::DeleteRequired)
    } else {
        needed
    }
}

/// Whether the item counts less with this kind, and required or not: no longer at all, or only as an
/// optional one. That is as good as gone.
pub(crate) fn is_lessened(item: &Item, kind: Kind, required: bool) -> bool {
    (item.kind == Kind::Item && kind != Kind::Item) || (item.required && !required)
}

/// Kind and *required* that an undo gives back as a person had set them. What the template says it may
/// give back without asking: whoever has made an item required takes that back.
#[must_use]
pub fn set_by_person_before(now: &Item, before: &Item) -> (Kind, bool) {
    let was_set = |field| before.definition_by_person.contains(field);
    let is_kind = was_set(DefinitionField::Kind);
    let is_required = was_set(DefinitionField::Required);
    (
        if is_kind { before.kind } else { now.kind },
        if is_required {
            before.required
        } else {
            now.required
        },
    )
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
