//! Microsoft Graph lists. `values` knows how each type of column is encoded; `rest_fallback` is
//! SharePoint REST for what Graph cannot do.

mod batch;
mod client;
mod columns;
mod items;
mod lists;
mod query;
mod request;
mod rest_fallback;
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
use crate::list::ListKey;
use crate::protocol::{
    ListInfo, ListMatch, ListProtocol, ListSchema, Page, PageRequest, PreparedChange,
    Prerequisites, SiteInfo, Strategy, WriteResult,
};
use crate::user::SiteUserOrGroup;
pub(crate) use client::parse_address;
pub(crate) use session::GraphSession;

#[async_trait]
impl ListProtocol for GraphSession {
    async fn site(&self, deadline: Deadline) -> Result<SiteInfo> {
        Ok(self.client.identity(deadline).await?.info.clone())
    }

    async fn lists(&self, deadline: Deadline) -> Result<Vec<ListInfo>> {
        lists::fetch_lists(&self.client, deadline).await
    }

    async fn list(&self, deadline: Deadline, key: &ListKey) -> Result<Option<ListMatch>> {
        lists::find_list(&self.client, deadline, key).await
    }

    async fn columns(&self, deadline: Deadline, list: &ListInfo) -> Result<Vec<Column>> {
        columns::columns(&self.client, deadline, list).await
    }

    async fn item(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        id: i64,
    ) -> Result<(SiteItem, Vec<String>)> {
        items::item(self, deadline, list, id).await
    }

    async fn page(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        page_request: &PageRequest,
    ) -> Result<Page> {
        items::page(self, deadline, list, page_request).await
    }

    fn can_filter(&self, criterion: &Criterion) -> bool {
        query::filter(criterion).is_some()
    }

    fn next_strategy(&self, strategy: Strategy, error: &SiteError) -> Option<Strategy> {
        let refused = matches!(
            error.kind(),
            ErrorKind::QueryRefused
                | ErrorKind::Rejected
                | ErrorKind::Failed
                | ErrorKind::ListViewThreshold
        );
        match strategy {
            Strategy::Server if refused => Some(Strategy::ServerScan),
            // "May fail randomly" is the header's own name.
            Strategy::ServerScan if refused || error.kind() == ErrorKind::TimedOut => {
                Some(Strategy::Client)
            }
            _ => None,
        }
    }

    async fn write(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        changes: &[PreparedChange],
    ) -> Vec<Result<WriteResult>> {
        write::write(self, deadline, list, changes).await
    }

    async fn prefetch(&self, deadline: Deadline, needed: &Prerequisites) -> Result<()> {
        let unknown_names = if needed.people.is_empty() {
            BTreeSet::new()
        } else {
            self.users
                .unknown_names(&self.client, deadline, &needed.people)
                .await?
        };
        if unknown_names.is_empty() && needed.dates.is_empty() {
            return Ok(());
        }
        let Some(rest) = self.rest_fallback(deadline).await? else {
            return Ok(());
        };
        let needed = Prerequisites {
            people: unknown_names,
            dates: needed.dates.clone(),
        };
        rest.prefetch(deadline, &needed).await
    }

    async fn resolve_user(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        let known = self
            .users
            .resolve_user(&self.client, deadline, name, is_group)
            .await?;
        if known.is_some() {
            return Ok(known);
        }
        // Graph cannot add a user to a site; SharePoint REST can.
        match self.rest_fallback(deadline).await? {
            Some(rest) => rest.resolve_user(deadline, name, is_group).await,
            None => Ok(None),
        }
    }

    async fn people(
        &self,
        deadline: Deadline,
        ids: &BTreeSet<i64>,
    ) -> Result<Vec<SiteUserOrGroup>> {
        let ids: Vec<i64> = ids.iter().copied().collect();
        self.users.prefetch(&self.client, deadline, &ids).await?;
        let known = ids.iter().filter_map(|id| self.users.user(*id));
        Ok(known.collect())
    }

    async fn midnight(&self, deadline: Deadline, date: Date) -> Result<Timestamp> {
        if let Some(rest) = self.rest_fallback(deadline).await? {
            return rest.midnight(deadline, date).await;
        }
        // Graph does not say the time zone of a site.
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

    async fn etag(&self, deadline: Deadline, list: &ListSchema, id: i64) -> Result<Option<String>> {
        items::etag(self, deadline, list, id).await
    }
}
