//! Microsoft Graph lists.
//!
//! Chosen by `site`. `lists`, `columns`, `items`, `write`, `batch` and `users` do what they are called,
//! `values` knows how each type of column travels, and `beside` is the way over SharePoint REST
//! for what Graph cannot write.

mod batch;
mod beside;
mod columns;
mod items;
mod lists;
mod query;
mod users;
pub(crate) mod values;
mod write;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::Method;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use tokio::sync::OnceCell;
use url::Url;

use crate::answer::Answer;
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn, Zone};
use crate::filter::Criterion;
use crate::item::SiteItem;
use crate::list::Way;
use crate::options::SiteOptions;
use crate::protocol::{
    Ask, Change, Done, Found, ListFacts, ListProtocol, Needed, OpenList, Page, SiteFacts, Strategy,
};
use crate::rest::address;
use crate::transport::Transport;
use crate::user::SiteUserOrGroup;
use crate::wire::{Call, Effect, Outgoing, Wire};

const JSON: &str = "application/json";

/// A site that is spoken to in Microsoft Graph.
pub(crate) struct Graph {
    wire: Arc<Wire>,
    /// `https://graph.microsoft.com/v1.0`
    root: Url,
    /// How the caller addresses the site: `sites/contoso.sharepoint.com:/sites/it`.
    site: String,
    known: OnceCell<Known>,
    users: users::Users,
    beside: Option<beside::Beside>,
}

/// What Graph says of the site.
#[derive(Clone, Debug)]
struct Known {
    id: String,
    facts: SiteFacts,
}

impl Graph {
    /// `beside` is what it takes to reach the site over SharePoint REST as well.
    pub(crate) fn new(
        wire: Arc<Wire>,
        url: &Url,
        beside: Option<(SiteConnection, Arc<dyn Transport>, SiteOptions)>,
    ) -> Result<Self> {
        let (version, site) = parts(url)?;
        let mut root = url.clone();
        root.set_path(version);
        Ok(Self {
            wire,
            root,
            site: site.trim_end_matches([':', '/']).to_owned(),
            known: OnceCell::new(),
            users: users::Users::default(),
            beside: beside.map(|(connection, transport, options)| {
                beside::Beside::new(connection, transport, options)
            }),
        })
    }

    async fn known(&self, call: Call) -> Result<&Known> {
        self.known
            .get_or_try_init(|| async {
                let url = address::joined(&self.root, &self.site)?;
                let answer = self.get(call, url, ErrorKind::SiteNotFound).await?;
                let site = answer.json()?;
                let text = |name: &str| site.get(name).and_then(Value::as_str).map(str::to_owned);
                Ok(Known {
                    id: text("id").ok_or_else(|| answer.unexpected("names no id of the site"))?,
                    facts: SiteFacts {
                        title: text("displayName")
                            .or_else(|| text("name"))
                            .unwrap_or_default(),
                        web_url: text("webUrl"),
                    },
                })
            })
            .await
    }

    /// A path below the site, relative to the root, as batches want it.
    async fn path(&self, call: Call, tail: &str) -> Result<String> {
        let known = self.known(call).await?;
        Ok(format!("sites/{}/{tail}", address::in_query(&known.id)))
    }

    async fn url(&self, call: Call, tail: &str) -> Result<Url> {
        address::joined(&self.root, &self.path(call, tail).await?)
    }

    async fn get(&self, call: Call, url: Url, missing: ErrorKind) -> Result<Answer> {
        let outgoing = Outgoing::get(url).with("accept", JSON);
        self.wire.send(call, &outgoing).await?.success(missing)
    }

    /// All pages of a collection.
    async fn all(&self, call: Call, tail: &str, missing: ErrorKind) -> Result<Vec<Value>> {
        let mut next = Some(self.url(call, tail).await?);
        let mut values = Vec::new();
        while let Some(url) = next {
            let answer = self.get(call, url.clone(), missing).await?;
            let mut body = answer.json()?;
            match body.get_mut("value").map(Value::take) {
                Some(Value::Array(page)) => values.extend(page),
                _ => return Err(answer.unexpected("is no collection")),
            }
            next = body
                .get("@odata.nextLink")
                .and_then(Value::as_str)
                .and_then(|link| url.join(link).ok())
                .filter(|link| *link != url);
        }
        Ok(values)
    }

    async fn send(
        &self,
        call: Call,
        method: Method,
        url: Url,
        body: Option<&Value>,
        effect: Effect,
    ) -> Result<Answer> {
        let bytes = body
            .map(|body| Bytes::from(body.to_string()))
            .unwrap_or_default();
        let mut outgoing = Outgoing::new(method, url, bytes, effect).with("accept", JSON);
        if body.is_some() {
            outgoing = outgoing.with("content-type", JSON);
        }
        self.wire.send(call, &outgoing).await
    }

    /// SharePoint REST at the site's own address, where the caller allows it.
    async fn beside(&self, call: Call) -> Result<Option<&crate::rest::Rest>> {
        let Some(beside) = &self.beside else {
            return Ok(None);
        };
        let known = self.known(call).await?;
        beside.rest(known.facts.web_url.as_deref())
    }
}

/// The version and the site of an address of Microsoft Graph.
///
/// # Errors
/// It is the address of something else, such as the site's own.
pub(crate) fn parts(url: &Url) -> Result<(&str, &str)> {
    let path = url.path().trim_start_matches('/');
    let parts = path.split_once('/').filter(|(version, site)| {
        let is_site = site
            .strip_prefix("sites/")
            .is_some_and(|rest| !rest.is_empty());
        ["v1.0", "beta"].contains(version) && is_site
    });
    parts.ok_or_else(|| {
        SiteError::new(
            ErrorKind::InvalidConnection,
            format!("{url} is no site of Microsoft Graph: https://graph.microsoft.com/v1.0/sites/contoso.sharepoint.com:/sites/it."),
        )
        .with_field("Url")
    })
}

#[async_trait]
impl ListProtocol for Graph {
    async fn site(&self, call: Call) -> Result<SiteFacts> {
        Ok(self.known(call).await?.facts.clone())
    }

    async fn lists(&self, call: Call) -> Result<Vec<ListFacts>> {
        lists::all(self, call).await
    }

    async fn list(&self, call: Call, way: &Way) -> Result<Option<Found>> {
        lists::found(self, call, way).await
    }

    async fn columns(&self, call: Call, list: &ListFacts) -> Result<Vec<Column>> {
        columns::columns(self, call, list).await
    }

    async fn item(&self, call: Call, list: &OpenList, id: i64) -> Result<(SiteItem, Vec<String>)> {
        items::item(self, call, list, id).await
    }

    async fn page(&self, call: Call, list: &OpenList, ask: &Ask) -> Result<Page> {
        items::page(self, call, list, ask).await
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

    async fn write(&self, call: Call, list: &OpenList, changes: &[Change]) -> Vec<Result<Done>> {
        write::write(self, call, list, changes).await
    }

    async fn learn(&self, call: Call, needed: &Needed) -> Result<()> {
        let strangers = if needed.people.is_empty() {
            BTreeSet::new()
        } else {
            self.users.strangers(self, call, &needed.people).await?
        };
        if strangers.is_empty() && needed.dates.is_empty() {
            return Ok(());
        }
        let Some(rest) = self.beside(call).await? else {
            return Ok(());
        };
        let needed = Needed {
            people: strangers,
            dates: needed.dates.clone(),
        };
        rest.learn(call, &needed).await
    }

    async fn resolve(&self, call: Call, name: &str, is_group: Option<bool>) -> Result<Option<i64>> {
        let known = self.users.resolve(self, call, name, is_group).await?;
        if known.is_some() {
            return Ok(known);
        }
        // Graph cannot make somebody known to a site; the site itself can.
        match self.beside(call).await? {
            Some(rest) => rest.resolve(call, name, is_group).await,
            None => Ok(None),
        }
    }

    async fn people(&self, call: Call, ids: &BTreeSet<i64>) -> Result<Vec<SiteUserOrGroup>> {
        let ids: Vec<i64> = ids.iter().copied().collect();
        self.users.learn(self, call, &ids).await?;
        let known = ids.iter().filter_map(|id| self.users.known(*id));
        Ok(known.collect())
    }

    async fn midnight(&self, call: Call, date: Date) -> Result<Timestamp> {
        if let Some(rest) = self.beside(call).await? {
            return rest.midnight(call, date).await;
        }
        // Graph tells no time zone of a site.
        Zone::somewhere_on(date).ok_or_else(|| {
            SiteError::new(
                ErrorKind::InvalidValue,
                format!("{date} is no date that a list can hold."),
            )
        })
    }

    async fn create_column(&self, call: Call, list: &ListFacts, column: &NewColumn) -> Result<()> {
        columns::create(self, call, list, column).await
    }

    async fn etag(&self, call: Call, list: &OpenList, id: i64) -> Result<Option<String>> {
        items::etag(self, call, list, id).await
    }
}
