//! Proposes a status.
//!
//! A newer proposal of the same proposer takes the place of the one before; that of somebody else
//! stays until it is decided. Nothing but the proposal changes.

use std::sync::Arc;

use super::allowed::{missing_support, takes_support};
use super::checks::{Log, tidy_option, within};
use super::new_proposal::NewStatus;
use super::request::{Applied, NewProposal, Session};
use super::status_rules::{check_reason, given_answer, text_by_hash};
use crate::checklist::Checklist;
use crate::item::{Kind, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;

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
    // The accepted proposal says by which two it is resolved, and what supports it. To open it needs
    // nobody.
    let rests_on_proposal = item.second_person || takes_support(item);
    if rests_on_proposal && item.status != Status::Open {
        return Err(Code::StatusConflict);
    }
    if (new.seen_text_hash.as_ref()).is_some_and(|hash| text_by_hash(item, hash).is_none()) {
        return Err(Code::WordingConflict);
    }
    let reason = tidy_option(new.reason.as_deref());
    if new.status == Status::NotApplicable || item.would_override(new.status) {
        check_reason(item, new.status, reason)?;
    }
    within(reason.unwrap_or(""), session.limits.note)?;
    let answer = given_answer(item, new.answer.as_ref(), new.status, session)?;
    let evidence = new.evidence.as_ref();
    if let Some(code) = missing_support(item, new.status, evidence, answer.as_ref()) {
        return Err(code);
    }
    let proposed = NewStatus {
        status: new.status,
        reason: reason.map(str::to_owned),
        evidence: new.evidence.clone(),
        answer,
        wording: None,
    };
    if proposed.is_there(item, session)? {
        return Ok(Applied::Unchanged);
    }
    let revision = list.revision + 1;
    let position = list.items.iter().position(|item| item.id == new.id);
    let item = position.ok_or(Code::ItemNotFound)?;
    let item = Arc::make_mut(&mut list.items[item]);
    item.version += 1;
    item.revision = revision;
    item.modified_by = session.actor.clone().into();
    item.modified_at = session.now;
    let mut log = Log::default();
    proposed.write(item, item.version, revision, session, &mut log);
    Ok(Applied::Changed(log.0))
}
