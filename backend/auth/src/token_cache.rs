//! A cache of verified tokens: repeated requests cost a hash instead of a signature verification.
//!
//! An LRU cache, bounded by the size of the tokens in bytes. Rejected tokens are not cached.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;
use sha2::{Digest, Sha256};

/// The overhead of an entry in addition to its claims, in bytes, rounded up.
const ENTRY: usize = 1_024;

/// The SHA-256 of the whole token. The token itself is not stored.
pub type Fingerprint = [u8; 32];

/// The cache key of a token.
pub fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token.as_bytes()).into()
}

/// Maps fingerprints to what verification has found.
pub struct TokenCache<T> {
    most_bytes: usize,
    tokens: Mutex<CachedTokens<T>>,
}

struct CachedTokens<T> {
    bytes: usize,
    entries: LruCache<Fingerprint, (usize, Arc<T>)>,
}

impl<T> TokenCache<T> {
    pub fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            tokens: Mutex::new(CachedTokens {
                bytes: 0,
                entries: LruCache::new_unbounded(),
            }),
        }
    }

    pub fn get(&self, token: &Fingerprint) -> Option<Arc<T>> {
        let mut tokens = self.lock();
        tokens
            .entries
            .get(token)
            .map(|(_, found)| Arc::clone(found))
    }

    /// Caches the result for a token of this length.
    pub fn put(&self, token: Fingerprint, length: usize, verified: Arc<T>) {
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

    fn lock(&self) -> MutexGuard<'_, CachedTokens<T>> {
        // No operation leaves the map inconsistent, so a poisoned lock is usable.
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.lock().entries.len()
    }
}
