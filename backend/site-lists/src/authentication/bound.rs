//! Sign-in that belongs to a connection, not to a request: a few connections of one's own, each
//! used for one request at a time, signed in when it is new and again when the site asks for it.
//!
//! On connections shared with others a neighbour's request would travel signed in, or one's own
//! without.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{AUTHORIZATION, USER_AGENT};
use http::{HeaderName, HeaderValue, Method};
use tokio::sync::Semaphore;
use url::Url;

use super::authenticator::{AfterSignIn, Authenticator, SendError, Sender};
use super::challenge::{is_refused, not_offered, of_scheme};
use super::credentials::secret_header;
use super::trial::{Trial, refused, tells_of_password};
use crate::answer::Answer;
use crate::current_user::nobody;
use crate::error::{ErrorKind, Result, SiteError};
use crate::transport::{Request, Response, Transport, TransportError};

/// So many connections are kept at most.
const LINES: usize = 4;
/// Legs of a handshake at most; NTLM has two tokens, Negotiate may have three.
const LEGS: usize = 5;
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
        theirs: Option<&[u8]>,
        sender: Sender<'_>,
    ) -> std::result::Result<Vec<u8>, SendError>;

    /// Whether the site's token says no.
    fn is_refused_by(&self, _theirs: &[u8]) -> bool {
        false
    }

    /// Looks at the token of the final answer, which proves the site; empty where there is none.
    /// Most sites send one for Kerberos only.
    async fn finish(
        &mut self,
        theirs: &[u8],
        sender: Sender<'_>,
    ) -> std::result::Result<(), SendError>;
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
    fn refused(&self) -> SiteError {
        refused("")
    }
}

/// Sends on connections that are signed in.
pub(super) struct Bound<M> {
    mechanism: M,
    /// What a new connection asks for when its first request has a body, which would travel in
    /// vain.
    site: Url,
    lines: Mutex<Vec<Connection>>,
    places: Semaphore,
    trial: Trial,
}

struct Connection {
    transport: Arc<dyn Transport>,
    is_signed_in: bool,
}

impl<M: Mechanism> Bound<M> {
    pub(super) fn new(mechanism: M, site: &Url) -> Self {
        Self {
            mechanism,
            site: site.clone(),
            lines: Mutex::default(),
            places: Semaphore::new(LINES),
            trial: Trial::default(),
        }
    }

    fn line(&self, sender: Sender<'_>) -> std::result::Result<Connection, TransportError> {
        let kept = self
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        match kept {
            Some(line) => Ok(line),
            None => Ok(Connection {
                transport: sender.transport.open_dedicated()?,
                is_signed_in: false,
            }),
        }
    }

    async fn on(
        &self,
        line: &mut Connection,
        request: Request,
        sender: Sender<'_>,
    ) -> std::result::Result<Response, SendError> {
        if !line.is_signed_in {
            let follows = request.extensions().get::<AfterSignIn>().is_some();
            if request.body().is_empty() && !follows {
                return self.signed_in(line, request, sender).await;
            }
            let answer = self.signed_in(line, self.cheap(&request)?, sender).await?;
            if Answer::of(&answer).is_throttled() {
                return Ok(answer);
            }
            if !line.is_signed_in {
                // It has answered something before it asked for anything.
                if request.body().is_empty() {
                    return self.signed_in(line, request, sender).await;
                }
                return Err(unasked(self.mechanism.scheme()).into());
            }
        }
        let answer = line.transport.send(request.clone(), sender.limits).await?;
        if !is_refused(&answer) {
            return Ok(answer);
        }
        // The connection is another one by now, or the site asks every time. What is refused was
        // not carried out, so it can be sent again.
        line.is_signed_in = false;
        self.signed_in(line, request, sender).await
    }

    /// A small request to sign in with, which introduces itself as the one that follows it.
    fn cheap(&self, before: &Request) -> Result<Request> {
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

    /// Signs a connection in with a request, and gives back the last answer.
    async fn signed_in(
        &self,
        line: &mut Connection,
        request: Request,
        sender: Sender<'_>,
    ) -> std::result::Result<Response, SendError> {
        let alone = self.trial.begin(sender.limits.time).await?;
        let was_right = alone.is_none();
        let mut answer = self.handshake(line, &request, sender).await;
        if was_right && is_wrong(&answer) {
            // It was right a moment ago: the connection may have ended between two tokens. Once
            // more on a new one, by one of those who were told so, and no more.
            let _alone = self.trial.again(sender.limits.time).await?;
            line.transport = sender.transport.open_dedicated()?;
            answer = self.handshake(line, &request, sender).await;
            if is_wrong(&answer) {
                self.trial.lost();
            }
            return answer;
        }
        if is_wrong(&answer) {
            self.trial.lost();
        }
        answer
    }

    /// Sends a request with the tokens of a handshake.
    async fn handshake(
        &self,
        line: &mut Connection,
        request: &Request,
        sender: Sender<'_>,
    ) -> std::result::Result<Response, SendError> {
        let scheme = self.mechanism.scheme();
        let mut handshake = self.mechanism.begin()?;
        let mut token = handshake.next(None, sender).await?;
        for leg in 0..LEGS {
            let mut sent = request.clone();
            let value = secret_header(&format!("{scheme} {}", STANDARD.encode(&token)))?;
            sent.headers_mut().insert(AUTHORIZATION, value);
            let answer = line.transport.send(sent, sender.limits).await?;
            let theirs = match of_scheme(answer.headers(), scheme) {
                Some(text) => Some(
                    STANDARD
                        .decode(text.split([',', ' ']).next().unwrap_or_default())
                        .map_err(|_| unreadable(scheme))?,
                ),
                None => None,
            };
            if !is_refused(&answer) {
                if leg == 0 && proves_nothing(&token) {
                    // It has answered without having seen anything that only who knows the
                    // password could have made.
                    if answer.status().is_success() {
                        return Err(unasked(scheme).into());
                    }
                    return Ok(answer);
                }
                if !Answer::of(&answer).is_throttled() {
                    handshake
                        .finish(&theirs.unwrap_or_default(), sender)
                        .await?;
                    line.is_signed_in = true;
                    self.trial.succeeded();
                }
                return Ok(answer);
            }
            match theirs {
                Some(theirs) if !theirs.is_empty() && !handshake.is_refused_by(&theirs) => {
                    token = handshake.next(Some(&theirs), sender).await?;
                }
                // Before anything was proved, the site may not speak this scheme at all.
                None if leg == 0 => return Err(not_offered(answer.headers(), scheme).into()),
                _ => return Err(self.mechanism.refused().into()),
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
fn is_wrong(answer: &std::result::Result<Response, SendError>) -> bool {
    matches!(answer, Err(SendError::Site(error)) if tells_of_password(error))
}

/// Whether a token is NTLM's first one, bare or wrapped: it asks for a challenge and no more.
fn proves_nothing(token: &[u8]) -> bool {
    const FIRST: &[u8] = b"NTLMSSP\0\x01\0\0\0";
    token.windows(FIRST.len()).any(|part| part == FIRST)
}

fn unasked(scheme: &str) -> SiteError {
    nobody(&format!(
        "The site answers without having asked for the credentials: it lets anybody in and does not sign in by {scheme}."
    ))
}

fn unreadable(scheme: &str) -> SiteError {
    SiteError::new(
        ErrorKind::UnexpectedResponse,
        format!("The site's token of {scheme} cannot be read."),
    )
}

#[async_trait]
impl<M: Mechanism> Authenticator for Bound<M> {
    async fn send(
        &self,
        mut request: Request,
        sender: Sender<'_>,
    ) -> std::result::Result<Response, SendError> {
        let (name, value) = NO_FORMS;
        request.headers_mut().insert(name, value);
        let closed = |_| SiteError::new(ErrorKind::Unreachable, "The connection is closed.");
        let _place = self.places.acquire().await.map_err(closed)?;
        let mut line = self.line(sender)?;
        let answer = self.on(&mut line, request, sender).await?;
        // After an error the line is dropped: nobody knows what still travels on it.
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
        Ok(answer)
    }

    fn is_refused(&self) -> bool {
        self.trial.is_refused()
    }
}
