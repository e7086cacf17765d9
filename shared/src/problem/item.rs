//! Why one item of a batch was not changed, while others were.

use serde::{Deserialize, Serialize};

use crate::names::names;

/// Why one item of a batch was not changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ItemProblem {
    /// For programs.
    pub code: ItemProblemCode,
    /// For people.
    pub detail: String,
}

names! {
    /// Why one item was not changed, for programs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    #[non_exhaustive]
    pub enum ItemProblemCode {
        /// There is no such item in this list.
        ItemNotFound,
        /// The id is taken by another item of this list.
        IdTaken,
        /// The caller lacks the permission for this change of this item.
        PermissionDenied,
        /// The status was set by somebody else meanwhile.
        StatusConflict,
        /// The text was changed meanwhile.
        TextConflict,
        /// The wording is no longer the one that was seen.
        WordingConflict,
        /// Note, assignee, due date, help, kind or *required* were changed meanwhile.
        FieldConflict,
        /// The item was moved meanwhile.
        PlaceConflict,
        /// The template does not allow "not applicable" here.
        NotApplicableNotAllowed,
        /// "Not applicable", or overriding a signal, needs a reason here.
        ReasonRequired,
        /// Sections and info rows have no status.
        NoStatus,
        /// The template no longer has the item; it is read-only.
        ItemRetired,
        /// The neighbour is not in this list or stands in another section.
        InvalidPlace,
        /// The section does not exist, is no section, or would stand inside a section.
        InvalidParent,
        /// The text is empty.
        TextRequired,
        /// Text or place is changed without the version it is based on.
        BaseVersionRequired,
        /// A limit would be exceeded.
        LimitExceeded,
        /// The item has not had that version yet.
        BaseVersionAhead,
        /// A reason belongs to "not applicable" and to an overridden signal alone.
        ReasonNotAllowed,
        /// The template requires the item, and the caller may neither delete such nor make them optional.
        RequiredItem,
        /// The version of the template that the list follows does not have the item.
        NotInTemplate,
        /// Only a person may do this: the item needs one, or it is the decision about a proposal.
        NeedsPerson,
        /// The item takes a second person: whoever did it, also by a program or an agent, cannot
        /// confirm it.
        NeedsSecondPerson,
        /// The item is done only with evidence, and there is none.
        EvidenceRequired,
        /// The item is done only with an answer, and there is none.
        AnswerRequired,
        /// The item takes no answer, or not this one.
        InvalidAnswer,
        /// A signal sets the status of the item; only a person may override it.
        SetBySignal,
        /// The template of the list does not let people change this.
        NotChangeable,
        /// Only items are required, and only an open one without answer, signal and open proposal becomes
        /// an information row.
        InvalidKind,
        /// The proposal is not the one that was read, or somebody else's waits for a decision.
        ProposalConflict,
        /// One that only a newer server knows.
        #[serde(other, skip_serializing)]
        Unknown,
    }
}

impl ItemProblemCode {
    /// Whether somebody else's change stands in the way.
    #[must_use]
    pub const fn is_conflict(self) -> bool {
        matches!(
            self,
            Self::StatusConflict
                | Self::TextConflict
                | Self::WordingConflict
                | Self::FieldConflict
                | Self::PlaceConflict
                | Self::ProposalConflict
                | Self::BaseVersionAhead
        )
    }

    /// A sentence for people.
    #[must_use]
    pub const fn detail(self) -> &'static str {
        match self {
            Self::ItemNotFound => "There is no such item in this checklist.",
            Self::IdTaken => "Another item of this checklist has this id.",
            Self::PermissionDenied => "You may not make this change.",
            Self::StatusConflict => "Somebody else has set the status meanwhile.",
            Self::TextConflict => "Somebody else has changed the text meanwhile.",
            Self::WordingConflict => "The wording has changed since it was shown.",
            Self::FieldConflict => "Somebody else has changed this meanwhile.",
            Self::PlaceConflict => "Somebody else has moved the item meanwhile.",
            Self::NotApplicableNotAllowed => "This item cannot be set to not applicable.",
            Self::ReasonRequired => "This status needs a reason here.",
            Self::NoStatus => "Sections and information rows have no status.",
            Self::ItemRetired => "The template no longer has this item; it is kept as it was.",
            Self::InvalidPlace => "The neighbour is not in this section of the checklist.",
            Self::InvalidParent => {
                "The parent has to be a section, and a section cannot hold a section."
            }
            Self::TextRequired => "An item needs a text.",
            Self::BaseVersionRequired => "Changing the text or the place needs BaseVersion.",
            Self::LimitExceeded => "A limit would be exceeded.",
            Self::BaseVersionAhead => "The item has not had this BaseVersion yet; read it again.",
            Self::ReasonNotAllowed => {
                "A reason is kept with not applicable and with an overridden signal alone."
            }
            Self::RequiredItem => {
                "The template requires this item; deleting it or making it optional needs the permission DeleteRequired."
            }
            Self::NeedsPerson => {
                "Only a person may do this; a program or an agent can propose a status."
            }
            Self::NeedsSecondPerson => {
                "Another person than the one who did this has to confirm it."
            }
            Self::EvidenceRequired => {
                "This item is done only with evidence: the name and address of something that supports it."
            }
            Self::AnswerRequired => {
                "This item is done only with an answer; AnswerFormat says which."
            }
            Self::InvalidAnswer => {
                "The answer is not what AnswerFormat asks for, or the item takes none."
            }
            Self::SetBySignal => {
                "A signal sets the status of this item; only a person may override it, with a reason."
            }
            Self::NotChangeable => "The template does not let people change this.",
            Self::InvalidKind => {
                "Only items are required, and only an open item without answer, signal and proposal becomes an information row."
            }
            Self::ProposalConflict => {
                "The proposal is another one by now, or somebody else's waits for a decision."
            }
            Self::Unknown => "The change was refused.",
            Self::NotInTemplate => {
                "The template version of this checklist does not have this item; it comes back with one that has."
            }
        }
    }
}

impl From<ItemProblemCode> for ItemProblem {
    fn from(code: ItemProblemCode) -> Self {
        Self {
            code,
            detail: code.detail().to_owned(),
        }
    }
}
