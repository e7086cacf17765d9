//! What a decision about the proposal of an item comes to.
//!
//! A person decides, who has read the proposal as it is; whoever has made it may take it back. Where it
//! takes a second person, accepting is confirming, and another person does.

use super::allowed::{may_confirm, may_take_back, needed_to_set_status};
use super::request::{ItemPatch, Session};
use crate::item::{ActorKind, Item, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Decision;

/// What the decision in a patch comes to.
#[derive(Clone, Copy)]
pub(super) enum Decided {
    /// This status is set.
    Accepts(Status),
    /// The proposal goes.
    Declines,
    /// It is so already.
    Unchanged,
}

/// Checks the decision about the proposal of an item.
pub(super) fn decide(
    item: &Item,
    patch: &ItemPatch,
    decision: Decision,
    session: &Session<'_>,
) -> Result<Decided, Code> {
    session.need(Permission::Check)?;
    let Some(open) = item.open_proposal() else {
        let is_so = match decision {
            Decision::Accept => {
                item.proposal.is_some() && patch.status.is_none_or(|status| status == item.status)
            }
            Decision::Decline => item.proposal.is_none(),
        };
        return if is_so {
            Ok(Decided::Unchanged)
        } else {
            Err(Code::ProposalConflict)
        };
    };
    let accepts = decision == Decision::Accept;
    let actor = session.actor;
    // The second person acts themselves, whatever an agent says that they have approved.
    let is_person = if accepts && item.second_person {
        actor.kind == ActorKind::Person
    } else {
        actor.is_confirmed_by_person()
    };
    if !is_person && (accepts || !may_take_back(item, &open.by, actor)) {
        return Err(Code::NeedsPerson);
    }
    if accepts && item.second_person && !may_confirm(&open.by, actor) {
        return Err(Code::NeedsSecondPerson);
    }
    let base = patch.base_version.ok_or(Code::BaseVersionRequired)?;
    if open.version > base {
        return Err(Code::ProposalConflict);
    }
    if !accepts {
        return Ok(Decided::Declines);
    }
    if patch.status.is_some_and(|status| status != open.status) {
        return Err(Code::ProposalConflict);
    }
    session.need_all(needed_to_set_status(item, session.actor))?;
    Ok(Decided::Accepts(open.status))
}
