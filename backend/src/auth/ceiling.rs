//! The ceiling of an embed key: the most that its tokens may allow, whatever they claim.
//!
//! A token is narrowed to it: it allows what it claims and the ceiling holds, on the lists that
//! both name. Administration is under no ceiling, because whoever takes a host platform's key
//! would otherwise take the tenant. Kept with each key (`keys`), applied by `embed` and `authenticator`.

use checklist_shared::permission::Permissions;
use checklist_shared::wire::admin::TokenContext;

use super::Principal;
use super::principal::ContextScope;

/// The most that tokens of a key may allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceiling {
    permissions: Permissions,
    contexts: ContextScope,
}

impl Default for Ceiling {
    /// The work on every list of the tenant.
    fn default() -> Self {
        Self::of(None, None)
    }
}

impl Ceiling {
    /// The ceiling of a registered key; without permissions the work on lists, without contexts
    /// every list. `Admin` is left out even where it stands in the database.
    #[must_use]
    pub fn of(permissions: Option<Permissions>, contexts: Option<Vec<TokenContext>>) -> Self {
        let permissions = permissions.unwrap_or_else(Permissions::usually_embedded);
        Self {
            permissions: permissions.intersection(Permissions::ever_embedded()),
            contexts: contexts.map_or(ContextScope::Any, ContextScope::of),
        }
    }

    /// The ceiling of the server's own keys: what an API key may hand on.
    #[must_use]
    pub fn of_own_key() -> Self {
        Self::of(Some(Permissions::ever_embedded()), None)
    }

    /// The demo's key gives everything to everybody on this machine.
    #[must_use]
    pub fn of_demo() -> Self {
        Self {
            permissions: Permissions::all(),
            contexts: ContextScope::Any,
        }
    }

    /// The caller with no more than the ceiling.
    #[must_use]
    pub fn narrow(&self, mut principal: Principal) -> Principal {
        principal.permissions = principal.permissions.intersection(self.permissions);
        principal.contexts = principal.contexts.intersection(&self.contexts);
        principal
    }
}
