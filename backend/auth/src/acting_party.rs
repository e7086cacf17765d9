//! The claim `act` (RFC 8693, section 4.1): the program or agent that acts for a token's person.
//!
//! Whoever signed the token vouches for it. The act is the agent's, on behalf of the person; what
//! the token allows is what the person's token allows. A party that an inner `act` names has only
//! handed the task on, and is ignored.

use checklist_shared::item::{Actor, ActorKind, ActorMode, Software};
use checklist_shared::limits::Limits;
use checklist_shared::text::is_blank;
use checklist_shared::wire::access;
use serde::{Deserialize, Serialize};

use super::error::AuthError;
use super::principal::Principal;

/// The id and the name of an agent that says nothing of itself.
const UNNAMED_AGENT: (&str, &str) = ("mcp-client", "MCP client");

/// Whether a text can be kept as an id or a name.
fn fits(text: &str) -> bool {
    (1..=Limits::IDENTIFIER).contains(&text.chars().count())
        && !is_blank(text)
        && !text.chars().any(char::is_control)
}

/// Who acts for the person that `sub` names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ActingParty {
    /// The stable id.
    sub: String,
    /// The name for people; the id without.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// `Agent` without.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<ActorKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Of an agent; `Autonomous` without.
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<ActorMode>,
}

/// The caller as an agent with this software, for a protocol that agents speak. Whoever is a person
/// by the credential is acted for; a program that has called is the agent itself.
#[must_use]
pub fn as_agent(caller: Principal, software: Software) -> Principal {
    let software = Software {
        client: software.client.filter(|text| fits(text)),
        version: software.version.filter(|text| fits(text)),
        model: software.model.filter(|text| fits(text)),
    };
    if caller.actor.kind == ActorKind::Person {
        let (id, name) = UNNAMED_AGENT;
        let own = |text: &str| software.client.clone().unwrap_or_else(|| text.to_owned());
        let party = ActingParty {
            sub: own(id),
            name: Some(own(name)),
            client: software.client,
            version: software.version,
            model: software.model,
            ..ActingParty::default()
        };
        return party.takes_over(caller);
    }
    let actor = caller.actor;
    let seen = (software != Software::default()).then(|| Box::new(software));
    Principal {
        actor: Actor {
            kind: ActorKind::Agent,
            mode: actor.mode.or(Some(ActorMode::Autonomous)),
            software: actor.software.or(seen),
            ..actor
        },
        ..caller
    }
}

impl From<access::ActingParty> for ActingParty {
    fn from(party: access::ActingParty) -> Self {
        Self {
            sub: party.subject,
            name: party.name,
            kind: party.kind,
            client: party.client,
            version: party.version,
            model: party.model,
            mode: party.mode,
        }
    }
}

impl ActingParty {
    /// What is wrong with it: fields of `Act` in `EmbedTokens`, each with a sentence.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let texts = [
            ("Subject", Some(&self.sub)),
            ("Name", self.name.as_ref()),
            ("Client", self.client.as_ref()),
            ("Version", self.version.as_ref()),
            ("Model", self.model.as_ref()),
        ];
        let texts = texts
            .into_iter()
            .filter(|(_, text)| !text.is_none_or(|text| fits(text)))
            .map(|(field, _)| (field, "1 to 200 characters without control characters."));
        let rest = match (self.kind, self.mode) {
            (Some(ActorKind::Person), _) => Some((
                "Kind",
                "Agent or Program: a person acts with a token of their own.",
            )),
            (Some(ActorKind::Erased), _) => Some(("Kind", "Agent or Program.")),
            (Some(ActorKind::Program), Some(_)) => Some(("Mode", "Only agents have a mode.")),
            _ => None,
        };
        texts.chain(rest).collect()
    }

    /// Whether somebody is named, and by texts that can be kept.
    ///
    /// # Errors
    /// What is wrong with the claim.
    pub fn check(&self) -> Result<(), AuthError> {
        if self.sub.is_empty() {
            return Err(AuthError::invalid("The claim act names nobody (act.sub)."));
        }
        match self.faults().first() {
            Some((field, fault)) => Err(AuthError::invalid(format!(
                "The claim act is not valid ({field}): {fault}"
            ))),
            None => Ok(()),
        }
    }

    /// What the person may do, done by this party. Its operation ids are not the person's.
    #[must_use]
    pub fn takes_over(self, person: Principal) -> Principal {
        let of_person = &person.idempotency_scope;
        // The length keeps the parts apart.
        let scope = format!("act:{}:{}:{of_person}", self.sub.len(), self.sub);
        Principal {
            idempotency_scope: scope,
            actor: self.acts_for(person.actor),
            ..person
        }
    }

    /// Who acts for this person, vouched for as the person is.
    fn acts_for(self, person: Actor) -> Actor {
        let kind = self.kind.unwrap_or(ActorKind::Agent);
        let software = Software {
            client: self.client,
            version: self.version,
            model: self.model,
        };
        Actor {
            source: person.source,
            issuer: person.issuer.clone(),
            key: person.key.clone(),
            software: (software != Software::default()).then(|| Box::new(software)),
            mode: (kind == ActorKind::Agent).then(|| self.mode.unwrap_or(ActorMode::Autonomous)),
            on_behalf_of: Some(Box::new(person)),
            ..Actor::of(kind, &self.sub, self.name.as_deref().unwrap_or(&self.sub))
        }
    }
}
