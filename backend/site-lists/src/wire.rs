//! How a request gets to a site and its answer back: through the connection's gate, signed in,
//! within the time of one attempt, and again where that can do no harm.
//!
//! Used by both protocols for everything they send. Reads are repeated after a broken connection;
//! writes only where the site has said that it did not carry them out. What is left unclear comes
//! back as `OutcomeUnknown`.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::answer::Answer;
use crate::authentication::SignIn;
use crate::chance;
use crate::error::{ErrorKind, Result, SiteError};
use crate::gate::{self, Gate};
use crate::transport::{Limits, Request, Transport, TransportError};

/// How many times the time of one attempt a whole call may take.
const BUDGET: u32 = 4;
/// How often a read is repeated after trouble on the way.
const REPEATS: u32 = 3;

/// The time that is left for one call of an activity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    deadline: Instant,
}

impl Call {
    /// Whether there is time for a wait and something after it.
    pub(crate) fn allows(&self, wait: Duration) -> bool {
        wait < self.left()
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// What a repeat of the request would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing: it only reads, or does the same once more.
    Harmless,
    /// It might do it twice.
    Once,
}

/// A request before it is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) effect: Effect,
}

impl Outgoing {
    pub(crate) fn get(url: Url) -> Self {
        Self::new(Method::GET, url, Bytes::new(), Effect::Harmless)
    }

    pub(crate) fn new(method: Method, url: Url, body: Bytes, effect: Effect) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body,
            effect,
        }
    }

    /// The same with a header, whose value is text of ours or an opaque word of the site's.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }
}

/// The way to one site.
pub(crate) struct Wire {
    transport: Arc<dyn Transport>,
    sign_in: Arc<dyn SignIn>,
    gate: Gate,
    attempt: Duration,
    bytes: usize,
    user_agent: HeaderValue,
    origin: url::Origin,
}

impl Wire {
    pub(crate) fn new(
        transport: Arc<dyn Transport>,
        sign_in: Arc<dyn SignIn>,
        attempt: Duration,
        bytes: usize,
        user_agent: HeaderValue,
        origin: url::Origin,
    ) -> Self {
        Self {
            transport,
            sign_in,
            gate: Gate::default(),
            attempt,
            bytes,
            user_agent,
            origin,
        }
    }

    /// A call that begins now.
    pub(crate) fn call(&self) -> Call {
        Call {
            deadline: Instant::now() + self.attempt * BUDGET,
        }
    }

    /// For how long no request goes out, because the site asked for it.
    pub(crate) fn closed_for(&self) -> Option<Duration> {
        self.gate.closed_for()
    }

    /// The site has asked, within a batch, to be left alone for so long.
    pub(crate) fn close(&self, wait: gate::Wait) {
        self.gate.close(wait);
    }

    /// Whether writes need a form digest beside the sign-in.
    pub(crate) fn needs_digest(&self) -> bool {
        self.sign_in.needs_digest()
    }

    /// Sends a request and gives back the answer, whatever its status; throttling is waited out.
    pub(crate) async fn send(&self, call: Call, outgoing: &Outgoing) -> Result<Answer> {
        if outgoing.url.origin() != self.origin {
            // A link in an answer that leads elsewhere must not take the credentials along.
            return Err(SiteError::new(
                ErrorKind::AddressRefused,
                format!(
                    "The site's answer leads to {}, which is another origin.",
                    outgoing.url.origin().ascii_serialization()
                ),
            ));
        }
        let mut throttled = 0;
        let mut troubles = 0;
        loop {
            self.gate.pass(call.deadline).await.map_err(sent_away)?;
            match self.attempt(call, outgoing).await {
                Ok(answer) => {
                    self.gate.observe(&answer.headers);
                    if answer.is_throttled() {
                        let wait = gate::wait(&answer.headers, throttled);
                        throttled += 1;
                        self.gate.close(wait);
                        if !call.allows(wait.time) {
                            return Err(answer
                                .refusal(ErrorKind::Throttled)
                                .of_kind(ErrorKind::Throttled)
                                .with_retry_after(wait.asked));
                        }
                        tracing::debug!(time = ?wait.time, status = answer.status, "the site asks to wait");
                        continue;
                    }
                    let on_the_way = matches!(answer.status, 408 | 502 | 504);
                    match outgoing.effect {
                        _ if !on_the_way => return Ok(answer),
                        Effect::Harmless if troubles < REPEATS => {}
                        Effect::Harmless => return Ok(answer),
                        Effect::Once => return Err(unclear(answer.refusal(ErrorKind::Rejected))),
                    }
                }
                Err(Trouble { error, sent: true }) if outgoing.effect == Effect::Once => {
                    return Err(unclear(error));
                }
                Err(Trouble { error, sent }) => {
                    let passes = matches!(error.kind(), ErrorKind::Unreachable)
                        || (sent && error.kind() == ErrorKind::TimedOut);
                    if !passes || troubles >= REPEATS || call.left().is_zero() {
                        return Err(error);
                    }
                }
            }
            let pause = Duration::from_millis(100 << troubles).mul_f64(1.0 + chance::fraction());
            troubles += 1;
            sleep(pause.min(call.left())).await;
        }
    }

    async fn attempt(
        &self,
        call: Call,
        outgoing: &Outgoing,
    ) -> std::result::Result<Answer, Trouble> {
        let limits = Limits {
            time: self.attempt.min(call.left()),
            bytes: self.bytes,
        };
        if limits.time.is_zero() {
            return Err(Trouble {
                error: timed_out(self.attempt),
                sent: false,
            });
        }
        let mut request = Request::new(outgoing.body.clone());
        *request.method_mut() = outgoing.method.clone();
        *request.uri_mut() = outgoing.url.as_str().parse().map_err(|_| Trouble {
            error: SiteError::new(
                ErrorKind::InvalidConnection,
                format!("{} is no address.", outgoing.url),
            ),
            sent: false,
        })?;
        let headers = request.headers_mut();
        headers.clone_from(&outgoing.headers);
        headers.insert(http::header::USER_AGENT, self.user_agent.clone());
        if let Ok(id) = HeaderValue::from_str(&chance::id().to_string()) {
            headers.insert("client-request-id", id);
        }
        let way = Way {
            transport: &self.transport,
            limits,
        };
        let response =
            self.sign_in
                .exchange(request, way)
                .await
                .map_err(|failure| match failure {
                    Failure::Site(error) => Trouble { error, sent: false },
                    Failure::Transport(error) => Trouble::of(&error, self.attempt),
                })?;
        let (parts, body) = response.into_parts();
        Ok(Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
        })
    }
}

/// What a sign-in method sends with.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    pub(crate) transport: &'a Arc<dyn Transport>,
    pub(crate) limits: Limits,
}

/// Why a sign-in method has no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not be sent, or its answer was lost.
    Transport(TransportError),
    /// It was not sent, because signing in failed.
    Site(SiteError),
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<SiteError> for Failure {
    fn from(error: SiteError) -> Self {
        Self::Site(error)
    }
}

/// An error and whether the request may have been carried out all the same.
struct Trouble {
    error: SiteError,
    sent: bool,
}

impl Trouble {
    fn of(cause: &TransportError, time: Duration) -> Self {
        let (kind, sent) = match cause {
            TransportError::Refused(_) => (ErrorKind::AddressRefused, false),
            TransportError::NotConnected(_) => (ErrorKind::Unreachable, false),
            TransportError::TimedOut => {
                return Self {
                    error: timed_out(time),
                    sent: true,
                };
            }
            TransportError::Broken(_) => (ErrorKind::Unreachable, true),
            TransportError::TooLarge => (ErrorKind::UnexpectedAnswer, true),
        };
        let message = match kind {
            ErrorKind::AddressRefused => format!("The site may not be asked: {cause}."),
            ErrorKind::UnexpectedAnswer => format!("The site's answer cannot be read: {cause}."),
            _ => format!("The site cannot be reached: {cause}."),
        };
        let error = SiteError::new(kind, message);
        Self {
            error: match cause {
                TransportError::NotConnected(_) => error.of_no_connection(),
                _ => error,
            },
            sent,
        }
    }
}

/// A call whose turn comes too late for it.
fn sent_away(time: Duration) -> SiteError {
    SiteError::new(
        ErrorKind::Throttled,
        "The site asks to be left alone for longer than this call may take.",
    )
    .with_retry_after(time)
    .with_hint("Repeat the call later.")
}

fn timed_out(time: Duration) -> SiteError {
    SiteError::new(
        ErrorKind::TimedOut,
        format!("The site did not answer within {} seconds.", time.as_secs()),
    )
    .with_hint("Raise the connection's Timeout, or look whether the site is up.")
}

fn unclear(error: SiteError) -> SiteError {
    let message = format!("It is not known whether the change was made: {error}");
    let mut told = SiteError::new(ErrorKind::OutcomeUnknown, message)
        .with_hint("Look at the list before the change is repeated.");
    if let Some(status) = error.status() {
        told = told.with_status(status);
    }
    if let Some(id) = error.request_id() {
        told = told.with_request_id(id);
    }
    told
}
