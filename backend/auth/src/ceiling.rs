//! The ceiling of an embed key: the most that its tokens may allow, whatever they claim.
//!
//! A token gets the intersection of its claims and the ceiling, for permissions and for lists.
//! Except in the demo, no ceiling includes administration: otherwise a stolen key of a host
//! platform would give control of the tenant.

use checklist_shared::permission::Permissions;
use checklist_shared::wire::admin::TokenContext;
use checklist_store::scope::ContextScope;

use super::principal::Principal;

/// The most that tokens of a key may allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceiling {
    permissions: Permissions,
    contexts: ContextScope,
}

impl Default for Ceiling {
    /// The usual permissions of embed tokens, on every list of the tenant.
    fn default() -> Self {
        Self::of(None, None)
    }
}

impl Ceiling {
    /// The ceiling of a registered key: by default the usual permissions of embed tokens, and every
    /// list. Ignores `Admin` even if it is in the database.
    #[must_use]
    pub fn of(permissions: Option<Permissions>, contexts: Option<Vec<TokenContext>>) -> Self {
        let permissions = permissions.unwrap_or_else(Permissions::usually_embedded);
        Self {
            permissions: permissions.intersection(Permissions::ever_embedded()),
            contexts: contexts.map_or(ContextScope::Any, ContextScope::of),
        }
    }

    /// The ceiling of the server's own keys, which sign for API keys: every permission except
    /// `Admin`.
    #[must_use]
    pub fn of_own_key() -> Self {
        Self::of(Some(Permissions::ever_embedded()), None)
    }

    /// The ceiling of the demo's key: none, as everybody on this machine may do everything.
    #[must_use]
    pub fn of_demo() -> Self {
        Self {
            permissions: Permissions::all(),
            contexts: ContextScope::Any,
        }
    }

    /// Restricts a principal to the ceiling.
    #[must_use]
    pub fn narrow(&self, mut principal: Principal) -> Principal {
        principal.permissions = principal.permissions.intersection(self.permissions);
        principal.contexts = principal.contexts.intersection(&self.contexts);
        principal
    }
}
