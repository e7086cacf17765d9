//! Sends requests to one site: rate-limited, signed in, each attempt within a timeout, and retried
//! where that is safe.
//!
//! Invariants: nothing is sent before the site has confirmed who is signed in (checked once for all
//! callers and again after ten minutes). Idempotent requests are retried after a connection error,
//! others only where the site did not carry them out; where that is unclear the error is
//! `OutcomeUnknown`.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;
use url::Url;

use crate::authentication::authenticator::{AfterSignIn, Authenticator, SendError, Sender};
use crate::current_user::{CurrentUser, SignInCheck, not_signed_in};
use crate::error::{ErrorKind, Result, SiteError};
use crate::mutex::lock;
use crate::random;
use crate::rate_limiter::{self, Backoff, RateLimiter};
use crate::response::SiteResponse;
use crate::transport::{Limits, Request, Transport, TransportError};

/// A whole call may take this many times the timeout of one attempt.
const ATTEMPTS_PER_CALL: u32 = 4;
/// How often an idempotent request is retried after a connection or gateway error.
const MAX_RETRIES: u32 = 3;
/// How long the signed-in user is not checked again.
const USER_TIME_TO_LIVE: Duration = Duration::from_secs(600);

/// When one call of an activity has to be finished, its retries and waits included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    at: Instant,
}

impl Deadline {
    /// Whether there is time left after a backoff.
    pub(crate) fn allows(&self, backoff: Duration) -> bool {
        backoff < self.remaining()
    }

    fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// Whether a request may be sent twice (RFC 9110, 9.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idempotency {
    /// A read, or a write that sets the same state again.
    Idempotent,
    /// A second one might make a second item, or overwrite somebody else's change.
    NonIdempotent,
}

/// A request before it is authenticated.
#[derive(Clone, Debug)]
pub(crate) struct SiteRequest {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) idempotency: Idempotency,
    /// Whether another request has to sign the connection in first.
    pub(crate) signs_in_before: bool,
}

impl SiteRequest {
    pub(crate) fn get(url: Url) -> Self {
        Self::new(Method::GET, url, Bytes::new(), Idempotency::Idempotent)
    }

    pub(crate) fn new(method: Method, url: Url, body: Bytes, idempotency: Idempotency) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body,
            idempotency,
            signs_in_before: false,
        }
    }

    /// With a header; a value that no header can carry is left out.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }
}

/// Sends requests to one site.
pub(crate) struct SiteClient {
    transport: Arc<dyn Transport>,
    authenticator: Arc<dyn Authenticator>,
    rate_limiter: RateLimiter,
    attempt_timeout: Duration,
    max_response_bytes: usize,
    user_agent: HeaderValue,
    origin: url::Origin,
    /// `None` where nobody signs in.
    sign_in_check: Option<SignInCheck>,
    cached_user: Mutex<Option<(CurrentUser, Instant)>>,
    pending: Mutex<Option<PendingSignIn>>,
}

/// The sign-in check in flight, whose result all callers wait for.
type PendingSignIn = Shared<BoxFuture<'static, Result<CurrentUser>>>;

/// Removes the check in flight, however it ends, so that the next caller starts another.
struct PendingGuard(Arc<SiteClient>);

impl Drop for PendingGuard {
    fn drop(&mut self) {
        *lock(&self.0.pending) = None;
    }
}

impl SiteClient {
    pub(crate) fn new(
        transport: Arc<dyn Transport>,
        authenticator: Arc<dyn Authenticator>,
        attempt_timeout: Duration,
        max_response_bytes: usize,
        user_agent: HeaderValue,
        origin: url::Origin,
        sign_in_check: Option<SignInCheck>,
    ) -> Self {
        Self {
            transport,
            authenticator,
            rate_limiter: RateLimiter::default(),
            attempt_timeout,
            max_response_bytes,
            user_agent,
            origin,
            sign_in_check,
            cached_user: Mutex::default(),
            pending: Mutex::default(),
        }
    }

    /// The deadline of a call that starts now.
    pub(crate) fn new_deadline(&self) -> Deadline {
        Deadline {
            at: Instant::now() + self.attempt_timeout * ATTEMPTS_PER_CALL,
        }
    }

    /// For how long no request is sent, because the site throttles.
    pub(crate) fn backoff_left(&self) -> Option<Duration> {
        self.rate_limiter.backoff_left()
    }

    /// Backs off because a part of a batch was throttled: for all callers of the connection, that
    /// batch included.
    ///
    /// # Errors
    /// The batch has no time left after that.
    pub(crate) fn back_off(&self, deadline: Deadline, backoff: Backoff) -> Result<()> {
        self.rate_limiter.back_off(backoff);
        if deadline.allows(backoff.delay) {
            Ok(())
        } else {
            Err(rate_limit_error(backoff.requested))
        }
    }

    /// Whether writes need a form digest besides the sign-in.
    pub(crate) fn needs_digest(&self) -> bool {
        self.authenticator.needs_digest()
    }

    /// Whether the site has refused the credentials for good.
    pub(crate) fn is_refused(&self) -> bool {
        self.authenticator.is_refused()
    }

    /// The signed-in user, checked where that is not cached; `None` for anonymous connections.
    pub(crate) async fn current_user(
        self: &Arc<Self>,
        deadline: Deadline,
    ) -> Result<Option<CurrentUser>> {
        if self.sign_in_check.is_none() {
            return Ok(None);
        }
        if let Some(cached) = self.cached_user() {
            return Ok(Some(cached));
        }
        // The check in flight goes on without this caller.
        match timeout(deadline.remaining(), self.pending_sign_in()).await {
            Ok(response) => response.map(Some),
            Err(_) => Err(timeout_error(self.attempt_timeout * ATTEMPTS_PER_CALL)),
        }
    }

    fn cached_user(&self) -> Option<CurrentUser> {
        let cached = lock(&self.cached_user);
        let (user, since) = cached.as_ref()?;
        (since.elapsed() < USER_TIME_TO_LIVE).then(|| user.clone())
    }

    /// The next request checks the sign-in again.
    pub(crate) fn forget_current_user(&self) {
        let mut cached = lock(&self.cached_user);
        *cached = None;
    }

    fn cache_user(&self, user: CurrentUser) {
        let mut cached = lock(&self.cached_user);
        *cached = Some((user, Instant::now()));
    }

    /// The check in flight, or a new one. It runs in a task of its own: a caller that is cancelled
    /// must not cause a password to be sent twice.
    fn pending_sign_in(self: &Arc<Self>) -> PendingSignIn {
        let mut pending = lock(&self.pending);
        if let Some(pending) = pending.as_ref() {
            return pending.clone();
        }
        let client = Arc::clone(self);
        let task = async move {
            let guard = PendingGuard(Arc::clone(&client));
            let response = client.fetch_current_user().await;
            drop(guard);
            response
        };
        let task = tokio::spawn(task.in_current_span());
        let response = async {
            let panicked = |_| {
                SiteError::new(
                    ErrorKind::UnexpectedResponse,
                    "Asking who is signed in failed.",
                )
            };
            task.await.map_err(panicked)?
        };
        let response = response.boxed().shared();
        *pending = Some(response.clone());
        response
    }

    async fn fetch_current_user(&self) -> Result<CurrentUser> {
        let Some(sign_in_check) = &self.sign_in_check else {
            return Ok(CurrentUser::default());
        };
        let deadline = self.new_deadline();
        let mut request =
            SiteRequest::get(sign_in_check.user_url().clone()).with("accept", NO_METADATA);
        request.signs_in_before = true;
        let response = self.send_unchecked(deadline, &request).await?;
        let user = match sign_in_check.verify(&response)? {
            Some(user) => user,
            None if self.is_open_to_anybody(deadline, sign_in_check).await? => {
                return Err(not_signed_in(
                    "The site does not tell who is signed in, and answers callers without credentials as well.",
                ));
            }
            None => CurrentUser::default(),
        };
        tracing::debug!(is_told = user.login.is_some(), "signed in to the site");
        self.cache_user(user.clone());
        Ok(user)
    }

    /// Whether the site accepts requests without credentials.
    async fn is_open_to_anybody(
        &self,
        deadline: Deadline,
        sign_in_check: &SignInCheck,
    ) -> Result<bool> {
        let request =
            SiteRequest::get(sign_in_check.site_url().clone()).with("accept", NO_METADATA);
        let (http_request, limits) = self
            .build_request(deadline, &request)
            .map_err(|failed| failed.error)?;
        let response = self.transport.send(http_request, limits).await;
        let response = response
            .map_err(|error| AttemptError::from_transport(&error, self.attempt_timeout).error)?;
        Ok(response.status().is_success())
    }

    /// Takes the response to a sign-in check that was sent within a batch. Whether the user is known
    /// now.
    ///
    /// # Errors
    /// Nobody is signed in, or somebody else.
    pub(crate) fn take_sign_in_response(&self, response: &SiteResponse) -> Result<bool> {
        let Some(sign_in_check) = &self.sign_in_check else {
            return Ok(true);
        };
        let user = sign_in_check.verify(response)?;
        let is_known = user.is_some();
        if let Some(user) = user {
            self.cache_user(user);
        }
        Ok(is_known)
    }

    /// Whether the next request has to check the sign-in first.
    pub(crate) fn needs_sign_in_check(&self) -> bool {
        self.sign_in_check.is_some() && self.cached_user().is_none()
    }

    /// Sends a request after the sign-in check and returns the response, whatever its status, except
    /// that throttling is waited out.
    pub(crate) async fn send(
        self: &Arc<Self>,
        deadline: Deadline,
        request: &SiteRequest,
    ) -> Result<SiteResponse> {
        self.current_user(deadline).await?;
        self.send_unchecked(deadline, request).await
    }

    /// Reads an address in the format that `accept` names; a 404 is an error of the kind `missing`.
    pub(crate) async fn get(
        self: &Arc<Self>,
        deadline: Deadline,
        url: Url,
        accept: &str,
        missing: ErrorKind,
    ) -> Result<SiteResponse> {
        let request = SiteRequest::get(url).with("accept", accept);
        self.send(deadline, &request)
            .await?
            .error_for_status(missing)
    }

    /// Sends a request without the sign-in check, for the check itself.
    pub(crate) async fn send_unchecked(
        &self,
        deadline: Deadline,
        request: &SiteRequest,
    ) -> Result<SiteResponse> {
        if request.url.origin() != self.origin {
            // A link in a response that leads elsewhere must not take the credentials along.
            return Err(SiteError::new(
                ErrorKind::AddressRefused,
                format!(
                    "The site's answer leads to {}, which is another origin.",
                    request.url.origin().ascii_serialization()
                ),
            ));
        }
        let mut throttled = 0;
        let mut retries = 0;
        loop {
            self.rate_limiter
                .wait_for_turn(deadline.at)
                .await
                .map_err(|time| rate_limit_error(time).with_hint("Repeat the call later."))?;
            match self.attempt(deadline, request).await {
                Ok(response) => {
                    self.rate_limiter.update_pace(&response.headers);
                    if response.is_throttled() {
                        let backoff = rate_limiter::backoff(&response.headers, throttled);
                        throttled += 1;
                        self.rate_limiter.back_off(backoff);
                        if !deadline.allows(backoff.delay) {
                            return Err(response
                                .to_error(ErrorKind::Throttled)
                                .of_kind(ErrorKind::Throttled)
                                .with_retry_after(backoff.requested));
                        }
                        tracing::debug!(time = ?backoff.delay, status = response.status, "the site asks to wait");
                        continue;
                    }
                    let is_from_gateway = matches!(response.status, 408 | 502 | 504);
                    match request.idempotency {
                        _ if !is_from_gateway => return Ok(response),
                        Idempotency::Idempotent if retries < MAX_RETRIES => {}
                        Idempotency::Idempotent => return Ok(response),
                        Idempotency::NonIdempotent => {
                            return Err(outcome_unknown_error(
                                response.to_error(ErrorKind::Rejected),
                            ));
                        }
                    }
                }
                Err(AttemptError {
                    error,
                    may_have_been_sent: true,
                }) if request.idempotency == Idempotency::NonIdempotent => {
                    return Err(outcome_unknown_error(error));
                }
                Err(AttemptError {
                    error,
                    may_have_been_sent,
                }) => {
                    let is_transient = matches!(error.kind(), ErrorKind::Unreachable)
                        || (may_have_been_sent && error.kind() == ErrorKind::TimedOut);
                    if !is_transient || retries >= MAX_RETRIES || deadline.remaining().is_zero() {
                        return Err(error);
                    }
                }
            }
            let pause = Duration::from_millis(100 << retries).mul_f64(1.0 + random::fraction());
            retries += 1;
            sleep(pause.min(deadline.remaining())).await;
        }
    }

    /// The HTTP request before it is authenticated, and its limits.
    fn build_request(
        &self,
        deadline: Deadline,
        request: &SiteRequest,
    ) -> std::result::Result<(Request, Limits), AttemptError> {
        let limits = Limits {
            time: self.attempt_timeout.min(deadline.remaining()),
            bytes: self.max_response_bytes,
        };
        if limits.time.is_zero() {
            return Err(AttemptError {
                error: timeout_error(self.attempt_timeout),
                may_have_been_sent: false,
            });
        }
        let mut http_request = Request::new(request.body.clone());
        *http_request.method_mut() = request.method.clone();
        *http_request.uri_mut() = request.url.as_str().parse().map_err(|_| AttemptError {
            error: SiteError::new(
                ErrorKind::InvalidConnection,
                format!("{} is no address.", request.url),
            ),
            may_have_been_sent: false,
        })?;
        let headers = http_request.headers_mut();
        headers.clone_from(&request.headers);
        headers.insert(http::header::USER_AGENT, self.user_agent.clone());
        if let Ok(id) = HeaderValue::from_str(&random::uuid().to_string()) {
            headers.insert("client-request-id", id);
        }
        if request.signs_in_before {
            http_request.extensions_mut().insert(AfterSignIn);
        }
        Ok((http_request, limits))
    }

    async fn attempt(
        &self,
        deadline: Deadline,
        request: &SiteRequest,
    ) -> std::result::Result<SiteResponse, AttemptError> {
        let (http_request, limits) = self.build_request(deadline, request)?;
        let sender = Sender {
            transport: &self.transport,
            limits,
        };
        let received = self
            .authenticator
            .send(http_request, sender)
            .await
            .map_err(|failure| match failure {
                SendError::Site(error) => AttemptError {
                    error,
                    may_have_been_sent: false,
                },
                SendError::Transport(error) => {
                    AttemptError::from_transport(&error, self.attempt_timeout)
                }
            })?;
        let (parts, body) = received.into_parts();
        Ok(SiteResponse {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
        })
    }
}

const NO_METADATA: &str = "application/json;odata=nometadata";

/// An error, and whether the request may have been carried out nevertheless.
struct AttemptError {
    error: SiteError,
    may_have_been_sent: bool,
}

impl AttemptError {
    fn from_transport(cause: &TransportError, time: Duration) -> Self {
        let (kind, may_have_been_sent) = match cause {
            TransportError::Refused(_) => (ErrorKind::AddressRefused, false),
            TransportError::NotConnected(_) => (ErrorKind::Unreachable, false),
            TransportError::TimedOut => {
                return Self {
                    error: timeout_error(time),
                    may_have_been_sent: true,
                };
            }
            TransportError::Broken(_) => (ErrorKind::Unreachable, true),
            TransportError::TooLarge => (ErrorKind::UnexpectedResponse, true),
        };
        let message = match kind {
            ErrorKind::AddressRefused => format!("The site may not be asked: {cause}."),
            ErrorKind::UnexpectedResponse => format!("The site's answer cannot be read: {cause}."),
            _ => format!("The site cannot be reached: {cause}."),
        };
        let error = SiteError::new(kind, message);
        Self {
            error: match cause {
                TransportError::NotConnected(_) => error.with_no_connection(),
                _ => error,
            },
            may_have_been_sent,
        }
    }
}

/// The error of a call whose deadline is before its turn.
fn rate_limit_error(time: Duration) -> SiteError {
    SiteError::new(
        ErrorKind::Throttled,
        "The site asks to be left alone for longer than this call may take.",
    )
    .with_retry_after(time)
}

fn timeout_error(time: Duration) -> SiteError {
    SiteError::new(
        ErrorKind::TimedOut,
        format!("The site did not answer within {} seconds.", time.as_secs()),
    )
    .with_hint("Raise the connection's Timeout, or look whether the site is up.")
}

fn outcome_unknown_error(error: SiteError) -> SiteError {
    let message = format!("It is not known whether the change was made: {error}");
    let mut unknown = SiteError::new(ErrorKind::OutcomeUnknown, message)
        .with_hint("Look at the list before the change is repeated.");
    if let Some(status) = error.status() {
        unknown = unknown.with_status(status);
    }
    if let Some(id) = error.request_id() {
        unknown = unknown.with_request_id(id);
    }
    unknown
}
