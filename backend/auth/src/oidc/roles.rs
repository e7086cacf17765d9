//! Roles by groups: which groups a token names, and which roles they give in which tenant.
//!
//! Invariant: in a tenant that a rule names, the provider's groups alone decide the roles of its
//! people. Groups that the provider has left out of the token are not taken for none.

use std::collections::BTreeSet;
use std::str::FromStr;

use checklist_shared::permission::Role;
use serde_json::{Map, Value};

/// The claims of a token.
pub(super) type Claims = Map<String, Value>;

/// Gives a role in a tenant to the people of a group: `GROUP=TENANT:ROLE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleRule {
    /// The group or role at the provider, as its tokens name it.
    pub group: String,
    /// The tenant.
    pub tenant: String,
    /// The role there.
    pub role: Role,
}

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoleRuleError {
    /// A part is missing.
    #[error("it is no GROUP=TENANT:ROLE")]
    Form,
    /// The role is none of ours.
    #[error("there is no role {0}")]
    Role(String),
}

impl FromStr for RoleRule {
    type Err = RoleRuleError;

    /// Read from the end, because names of groups contain anything: `CN=Desk,OU=Groups=acme:editor`.
    fn from_str(text: &str) -> Result<Self, RoleRuleError> {
        let (group, place) = text.trim().rsplit_once('=').ok_or(RoleRuleError::Form)?;
        let (tenant, role) = place.rsplit_once(':').ok_or(RoleRuleError::Form)?;
        if group.is_empty() || tenant.is_empty() {
            return Err(RoleRuleError::Form);
        }
        let known = serde_json::from_value(Value::String(role.to_owned()));
        Ok(Self {
            group: group.to_owned(),
            tenant: tenant.to_owned(),
            role: known.map_err(|_| RoleRuleError::Role(role.to_owned()))?,
        })
    }
}

/// The groups of a person, as a token tells them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// These; none if the claim is missing.
    Named(BTreeSet<String>),
    /// There are so many that the provider has left the claim out.
    LeftOut,
}

/// Where the groups are found, and what they give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoleMapping {
    /// The claim with the groups: its name, or a path such as `realm_access.roles`.
    pub claim: String,
    /// What they give.
    pub rules: Vec<RoleRule>,
    /// Whether a person with a role is registered at the first sign-in.
    pub registers: bool,
}

impl RoleMapping {
    /// The groups in these claims.
    pub(super) fn groups(&self, claims: &Claims) -> Groups {
        let named: BTreeSet<String> = match lookup(claims, &self.claim) {
            Some(Value::Array(all)) => {
                let names = all.iter().filter_map(Value::as_str);
                names.map(str::to_owned).collect()
            }
            Some(Value::String(one)) => BTreeSet::from([one.clone()]),
            None if self.is_left_out(claims) => return Groups::LeftOut,
            _ => BTreeSet::new(),
        };
        Groups::Named(named)
    }

    /// Whether the token says that the claim would be too long: by a reference to where it can be
    /// asked for (OpenID Connect Core, 5.6.2), or by a mark alone.
    fn is_left_out(&self, claims: &Claims) -> bool {
        let top = self.claim.split('.').next().unwrap_or_default();
        let references = claims.get("_claim_names").and_then(Value::as_object);
        let is_referred_to = references
            .is_some_and(|names| names.contains_key(&self.claim) || names.contains_key(top));
        let is_marked = claims
            .get("hasgroups")
            .is_some_and(|mark| mark.as_bool() == Some(true) || mark.as_str() == Some("true"));
        is_referred_to || (top == "groups" && is_marked)
    }

    /// Whether groups decide the roles in a tenant.
    pub(super) fn decides(&self, tenant: &str) -> bool {
        self.rules.iter().any(|rule| rule.tenant == tenant)
    }

    /// The tenants in which groups decide, in the order of the rules.
    pub fn tenants(&self) -> Vec<&str> {
        let mut tenants: Vec<&str> = Vec::new();
        for rule in &self.rules {
            if !tenants.contains(&rule.tenant.as_str()) {
                tenants.push(&rule.tenant);
            }
        }
        tenants
    }

    /// The roles of a person with these groups in a tenant, each once.
    pub(super) fn roles_in(&self, tenant: &str, groups: &BTreeSet<String>) -> Vec<Role> {
        let mut roles = Vec::new();
        for rule in &self.rules {
            let gives = rule.tenant == tenant && groups.contains(&rule.group);
            if gives && !roles.contains(&rule.role) {
                roles.push(rule.role);
            }
        }
        roles
    }
}

/// A claim by its name, or by a path through objects.
pub(super) fn lookup<'a>(claims: &'a Claims, name: &str) -> Option<&'a Value> {
    if let Some(found) = claims.get(name) {
        return Some(found);
    }
    let (first, rest) = name.split_once('.')?;
    rest.split('.')
        .try_fold(claims.get(first)?, |value, part| value.get(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn groups(claim: &str, claims: Value) -> Groups {
        let Value::Object(claims) = claims else {
            panic!("claims are an object");
        };
        let mapping = RoleMapping {
            claim: claim.to_owned(),
            rules: Vec::new(),
            registers: false,
        };
        mapping.groups(&claims)
    }

    fn named(names: &[&str]) -> Groups {
        Groups::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn groups_are_a_list_a_text_or_deep_in_an_object() {
        let entra = json!({ "groups": ["g-1", 7, "g-2"] });
        assert_eq!(groups("groups", entra), named(&["g-1", "g-2"]));
        let keycloak = json!({ "realm_access": { "roles": ["desk"] } });
        assert_eq!(groups("realm_access.roles", keycloak), named(&["desk"]));
        let dotted = json!({ "https://acme.example/roles": "desk" });
        assert_eq!(
            groups("https://acme.example/roles", dotted),
            named(&["desk"])
        );
        assert_eq!(groups("groups", json!({ "groups": 7 })), named(&[]));
        assert_eq!(groups("a.b", json!({ "a": "b" })), named(&[]));
    }

    #[test]
    fn groups_that_were_left_out_are_not_none() {
        let source = json!({ "_claim_names": { "groups": "src1" } });
        assert_eq!(groups("groups", source.clone()), Groups::LeftOut);
        assert_eq!(groups("roles", source), named(&[]));
        assert_eq!(
            groups("groups", json!({ "hasgroups": true })),
            Groups::LeftOut
        );
        assert_eq!(groups("groups", json!({})), named(&[]));
    }

    #[test]
    fn a_rule_is_read_from_its_end() {
        let rule: RoleRule = "CN=Desk,OU=A:B=acme:template-admin"
            .parse()
            .expect("a rule");
        assert_eq!(rule.group, "CN=Desk,OU=A:B");
        assert_eq!(rule.tenant, "acme");
        assert_eq!(rule.role, Role::TemplateAdmin);
        for bad in ["desk", "desk=acme", "=acme:editor", "desk=:editor"] {
            assert_eq!(bad.parse::<RoleRule>(), Err(RoleRuleError::Form), "{bad}");
        }
        let unknown = "desk=acme:boss".parse::<RoleRule>();
        assert_eq!(unknown, Err(RoleRuleError::Role("boss".to_owned())));
    }
}
