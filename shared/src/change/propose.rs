//! Proposes a status.
//!
//! A newer proposal of the same proposer takes the place of the one before; that of somebody else
//! stays until it is decided. Nothing but the proposal changes.

use std::sync::Arc;

use super::checks::{Log, tidy_option, within};
use super::decide::is_same_proposer;
use super::request::{Applied, NewProposal, Session};
use super::update::{check_reason, text_by_hash};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::item::{Item, Kind, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Proposal;

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
