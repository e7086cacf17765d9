//! SharePoint REST (`_api`). `values` knows how each type of column is encoded, `first_page` and
//! `batch_read` save round trips.

mod batch;
mod batch_read;
mod client;
mod columns;
mod digest;
mod first_page;
mod items;
mod json;
mod lists;
pub(crate) mod multipart;
mod permissions;
mod query;
mod session;
mod time_zone;
pub(crate) mod users;
pub(crate) mod values;
mod write;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::ListKey;
use crate::odata_url;
use crate::protocol::{
    FirstPage, ListInfo, ListMatch, ListPermissions, ListProtocol, ListSchema, Page, PageRequest,
    PreparedChange, Prerequisites, SiteInfo, Strategy, WriteResult,
};
use crate::user::SiteUserOrGroup;
pub(crate) use session::RestSession;

/// A criterion over a text as a filter, for [`crate::fuzzed`].
#[cfg(any(test, feature = "fuzzed"))]
pub(crate) fn text_filter(criterion: &Criterion) -> Option<String> {
    query::filter(criterion, crate::field::Zone { bias: None })
}

#[async_trait]
impl ListProtocol for RestSession {
    async fn site(&self, deadline: Deadline) -> Result<SiteInfo> {
        let url = odata_url::api(&self.client.site, "web?$select=Title,Url")?;
        let response = self
            .client
            .get(deadline, url, ErrorKind::SiteNotFound)
            .await?;
        let web = json::entity(&response)?;
        let text = |name: &str| web.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(SiteInfo {
            title: text("Title")
                .ok_or_else(|| response.unexpected_error("names no title of the site"))?,
            web_url: text("Url"),
        })
    }

    async fn lists(&self, deadline: Deadline) -> Result<Vec<ListInfo>> {
        lists::fetch_lists(&self.client, deadline).await
    }

    async fn list(&self, deadline: Deadline, key: &ListKey) -> Result<Option<ListMatch>> {
        lists::find_list(&self.client, deadline, key).await
    }

    async fn first_page(
        &self,
        deadline: Deadline,
        key: &ListKey,
        known: Option<&Arc<ListSchema>>,
    ) -> Result<Option<FirstPage>> {
        first_page::first_page(self, deadline, key, known).await
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
        query::filter(criterion, self.zone.cached_bias()).is_some()
    }

    fn next_strategy(&self, strategy: Strategy, error: &SiteError) -> Option<Strategy> {
        let refused = error.kind() == ErrorKind::QueryRefused || error.status() == Some(400);
        match (strategy, error.kind()) {
            (Strategy::Server, ErrorKind::ListViewThreshold) => Some(Strategy::IdWindows),
            (Strategy::IdWindows, ErrorKind::ListViewThreshold) => Some(Strategy::Client),
            (Strategy::Server | Strategy::IdWindows, _) if refused => Some(Strategy::Client),
            _ => None,
        }
    }

    async fn item_count(&self, deadline: Deadline, list: &ListInfo) -> Result<Option<u64>> {
        match lists::item_count(&self.client, deadline, list).await {
            Ok(count) => Ok(Some(count)),
            // The right to read items is not the right to read their number.
            Err(error) if error.status().is_some_and(|status| status != 401) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn highest_id(&self, deadline: Deadline, list: &ListSchema) -> Result<i64> {
        items::highest_id(self, deadline, list).await
    }

    async fn write(
        &self,
        deadline: Deadline,
        list: &ListSchema,
        changes: &[PreparedChange],
    ) -> Vec<Result<WriteResult>> {
        match changes {
            [one] => vec![write::one(&self.client, deadline, list, one).await],
            several => batch::write(&self.client, deadline, list, several).await,
        }
    }

    async fn prefetch(&self, deadline: Deadline, needed: &Prerequisites) -> Result<()> {
        self.users
            .prefetch_names(&self.client, deadline, &needed.people)
            .await?;
        self.zone
            .prefetch(&self.client, deadline, &needed.dates)
            .await
    }

    async fn resolve_user(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<Option<i64>> {
        self.users
            .resolve_user(&self.client, deadline, name, is_group)
            .await
    }

    async fn can_resolve_user(
        &self,
        deadline: Deadline,
        name: &str,
        is_group: Option<bool>,
    ) -> Result<bool> {
        self.users
            .can_resolve_user(&self.client, deadline, name, is_group)
            .await
    }

    async fn people(
        &self,
        deadline: Deadline,
        ids: &BTreeSet<i64>,
    ) -> Result<Vec<SiteUserOrGroup>> {
        self.users.prefetch(&self.client, deadline, ids).await?;
        let known = ids.iter().filter_map(|id| self.users.user(*id));
        Ok(known.collect())
    }

    async fn midnight(&self, deadline: Deadline, date: Date) -> Result<Timestamp> {
        self.zone.midnight(&self.client, deadline, date).await
    }

    async fn create_column(
        &self,
        deadline: Deadline,
        list: &ListInfo,
        column: &NewColumn,
    ) -> Result<()> {
        columns::create(&self.client, deadline, list, column).await
    }

    async fn permissions(
        &self,
        deadline: Deadline,
        list: &ListInfo,
    ) -> Result<Option<ListPermissions>> {
        permissions::permissions(&self.client, deadline, list).await
    }

    async fn etag(&self, deadline: Deadline, list: &ListSchema, id: i64) -> Result<Option<String>> {
        items::etag(self, deadline, list, id).await
    }
}
