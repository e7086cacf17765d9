//! The caller of a request, whatever kind of credential it came with.
//!
//! Made by the verifiers in `auth`, handed by the extractor in `http` to the services, which
//! join its tenant and contexts into every query and ask it for permissions.

use checklist_shared::context::Context;
use checklist_shared::item::{Actor, ActorKind, ActorSource};
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;

use crate::storage::directory::SecretHash;
use crate::storage::store::Stamp;

/// Who calls, and what the credential allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The tenant; every query joins it.
    pub tenant: String,
    /// Who acts, as journal and audit name it.
    pub actor: Actor,
    /// What the caller may do.
    pub permissions: Permissions,
    /// Which lists the credential covers.
    pub contexts: ContextScope,
    /// The reader's languages, best first.
    pub languages: Vec<String>,
    /// Whether the credential asks for journal entries.
    pub journal: bool,
    /// The template for a list never written, when its context names none.
    pub template: Option<String>,
    /// Stable id of the caller that operation ids are scoped by.
    pub idempotency_scope: String,
    /// When the credential ends.
    pub expires_at: Option<Timestamp>,
    /// What the caller has shown, so that it can be judged again.
    pub credential: Credential,
}

/// What a caller has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Nothing: the server itself acts.
    Own,
    /// A token that a host platform or the server has signed.
    EmbedToken {
        /// By which key.
        kid: String,
        /// Its id.
        jti: String,
        /// When it was issued.
        issued_at: Timestamp,
    },
    /// A program's key, by its hash.
    ApiKey(SecretHash),
    /// The cookie of a session, by its hash.
    Session(SecretHash),
    /// A token of the identity provider.
    IdentityToken {
        /// The person there.
        subject: String,
        /// When it was issued.
        issued_at: Timestamp,
    },
}

impl Principal {
    /// The operator of the server at its command line, who may do everything in a tenant.
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

    /// The caller as the author of what happens now.
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

    /// The reader's languages for a request, best first: the one that it names, then the caller's.
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
    /// Those that match one of these; `*` in a part matches anything.
    Listed(Vec<TokenContext>),
}

impl ContextScope {
    /// Those lists; an entry of three stars is every list.
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

    /// The lists that are in both.
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

    /// Whether the list of that context is covered. The template does not count.
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

/// The lists that two entries have in common, as one entry.
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
    /// Whether it covers every list there could be.
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

    /// Whether it covers any list of objects of that type.
    #[must_use]
    pub fn covers_type(&self, object_type: &str) -> bool {
        self.covers_some(object_type, |_| true)
    }

    /// Whether it covers any list of objects of that type with that purpose.
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
