//! What a site remembers of its lists: looked up once, kept for a while, and looked up again where
//! a field is asked for that was not there.
//!
//! Part of `Site`; asked by everything that reads or writes.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::find;
use crate::list::SiteList;
use crate::protocol::OpenList;
use crate::site::Site;
use crate::wire::Call;

/// How long a list and its columns are taken to be as they were.
const REMEMBERED: Duration = Duration::from_secs(300);

impl Site {
    /// Forgets what is known of a list, e.g. after somebody changed its columns.
    pub fn forget(&self, list: &SiteList) {
        self.0
            .lists
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(list);
    }

    /// A list with its columns that has all of these fields, as far as the site knows them: where
    /// one is missing from what is remembered, somebody may have made it since.
    pub(crate) async fn opened_with(
        &self,
        call: Call,
        list: &SiteList,
        names: &[&str],
    ) -> Result<Arc<OpenList>> {
        let remembered = self.remembered(list).is_some();
        let open = self.opened(call, list).await?;
        let lacks = |name: &&str| {
            find(&open.columns, name).is_err_and(|error| error.kind() == ErrorKind::FieldNotFound)
        };
        if !remembered || !names.iter().any(lacks) {
            return Ok(open);
        }
        self.forget(list);
        self.opened(call, list).await
    }

    /// A list with its columns, where it was looked up not long ago.
    pub(crate) fn remembered(&self, list: &SiteList) -> Option<Arc<OpenList>> {
        let lists = self.0.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let (open, since) = lists.get(list)?;
        (since.elapsed() < REMEMBERED).then(|| Arc::clone(open))
    }

    /// Remembers a list for a while, from now on.
    pub(crate) fn remember(&self, list: &SiteList, open: &Arc<OpenList>) {
        self.0
            .lists
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(list.clone(), (Arc::clone(open), Instant::now()));
    }

    /// A list with its columns, looked up and remembered for a while.
    pub(crate) async fn opened(&self, call: Call, list: &SiteList) -> Result<Arc<OpenList>> {
        if let Some(known) = self.remembered(list) {
            return Ok(known);
        }
        for way in list.ways() {
            if let Some(found) = self.0.protocol.list(call, &way).await? {
                let facts = found.facts;
                let columns = match found.columns {
                    Some(columns) => columns,
                    None => self.0.protocol.columns(call, &facts).await?,
                };
                let open = Arc::new(OpenList::whole(facts, columns));
                self.remember(list, &open);
                return Ok(open);
            }
        }
        Err(SiteError::new(
            ErrorKind::ListNotFound,
            format!("The site has no list {:?}.", list.to_string()),
        )
        .with_hint("Check the title of the list, and that the account may see it."))
    }
}
