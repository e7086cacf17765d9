//! A cache of serialized events, for readers who get identical ones.
//!
//! A thousand subscribers of one list with the same language and permissions share one text. The
//! key contains everything that the text depends on, so an entry is never stale. The least recently
//! used ones are evicted.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use checklist_shared::Facts;
use checklist_shared::context::Context;
use checklist_shared::permission::Permissions;
use hashlink::LruCache;

use checklist_store::error::ServiceResult;

/// The most texts. One is about a kilobyte; the longest, all items of a full list, some hundred.
const KEPT: usize = 256;

/// Everything that the text of a change depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The tenant of the list.
    pub tenant: String,
    /// The list, as the reader named it.
    pub context: Context,
    /// The reader's revision; `None` if the reader gets the present state only.
    pub since: Option<u64>,
    /// The new revision.
    pub revision: u64,
    /// The revision up to which deleted items are purged.
    pub purged: u64,
    /// Id and version of the newest version of the list's template.
    pub template: Option<(String, u32)>,
    /// The facts that the reader brings: what applies to a list that was never written, and what a
    /// refresh by the reader would change.
    pub facts: Option<Facts>,
    /// The reader's languages, best first.
    pub languages: Vec<String>,
    /// The reader's permissions.
    pub permissions: Permissions,
    /// Whether the reader has to read the whole list.
    pub resets: bool,
    /// Whether the text includes the lock separately.
    pub tells_lock: bool,
    /// Whether the text includes the waiver separately.
    pub tells_waiver: bool,
    /// Whether the text includes a new version of the template separately.
    pub tells_template: bool,
    /// The client's id of the operation.
    pub operation: Option<String>,
}

/// A text, ready to be sent.
pub type Rendered = Arc<[u8]>;

type Slot = Arc<OnceLock<ServiceResult<Rendered>>>;

/// The least recently used texts are evicted.
pub struct Cache(Mutex<LruCache<Key, Slot>>);

impl Default for Cache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT)))
    }
}

impl Cache {
    /// The text for that key. The first caller renders it, concurrent ones wait for it.
    ///
    /// # Errors
    /// The error of `write`.
    pub fn get(
        &self,
        key: Key,
        write: impl FnOnce() -> ServiceResult<Rendered>,
    ) -> ServiceResult<Rendered> {
        let slot = {
            let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match texts.get(&key) {
                Some(slot) => Arc::clone(slot),
                None => {
                    let slot = Slot::default();
                    texts.insert(key, Arc::clone(&slot));
                    slot
                }
            }
        };
        slot.get_or_init(write).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(revision: u64) -> Key {
        Key {
            tenant: "acme".to_owned(),
            context: Context::new("incident", "1", ""),
            since: None,
            revision,
            purged: 0,
            facts: None,
            template: None,
            languages: Vec::new(),
            permissions: Permissions::all(),
            resets: false,
            tells_lock: false,
            tells_waiver: false,
            tells_template: false,
            operation: None,
        }
    }

    #[test]
    fn a_thousand_readers_have_one_text_written() {
        let cache = Cache::default();
        let mut written = 0;
        for _ in 0..1_000 {
            let text = cache.get(key(1), || {
                written += 1;
                Ok(Arc::from(&b"text"[..]))
            });
            assert_eq!(text.as_deref(), Ok(&b"text"[..]));
        }
        assert_eq!(written, 1);
    }

    #[test]
    fn the_number_of_texts_is_bounded() {
        let cache = Cache::default();
        for revision in 0..10 * KEPT as u64 {
            let _ = cache.get(key(revision), || Ok(Arc::from(&b""[..])));
        }
        assert_eq!(cache.0.lock().map(|texts| texts.len()).ok(), Some(KEPT));
    }
}
