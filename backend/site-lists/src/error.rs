//! The error of everything that asks a site: a kind to decide by, what the site said (status, code,
//! request id), and a hint for the person who has to do something about it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The result of everything that asks a site.
pub type Result<T> = std::result::Result<T, SiteError>;

/// What went wrong, for code that has to decide what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The connection's own data cannot be used: no URL, a method without its password.
    InvalidConnection,
    /// The site does not take the credentials. Tried once, never repeated.
    SignInRefused,
    /// The site answers anybody and knows the caller as nobody. Nothing was written.
    NotSignedIn,
    /// The site takes the caller for somebody else than the connection names. Nothing was written.
    OtherUser,
    /// A person has to sign in again before the connection works.
    NeedsSignIn,
    /// Signed in, and not allowed to do this.
    Forbidden,
    /// No such site at this URL.
    SiteNotFound,
    /// The site has no such list.
    ListNotFound,
    /// The list has no such item (any more).
    ItemNotFound,
    /// The list has no such column.
    FieldNotFound,
    /// More than one column goes by that name.
    AmbiguousField,
    /// Columns of this type cannot be written.
    UnsupportedFieldType,
    /// A value does not fit its column.
    InvalidValue,
    /// Users or groups that the site does not know.
    UnknownUser,
    /// The item was changed by somebody else since it was read.
    Conflict,
    /// Another item already holds a value that has to be unique.
    Duplicate,
    /// More rows than the site is willing to search without an index.
    ListViewThreshold,
    /// More look-up columns than the site is willing to join.
    LookupThreshold,
    /// The site does not take this query.
    QueryRefused,
    /// The site does not take the request, for a reason of its own.
    Rejected,
    /// The site has an error of its own, and does not say what is wrong with the request.
    Failed,
    /// The site asks to be left alone for longer than the call may last.
    Throttled,
    /// There was no response in time, and nothing was changed.
    TimedOut,
    /// Nobody answers there.
    Unreachable,
    /// The address may not be asked.
    AddressRefused,
    /// The request went out and its response was lost: it may or may not have been carried out.
    OutcomeUnknown,
    /// The response is none that the protocol knows.
    UnexpectedResponse,
    /// The protocol or this build cannot do it.
    NotSupported,
}

/// Why a call to a site failed.
///
/// ```
/// use site_lists::{ErrorKind, SiteError};
///
/// let error = SiteError::new(ErrorKind::ListNotFound, "There is no list \"Computers\".")
///     .with_status(404)
///     .with_hint("Look at the title of the list on the site.");
/// assert_eq!(error.kind(), ErrorKind::ListNotFound);
/// assert_eq!(error.status(), Some(404));
/// assert!(error.to_string().contains("Computers"));
/// ```
#[derive(Clone)]
pub struct SiteError(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    status: Option<u16>,
    service_code: Option<String>,
    request_id: Option<String>,
    hint: Option<String>,
    retry_after: Option<Duration>,
    field: Option<String>,
    names: Vec<String>,
    etag: Option<String>,
    has_no_connection: bool,
}

impl SiteError {
    /// An error of a kind, with a sentence for a person.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            message: message.into(),
            status: None,
            service_code: None,
            request_id: None,
            hint: None,
            retry_after: None,
            field: None,
            names: Vec::new(),
            etag: None,
            has_no_connection: false,
        }))
    }

    /// The same error with the HTTP status of the site's response.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// The same error with the code that the site gives it.
    #[must_use]
    pub fn with_service_code(mut self, code: impl Into<String>) -> Self {
        self.0.service_code = Some(code.into());
        self
    }

    /// The same error with the id under which the site's operators find the request.
    #[must_use]
    pub fn with_request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = Some(id.into());
        self
    }

    /// The same error with what a person can do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same error with the time after which it makes sense to ask again.
    #[must_use]
    pub fn with_retry_after(mut self, time: Duration) -> Self {
        self.0.retry_after = Some(time);
        self
    }

    /// The same error with the field it is about.
    #[must_use]
    pub fn with_field(mut self, name: impl Into<String>) -> Self {
        self.0.field = Some(name.into());
        self
    }

    /// The same error with the names it is about: users, columns that go by one name.
    #[must_use]
    pub fn with_names(mut self, names: Vec<String>) -> Self {
        self.0.names = names;
        self
    }

    /// The same error with the version that the item has now.
    #[must_use]
    pub fn with_current_etag(mut self, etag: impl Into<String>) -> Self {
        self.0.etag = Some(etag.into());
        self
    }

    /// The same error, of a request for which no connection came about.
    #[must_use]
    pub fn with_no_connection(mut self) -> Self {
        self.0.has_no_connection = true;
        self
    }

    pub(crate) fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The HTTP status of the site's response, where there was one.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// Whether the site is away, and may come back by itself: no connection comes about, it does
    /// not answer in time, it asks to be left alone, or a gateway answers in its place.
    ///
    /// ```
    /// use site_lists::{ErrorKind, SiteError};
    ///
    /// assert!(SiteError::new(ErrorKind::Rejected, "Bad gateway.").with_status(502).is_site_away());
    /// assert!(!SiteError::new(ErrorKind::Forbidden, "No.").with_status(403).is_site_away());
    /// ```
    #[must_use]
    pub fn is_site_away(&self) -> bool {
        self.0.has_no_connection
            || matches!(self.kind(), ErrorKind::Throttled | ErrorKind::TimedOut)
            || matches!(self.status(), Some(408 | 502..=504))
    }

    /// The code that the site gives the error, e.g. `-2147024860,
    /// Microsoft.SharePoint.SPQueryThrottledException` or `itemNotFound`.
    #[must_use]
    pub fn service_code(&self) -> Option<&str> {
        self.0.service_code.as_deref()
    }

    /// The id under which the site's operators find the request.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The time after which it makes sense to ask again.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The field it is about, as the caller named it.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }

    /// The names it is about: every user that could not be resolved, every column that goes by
    /// an ambiguous name.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0.names
    }

    /// After a conflict: the version that the item has now.
    #[must_use]
    pub fn current_etag(&self) -> Option<&str> {
        self.0.etag.as_deref()
    }

    /// The number at the beginning of the site's code: `-2147024860`.
    pub(crate) fn service_number(&self) -> Option<i64> {
        let code = self.service_code()?;
        code.split(',').next()?.trim().parse().ok()
    }
}

impl fmt::Display for SiteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.message)
    }
}

impl fmt::Debug for SiteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl std::error::Error for SiteError {}
