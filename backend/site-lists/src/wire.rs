//! How a request gets to a site and its answer back: through the connection's gate, signed in,
//! within the time of one attempt, and again where that can do no harm.
//!
//! Before anything else the site is asked who is signed in, once for all callers and again after a
//! while. Reads are repeated after a broken connection; writes only where the site has said that it
//! did not carry them out. What is left unclear comes back as `OutcomeUnknown`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument as _;
use url::Url;

use crate::answer::Answer;
use crate::authentication::authenticator::{AfterSignIn, Authenticator, SendError, Sender};
use crate::chance;
use crate::current_user::{CurrentUser, Question, nobody};
use crate::error::{ErrorKind, Result, SiteError};
use crate::gate::{self, Gate};
use crate::transport::{Limits, Request, Transport, TransportError};

/// How many times the time of one attempt a whole call may take.
const BUDGET: u32 = 4;
/// How often a read is repeated after trouble on the way.
const REPEATS: u32 = 3;
/// How long a site is taken to know the caller as whom it has named.
const HOLDS: Duration = Duration::from_secs(600);

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
    /// Whether it has to travel as those after a sign-in do, and not as a part of one.
    pub(crate) follows: bool,
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
            follows: false,
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
    sign_in: Arc<dyn Authenticator>,
    gate: Gate,
    attempt: Duration,
    bytes: usize,
    user_agent: HeaderValue,
    origin: url::Origin,
    /// `None` where nobody signs in.
    question: Option<Question>,
    known: Mutex<Option<(CurrentUser, Instant)>>,
    asking: Mutex<Option<Asking>>,
}

/// The question on its way, whose answer all callers wait for.
type Asking = Shared<BoxFuture<'static, Result<CurrentUser>>>;

/// Ends a question, however that ends: the next caller asks anew.
struct Over(Arc<Wire>);

impl Drop for Over {
    fn drop(&mut self) {
        let asking = self.0.asking.lock();
        *asking.unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Wire {
    pub(crate) fn new(
        transport: Arc<dyn Transport>,
        sign_in: Arc<dyn Authenticator>,
        attempt: Duration,
        bytes: usize,
        user_agent: HeaderValue,
        origin: url::Origin,
        question: Option<Question>,
    ) -> Self {
        Self {
            transport,
            sign_in,
            gate: Gate::default(),
            attempt,
            bytes,
            user_agent,
            origin,
            question,
            known: Mutex::default(),
            asking: Mutex::default(),
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

    /// Whether the site has refused the credentials for good.
    pub(crate) fn is_refused(&self) -> bool {
        self.sign_in.is_refused()
    }

    /// Who is signed in, asked where that is not known; `None` where nobody signs in.
    pub(crate) async fn current_user(self: &Arc<Self>, call: Call) -> Result<Option<CurrentUser>> {
        if self.question.is_none() {
            return Ok(None);
        }
        if let Some(known) = self.known() {
            return Ok(Some(known));
        }
        // Whoever is waited for goes on without this caller.
        match timeout(call.left(), self.asking()).await {
            Ok(answer) => answer.map(Some),
            Err(_) => Err(timed_out(self.attempt * BUDGET)),
        }
    }

    /// Who is signed in, as far as that is known and holds.
    fn known(&self) -> Option<CurrentUser> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (who, since) = known.as_ref()?;
        (since.elapsed() < HOLDS).then(|| who.clone())
    }

    /// Forgets who is signed in: it is asked again before anything else.
    pub(crate) fn forget_who(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = None;
    }

    fn learn(&self, who: CurrentUser) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((who, Instant::now()));
    }

    /// The question that is on its way, or a new one. It goes on when its callers go away: a
    /// password that was sent is not sent again because nobody has waited for the answer.
    fn asking(self: &Arc<Self>) -> Asking {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(asking) = asking.as_ref() {
            return asking.clone();
        }
        let wire = Arc::clone(self);
        let asked = async move {
            let over = Over(Arc::clone(&wire));
            let answer = wire.ask_who().await;
            drop(over);
            answer
        };
        let asked = tokio::spawn(asked.in_current_span());
        let answer = async {
            let broken = |_| {
                SiteError::new(
                    ErrorKind::UnexpectedResponse,
                    "Asking who is signed in failed.",
                )
            };
            asked.await.map_err(broken)?
        };
        let answer = answer.boxed().shared();
        *asking = Some(answer.clone());
        answer
    }

    async fn ask_who(&self) -> Result<CurrentUser> {
        let Some(question) = &self.question else {
            return Ok(CurrentUser::default());
        };
        let call = self.call();
        let mut outgoing = Outgoing::get(question.who().clone()).with("accept", PLAIN);
        outgoing.follows = true;
        let answer = self.ask(call, &outgoing).await?;
        let who = match question.judged(&answer)? {
            Some(who) => who,
            None if self.answers_anybody(call, question).await? => {
                return Err(nobody(
                    "The site does not tell who is signed in, and answers callers without credentials as well.",
                ));
            }
            None => CurrentUser::default(),
        };
        tracing::debug!(is_told = who.login.is_some(), "signed in to the site");
        self.learn(who.clone());
        Ok(who)
    }

    /// Whether the site answers a caller who brings nothing.
    async fn answers_anybody(&self, call: Call, question: &Question) -> Result<bool> {
        let outgoing = Outgoing::get(question.site().clone()).with("accept", PLAIN);
        let (request, limits) = self
            .made(call, &outgoing)
            .map_err(|trouble| trouble.error)?;
        let answer = self.transport.send(request, limits).await;
        let answer = answer.map_err(|error| Trouble::of(&error, self.attempt).error)?;
        Ok(answer.status().is_success())
    }

    /// Takes an answer to the question that came along with something else. Whether it settles it.
    ///
    /// # Errors
    /// Nobody is signed in, or somebody else.
    pub(crate) fn take_who(&self, answer: &Answer) -> Result<bool> {
        let Some(question) = &self.question else {
            return Ok(true);
        };
        let who = question.judged(answer)?;
        let told = who.is_some();
        if let Some(who) = who {
            self.learn(who);
        }
        Ok(told)
    }

    /// Whether it has to be asked who is signed in before anything else.
    pub(crate) fn has_to_ask(&self) -> bool {
        self.question.is_some() && self.known().is_none()
    }

    /// Sends a request once it is known who is signed in, and gives back the answer, whatever its
    /// status; throttling is waited out.
    pub(crate) async fn send(self: &Arc<Self>, call: Call, outgoing: &Outgoing) -> Result<Answer> {
        self.current_user(call).await?;
        self.ask(call, outgoing).await
    }

    /// The same for what asks who is signed in.
    pub(crate) async fn ask(&self, call: Call, outgoing: &Outgoing) -> Result<Answer> {
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

    /// A request as it travels before it is signed in, and what it may cost.
    fn made(
        &self,
        call: Call,
        outgoing: &Outgoing,
    ) -> std::result::Result<(Request, Limits), Trouble> {
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
        if outgoing.follows {
            request.extensions_mut().insert(AfterSignIn);
        }
        Ok((request, limits))
    }

    async fn attempt(
        &self,
        call: Call,
        outgoing: &Outgoing,
    ) -> std::result::Result<Answer, Trouble> {
        let (request, limits) = self.made(call, outgoing)?;
        let sender = Sender {
            transport: &self.transport,
            limits,
        };
        let response =
            self.sign_in
                .send(request, sender)
                .await
                .map_err(|failure| match failure {
                    SendError::Site(error) => Trouble { error, sent: false },
                    SendError::Transport(error) => Trouble::of(&error, self.attempt),
                })?;
        let (parts, body) = response.into_parts();
        Ok(Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body,
        })
    }
}

const PLAIN: &str = "application/json;odata=nometadata";

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
