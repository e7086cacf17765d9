//! SharePoint REST (`_api`). Asked for without metadata; answers with it are understood as well.
//!
//! Chosen by `site`. `address` writes URLs, `json` reads answers of every dialect, `values` knows
//! how each type of column travels, `opening` reads a list and
//! its first items in one trip, `together` asks many questions in one trip, `lists`, `columns`,
//! `items`, `write`, `batch`, `users` and `digest` do what they are called.

mod batch;
mod client;
mod columns;
mod digest;
mod items;
mod json;
mod lists;
pub(crate) mod multipart;
mod opening;
mod permissions;
mod query;
mod session;
mod together;
pub(crate) mod users;
pub(crate) mod values;
mod write;
mod zone;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::Way;
use crate::odata_url;
use crate::protocol::{
    Ask, Change, Done, Found, ListInfo, ListPermissions, ListProtocol, Needed, OpenList, Opening,
    Page, SiteInfo, Strategy,
};
use crate::user::SiteUserOrGroup;
use crate::wire::Call;
pub(crate) use session::RestSession;

/// A criterion over a text as a filter, for [`crate::fuzzed`].
#[cfg(any(test, feature = "fuzzed"))]
pub(crate) fn text_filter(criterion: &Criterion) -> Option<String> {
    query::filter(criterion, crate::field::Zone { bias: None })
}

#[async_trait]
impl ListProtocol for RestSession {
    async fn site(&self, call: Call) -> Result<SiteInfo> {
        let url = odata_url::api(&self.client.site, "web?$select=Title,Url")?;
        let answer = self.client.get(call, url, ErrorKind::SiteNotFound).await?;
        let web = json::entity(&answer)?;
        let text = |name: &str| web.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(SiteInfo {
            title: text("Title").ok_or_else(|| answer.unexpected("names no title of the site"))?,
            web_url: text("Url"),
        })
    }

    async fn lists(&self, call: Call) -> Result<Vec<ListInfo>> {
        lists::all(&self.client, call).await
    }

    async fn list(&self, call: Call, way: &Way) -> Result<Option<Found>> {
        lists::found(&self.client, call, way).await
    }

    async fn opening(
        &self,
        call: Call,
        way: &Way,
        known: Option<&Arc<OpenList>>,
    ) -> Result<Option<Opening>> {
        opening::opening(self, call, way, known).await
    }

    async fn columns(&self, call: Call, list: &ListInfo) -> Result<Vec<Column>> {
        columns::columns(&self.client, call, list).await
    }

    async fn item(&self, call: Call, list: &OpenList, id: i64) -> Result<(SiteItem, Vec<String>)> {
        items::item(self, call, list, id).await
    }

    async fn page(&self, call: Call, list: &OpenList, ask: &Ask) -> Result<Page> {
        items::page(self, call, list, ask).await
    }

    fn can_filter(&self, criterion: &Criterion) -> bool {
        query::filter(criterion, self.zone.known()).is_some()
    }

    fn after(&self, strategy: Strategy, error: &SiteError) -> Option<Strategy> {
        let refused = error.kind() == ErrorKind::QueryRefused || error.status() == Some(400);
        match (strategy, error.kind()) {
            (Strategy::Site, ErrorKind::ListViewThreshold) => Some(Strategy::Windows),
            (Strategy::Windows, ErrorKind::ListViewThreshold) => Some(Strategy::Here),
            (Strategy::Site | Strategy::Windows, _) if refused => Some(Strategy::Here),
            _ => None,
        }
    }

    async fn item_count(&self, call: Call, list: &ListInfo) -> Result<Option<u64>> {
        match lists::item_count(&self.client, call, list).await {
            Ok(count) => Ok(Some(count)),
            // Whoever may read the items need not be told how many there are.
            Err(error) if error.status().is_some_and(|status| status != 401) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn highest_id(&self, call: Call, list: &OpenList) -> Result<i64> {
        items::highest_id(self, call, list).await
    }

    async fn write(&self, call: Call, list: &OpenList, changes: &[Change]) -> Vec<Result<Done>> {
        match changes {
            [one] => vec![write::one(&self.client, call, list, one).await],
            several => batch::write(&self.client, call, list, several).await,
        }
    }

    async fn learn(&self, call: Call, needed: &Needed) -> Result<()> {
        self.users
            .learn_names(&self.client, call, &needed.people)
            .await?;
        self.zone.learn(&self.client, call, &needed.dates).await
    }

    async fn resolve(&self, call: Call, name: &str, is_group: Option<bool>) -> Result<Option<i64>> {
        self.users.resolve(&self.client, call, name, is_group).await
    }

    async fn is_known(&self, call: Call, name: &str, is_group: Option<bool>) -> Result<bool> {
        self.users
            .is_known(&self.client, call, name, is_group)
            .await
    }

    async fn people(&self, call: Call, ids: &BTreeSet<i64>) -> Result<Vec<SiteUserOrGroup>> {
        self.users.learn(&self.client, call, ids).await?;
        let known = ids.iter().filter_map(|id| self.users.known(*id));
        Ok(known.collect())
    }

    async fn midnight(&self, call: Call, date: Date) -> Result<Timestamp> {
        self.zone.midnight(&self.client, call, date).await
    }

    async fn create_column(&self, call: Call, list: &ListInfo, column: &NewColumn) -> Result<()> {
        columns::create(&self.client, call, list, column).await
    }

    async fn permissions(&self, call: Call, list: &ListInfo) -> Result<Option<ListPermissions>> {
        permissions::permissions(&self.client, call, list).await
    }

    async fn etag(&self, call: Call, list: &OpenList, id: i64) -> Result<Option<String>> {
        items::etag(self, call, list, id).await
    }
}
