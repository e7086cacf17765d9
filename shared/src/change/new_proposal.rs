//! A proposal that takes its place in an item: one that somebody makes for a person to decide, or what
//! the first person does where it takes a second one.

use super::allowed::may_take_back;
use super::checks::Log;
use super::request::Session;
use crate::answer::Answer;
use crate::event::{Event, What, status_detail};
use crate::item::{Basis, Item, Status};
use crate::problem::ItemProblemCode as Code;
use crate::proposal::{Evidence, Proposal};

/// What is proposed.
pub(super) struct NewStatus {
    pub(super) status: Status,
    pub(super) reason: Option<String>,
    pub(super) evidence: Option<Evidence>,
    pub(super) answer: Option<Answer>,
    /// The wording that the proposer has confirmed, where they have done what they propose.
    pub(super) wording: Option<(String, Basis)>,
}

impl NewStatus {
    /// Whether the item says so already. Somebody else's open proposal stays until it is decided.
    pub(super) fn is_there(&self, item: &Item, session: &Session<'_>) -> Result<bool, Code> {
        // The control leaves that to the server.
        let Some(open) = item.open_proposal().filter(|_| cfg!(feature = "records")) else {
            return Ok(false);
        };
        if !may_take_back(item, &open.by, session.actor) {
            return Err(Code::ProposalConflict);
        }
        Ok(open.status == self.status
            && open.reason == self.reason
            && open.evidence == self.evidence
            && match (&open.answer, &self.answer) {
                (Some(open), Some(own)) => open.is_as(own, item),
                (open, own) => open.is_some() == own.is_some(),
            })
    }

    /// The proposal, as a change of that version of the item and that revision of the list.
    #[cfg_attr(
        not(feature = "records"),
        expect(unused_variables, reason = "only records keep it")
    )]
    pub(super) fn into_proposal(
        self,
        version: u64,
        revision: u64,
        accepted: bool,
        session: &Session<'_>,
    ) -> Box<Proposal> {
        Box::new(Proposal {
            status: self.status,
            reason: self.reason,
            evidence: self.evidence,
            answer: self.answer,
            by: session.actor.clone(),
            #[cfg(feature = "records")]
            at: session.now,
            version,
            #[cfg(feature = "records")]
            revision,
            accepted,
        })
    }

    /// Puts it into the item, to be decided.
    pub(super) fn write(
        self,
        item: &mut Item,
        version: u64,
        revision: u64,
        session: &Session<'_>,
        log: &mut Log,
    ) {
        log.note(|| {
            let mut event = Event::about(What::Proposed, item, session.languages);
            event.after = status_detail(self.reason.as_ref(), self.answer.as_ref());
            event.status = Some(self.status);
            event.evidence.clone_from(&self.evidence);
            event.answer.clone_from(&self.answer);
            if let Some((text, basis)) = &self.wording {
                event.text.clone_from(text);
                event.basis = Some(*basis);
            }
            event
        });
        item.proposal = Some(self.into_proposal(version, revision, false, session));
    }
}
