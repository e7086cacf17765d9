//! The access tokens that this node has fetched for connections, in memory.
//!
//! Invariants: a token is used only at the origin that it was fetched for, and never after a site
//! has rejected it. `connections::token` fetches them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use checklist_egress::oauth::grant::TokenGrant;
use secrecy::{ExposeSecret, SecretString};

/// The minimum remaining lifetime of a token that is used; half of the lifetime of a short-lived
/// token.
const SPARE: Duration = Duration::from_secs(60);
/// The assumed lifetime if the server does not return one.
const USUAL: Duration = Duration::from_secs(5 * 60);

type Key = (String, String);

/// The cached access tokens of this node, and a mutex per connection that serialises fetching.
#[derive(Default)]
pub struct AccessTokens {
    known: Mutex<HashMap<Key, CachedToken>>,
    turns: Mutex<HashMap<Key, Arc<tokio::sync::Mutex<()>>>>,
}

struct CachedToken {
    token: SecretString,
    origin: String,
    until: Instant,
}

/// A token, and how long requests may be started with it.
pub(crate) struct FetchedToken {
    pub(crate) token: SecretString,
    pub(crate) usable: Duration,
}

impl FetchedToken {
    pub(crate) fn of(granted: &TokenGrant) -> Self {
        let lasts = granted.lasts.unwrap_or(USUAL);
        Self {
            token: granted.access.clone(),
            usable: lasts - SPARE.min(lasts / 2),
        }
    }
}

/// The token that the site has rejected.
pub(crate) type RejectedToken<'a> = Option<&'a SecretString>;

pub(crate) fn is_refused(token: &SecretString, refused: RejectedToken<'_>) -> bool {
    refused.is_some_and(|refused| refused.expose_secret() == token.expose_secret())
}

impl AccessTokens {
    /// Evicts the token of a connection that was changed.
    pub fn forget(&self, tenant: &str, id: &str) {
        lock_unpoisoned(&self.known).remove(&(tenant.to_owned(), id.to_owned()));
    }

    pub(crate) fn get(
        &self,
        key: &Key,
        origin: &str,
        refused: RejectedToken<'_>,
    ) -> Option<SecretString> {
        let known = lock_unpoisoned(&self.known);
        let found = known.get(key)?;
        let fits = found.origin == origin && found.until > Instant::now();
        (fits && !is_refused(&found.token, refused)).then(|| found.token.clone())
    }

    pub(crate) fn keep(&self, key: Key, origin: &str, fetched: &FetchedToken) {
        let known = CachedToken {
            token: fetched.token.clone(),
            origin: origin.to_owned(),
            until: Instant::now() + fetched.usable,
        };
        lock_unpoisoned(&self.known).insert(key, known);
    }

    pub(crate) fn fetch_lock(&self, key: &Key) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = lock_unpoisoned(&self.turns);
        // A mutex that only this map refers to has no waiters.
        if turns.len() > 1_000 {
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        Arc::clone(turns.entry(key.clone()).or_default())
    }
}

fn lock_unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
