//! Proposes a status, and what a person's decision about it comes to.
//!
//! A newer proposal of the same proposer takes the place of the one before; that of somebody else
//! stays until it is decided. Nothing but the proposal changes.

use std::sync::Arc;

use super::allowed::needed_to_set_status;
use super::checks::{Log, tidy_option, within};
use super::request::{Applied, ItemPatch, NewProposal, Session};
use super::update::{check_reason, text_by_hash};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::item::{Actor, ActorKind, Item, Kind, Status};
use crate::patch::Patch;
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::{Decision, Proposal};

pub(super) fn apply(
    list: &mut Checklist,
    new: &NewProposal,
    session: &Session<'_>,
) -> Result<Applied, Code> {
    let item = list.live(new.id).ok_or(Code::ItemNotFound)?;
    session.need(Permission::Check)?;
    if item.kind != Kind::Item {
        return Err(Code::NoStatus);
    }
    if item.retired_at.is_some() {
        return Err(Code::ItemRetired);
    }
    if new.status == item.status {
        return Ok(Applied::Unchanged);
    }
    if (new.seen_text_hash.as_ref()).is_some_and(|hash| text_by_hash(item, hash).is_none()) {
        return Err(Code::WordingConflict);
    }
    let reason = tidy_option(new.reason.as_deref());
    if new.status == Status::NotApplicable {
        check_reason(item, reason)?;
    }
    within(reason.unwrap_or(""), session.limits.note)?;
    if let Some(open) = item.open_proposal() {
        if !is_same_proposer(&open.by, session.actor) {
            return Err(Code::ProposalConflict);
        }
        if open.status == new.status
            && open.reason.as_deref() == reason
            && open.evidence == new.evidence
        {
            return Ok(Applied::Unchanged);
        }
    }
    let revision = list.revision + 1;
    let position = list.items.iter().position(|item| item.id == new.id);
    let item = position.ok_or(Code::ItemNotFound)?;
    let item = Arc::make_mut(&mut list.items[item]);
    item.version += 1;
    item.revision = revision;
    item.modified_by = session.actor.clone();
    item.modified_at = session.now;
    item.proposal = Some(Box::new(Proposal {
        status: new.status,
        reason: reason.map(str::to_owned),
        evidence: new.evidence.clone(),
        by: session.actor.clone(),
        at: session.now,
        version: item.version,
        revision,
        accepted: false,
    }));
    let mut log = Log::default();
    log.note(|| proposed(item, session));
    Ok(Applied::Changed(log.0))
}

fn proposed(item: &Item, session: &Session<'_>) -> Event {
    let mut event = Event::about(What::Proposed, item, session.languages);
    if let Some(proposal) = &item.proposal {
        event.after.clone_from(&proposal.reason);
        event.status = Some(proposal.status);
        event.evidence.clone_from(&proposal.evidence);
    }
    event
}

/// Whether both are the same program, for the same person. Nobody is left to take back the proposal
/// of somebody who was erased, so anybody may replace it.
fn is_same_proposer(one: &Actor, other: &Actor) -> bool {
    one.kind == ActorKind::Erased
        || (one.is_same(other) && one.acted_for().is_same(other.acted_for()))
}

/// What the decision in a patch comes to.
pub(super) enum Decided {
    /// The patch that accepts.
    Accepts(Box<ItemPatch>),
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
        let is_accepted = item.proposal.is_some();
        return if is_accepted == (decision == Decision::Accept) {
            Ok(Decided::Unchanged)
        } else {
            Err(Code::ProposalConflict)
        };
    };
    let takes_back = decision == Decision::Decline && is_same_proposer(&open.by, session.actor);
    if !takes_back && !session.actor.is_confirmed_by_person() {
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
    let reason = (open.status == Status::NotApplicable).then(|| open.reason.clone());
    Ok(Decided::Accepts(Box::new(ItemPatch {
        status: Some(open.status),
        reason: reason.flatten().map_or(Patch::Keep, Patch::Set),
        ..patch.clone()
    })))
}
