//! A proposal as the three columns of an item: who made it and when stand apart, because they can be
//! erased; the rest is JSON.
//!
//! Both stores encode it alike. All three are set, or none.

use std::sync::Arc;

use checklist_shared::answer::Answer;
use checklist_shared::item::{Actor, Status};
use checklist_shared::proposal::{Evidence, Proposal};
use checklist_shared::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What of a proposal is JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct StoredProposal {
    status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) evidence: Option<Evidence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Answer>,
    version: u64,
    revision: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    accepted: bool,
}

impl From<&Proposal> for StoredProposal {
    fn from(proposal: &Proposal) -> Self {
        Self {
            status: proposal.status,
            reason: proposal.reason.clone(),
            evidence: proposal.evidence.clone(),
            answer: proposal.answer.clone(),
            version: proposal.version,
            revision: proposal.revision,
            accepted: proposal.accepted,
        }
    }
}

/// The proposal in the three columns.
pub(super) fn of_columns(
    stored: Option<StoredProposal>,
    by: Option<Arc<Actor>>,
    at: Option<Timestamp>,
) -> Option<Box<Proposal>> {
    let (stored, by, at) = (stored?, by?, at?);
    Some(Box::new(Proposal {
        status: stored.status,
        reason: stored.reason,
        evidence: stored.evidence,
        answer: stored.answer,
        by: Arc::unwrap_or_clone(by),
        at,
        version: stored.version,
        revision: stored.revision,
        accepted: stored.accepted,
    }))
}
