//! The authenticated caller of a request, for any kind of credential.
//!
//! `auth` creates it and the extractor in `http` passes it to the services. They restrict every
//! query to its tenant and contexts and check its permissions.

use checklist_shared::context::Context;
use checklist_shared::item::{Actor, ActorKind, ActorSource};
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;

use crate::storage::directory::SecretHash;
use crate::storage::store::Stamp;

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
        Self {
            tenant: tenant.to_owned(),
            actor: Actor::of(ActorKind::Automation, "operator", "Operator")
                .vouched_for_by(ActorSource::Operator, None),
            permissions: Permissions::all(),
            contexts: ContextScope::Any,
            languages: Vec::new(),
            journal: false,
            template: None,
            idempotency_scope: "operator".to_owned(),
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

/// The lists that a credential covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextScope {
    /// Every list of the tenant.
    Any,
    /// Lists that match one of these; `*` in a part matches anything.
    Listed(Vec<TokenContext>),
}

impl ContextScope {
    /// The scope of these contexts. An entry of three `*` is every list.
    #[must_use]
    pub fn of(contexts: Vec<TokenContext>) -> Self {
        let any = |entry: &TokenContext| {
            let parts = [&entry.object_type, &entry.object_id, &entry.purpose];
            parts.iter().all(|part| *part == "*")
        };
        if contexts.iter().any(any) {
            Self::Any
        } else {
            Self::Listed(contexts)
        }
    }

    /// The lists that are in both scopes.
    #[must_use]
    pub fn intersection(self, other: &Self) -> Self {
        match (self, other) {
            (scope, Self::Any) => scope,
            (Self::Any, Self::Listed(listed)) => Self::Listed(listed.clone()),
            (Self::Listed(ours), Self::Listed(theirs)) => {
                let mut both: Vec<TokenContext> = Vec::new();
                for one in &ours {
                    for met in theirs.iter().filter_map(|other| meeting(one, other)) {
                        if !both.contains(&met) {
                            both.push(met);
                        }
                    }
                }
                Self::Listed(both)
            }
        }
    }

    /// Whether the list of a context is covered. The template id is ignored.
    ///
    /// ```
    /// use checklist_server::auth::ContextScope;
    /// use checklist_shared::{Context, wire::admin::TokenContext};
    /// let scope = ContextScope::Listed(vec![TokenContext {
    ///     object_type: "incident".into(),
    ///     object_id: "INC-1".into(),
    ///     purpose: "*".into(),
    ///     template_id: None,
    /// }]);
    /// assert!(scope.covers(&Context::new("incident", "INC-1", "handover")));
    /// assert!(!scope.covers(&Context::new("incident", "INC-2", "handover")));
    /// ```
    #[must_use]
    pub fn covers(&self, context: &Context) -> bool {
        let matches = |pattern: &str, value: &str| pattern == "*" || pattern == value;
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(|entry| {
                matches(&entry.object_type, &context.object_type)
                    && matches(&entry.object_id, &context.object_id)
                    && matches(&entry.purpose, &context.purpose)
            }),
        }
    }
}

/// The intersection of two entries; `None` if it is empty.
fn meeting(one: &TokenContext, other: &TokenContext) -> Option<TokenContext> {
    let part = |one: &str, other: &str| match (one, other) {
        ("*", part) | (part, "*") => Some(part.to_owned()),
        _ => (one == other).then(|| one.to_owned()),
    };
    Some(TokenContext {
        object_type: part(&one.object_type, &other.object_type)?,
        object_id: part(&one.object_id, &other.object_id)?,
        purpose: part(&one.purpose, &other.purpose)?,
        template_id: one.template_id.clone(),
    })
}

impl ContextScope {
    /// Whether every possible list is covered.
    #[must_use]
    pub fn covers_everything(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(|entry| {
                [&entry.object_type, &entry.object_id, &entry.purpose]
                    .iter()
                    .all(|part| *part == "*")
            }),
        }
    }

    /// Whether any list of this object type is covered.
    #[must_use]
    pub fn covers_type(&self, object_type: &str) -> bool {
        self.covers_some(object_type, |_| true)
    }

    /// Whether any list of this object type with this purpose is covered.
    #[must_use]
    pub fn covers_purpose(&self, object_type: &str, purpose: &str) -> bool {
        self.covers_some(object_type, |listed| listed == "*" || listed == purpose)
    }

    fn covers_some(&self, object_type: &str, purpose: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(|entry| {
                (entry.object_type == "*" || entry.object_type == object_type)
                    && purpose(&entry.purpose)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(object_type: &str, object_id: &str, purpose: &str) -> ContextScope {
        ContextScope::Listed(vec![TokenContext {
            object_type: object_type.into(),
            object_id: object_id.into(),
            purpose: purpose.into(),
            template_id: None,
        }])
    }

    #[test]
    fn a_part_matches_exactly_or_by_a_lone_star() {
        let context = Context::new("incident", "INC-1", "");
        assert!(listed("incident", "INC-1", "").covers(&context));
        assert!(listed("*", "*", "*").covers(&context));
        assert!(!listed("incident", "INC-*", "").covers(&context));
        assert!(!listed("incident", "inc-1", "").covers(&context));
        assert!(!listed("incident", "INC-1", "handover").covers(&context));
    }

    #[test]
    fn two_scopes_have_in_common_what_both_cover() {
        let incidents = listed("incident", "*", "*");
        assert_eq!(
            listed("*", "*", "handover").intersection(&incidents),
            listed("incident", "*", "handover")
        );
        assert_eq!(ContextScope::Any.intersection(&incidents), incidents);
        assert_eq!(
            listed("task", "1", "").intersection(&incidents),
            ContextScope::Listed(Vec::new())
        );
    }

    #[test]
    fn a_scope_says_which_types_and_purposes_it_covers() {
        let one = listed("incident", "INC-1", "");
        assert!(one.covers_type("incident") && !one.covers_type("task"));
        assert!(one.covers_purpose("incident", "") && !one.covers_purpose("incident", "x"));
        assert!(!one.covers_everything());
        assert!(listed("*", "*", "*").covers_everything());
        assert!(!listed("*", "*", "").covers_everything());
        assert!(ContextScope::Any.covers_everything() && ContextScope::Any.covers_type("task"));
    }

    #[test]
    fn an_empty_list_covers_nothing() {
        assert!(!ContextScope::Listed(Vec::new()).covers(&Context::new("a", "b", "")));
    }
}
