//! The lists that a credential covers, as patterns of their contexts.
//!
//! Services check single lists against a scope, and the store restricts its queries to one. Nothing
//! here knows how a caller was authenticated.

use checklist_shared::context::Context;
use checklist_shared::wire::admin::TokenContext;

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
    /// use checklist_store::scope::ContextScope;
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
