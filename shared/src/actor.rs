//! Who did something, and which credential vouches for that.
//!
//! An id alone identifies nobody: see [`Actor::is_same`].

use serde::{Deserialize, Serialize};

use crate::names::names;

/// Who did something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Actor {
    /// Stable id, unique for its `Source` and `Issuer`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Person, program or agent; or that it was erased.
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
    /// What a program or an agent is, where its token says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub software: Option<Box<Software>>,
    /// Of an agent: whether a person has confirmed what it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<ActorMode>,
    /// For whom it acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub on_behalf_of: Option<Box<Actor>>,
}

names! {
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
}

/// What kind of actor it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ActorKind {
    /// Somebody at a screen.
    Person,
    /// Something that does what it was written to do: the server itself, the operator's command
    /// line, a program with an API key.
    Program,
    /// Something that decides by itself what to do, such as an assistant.
    Agent,
    /// Somebody whose name was erased since, or a program or agent that acted for them: `Id` and
    /// `Name` are empty, and nothing else is left.
    Erased,
}

/// How an agent came to act. Only who signed its token knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ActorMode {
    /// The person for whom it acted has confirmed this very act.
    Approved,
    /// It acted by itself.
    Autonomous,
}

/// What a program or an agent is. Each part has at most 200 characters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
pub struct Software {
    /// The program in which it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
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
            software: None,
            mode: None,
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
        Self::of(ActorKind::Program, id, name).vouched_for_by(ActorSource::Server, None)
    }

    /// Somebody whose name was erased.
    #[must_use]
    pub fn erased() -> Self {
        Self::of(ActorKind::Erased, "", "")
    }

    /// Whether the actor, or somebody for whom it acted, is that person of that issuer, whichever
    /// credential vouched for it.
    #[must_use]
    pub fn involves(&self, issuer: &str, id: &str) -> bool {
        let is_it = self.id == id && self.issuer.as_deref() == Some(issuer);
        let behind = self.on_behalf_of.as_deref();
        is_it || behind.is_some_and(|other| other.involves(issuer, id))
    }

    /// Whether it says anything about a person. A program that acted for nobody does not.
    #[must_use]
    pub fn is_personal(&self) -> bool {
        match self.kind {
            ActorKind::Person | ActorKind::Agent => true,
            ActorKind::Program => self.on_behalf_of.is_some(),
            ActorKind::Erased => false,
        }
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

    /// For whom it acted, or else itself.
    #[must_use]
    pub fn acted_for(&self) -> &Self {
        self.on_behalf_of.as_deref().unwrap_or(self)
    }

    /// Whether a person has decided this very act: they acted themselves, or confirmed it before their
    /// agent did. Of somebody who was erased it is no longer known, and what they did stays.
    #[must_use]
    pub const fn is_confirmed_by_person(&self) -> bool {
        match self.kind {
            ActorKind::Person | ActorKind::Erased => true,
            ActorKind::Agent => matches!(self.mode, Some(ActorMode::Approved)),
            ActorKind::Program => false,
        }
    }

    /// Whether both are the same person or program. An id alone says nothing: two issuers may give
    /// out the same one, and a token may name whatever it likes. Which key signed does not count,
    /// because keys are changed and people stay who they are. Whoever was erased is nobody.
    ///
    /// ```
    /// use checklist_shared::item::{Actor, ActorSource};
    /// let ada = |issuer| Actor::person("ada", "Ada").vouched_for_by(ActorSource::EmbedToken, Some(issuer));
    /// assert!(ada("https://one.example").is_same(&ada("https://one.example")));
    /// assert!(!ada("https://one.example").is_same(&ada("https://two.example")));
    /// ```
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let is_known = self.kind != ActorKind::Erased;
        is_known
            && self.id == other.id
            && self.source == other.source
            && self.issuer == other.issuer
    }

    /// Whether both are the same person of the same issuer, or act for that person, whichever credential
    /// vouched for it. Whoever was erased is nobody.
    #[must_use]
    pub fn is_one_person(&self, other: &Self) -> bool {
        let (one, other) = (self.acted_for(), other.acted_for());
        let is_known = one.kind != ActorKind::Erased;
        is_known && one.id == other.id && one.issuer == other.issuer
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
