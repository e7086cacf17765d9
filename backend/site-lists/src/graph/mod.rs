//! Microsoft Graph lists.
//!
//! Chosen by `site`. `lists`, `columns`, `items`, `write`, `batch` and `users` do what they are called,
//! `values` knows how each type of column travels, and `beside` is the way over SharePoint REST
//! for what Graph cannot write.

mod batch;
mod beside;
mod client;
mod columns;
mod items;
mod lists;
mod query;
mod request;
mod session;
mod users;
pub(crate) mod values;
mod write;

use std::collections::BTreeSet;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn, Zone};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::Way;
use crate::protocol::{
    Ask, Change, Done, Found, ListInfo, ListProtocol, Needed, OpenList, Page, SiteInfo, Strategy,
};
use crate::user::SiteUserOrGroup;
pub(crate) use client::parts;
pub(crate) use session::GraphSession;

#[async_trait]
impl ListProtocol for GraphSession {
    async fn site(&self, deadline: Deadline) -> Result<SiteInfo> {
        Ok(self.client.known(deadline).await?.facts.clone())
    }

    async fn lists(&self, deadline: Deadline) -> Result<Vec<ListInfo>> {
        lists::all(&self.client, deadline).await
    }

    async fn list(&self, deadline: Deadline, way: &Way) -> Result<Option<Found>> {
        lists::found(&self.client, deadline, way).await
    }

    async fn columns(&self, deadline: Deadline, list: &ListInfo) -> Result<Vec<Column>> {
        columns::columns(&self.client, deadline, list).await
    }

    async fn item(
        &self,
        deadline: Deadline,
        list: &OpenList,
        id: i64,
    ) -> Result<(SiteItem, Vec<String>)> {
        items::item(self, deadline, list, id).await
    }

    async fn page(&self, deadline: Deadline, list: &OpenList, ask: &Ask) -> Result<Page> {
        items::page(self, deadline, list, ask).await
    }

    fn can_filter(&self, criterion: &Criterion) -> bool {
        query::filter(criterion).is_some()
    }

    fn after(&self, strategy: Strategy, error: &SiteError) -> Option<Strategy> {
        let refused = matches!(
            error.kind(),
            ErrorKind::QueryRefused
                | ErrorKind::Rejected
                | ErrorKind::Failed
                | ErrorKind::ListViewThreshold
        );
        match strategy {
            Strategy::Site if refused => Some(Strategy::SiteTolerant),
            // "May fail randomly" is the header's own name.
            Strategy::SiteTolerant if refused || error.kind() == ErrorKind::TimedOut => {
                Some(Strategy::Here)
            }
            _ => None,
        }
    }

    async fn write(
        &self,
        deadline: Deadline,
        list: &OpenList,
        changes: &[Change],
    ) -> Vec<Result<Done>> {
        write::write(self, deadline, list, changes).await
    }

    async fn learn(&self, deadline: Deadline, needed: &Needed) -> Result<()> {
        let strangers = if needed.people.is_empty() {
            BTreeSet::new()
        } else {
            self.users
                .strangers(&self.client, deadline, &needed.people)
                .await?
        };
        if strangers.is_empty() && needed.dates.is_empty() {
            return Ok(());
        }
        let Some(rest) = self.beside(deadline).await? else {
            return Ok(());
        };
        let needed = Needed {
            people: strangers,
            dates: needed.dates.clone(),
        };
        rest.learn(deadline, &needed).await
    }

    async fn resolve(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        let known = self
            .users
            .resolve(&self.client, deadline, name, is_group)
            .await?;
        if known.is_some() {
            return Ok(known);
        }
        // Graph cannot make somebody known to a site; the site itself can.
        match self.beside(deadline).await? {
            Some(rest) => rest.resolve(deadline, name, is_group).await,
            None => Ok(None),
        }
    }

    async fn people(
        &self,
        deadline: Deadline,
        ids: &BTreeSet<i64>,
    ) -> Result<Vec<SiteUserOrGroup>> {
        let ids: Vec<i64> = ids.iter().copied().collect();
        self.users.learn(&self.client, deadline, &ids).await?;
        let known = ids.iter().filter_map(|id| self.users.known(*id));
        Ok(known.collect())
    }

    async fn midnight(&self, deadline: Deadline, date: Date) -> Result<Timestamp> {
        if let Some(rest) = self.beside(deadline).await? {
            return rest.midnight(deadline, date).await;
        }
        // Graph tells no time zone of a site.
        Zone::somewhere_on(date).ok_or_else(|| {
            SiteError::new(
                ErrorKind::InvalidValue,
                format!("{date} is no date that a list can hold."),
            )
        })
    }

    async fn create_column(
        &self,
        deadline: Deadline,
        list: &ListInfo,
        column: &NewColumn,
    ) -> Result<()> {
        columns::create(&self.client, deadline, list, column).await
    }

    async fn etag(&self, deadline: Deadline, list: &OpenList, id: i64) -> Result<Option<String>> {
        items::etag(self, deadline, list, id).await
    }
}
