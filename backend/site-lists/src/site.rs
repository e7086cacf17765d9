//! A site that a connection was opened to: its protocol, the lists and columns that were looked
//! up, and the writes of one item at a time.
//!
//! Opened by `activities` or by a caller; `read` reads from it, `write` changes it.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use http::HeaderValue;
use url::Url;

use crate::authentication::{self, ExpectedUser};
use crate::client::{Deadline, SiteClient};
use crate::connection::SiteConnection;
use crate::current_user::{CurrentUser, SignInCheck};
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, NewColumn};
use crate::graph::GraphSession;
use crate::list::SiteList;
use crate::list_cache::ListCache;
use crate::mutex::lock;
use crate::options::{Protocol, SiteOptions};
use crate::protocol::{ListInfo, ListPermissions, ListProtocol, ListSchema, SiteInfo};
use crate::rest::RestSession;
use crate::site_url::{parse_site_url, resolve_protocol};
use crate::transport::Transport;

/// An open site. Cheap to clone; clones share sign-in, rate limiter and what is known of lists.
///
/// ```no_run
/// use std::sync::Arc;
/// use site_lists::{AuthenticationType, DirectTransport, Site, SiteConnection, SiteList, SiteOptions};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let connection = SiteConnection::new("https://intranet.example/sites/it", AuthenticationType::Anonymous);
/// let site = Site::open(&connection, Arc::new(DirectTransport::new()?), SiteOptions::default())?;
/// for column in site.columns(&SiteList::from("Computers")).await? {
///     println!("{} ({})", column.internal_name, column.display_name);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Site(pub(crate) Arc<SiteState>);

/// A list's id and an item's.
type ItemKey = (String, i64);
/// The lock of one item, for writes.
pub(crate) type ItemLock = Arc<tokio::sync::Mutex<()>>;

pub(crate) struct SiteState {
    pub(crate) protocol: Box<dyn ListProtocol>,
    pub(crate) client: Arc<SiteClient>,
    protocol_kind: Protocol,
    url: Url,
    pub(crate) lists: ListCache,
    item_locks: Mutex<HashMap<ItemKey, ItemLock>>,
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
        let url = parse_site_url(&connection.url)?;
        let protocol_kind = resolve_protocol(&url, options.protocol);
        let user_agent = HeaderValue::from_str(&options.user_agent).map_err(|_| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                "The client's name holds characters that no header can carry.",
            )
        })?;
        let question = match authentication::expected_user(connection, &options) {
            ExpectedUser::Anonymous => None,
            ExpectedUser::User(account) if protocol_kind == Protocol::Graph => {
                Some(SignInCheck::for_graph(&url, account)?)
            }
            ExpectedUser::User(account) => Some(SignInCheck::for_rest(&url, account)?),
        };
        let client = Arc::new(SiteClient::new(
            Arc::clone(&transport),
            authentication::authenticator_for(connection, &url, &options)?,
            connection.attempt_timeout()?,
            options.max_response_bytes,
            user_agent,
            url.origin(),
            question,
        ));
        let protocol: Box<dyn ListProtocol> = if protocol_kind == Protocol::Graph {
            let beside = options
                .uses_rest_fallback
                .then(|| (connection.clone(), transport, options));
            Box::new(GraphSession::new(Arc::clone(&client), &url, beside)?)
        } else {
            Box::new(RestSession::new(Arc::clone(&client), url.clone()))
        };
        Ok(Self(Arc::new(SiteState {
            protocol,
            client,
            protocol_kind,
            url,
            lists: ListCache::default(),
            item_locks: Mutex::default(),
        })))
    }

    /// Whether an address can be the one of a site that is spoken to in a protocol, without
    /// asking it.
    ///
    /// ```
    /// use site_lists::{Protocol, Site};
    ///
    /// let own = "https://contoso.sharepoint.com/sites/it";
    /// assert!(Site::check_address(own, Protocol::Rest).is_ok());
    /// assert!(Site::check_address(own, Protocol::Graph).is_err());
    /// ```
    ///
    /// # Errors
    /// It cannot, and why.
    pub fn check_address(url: &str, protocol: Protocol) -> Result<()> {
        let url = parse_site_url(url)?;
        if resolve_protocol(&url, protocol) == Protocol::Graph {
            crate::graph::parse_address(&url)?;
        }
        Ok(())
    }

    /// The protocol that the site is spoken to in.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.0.protocol_kind
    }

    /// The site's URL.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0.url
    }

    /// For how long no request is sent, because the site throttles; `None` where
    /// requests may go.
    #[must_use]
    pub fn throttled_for(&self) -> Option<std::time::Duration> {
        self.0.client.backoff_left()
    }

    /// Who is signed in, as the site says it: `None` where nobody signs in (`Anonymous`). Asked
    /// before anything else is, once for all callers, and again after ten minutes.
    ///
    /// # Errors
    /// The credentials are refused; [`ErrorKind::NotSignedIn`] where the site has let the caller
    /// in as nobody; [`ErrorKind::OtherUser`] where it takes the caller for somebody else than the
    /// connection names.
    pub async fn current_user(&self) -> Result<Option<CurrentUser>> {
        self.0
            .client
            .current_user(self.0.client.new_deadline())
            .await
    }

    /// The same, checked now instead of cached: whether the sign-in is still valid.
    ///
    /// # Errors
    /// As for [`Site::current_user`].
    pub async fn refresh_current_user(&self) -> Result<Option<CurrentUser>> {
        self.0.client.forget_current_user();
        self.current_user().await
    }

    /// Whether the site has refused the credentials. They are not tried again.
    #[must_use]
    pub fn has_refused_credentials(&self) -> bool {
        self.0.client.is_refused()
    }

    /// Asks the site for itself: signs in, and shows that it is there.
    ///
    /// # Errors
    /// Nobody answers, or the credentials are refused.
    pub async fn info(&self) -> Result<SiteInfo> {
        self.0.protocol.site(self.0.client.new_deadline()).await
    }

    /// The lists that people keep items in, by title: what an export can be sent to. Hidden lists,
    /// libraries and calendars are left out.
    ///
    /// # Errors
    /// The site fails.
    pub async fn lists(&self) -> Result<Vec<ListInfo>> {
        let mut lists = self.0.protocol.lists(self.0.client.new_deadline()).await?;
        lists.sort_by_cached_key(|list| (list.title.to_lowercase(), list.id.clone()));
        Ok(lists)
    }

    /// Looks a list up.
    ///
    /// # Errors
    /// There is none of that name.
    pub async fn list(&self, list: &SiteList) -> Result<ListInfo> {
        Ok(self
            .load_list(self.0.client.new_deadline(), list)
            .await?
            .info
            .clone())
    }

    /// What the connection's user may do with a list; `None` where the protocol does not say, as
    /// Graph does not.
    ///
    /// # Errors
    /// There is no list of that name.
    pub async fn permissions(&self, list: &SiteList) -> Result<Option<ListPermissions>> {
        let deadline = self.0.client.new_deadline();
        let info = self.load_list(deadline, list).await?.info.clone();
        self.0.protocol.permissions(deadline, &info).await
    }

    /// The columns of a list, those included that this crate can neither read nor write.
    ///
    /// # Errors
    /// There is no list of that name.
    pub async fn columns(&self, list: &SiteList) -> Result<Vec<Column>> {
        Ok(self
            .load_list(self.0.client.new_deadline(), list)
            .await?
            .columns
            .clone())
    }

    /// Makes a column, unless the list has one of that internal name already; gives back the
    /// column there is.
    ///
    /// # Errors
    /// It cannot be made: of another type than the five that can, or without the right to.
    pub async fn ensure_column(&self, list: &SiteList, column: &NewColumn) -> Result<Column> {
        let deadline = self.0.client.new_deadline();
        let same = |open: &ListSchema| {
            open.columns
                .iter()
                .find(|known| known.internal_name == column.internal_name)
                .cloned()
        };
        let open = self.load_list(deadline, list).await?;
        if let Some(known) = same(&open) {
            return Ok(known);
        }
        check_internal_name(&column.internal_name)?;
        let made = self
            .0
            .protocol
            .create_column(deadline, &open.info, column)
            .await;
        self.forget(list);
        let found = same(&*self.load_list(deadline, list).await?);
        match (found, made) {
            // Made, by this call, by one whose answer was lost, or by somebody else meanwhile.
            (Some(column), _) => Ok(column),
            (None, Err(error)) => Err(error),
            (None, Ok(())) => Err(SiteError::new(
                ErrorKind::UnexpectedResponse,
                format!(
                    "The site made the column {}, and does not show it.",
                    column.internal_name
                ),
            )),
        }
    }

    /// Removes a list from the cache, e.g. after its columns were changed.
    pub fn forget(&self, list: &SiteList) {
        self.0.lists.remove(list);
    }

    /// A list with its columns, from the cache or from the site.
    pub(crate) async fn load_list(
        &self,
        deadline: Deadline,
        list: &SiteList,
    ) -> Result<Arc<ListSchema>> {
        self.0.lists.load(&*self.0.protocol, deadline, list).await
    }

    /// The same, with all of these fields as far as the list has them.
    pub(crate) async fn load_list_with(
        &self,
        deadline: Deadline,
        list: &SiteList,
        names: &[&str],
    ) -> Result<Arc<ListSchema>> {
        let protocol = &*self.0.protocol;
        self.0
            .lists
            .load_with(protocol, deadline, list, names)
            .await
    }

    /// The right to write an item: one at a time, so that two writes of one caller never meet.
    pub(crate) fn item_lock(&self, list: &ListSchema, id: i64) -> ItemLock {
        let mut item_locks = lock(&self.0.item_locks);
        if item_locks.len() > 1_000 {
            item_locks.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        Arc::clone(item_locks.entry((list.info.id.clone(), id)).or_default())
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Site")
            .field("url", &self.0.url.as_str())
            .field("protocol", &self.0.protocol_kind)
            .finish_non_exhaustive()
    }
}

fn check_internal_name(name: &str) -> Result<()> {
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
    fn internal_names_are_plain() {
        assert!(check_internal_name("SyncKey").is_ok());
        for name in [
            "",
            "1st",
            "With Space",
            "a-b",
            "Ä",
            &"x".repeat(33),
            "x\" Hidden=\"FALSE",
        ] {
            assert!(check_internal_name(name).is_err(), "{name}");
        }
    }
}
