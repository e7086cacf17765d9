//! Tokens verified a moment ago, so that a page's next request costs a hash and not a signature.
//!
//! Bounded by the bytes of the tokens: the one that was not used for the longest time leaves first.
//! Nothing of a token that was refused is kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;
use sha2::{Digest, Sha256};

use super::embed::VerifiedToken;

/// What an entry takes beside what its claims hold, in bytes, rounded up.
const ENTRY: usize = 1_024;

/// SHA-256 of the whole token: the token itself is not kept.
pub type Fingerprint = [u8; 32];

/// The hash that a token is remembered by.
pub fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token.as_bytes()).into()
}

/// The tokens.
pub struct TokenCache {
    most_bytes: usize,
    tokens: Mutex<CachedTokens>,
}

struct CachedTokens {
    bytes: usize,
    entries: LruCache<Fingerprint, (usize, Arc<VerifiedToken>)>,
}

impl TokenCache {
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            tokens: Mutex::new(CachedTokens {
                bytes: 0,
                entries: LruCache::new_unbounded(),
            }),
        }
    }

    pub fn get(&self, token: &Fingerprint) -> Option<Arc<VerifiedToken>> {
        let mut tokens = self.lock();
        tokens
            .entries
            .get(token)
            .map(|(_, found)| Arc::clone(found))
    }

    /// Keeps what was verified of a token of that length.
    pub fn put(&self, token: Fingerprint, length: usize, verified: Arc<VerifiedToken>) {
        let mut tokens = self.lock();
        let bytes = ENTRY + length;
        tokens.bytes += bytes;
        if let Some((before, _)) = tokens.entries.insert(token, (bytes, verified)) {
            tokens.bytes -= before;
        }
        while tokens.bytes > self.most_bytes {
            let Some((_, (oldest, _))) = tokens.entries.remove_lru() else {
                break;
            };
            tokens.bytes -= oldest;
        }
    }

    fn lock(&self) -> MutexGuard<'_, CachedTokens> {
        // Every operation leaves the map whole, so a panic elsewhere does not spoil it.
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.lock().entries.len()
    }
}
