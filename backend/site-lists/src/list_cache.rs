//! The lists of a site that were looked up, with their columns.
//!
//! Invariant: an entry is used for five minutes at most, and dropped earlier where a field is asked
//! for that it does not have: somebody may have added the column since.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::find_column;
use crate::list::SiteList;
use crate::mutex::lock;
use crate::protocol::{ListProtocol, ListSchema};

const TIME_TO_LIVE: Duration = Duration::from_secs(300);

/// An entry and when it was looked up.
type Entry = (Arc<ListSchema>, Instant);

#[derive(Default)]
pub(crate) struct ListCache(Mutex<HashMap<SiteList, Entry>>);

impl ListCache {
    fn entries(&self) -> MutexGuard<'_, HashMap<SiteList, Entry>> {
        lock(&self.0)
    }

    pub(crate) fn remove(&self, list: &SiteList) {
        self.entries().remove(list);
    }

    pub(crate) fn insert(&self, list: &SiteList, schema: &Arc<ListSchema>) {
        let entry = (Arc::clone(schema), Instant::now());
        self.entries().insert(list.clone(), entry);
    }

    pub(crate) fn get(&self, list: &SiteList) -> Option<Arc<ListSchema>> {
        let entries = self.entries();
        let (schema, since) = entries.get(list)?;
        (since.elapsed() < TIME_TO_LIVE).then(|| Arc::clone(schema))
    }

    /// A list with its columns, looked up where it is not here.
    ///
    /// # Errors
    /// There is no such list, or the site fails.
    pub(crate) async fn load(
        &self,
        protocol: &dyn ListProtocol,
        deadline: Deadline,
        list: &SiteList,
    ) -> Result<Arc<ListSchema>> {
        if let Some(schema) = self.get(list) {
            return Ok(schema);
        }
        for key in list.keys() {
            if let Some(found) = protocol.list(deadline, &key).await? {
                let info = found.info;
                let columns = match found.columns {
                    Some(columns) => columns,
                    None => protocol.columns(deadline, &info).await?,
                };
                let schema = Arc::new(ListSchema::complete(info, columns));
                self.insert(list, &schema);
                return Ok(schema);
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
    ) -> Result<Arc<ListSchema>> {
        let was_cached = self.get(list).is_some();
        let schema = self.load(protocol, deadline, list).await?;
        let lacks = |name: &&str| {
            find_column(&schema.columns, name)
                .is_err_and(|error| error.kind() == ErrorKind::FieldNotFound)
        };
        if !was_cached || !names.iter().any(lacks) {
            return Ok(schema);
        }
        self.remove(list);
        self.load(protocol, deadline, list).await
    }
}
