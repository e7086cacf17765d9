//! Authentication of connections instead of requests (NTLM, Negotiate): a small pool of dedicated
//! connections, signed in when new and again when the site challenges.
//!
//! Invariant: a connection carries one request at a time, of one account. On a shared connection
//! another caller's request would be sent with this sign-in.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{AUTHORIZATION, USER_AGENT};
use http::{HeaderName, HeaderValue, Method};
use tokio::sync::Semaphore;
use url::Url;

use super::authenticator::{AfterSignIn, Authenticator, SendError, SendResult, Sender};
use super::challenge::{challenge_of, is_refused, not_offered_error};
use super::credentials::secret_header;
use super::password_guard::{PasswordGuard, is_password_rejection, refused_error};
use crate::current_user::not_signed_in;
use crate::error::{ErrorKind, Result, SiteError};
use crate::mutex::lock;
use crate::response::SiteResponse;
use crate::transport::{Request, Transport, TransportError};

const MAX_CONNECTIONS: usize = 4;
/// NTLM has two tokens, Negotiate may have three.
const MAX_LEGS: usize = 5;
/// Asks mixed farms for a Windows challenge instead of a sign-in page.
const NO_FORMS: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-forms_based_auth_accepted"),
    HeaderValue::from_static("f"),
);

/// One handshake: tokens in, tokens out.
#[async_trait]
pub(super) trait Handshake: Send {
    /// The next token, for the one that the site sent (`None` to begin).
    async fn next(
        &mut self,
        server_token: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> SendResult<Vec<u8>>;

    /// Whether the site's token says no.
    fn is_refused_by(&self, _theirs: &[u8]) -> bool {
        false
    }

    /// Looks at the token of the final response, which proves the site; empty where there is none.
    /// Most sites send one for Kerberos only.
    async fn finish(&mut self, server_token: &[u8], sender: Sender<'_>) -> SendResult<()>;
}

/// Makes handshakes.
pub(super) trait Mechanism: Send + Sync {
    /// The scheme's name in headers.
    fn scheme(&self) -> &'static str;

    /// A new handshake.
    ///
    /// # Errors
    /// The credentials cannot be used.
    fn begin(&self) -> Result<Box<dyn Handshake>>;

    /// What it means that the site says no to a whole handshake.
    fn refused_error(&self) -> SiteError {
        refused_error("")
    }
}

/// Sends requests on signed-in connections.
pub(super) struct ConnectionBound<M> {
    mechanism: M,
    /// Requested first on a new connection when the first request has a body, which would be sent in
    /// vain.
    site: Url,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
    guard: PasswordGuard,
}

struct Connection {
    transport: Arc<dyn Transport>,
    is_signed_in: bool,
}

impl<M: Mechanism> ConnectionBound<M> {
    pub(super) fn new(mechanism: M, site: &Url) -> Self {
        Self {
            mechanism,
            site: site.clone(),
            idle: Mutex::default(),
            permits: Semaphore::new(MAX_CONNECTIONS),
            guard: PasswordGuard::default(),
        }
    }

    fn take_connection(
        &self,
        sender: Sender<'_>,
    ) -> std::result::Result<Connection, TransportError> {
        let idle = lock(&self.idle).pop();
        match idle {
            Some(connection) => Ok(connection),
            None => Ok(Connection {
                transport: sender.transport.open_dedicated()?,
                is_signed_in: false,
            }),
        }
    }

    async fn send_on(
        &self,
        connection: &mut Connection,
        request: Request,
        sender: Sender<'_>,
    ) -> SendResult {
        if !connection.is_signed_in {
            let follows = request.extensions().get::<AfterSignIn>().is_some();
            if request.body().is_empty() && !follows {
                return self.sign_in(connection, request, sender).await;
            }
            let response = self
                .sign_in(connection, self.probe(&request)?, sender)
                .await?;
            if SiteResponse::from_http(&response).is_throttled() {
                return Ok(response);
            }
            if !connection.is_signed_in {
                // It has responded without a challenge.
                if request.body().is_empty() {
                    return self.sign_in(connection, request, sender).await;
                }
                return Err(not_challenged_error(self.mechanism.scheme()).into());
            }
        }
        let response = connection
            .transport
            .send(request.clone(), sender.limits)
            .await?;
        if !is_refused(&response) {
            return Ok(response);
        }
        // The connection is another one by now, or the site asks every time. What is refused was
        // not carried out, so it can be sent again.
        connection.is_signed_in = false;
        self.sign_in(connection, request, sender).await
    }

    /// A request without a body to sign in with, with the user agent of the one that follows.
    fn probe(&self, before: &Request) -> Result<Request> {
        let mut url = self.site.clone();
        url.set_path(&format!(
            "{}/_api/web",
            self.site.path().trim_end_matches('/')
        ));
        url.set_query(Some("$select=Id"));
        let mut request = Request::new(Bytes::new());
        *request.method_mut() = Method::GET;
        *request.uri_mut() = url.as_str().parse().map_err(|_| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                format!("{url} is no address."),
            )
        })?;
        request.headers_mut().insert(
            "accept",
            HeaderValue::from_static("application/json;odata=nometadata"),
        );
        let (name, value) = NO_FORMS;
        request.headers_mut().insert(name, value);
        if let Some(agent) = before.headers().get(USER_AGENT) {
            request.headers_mut().insert(USER_AGENT, agent.clone());
        }
        Ok(request)
    }

    /// Signs a connection in with a request and returns the last response.
    async fn sign_in(
        &self,
        connection: &mut Connection,
        request: Request,
        sender: Sender<'_>,
    ) -> SendResult {
        let exclusive = self.guard.acquire(sender.limits.time).await?;
        let was_accepted = exclusive.is_none();
        let mut response = self.handshake(connection, &request, sender).await;
        if was_accepted && is_rejected(&response) {
            // It was right a moment ago: the connection may have ended between two tokens. Once
            // more on a new one, by one of those who were told so, and no more.
            let _exclusive = self.guard.reacquire(sender.limits.time).await?;
            connection.transport = sender.transport.open_dedicated()?;
            response = self.handshake(connection, &request, sender).await;
            if is_rejected(&response) {
                self.guard.mark_rejected();
            }
            return response;
        }
        if is_rejected(&response) {
            self.guard.mark_rejected();
        }
        response
    }

    /// Sends a request with the tokens of a handshake.
    async fn handshake(
        &self,
        connection: &mut Connection,
        request: &Request,
        sender: Sender<'_>,
    ) -> SendResult {
        let scheme = self.mechanism.scheme();
        let mut handshake = self.mechanism.begin()?;
        let mut token = handshake.next(None, sender).await?;
        for leg in 0..MAX_LEGS {
            let mut sent = request.clone();
            let value = secret_header(&format!("{scheme} {}", STANDARD.encode(&token)))?;
            sent.headers_mut().insert(AUTHORIZATION, value);
            let response = connection.transport.send(sent, sender.limits).await?;
            let server_token = match challenge_of(response.headers(), scheme) {
                Some(text) => Some(
                    STANDARD
                        .decode(text.split([',', ' ']).next().unwrap_or_default())
                        .map_err(|_| unreadable_error(scheme))?,
                ),
                None => None,
            };
            if !is_refused(&response) {
                if leg == 0 && is_ntlm_negotiate(&token) {
                    // It has answered without having seen anything that only who knows the
                    // password could have made.
                    if response.status().is_success() {
                        return Err(not_challenged_error(scheme).into());
                    }
                    return Ok(response);
                }
                if !SiteResponse::from_http(&response).is_throttled() {
                    handshake
                        .finish(&server_token.unwrap_or_default(), sender)
                        .await?;
                    connection.is_signed_in = true;
                    self.guard.mark_accepted();
                }
                return Ok(response);
            }
            match server_token {
                Some(server_token)
                    if !server_token.is_empty() && !handshake.is_refused_by(&server_token) =>
                {
                    token = handshake.next(Some(&server_token), sender).await?;
                }
                // Before anything was proved, the site may not speak this scheme at all.
                None if leg == 0 => {
                    return Err(not_offered_error(response.headers(), scheme).into());
                }
                _ => return Err(self.mechanism.refused_error().into()),
            }
        }
        Err(SiteError::new(
            ErrorKind::SignInRefused,
            format!("The site asks for more and more tokens of {scheme}."),
        )
        .into())
    }
}

/// Whether the password was looked at, by the site or by a key distribution centre, and refused.
fn is_rejected(response: &SendResult) -> bool {
    matches!(response, Err(SendError::Site(error)) if is_password_rejection(error))
}

/// Whether a token is NTLM's first one, bare or wrapped: it asks for a challenge and no more.
fn is_ntlm_negotiate(token: &[u8]) -> bool {
    const FIRST: &[u8] = b"NTLMSSP\0\x01\0\0\0";
    token.windows(FIRST.len()).any(|part| part == FIRST)
}

fn not_challenged_error(scheme: &str) -> SiteError {
    not_signed_in(&format!(
        "The site answers without having asked for the credentials: it lets anybody in and does not sign in by {scheme}."
    ))
}

fn unreadable_error(scheme: &str) -> SiteError {
    SiteError::new(
        ErrorKind::UnexpectedResponse,
        format!("The site's token of {scheme} cannot be read."),
    )
}

#[async_trait]
impl<M: Mechanism> Authenticator for ConnectionBound<M> {
    async fn send(&self, mut request: Request, sender: Sender<'_>) -> SendResult {
        let (name, value) = NO_FORMS;
        request.headers_mut().insert(name, value);
        let closed = |_| SiteError::new(ErrorKind::Unreachable, "The connection is closed.");
        let _permit = self.permits.acquire().await.map_err(closed)?;
        let mut connection = self.take_connection(sender)?;
        let response = self.send_on(&mut connection, request, sender).await?;
        // After an error the connection is dropped: unread data may be left on it.
        lock(&self.idle).push(connection);
        Ok(response)
    }

    fn is_refused(&self) -> bool {
        self.guard.is_refused()
    }
}
