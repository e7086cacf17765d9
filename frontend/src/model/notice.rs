//! Notices at a row or about the list, and the input that they must preserve.
//!
//! Stored as data, not as sentences, so that a notice follows a change of language.

use std::sync::Arc;

use checklist_shared::item::{Actor, Status};
use checklist_shared::problem::{ItemProblemCode, ProblemCode};
use checklist_shared::{Item, Timestamp};

use super::item_fields::{DetailField, Details};
use super::operation::Action;
use crate::i18n::{Texts, fill};

/// Who did something, and when; the name may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// The person or program, if known.
    pub who: Option<Arc<Actor>>,
    /// The time of their change.
    pub at: Option<Timestamp>,
}

/// A notice at a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Somebody else has set the status; theirs is shown.
    StatusTaken(Status, Attribution),
    /// The wording changed between reading and checking.
    WordingChanged(Attribution),
    /// Somebody else has changed the text; mine is kept until the person chooses.
    TextTaken {
        /// The person's text.
        mine: String,
        /// The server's text.
        theirs: String,
        /// The other person's change.
        attribution: Attribution,
    },
    /// Somebody else has changed the details.
    FieldTaken(Attribution, Option<TypedText>),
    /// The change was finally rejected and rolled back.
    Refused(RejectionReason, Option<TypedText>),
}

/// What was typed into a change that did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedText {
    /// The item's text.
    Text(String),
    /// The details: only what was changed.
    Details(Box<Details>),
    /// The reason of a status.
    Reason(String, Status),
}

/// Why something was refused, as far as a person can do something about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RejectionReason {
    /// The server is unreachable.
    Network,
    /// No token, or none that is taken.
    SignIn,
    /// The permission is missing.
    Permission,
    /// The list does not exist, or is not covered by the token.
    NotFound,
    /// The template does not exist.
    TemplateGone,
    /// The type does not exist.
    TypeGone,
    /// The item does not exist.
    ItemGone,
    /// The list is locked.
    Locked,
    /// A limit of the list was exceeded.
    Limit,
    /// Somebody has built on the operation.
    CannotUndo,
    /// The place is not what it was.
    Moved,
    /// The list is not what it was.
    Stale,
    /// The first person cannot be the second one.
    SecondPerson,
    /// The item is done only with evidence.
    EvidenceNeeded,
    /// The item is done only with an answer, or not with this one.
    AnswerNeeded,
    /// "Not applicable" needs a reason.
    ReasonNeeded,
    /// A field of the details, in the server's words.
    Field(DetailField, String),
    /// Anything else, in the server's words.
    Other(String),
}

/// What a person can do something about, by the code of the problem. As texts, since the code comes
/// as one, and the names of all codes need not be downloaded.
const REASONS: &[(&str, RejectionReason)] = &[
    (ProblemCode::Unauthenticated.name(), RejectionReason::SignIn),
    (ProblemCode::TokenExpired.name(), RejectionReason::SignIn),
    (
        ProblemCode::PermissionDenied.name(),
        RejectionReason::Permission,
    ),
    (
        ProblemCode::OriginRefused.name(),
        RejectionReason::Permission,
    ),
    (
        ProblemCode::ContextNotFound.name(),
        RejectionReason::NotFound,
    ),
    (ProblemCode::NotFound.name(), RejectionReason::NotFound),
    (
        ProblemCode::TemplateNotFound.name(),
        RejectionReason::TemplateGone,
    ),
    (ProblemCode::TypeNotFound.name(), RejectionReason::TypeGone),
    (ProblemCode::Locked.name(), RejectionReason::Locked),
    (ProblemCode::LimitExceeded.name(), RejectionReason::Limit),
    (ProblemCode::BodyTooLarge.name(), RejectionReason::Limit),
    (ProblemCode::CannotUndo.name(), RejectionReason::CannotUndo),
    (ProblemCode::RevisionMismatch.name(), RejectionReason::Stale),
];

impl Notice {
    /// The input of the change that this is about, if it can be edited again.
    #[must_use]
    pub const fn typed_text(&self) -> Option<&TypedText> {
        match self {
            Self::Refused(_, typed) | Self::FieldTaken(_, typed) => typed.as_ref(),
            Self::StatusTaken(..) | Self::WordingChanged(_) | Self::TextTaken { .. } => None,
        }
    }
}

impl RejectionReason {
    /// From the `Code` of a problem.
    #[must_use]
    pub fn of_problem(code: &str, detail: &str) -> Self {
        let reason = REASONS.iter().find(|(known, _)| *known == code);
        reason.map_or_else(
            || Self::Other(detail.to_owned()),
            |(_, reason)| reason.clone(),
        )
    }

    /// From the code of an item's problem; the rules in the browser give the same codes.
    #[must_use]
    pub fn of_item(code: ItemProblemCode) -> Self {
        use ItemProblemCode as Code;
        match code {
            Code::ItemNotFound => Self::ItemGone,
            Code::PermissionDenied | Code::RequiredItem => Self::Permission,
            Code::LimitExceeded => Self::Limit,
            Code::ReasonRequired => Self::ReasonNeeded,
            Code::NeedsSecondPerson => Self::SecondPerson,
            Code::EvidenceRequired => Self::EvidenceNeeded,
            Code::AnswerRequired | Code::InvalidAnswer => Self::AnswerNeeded,
            Code::ProposalConflict => Self::Stale,
            Code::PlaceConflict | Code::InvalidPlace | Code::InvalidParent => Self::Moved,
            other => Self::Other(other.detail().to_owned()),
        }
    }

    /// The message in the reader's language.
    #[must_use]
    pub fn sentence(&self, texts: &Texts) -> String {
        let text = match self {
            Self::Network => texts.error_network(),
            Self::SignIn => texts.error_sign_in(),
            Self::Permission => texts.error_permission(),
            Self::NotFound => texts.error_not_found(),
            Self::TemplateGone => texts.error_template_not_found(),
            Self::TypeGone => texts.error_type_not_found(),
            Self::ItemGone => texts.error_item_gone(),
            Self::Locked => texts.error_locked(),
            Self::Limit => texts.error_limit(),
            Self::CannotUndo => texts.error_undo(),
            Self::Moved => texts.error_moved(),
            Self::Stale => texts.error_stale(),
            Self::SecondPerson => texts.error_second_person(),
            Self::EvidenceNeeded => texts.evidence_needed(),
            Self::AnswerNeeded => texts.answer_needed(),
            Self::ReasonNeeded => texts.reason_needed(),
            Self::Field(_, detail) | Self::Other(detail) => {
                return fill(texts.error_other(), &[("detail", detail)]);
            }
        };
        text.to_owned()
    }
}

impl Attribution {
    /// Who set the item's status.
    #[must_use]
    pub fn status_of(item: &Item) -> Self {
        Self {
            who: item.status_by.clone(),
            at: item.status_at,
        }
    }

    /// Who changed the item last.
    #[must_use]
    pub fn last_of(item: &Item) -> Self {
        Self {
            who: Some(item.modified_by.clone()),
            at: Some(item.modified_at),
        }
    }
}

impl TypedText {
    /// What the person typed for an action; `None` when nothing was typed.
    #[must_use]
    pub fn of(action: &Action) -> Option<Self> {
        let Action::Update(update) = action else {
            return None;
        };
        if let Some(Some(text)) = update.text.new_value() {
            return Some(Self::Text(text.clone()));
        }
        if let Some(Some(reason)) = update.reason.new_value() {
            let status = update.status.unwrap_or(Status::NotApplicable);
            return Some(Self::Reason(reason.clone(), status));
        }
        Details::of_update(update).map(|details| Self::Details(Box::new(details)))
    }
}
