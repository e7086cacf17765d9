//! What a decision about the proposal of an item comes to.
//!
//! A person decides, who has read the proposal as it is; whoever has made it may take it back.

use super::allowed::needed_to_set_status;
use super::request::{ItemPatch, Session};
use crate::item::{Actor, ActorKind, Item, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Decision;

/// Whether both are the same program, for the same person. Nobody is left to take back the proposal
/// of somebody who was erased, so anybody may replace it.
pub(super) fn is_same_proposer(one: &Actor, other: &Actor) -> bool {
    one.kind == ActorKind::Erased
        || (one.is_same(other) && one.acted_for().is_same(other.acted_for()))
}

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
    let takes_back = || decision == Decision::Decline && is_same_proposer(&open.by, session.actor);
    if !session.actor.is_confirmed_by_person() && !takes_back() {
        return Err(Code::NeedsPerson);
    }
    let base = patch.base_version.ok_or(Code::BaseVersionRequired)?;
    if open.version > base {
        return Err(Code::ProposalConflict);
    }
    if decision == Decision::Decline {
        return Ok(Decided::Declines);
    }
    if patch.status.is_some_and(|status| status != open.status) {
        return Err(Code::ProposalConflict);
    }
    session.need_all(needed_to_set_status(item, session.actor))?;
    Ok(Decided::Accepts(open.status))
}
