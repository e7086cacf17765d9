//! An item of a checklist, with everything that an auditor will ask about it later.
//!
//! This is the record of the rules and the store; `wire::item` is its form on the wire. Only
//! `change`, `refresh` and `undo` change it.

use serde::{Deserialize, Serialize};

use crate::due::Due;
use crate::id::ItemId;
use crate::names::names;
use crate::text::Text;
use crate::time::Timestamp;

/// One row of a checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Item {
    /// Unique in its list; the client may choose it.
    pub id: ItemId,
    /// The key of the template item that this came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_key: Option<String>,
    /// Who brought the item into the list.
    pub origin: Origin,
    /// Item, section or info row.
    pub kind: Kind,
    /// The section that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ItemId>,
    /// Position among its siblings; compared as text, owned by the server.
    pub sort_key: String,
    /// What is to be done.
    pub text: Text,
    /// Markdown source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Text>,
    /// Whether a person has replaced the template's text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_overridden: bool,
    /// The template's present text where a person has replaced it: the text on offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_text: Option<Text>,
    /// Open, done or not applicable.
    pub status: Status,
    /// Why it does not apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who set the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_by: Option<Actor>,
    /// When the status was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_at: Option<Timestamp>,
    /// The wording that was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<Attested>,
    /// Whether it counts under `CompletionRule::Required`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether a person may say that it does not apply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_not_applicable: bool,
    /// Whether that needs a reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_applicable_needs_reason: bool,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Whether a person, not the template, said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assignee_by_person: bool,
    /// When it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// Whether a person, not the template, said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub due_by_person: bool,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Counts every change, from 1.
    pub version: u64,
    /// The version at which each aspect changed last: what conflicts are decided by.
    pub changed_in: AspectVersions,
    /// The list's revision at the last change.
    pub revision: u64,
    /// Who made it.
    pub created_by: Actor,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who changed it last; of a deleted item, who deleted it.
    pub modified_by: Actor,
    /// When it was changed last; of a deleted item, when it was deleted.
    pub modified_at: Timestamp,
    /// Since when the template no longer has it; read-only and out of the counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// Since when it is deleted (softly, until it is purged).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// Whether the template's wording has changed since it was checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed_since_checked: bool,
}

/// Who brought an item into the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Origin {
    /// The template.
    Template,
    /// A person.
    Local,
    /// A program.
    Api,
}

/// What a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Kind {
    /// Something to resolve.
    #[default]
    Item,
    /// A heading that holds items.
    Section,
    /// Something to read.
    Info,
}

/// The status of an item; always set, never toggled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Status {
    /// Still to do.
    #[default]
    Open,
    /// Checked.
    Done,
    /// Resolved without being done.
    NotApplicable,
}

/// What was confirmed when an item was resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Attested {
    /// The wording.
    pub text: String,
    /// Its language, where it came from a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The template version in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_version: Option<u32>,
    /// Whether the caller proved which wording was on the screen.
    pub basis: Basis,
}

/// How sure we are of the attested wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Basis {
    /// The caller sent the hash of the wording it showed.
    Seen,
    /// The caller sent no hash; the wording in force is assumed.
    Assumed,
}

/// Who did something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Actor {
    /// Stable id, unique for its `Source` and `Issuer`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Person, automation or API client.
    pub kind: ActorKind,
    /// Which kind of credential vouched for the id. What was written before this was recorded has
    /// none, and is nobody's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<ActorSource>,
    /// Who issued the token (`iss`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The embed key that signed the token, or the API key that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// For whom it acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub on_behalf_of: Option<Box<Actor>>,
}

/// Which kind of credential vouches for the id of an actor. No token can name it: the server knows
/// it from how the caller came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ActorSource {
    /// A token that a host platform, or the server for an API key, has signed.
    EmbedToken,
    /// The identity provider: a token of its own, or a session that was begun there.
    IdentityProvider,
    /// An API key itself.
    ApiKey,
    /// The operator at the command line.
    Operator,
    /// The server by itself.
    Server,
}

/// What kind of actor it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ActorKind {
    /// Somebody at a screen.
    Person,
    /// Something of ours that runs by itself, such as an automatic refresh.
    Automation,
    /// A program with a key.
    Api,
}

/// The item version at which each aspect changed last. A change that names its base version
/// conflicts only when the aspect it touches is newer, so a tick beside an edit is no conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct AspectVersions {
    /// Status and reason.
    pub status: u64,
    /// Text.
    pub text: u64,
    /// Note.
    pub note: u64,
    /// Assignee.
    pub assignee: u64,
    /// Due date.
    pub due: u64,
    /// Section and order.
    pub place: u64,
}

impl Item {
    /// Whether the item is in the list at all: not deleted.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.deleted_at.is_none()
    }

    /// Whether it counts towards completion.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.kind == Kind::Item && self.is_live() && self.retired_at.is_none()
    }

    /// Whether the template requires it of this list, so that not everybody may delete it.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.required && self.origin == Origin::Template && self.counts()
    }

    /// Whether the text says something else by now than what was confirmed. A translation that was
    /// added, or a wording that came back, is no new wording for the person who confirmed it.
    #[must_use]
    pub fn has_new_wording(&self) -> bool {
        self.attested.as_ref().is_none_or(|attested| {
            let languages: Vec<&str> = attested.language.as_deref().into_iter().collect();
            self.text.resolve(&languages) != attested.text
        })
    }

    /// Whether a person has left a mark that a refresh must not lose.
    #[must_use]
    pub fn is_touched(&self) -> bool {
        self.status != Status::Open
            || self.text_overridden
            || self.note.is_some()
            || (self.assignee_by_person && self.assignee.is_some())
            || (self.due_by_person && self.due.is_some())
    }
}

names!(Origin {
    Template,
    Local,
    Api
});
names!(Kind {
    Item,
    Section,
    Info
});
names!(Status {
    Open,
    Done,
    NotApplicable
});

impl ActorSource {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EmbedToken => "EmbedToken",
            Self::IdentityProvider => "IdentityProvider",
            Self::ApiKey => "ApiKey",
            Self::Operator => "Operator",
            Self::Server => "Server",
        }
    }
}

impl Actor {
    /// An actor for whom nothing vouches yet.
    #[must_use]
    pub fn of(kind: ActorKind, id: &str, name: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
            source: None,
            issuer: None,
            key: None,
            on_behalf_of: None,
        }
    }

    /// A person.
    #[must_use]
    pub fn person(id: &str, name: &str) -> Self {
        Self::of(ActorKind::Person, id, name)
    }

    /// Something of the server's own.
    #[must_use]
    pub fn server(id: &str, name: &str) -> Self {
        Self::of(ActorKind::Automation, id, name).vouched_for_by(ActorSource::Server, None)
    }

    /// The template itself, as the maker of what it brought.
    #[must_use]
    pub fn template() -> Self {
        Self::server("template", "Template")
    }

    /// The same actor with the credential that vouches for the id.
    #[must_use]
    pub fn vouched_for_by(mut self, source: ActorSource, issuer: Option<&str>) -> Self {
        self.source = Some(source);
        self.issuer = issuer.map(str::to_owned);
        self
    }

    /// Whether both are the same person or program. An id alone says nothing: two issuers may give
    /// out the same one, and a token may name whatever it likes. Which key signed does not count,
    /// because keys are changed and people stay who they are.
    ///
    /// ```
    /// use checklist_shared::item::{Actor, ActorSource};
    /// let ada = |issuer| Actor::person("ada", "Ada").vouched_for_by(ActorSource::EmbedToken, Some(issuer));
    /// assert!(ada("https://one.example").is_same(&ada("https://one.example")));
    /// assert!(!ada("https://one.example").is_same(&ada("https://two.example")));
    /// ```
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.id == other.id && self.source == other.source && self.issuer == other.issuer
    }

    /// Source, issuer and id as one text that no other actor has: what rows are compared by and
    /// what log lines name.
    #[must_use]
    pub fn identity(&self) -> String {
        let source = self.source.map_or("", ActorSource::name);
        match &self.issuer {
            // The length keeps ("ab", "c") and ("a", "bc") apart.
            Some(issuer) => format!("{source}:{}:{issuer}:{}", issuer.len(), self.id),
            None => format!("{source}:{}", self.id),
        }
    }
}
