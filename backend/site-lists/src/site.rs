//! A site that a connection was opened to: its protocol, the lists and columns that were looked
//! up, and the writes of one item at a time.
//!
//! Opened by `activities` or by a caller; `read` reads from it, `write` changes it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::HeaderValue;
use tokio::time::Instant;
use url::Url;

use crate::authentication;
use crate::connection::SiteConnection;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn, find};
use crate::graph::Graph;
use crate::list::SiteList;
use crate::options::{Protocol, SiteOptions};
use crate::protocol::{ListFacts, ListProtocol, OpenList, SiteFacts};
use crate::rest::Rest;
use crate::transport::Transport;
use crate::wire::{Call, Wire};

/// How long a list and its columns are taken to be as they were.
const REMEMBERED: Duration = Duration::from_secs(300);

/// Hosts of Microsoft Graph.
const GRAPH_HOSTS: [&str; 5] = [
    "graph.microsoft.com",
    "graph.microsoft.us",
    "dod-graph.microsoft.us",
    "graph.microsoft.de",
    "microsoftgraph.chinacloudapi.cn",
];

/// An open site. Cheap to clone; clones share sign-in, gate and what is known of lists.
///
/// ```no_run
/// use std::sync::Arc;
/// use site_lists::{AuthenticationType, Direct, Site, SiteConnection, SiteList, SiteOptions};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let connection = SiteConnection::new("https://intranet.example/sites/it", AuthenticationType::Anonymous);
/// let site = Site::open(&connection, Arc::new(Direct::new()?), SiteOptions::default())?;
/// for column in site.columns(&SiteList::from("Computers")).await? {
///     println!("{} ({})", column.internal_name, column.display_name);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Site(pub(crate) Arc<Inner>);

/// A list and when it was looked up.
type Remembered = (Arc<OpenList>, Instant);
/// A list's id and an item's.
type ItemKey = (String, i64);
/// Held by whoever writes an item.
pub(crate) type Turn = Arc<tokio::sync::Mutex<()>>;

pub(crate) struct Inner {
    pub(crate) protocol: Box<dyn ListProtocol>,
    pub(crate) wire: Arc<Wire>,
    spoken: Protocol,
    url: Url,
    lists: Mutex<HashMap<SiteList, Remembered>>,
    writing: Mutex<HashMap<ItemKey, Turn>>,
}

impl Site {
    /// Opens a site. Nothing is sent yet: a wrong password shows with the first request.
    ///
    /// # Errors
    /// The connection's data cannot be used.
    pub fn open(
        connection: &SiteConnection,
        transport: Arc<dyn Transport>,
        options: SiteOptions,
    ) -> Result<Self> {
        let url = site_url(&connection.url)?;
        let spoken = spoken(&url, options.protocol);
        let user_agent = HeaderValue::from_str(&options.user_agent).map_err(|_| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                "The client's name holds characters that no header can carry.",
            )
        })?;
        let wire = Arc::new(Wire::new(
            Arc::clone(&transport),
            authentication::sign_in(connection, &url, &options)?,
            connection.attempt()?,
            options.answer_bytes,
            user_agent,
            url.origin(),
        ));
        let protocol: Box<dyn ListProtocol> = if spoken == Protocol::Graph {
            let beside = options
                .rest_beside_graph
                .then(|| (connection.clone(), transport, options));
            Box::new(Graph::new(Arc::clone(&wire), &url, beside)?)
        } else {
            Box::new(Rest::new(Arc::clone(&wire), url.clone()))
        };
        Ok(Self(Arc::new(Inner {
            protocol,
            wire,
            spoken,
            url,
            lists: Mutex::default(),
            writing: Mutex::default(),
        })))
    }

    /// The protocol that the site is spoken to in.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.0.spoken
    }

    /// The site's address, as it is asked.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0.url
    }

    /// Asks the site for itself: signs in, and shows that it is there.
    ///
    /// # Errors
    /// Nobody answers, or the credentials are refused.
    pub async fn facts(&self) -> Result<SiteFacts> {
        self.0.protocol.site(self.0.wire.call()).await
    }

    /// Looks a list up.
    ///
    /// # Errors
    /// There is none of that name.
    pub async fn list(&self, list: &SiteList) -> Result<ListFacts> {
        Ok(self.opened(self.0.wire.call(), list).await?.facts.clone())
    }

    /// The columns of a list, those included that this crate can neither read nor write.
    ///
    /// # Errors
    /// There is no list of that name.
    pub async fn columns(&self, list: &SiteList) -> Result<Vec<Column>> {
        Ok(self.opened(self.0.wire.call(), list).await?.columns.clone())
    }

    /// Makes a column, unless the list has one of that internal name already; gives back the
    /// column there is.
    ///
    /// # Errors
    /// It cannot be made: of another type than the five that can, or without the right to.
    pub async fn ensure_column(&self, list: &SiteList, column: &NewColumn) -> Result<Column> {
        let call = self.0.wire.call();
        let same = |open: &OpenList| {
            open.columns
                .iter()
                .find(|known| known.internal_name == column.internal_name)
                .cloned()
        };
        let open = self.opened(call, list).await?;
        if let Some(known) = same(&open) {
            return Ok(known);
        }
        valid_name(&column.internal_name)?;
        let made = self
            .0
            .protocol
            .create_column(call, &open.facts, column)
            .await;
        self.forget(list);
        let found = same(&*self.opened(call, list).await?);
        match (found, made) {
            // Made, by this call, by one whose answer was lost, or by somebody else meanwhile.
            (Some(column), _) => Ok(column),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Err(SiteError::new(
                ErrorKind::UnexpectedAnswer,
                format!(
                    "The site made the column {}, and does not show it.",
                    column.internal_name
                ),
            )),
        }
    }

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

    /// A list with its columns, looked up and remembered for a while.
    pub(crate) async fn opened(&self, call: Call, list: &SiteList) -> Result<Arc<OpenList>> {
        if let Some(known) = self.remembered(list) {
            return Ok(known);
        }
        for way in list.ways() {
            if let Some(found) = self.0.protocol.list(call, &way).await? {
                let item_count = found.item_count;
                let facts = found.facts;
                let columns = match found.columns {
                    Some(columns) => columns,
                    None => self.0.protocol.columns(call, &facts).await?,
                };
                let open = Arc::new(OpenList {
                    facts,
                    columns,
                    item_count,
                });
                self.0
                    .lists
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(list.clone(), (Arc::clone(&open), Instant::now()));
                return Ok(open);
            }
        }
        Err(SiteError::new(
            ErrorKind::ListNotFound,
            format!("The site has no list {:?}.", list.to_string()),
        )
        .with_hint("Check the title of the list, and that the account may see it."))
    }

    /// The right to write an item: one at a time, so that two writes of one caller never meet.
    pub(crate) fn turn(&self, list: &OpenList, id: i64) -> Turn {
        let mut writing = self
            .0
            .writing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if writing.len() > 1_000 {
            writing.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        Arc::clone(writing.entry((list.facts.id.clone(), id)).or_default())
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Site")
            .field("url", &self.0.url.as_str())
            .field("protocol", &self.0.spoken)
            .finish_non_exhaustive()
    }
}

/// The base URL of a site, as people paste it.
fn site_url(text: &str) -> Result<Url> {
    let unfit = |why: String| SiteError::new(ErrorKind::InvalidConnection, why).with_field("Url");
    let mut url =
        Url::parse(text.trim()).map_err(|error| unfit(format!("{text:?} is no URL: {error}.")))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(unfit(format!(
            "A site is reached by http or https, not by {}.",
            url.scheme()
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(unfit(
            "A URL must not hold a user name or a password; they have properties of their own."
                .to_owned(),
        ));
    }
    url.set_query(None);
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let lower = path.to_ascii_lowercase();
    let cut = ["/_api", "/_layouts", "/_vti_bin", "/sitepages/", "/lists/"]
        .iter()
        .filter_map(|mark| lower.find(mark))
        .min();
    let path = cut.map_or(path, |at| &path[..at]).to_owned();
    url.set_path(&path);
    Ok(url)
}

fn spoken(url: &Url, wanted: Protocol) -> Protocol {
    if wanted != Protocol::Auto {
        return wanted;
    }
    let is_graph = url
        .host_str()
        .is_some_and(|host| GRAPH_HOSTS.contains(&host));
    if is_graph || url.path().starts_with("/v1.0/") {
        Protocol::Graph
    } else {
        Protocol::Rest
    }
}

fn valid_name(name: &str) -> Result<()> {
    let mut characters = name.chars();
    let first = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic());
    if first
        && characters.all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
        && name.len() <= 32
    {
        return Ok(());
    }
    Err(SiteError::new(ErrorKind::InvalidValue, format!("{name:?} is no internal name: it begins with a letter and has up to 32 letters, digits and underscores."))
        .with_field(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_page_leads_to_its_site() {
        for text in [
            "https://a.example/sites/it",
            "https://a.example/sites/it/",
            "https://a.example/sites/it/_api/web?x=y",
            "https://a.example/sites/it/SitePages/Home.aspx",
            "https://a.example/sites/it/Lists/Computers/AllItems.aspx#top",
        ] {
            assert_eq!(
                site_url(text).expect(text).as_str(),
                "https://a.example/sites/it"
            );
        }
        for text in [
            "",
            "sites/it",
            "ftp://a.example/",
            "https://ada:secret@a.example/",
            "https://",
        ] {
            assert_eq!(
                site_url(text).expect_err(text).kind(),
                ErrorKind::InvalidConnection
            );
        }
    }

    #[test]
    fn graph_is_told_by_its_host_or_its_path() {
        let auto = |text: &str| spoken(&Url::parse(text).expect("a URL"), Protocol::Auto);
        assert_eq!(
            auto("https://graph.microsoft.com/v1.0/sites/x"),
            Protocol::Graph
        );
        assert_eq!(auto("https://localhost:8443/v1.0/sites/x"), Protocol::Graph);
        assert_eq!(
            auto("https://contoso.sharepoint.com/sites/it"),
            Protocol::Rest
        );
        assert_eq!(
            spoken(
                &Url::parse("https://x/v1.0/").expect("a URL"),
                Protocol::Rest
            ),
            Protocol::Rest
        );
    }

    #[test]
    fn internal_names_are_plain() {
        assert!(valid_name("SyncKey").is_ok());
        for name in [
            "",
            "1st",
            "With Space",
            "a-b",
            "Ä",
            &"x".repeat(33),
            "x\" Hidden=\"FALSE",
        ] {
            assert!(valid_name(name).is_err(), "{name}");
        }
    }
}
