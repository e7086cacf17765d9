//! The authenticated caller of a request, for any kind of credential.
//!
//! `auth` creates it and the extractor in `http` passes it to the services. They restrict every
//! query to its tenant and contexts and check its permissions.

use checklist_shared::item::{Actor, ActorKind, ActorSource};
use checklist_shared::permission::{Permission, Permissions, Role};
use checklist_shared::time::Timestamp;

use checklist_store::directory::SecretHash;
use checklist_store::scope::ContextScope;
use checklist_store::store::Stamp;

/// The authenticated caller, and what the credential allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The tenant that every query is restricted to.
    pub tenant: String,
    /// The actor for journal and audit trail.
    pub actor: Actor,
    /// The permissions of the credential.
    pub permissions: Permissions,
    /// The lists that the credential covers.
    pub contexts: ContextScope,
    /// The preferred languages of the caller, best first.
    pub languages: Vec<String>,
    /// The systems whose signals the credential may send.
    pub sources: Vec<String>,
    /// Whether the credential requests journal entries.
    pub journal: bool,
    /// The template for a list that was never written and whose context names none.
    pub template: Option<String>,
    /// The stable id of the caller that scopes operation ids.
    pub idempotency_scope: String,
    /// The expiry of the credential.
    pub expires_at: Option<Timestamp>,
    /// The credential, so that the caller can be authenticated again.
    pub credential: Credential,
}

/// The credential of a caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// None: the server itself acts.
    Own,
    /// A token that a host platform or the server has signed.
    EmbedToken {
        /// The key that signed it.
        kid: String,
        /// The id of the token.
        jti: String,
        /// The time of issue.
        issued_at: Timestamp,
    },
    /// An API key, by its hash.
    ApiKey(SecretHash),
    /// A session cookie, by its hash.
    Session(SecretHash),
    /// An access token of the identity provider.
    IdentityToken {
        /// The person's id at the provider.
        subject: String,
        /// The time of issue.
        issued_at: Timestamp,
    },
}

impl Principal {
    /// The operator on the command line, with all permissions in a tenant.
    #[must_use]
    pub fn operator(tenant: &str) -> Self {
        let actor = Actor::of(ActorKind::Program, "operator", "Operator");
        Self::of_program(tenant, actor.vouched_for_by(ActorSource::Operator, None))
    }

    /// A part of the program itself that acts in a tenant, with all permissions.
    #[must_use]
    pub fn of_program(tenant: &str, actor: Actor) -> Self {
        Self {
            tenant: tenant.to_owned(),
            idempotency_scope: actor.id.clone(),
            actor,
            permissions: Permissions::all(),
            contexts: ContextScope::Any,
            languages: Vec::new(),
            sources: Vec::new(),
            journal: false,
            template: None,
            expires_at: None,
            credential: Credential::Own,
        }
    }

    /// The stamp of a change that the caller makes at this time.
    #[must_use]
    pub fn stamp(&self, at: Timestamp) -> Stamp {
        Stamp {
            actor: self.actor.clone(),
            at,
        }
    }

    /// Whether the caller has the permission.
    #[must_use]
    pub const fn may(&self, permission: Permission) -> bool {
        self.permissions.allows(permission)
    }

    /// The languages for a request, best first: the one that it names, then the caller's.
    #[must_use]
    pub fn languages_after<'a>(&'a self, named: Option<&'a str>) -> Vec<&'a str> {
        let own = self.languages.iter().map(String::as_str);
        named.into_iter().chain(own).collect()
    }
}

/// The union of the permissions of roles.
#[must_use]
pub fn permissions_of(roles: &[Role]) -> Permissions {
    roles.iter().fold(Permissions::default(), |all, role| {
        all.union(role.permissions())
    })
}
