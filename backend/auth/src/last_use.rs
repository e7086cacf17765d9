//! When keys were last used, stored sparingly: once in five minutes for each key and node.
//!
//! A request never waits for it, and a use that is not stored fails nothing: it is a note for
//! administrators, who look for keys that nobody needs any more.

use std::sync::{Arc, Mutex, PoisonError};

use checklist_shared::time::Timestamp;
use checklist_store::Store;
use checklist_store::directory::UsedKey;
use hashlink::LruCache;

use super::principal::{Credential, Principal};

/// How often the use of a key is stored, in milliseconds.
const EVERY: i64 = 5 * 60 * 1_000;
/// The most keys whose last note is remembered. A key that is forgotten is stored once more.
const REMEMBERED: usize = 10_000;

/// Which keys were noted when.
pub(super) struct LastUse(Mutex<LruCache<UsedKey, Timestamp>>);

impl Default for LastUse {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(REMEMBERED)))
    }
}

impl LastUse {
    /// Stores that the caller's key is in use, if that is due.
    pub(super) fn note(&self, store: &Arc<dyn Store>, principal: &Principal, now: Timestamp) {
        let Some(key) = key_of(principal) else { return };
        if !self.is_due(&key, now) {
            return;
        }
        let store = Arc::clone(store);
        tokio::spawn(async move {
            if let Err(error) = store.key_used(key, now).await {
                tracing::debug!(%error, "the use of a key was not stored");
            }
        });
    }

    /// Whether the use has to be stored. Remembers that it is.
    fn is_due(&self, key: &UsedKey, now: Timestamp) -> bool {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = noted
            .get(key)
            .is_none_or(|last| now.as_millis() - last.as_millis() >= EVERY);
        if is_due {
            noted.insert(key.clone(), now);
        }
        is_due
    }
}

fn key_of(principal: &Principal) -> Option<UsedKey> {
    let tenant = || principal.tenant.clone();
    match &principal.credential {
        Credential::ApiKey(_) => principal
            .actor
            .key
            .clone()
            .map(|id| UsedKey::Api(tenant(), id)),
        Credential::EmbedToken { kid, .. } => Some(UsedKey::Embed(tenant(), kid.clone())),
        Credential::Own | Credential::Session(_) | Credential::IdentityToken { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_use_of_a_key_is_stored_once_in_five_minutes_and_for_each_key() {
        let noted = LastUse::default();
        let key = |id: &str| UsedKey::Api("acme".to_owned(), id.to_owned());
        let at = Timestamp::from_millis;
        assert!(noted.is_due(&key("one"), at(0)));
        assert!(!noted.is_due(&key("one"), at(EVERY - 1)));
        assert!(noted.is_due(&key("other"), at(1)));
        assert!(noted.is_due(&key("one"), at(EVERY)));
        assert!(!noted.is_due(&key("one"), at(EVERY + 1)));
    }
}
