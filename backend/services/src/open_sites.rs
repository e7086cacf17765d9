//! The open sites of this node. Idle sites are evicted.
//!
//! Invariant: concurrent callers of one connection share one site, so they sign in only once.
//! `sites::open` opens them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use checklist_store::error::ServiceResult;
use site_lists::Site;
use tokio::sync::OnceCell;

/// How long a site stays open without a call.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// The maximum number of open sites.
const MOST: usize = 500;

pub(crate) type Key = [u8; 32];

/// How long a rejected password is remembered. Calls within that time fail at once, so the account
/// is not tried again.
const REFUSED: Duration = Duration::from_secs(24 * 60 * 60);

/// The open sites of this node.
#[derive(Default)]
pub struct OpenSites(Mutex<HashMap<Key, OpenSite>>);

/// A site that is open, or that its first caller is opening.
struct OpenSite {
    site: Arc<OnceCell<Site>>,
    used: Instant,
}

impl OpenSite {
    fn is_over(&self) -> bool {
        let refused = self.site.get().is_some_and(Site::has_refused_credentials);
        let holds = if refused { REFUSED } else { IDLE };
        self.used.elapsed() > holds
    }
}

impl OpenSites {
    /// The site of a key. Concurrent callers share one, so they sign in only once.
    pub(crate) async fn one(
        &self,
        key: Key,
        open: impl FnOnce() -> ServiceResult<Site>,
    ) -> ServiceResult<Site> {
        let place = self.place(key);
        place.get_or_try_init(|| async { open() }).await.cloned()
    }

    fn place(&self, key: Key) -> Arc<OnceCell<Site>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.get_mut(&key)
            && !known.is_over()
        {
            known.used = Instant::now();
            return Arc::clone(&known.site);
        }
        if open.len() >= MOST {
            open.retain(|_, known| !known.is_over());
        }
        if open.len() >= MOST {
            let oldest = open.iter().min_by_key(|(_, known)| known.used);
            if let Some(oldest) = oldest.map(|(key, _)| *key) {
                open.remove(&oldest);
            }
        }
        let site = Arc::new(OnceCell::new());
        let made = OpenSite {
            site: Arc::clone(&site),
            used: Instant::now(),
        };
        open.insert(key, made);
        site
    }
}
