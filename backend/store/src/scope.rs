//! The lists that a credential covers, as patterns of their contexts, and the templates that such
//! lists may be begun with or moved to.
//!
//! Services check single lists against a scope, and the store restricts its queries to one. Nothing
//! here knows how a caller was authenticated.

use checklist_shared::context::Context;
use checklist_shared::facts::Facts;
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
    /// The scope of these contexts. An entry of three `*` that pins no template and brings no facts is
    /// every list.
    #[must_use]
    pub fn of(contexts: Vec<TokenContext>) -> Self {
        let any = |entry: &TokenContext| {
            is_every_list(entry) && entry.pinned_template().is_none() && entry.facts.is_none()
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

    /// Whether the list of a context is covered, whichever template the context names.
    ///
    /// ```
    /// use checklist_store::scope::ContextScope;
    /// use checklist_shared::{Context, wire::admin::TokenContext};
    /// let scope = ContextScope::Listed(vec![TokenContext {
    ///     object_type: "incident".into(),
    ///     object_id: "INC-1".into(),
    ///     purpose: "*".into(),
    ///     template_id: None,
    ///     facts: None,
    /// }]);
    /// assert!(scope.covers(&Context::new("incident", "INC-1", "handover")));
    /// assert!(!scope.covers(&Context::new("incident", "INC-2", "handover")));
    /// ```
    #[must_use]
    pub fn covers(&self, context: &Context) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(|entry| is_of(entry, context)),
        }
    }

    /// The templates that the list of a context may be begun with or moved to; `None` for any. One
    /// entry that covers the list and pins none is enough for any.
    #[must_use]
    pub fn pinned_templates(&self, context: &Context) -> Option<Vec<&str>> {
        match self {
            Self::Any => None,
            Self::Listed(listed) => listed
                .iter()
                .filter(|entry| is_of(entry, context))
                .map(TokenContext::pinned_template)
                .collect(),
        }
    }

    /// The facts that the credential brings for the list of a context: those of the first entry that
    /// covers it and has some.
    #[must_use]
    pub fn facts(&self, context: &Context) -> Option<&Facts> {
        let listed: &[TokenContext] = match self {
            Self::Any => &[],
            Self::Listed(listed) => listed,
        };
        let mut covering = listed.iter().filter(|entry| is_of(entry, context));
        covering.find_map(|entry| entry.facts.as_ref())
    }

    /// The templates that entries pin, of whichever lists.
    pub fn every_pinned_template(&self) -> impl Iterator<Item = &str> {
        let listed: &[TokenContext] = match self {
            Self::Any => &[],
            Self::Listed(listed) => listed,
        };
        listed.iter().filter_map(TokenContext::pinned_template)
    }

    /// Whether everything that a context with its wildcards matches is covered, with every template
    /// that it allows.
    #[must_use]
    pub fn includes(&self, wanted: &TokenContext) -> bool {
        let Self::Listed(listed) = self else {
            return true;
        };
        let holds = |allowed: &str, wanted: &str| allowed == "*" || allowed == wanted;
        listed.iter().any(|allowed| {
            let template = allowed.pinned_template();
            holds(&allowed.object_type, &wanted.object_type)
                && holds(&allowed.object_id, &wanted.object_id)
                && holds(&allowed.purpose, &wanted.purpose)
                && (template.is_none() || template == wanted.pinned_template())
        })
    }
}

fn is_of(entry: &TokenContext, context: &Context) -> bool {
    let matches = |pattern: &str, value: &str| pattern == "*" || pattern == value;
    matches(&entry.object_type, &context.object_type)
        && matches(&entry.object_id, &context.object_id)
        && matches(&entry.purpose, &context.purpose)
}

fn is_every_list(entry: &TokenContext) -> bool {
    let parts = [&entry.object_type, &entry.object_id, &entry.purpose];
    parts.iter().all(|part| *part == "*")
}

/// The intersection of two entries; `None` if it is empty. Entries that pin different templates
/// have no list in common.
fn meeting(one: &TokenContext, other: &TokenContext) -> Option<TokenContext> {
    let part = |one: &str, other: &str| match (one, other) {
        ("*", part) | (part, "*") => Some(part.to_owned()),
        _ => (one == other).then(|| one.to_owned()),
    };
    let template = part(
        one.pinned_template().unwrap_or("*"),
        other.pinned_template().unwrap_or("*"),
    )?;
    Some(TokenContext {
        object_type: part(&one.object_type, &other.object_type)?,
        object_id: part(&one.object_id, &other.object_id)?,
        purpose: part(&one.purpose, &other.purpose)?,
        template_id: (template != "*").then_some(template),
        facts: one.facts.clone().or_else(|| other.facts.clone()),
    })
}

impl ContextScope {
    /// Whether every possible list is covered.
    #[must_use]
    pub fn covers_everything(&self) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(listed) => listed.iter().any(is_every_list),
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
            facts: None,
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
    fn a_star_is_included_only_in_a_star() {
        let wanted = |object_type: &str, object_id: &str, purpose: &str| TokenContext {
            purpose: purpose.into(),
            ..pinned(object_type, object_id, "*")
        };
        let scope = listed("incident", "*", "");
        assert!(scope.includes(&wanted("incident", "1", "")));
        assert!(scope.includes(&wanted("incident", "*", "")));
        assert!(!scope.includes(&wanted("incident", "1", "*")));
        assert!(!scope.includes(&wanted("*", "1", "")));
        assert!(ContextScope::Any.includes(&wanted("*", "*", "*")));
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

    fn pinned(object_type: &str, object_id: &str, template: &str) -> TokenContext {
        TokenContext {
            object_type: object_type.into(),
            object_id: object_id.into(),
            purpose: "*".into(),
            template_id: Some(template.into()),
            facts: None,
        }
    }

    #[test]
    fn entries_pin_the_templates_of_the_lists_that_they_cover() {
        let scope = ContextScope::of(vec![
            pinned("ticket", "1", "mail"),
            pinned("ticket", "1", "hardware"),
            pinned("ticket", "2", "mail"),
            pinned("ticket", "2", "*"),
        ]);
        let of = |id| scope.pinned_templates(&Context::new("ticket", id, ""));
        assert_eq!(of("1"), Some(vec!["mail", "hardware"]));
        assert_eq!(of("2"), None);
        assert_eq!(of("3"), Some(Vec::new()), "not covered at all");
        let everything = ContextScope::of(vec![pinned("*", "*", "mail")]);
        assert!(everything.covers_everything() && everything != ContextScope::Any);
        let any = ContextScope::of(vec![pinned("*", "*", "*")]);
        assert_eq!(any, ContextScope::Any);
    }

    #[test]
    fn an_entry_brings_facts_for_the_lists_that_it_covers_whatever_the_ceiling_is() {
        let fact = |value: &str| -> Option<Facts> {
            serde_json::from_value(serde_json::json!({ "Queue": value })).ok()
        };
        let with = |id, template, facts| TokenContext {
            facts,
            ..pinned("ticket", id, template)
        };
        let scope = ContextScope::of(vec![
            with("1", "*", None),
            with("1", "*", fact("first")),
            with("*", "*", fact("any")),
        ]);
        let of = |scope: &ContextScope, id| scope.facts(&Context::new("ticket", id, "")).cloned();
        assert_eq!(of(&scope, "1"), fact("first"));
        assert_eq!(of(&scope, "2"), fact("any"));
        let ceiling = ContextScope::of(vec![pinned("ticket", "*", "mail")]);
        let narrowed = scope.intersection(&ceiling);
        assert_eq!(of(&narrowed, "1"), fact("first"));
        assert_eq!(
            narrowed.pinned_templates(&Context::new("ticket", "1", "")),
            Some(vec!["mail"; 3])
        );
        let everything = ContextScope::of(vec![TokenContext {
            facts: fact("every"),
            ..pinned("*", "*", "*")
        }]);
        assert_eq!(of(&everything, "1"), fact("every"));
        assert_eq!(of(&ContextScope::Any, "1"), None);
    }

    #[test]
    fn a_ceiling_that_pins_a_template_pins_it_for_every_token() {
        let ceiling = ContextScope::of(vec![pinned("ticket", "*", "mail")]);
        let narrowed = |claimed| ContextScope::of(vec![claimed]).intersection(&ceiling);
        let expected = ContextScope::of(vec![pinned("ticket", "1", "mail")]);
        assert_eq!(narrowed(pinned("ticket", "1", "*")), expected);
        assert_eq!(narrowed(pinned("ticket", "1", "mail")), expected);
        let other = narrowed(pinned("ticket", "1", "hardware"));
        assert_eq!(other, ContextScope::Listed(Vec::new()));
        assert_eq!(ContextScope::Any.intersection(&ceiling), ceiling);
        assert!(ceiling.includes(&pinned("ticket", "1", "mail")));
        assert!(!ceiling.includes(&pinned("ticket", "1", "hardware")));
        assert!(!ceiling.includes(&pinned("ticket", "1", "*")));
    }

    #[test]
    fn an_empty_list_covers_nothing() {
        assert!(!ContextScope::Listed(Vec::new()).covers(&Context::new("a", "b", "")));
    }
}
