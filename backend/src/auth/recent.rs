//! Tokens verified a moment ago, so that a page's next request costs a hash and not a signature.
//!
//! Bounded: when it is full, ended tokens leave first, and if none has ended, all do.
//! Called by `embed` alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::embed::Verified;

/// SHA-256 of the whole token: the token itself is not kept.
pub type Fingerprint = [u8; 32];

/// The hash that a token is remembered by.
pub fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token.as_bytes()).into()
}

/// The tokens.
pub struct Recent {
    capacity: usize,
    tokens: Mutex<HashMap<Fingerprint, Arc<Verified>>>,
}

impl Recent {
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            tokens: Mutex::default(),
        }
    }

    pub fn get(&self, token: &Fingerprint) -> Option<Arc<Verified>> {
        self.lock().get(token).cloned()
    }

    pub fn put(&self, token: Fingerprint, verified: Arc<Verified>, now: f64) {
        let mut tokens = self.lock();
        if tokens.len() >= self.capacity {
            tokens.retain(|_, verified| verified.ends > now);
        }
        if tokens.len() >= self.capacity {
            tokens.clear();
        }
        tokens.insert(token, verified);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, Arc<Verified>>> {
        // Every operation leaves the map whole, so a panic elsewhere does not spoil it.
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.lock().len()
    }
}
