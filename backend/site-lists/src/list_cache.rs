//! The lists of a site that were looked up, with their columns.
//!
//! Invariant: an entry is used for five minutes at most, and dropped earlier where a field is asked
//! for that it does not have: somebody may have added the column since.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::find;
use crate::list::SiteList;
use crate::protocol::{ListProtocol, OpenList};

const TIME_TO_LIVE: Duration = Duration::from_secs(300);

/// An entry and when it was looked up.
type Entry = (Arc<OpenList>, Instant);

#[derive(Default)]
pub(crate) struct ListCache(Mutex<HashMap<SiteList, Entry>>);

impl ListCache {
    fn entries(&self) -> MutexGuard<'_, HashMap<SiteList, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn remove(&self, list: &SiteList) {
        self.entries().remove(list);
    }

    pub(crate) fn insert(&self, list: &SiteList, open: &Arc<OpenList>) {
        let entry = (Arc::clone(open), Instant::now());
        self.entries().insert(list.clone(), entry);
    }

    pub(crate) fn get(&self, list: &SiteList) -> Option<Arc<OpenList>> {
        let entries = self.entries();
        let (open, since) = entries.get(list)?;
        (since.elapsed() < TIME_TO_LIVE).then(|| Arc::clone(open))
    }

    /// A list with its columns, looked up where it is not here.
    ///
    /// # Errors
    /// There is no such list, or the site does not tell.
    pub(crate) async fn load(
        &self,
        protocol: &dyn ListProtocol,
        deadline: Deadline,
        list: &SiteList,
    ) -> Result<Arc<OpenList>> {
        if let Some(open) = self.get(list) {
            return Ok(open);
        }
        for way in list.ways() {
            if let Some(found) = protocol.list(deadline, &way).await? {
                let facts = found.facts;
                let columns = match found.columns {
                    Some(columns) => columns,
                    None => protocol.columns(deadline, &facts).await?,
                };
                let open = Arc::new(OpenList::whole(facts, columns));
                self.insert(list, &open);
                return Ok(open);
            }
        }
        Err(SiteError::new(
            ErrorKind::ListNotFound,
            format!("The site has no list {:?}.", list.to_string()),
        )
        .with_hint("Check the title of the list, and that the account may see it."))
    }

    /// The same, looked up once more where a cached entry lacks one of these fields.
    ///
    /// # Errors
    /// As for `load`.
    pub(crate) async fn load_with(
        &self,
        protocol: &dyn ListProtocol,
        deadline: Deadline,
        list: &SiteList,
        names: &[&str],
    ) -> Result<Arc<OpenList>> {
        let was_cached = self.get(list).is_some();
        let open = self.load(protocol, deadline, list).await?;
        let lacks = |name: &&str| {
            find(&open.columns, name).is_err_and(|error| error.kind() == ErrorKind::FieldNotFound)
        };
        if !was_cached || !names.iter().any(lacks) {
            return Ok(open);
        }
        self.remove(list);
        self.load(protocol, deadline, list).await
    }
}
