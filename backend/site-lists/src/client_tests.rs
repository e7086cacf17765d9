//! How often a request is sent, when, and what the error is: each kind of transport error, with a
//! paused clock.
//!
//! The transport is a script, because no real one fails to order. What a site makes of a request that
//! comes twice is tested against the local site server (`tests/server`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::time::Instant;
use url::Url;

use crate::authentication::authenticator::{Authenticator, SendResult, Sender};
use crate::client::{Idempotency, SiteClient, SiteRequest};
use crate::current_user::SignInCheck;
use crate::error::{ErrorKind, SiteError};
use crate::rate_limiter::Backoff;
use crate::response::SiteResponse;
use crate::transport::{Limits, Request, Response, Transport, TransportError};

/// The time of one attempt; a whole call may take four times as long.
const ATTEMPT: Duration = Duration::from_secs(10);

/// What happens to one request.
#[derive(Clone)]
enum Fate {
    Status(u16),
    /// 429, with the seconds to wait.
    Throttled(&'static str),
    AttemptError(TransportError),
    /// No response within the limits.
    Silence,
    /// The site names the current user, whatever was asked for.
    CurrentUser,
}

const CURRENT_USER: &str = r#"{"LoginName": "i:0#.w|corp\\ada", "Title": "Ada Admin"}"#;

/// A way on which one thing after the other happens, and the last one for ever.
struct Scripted {
    fates: Mutex<VecDeque<Fate>>,
    sent: Mutex<Vec<(Instant, HeaderMap)>>,
}

#[async_trait]
impl Transport for Scripted {
    async fn send(
        &self,
        http_request: Request,
        limits: Limits,
    ) -> Result<Response, TransportError> {
        let one = (Instant::now(), http_request.headers().clone());
        self.sent.lock().expect("the requests").push(one);
        let fate = {
            let mut fates = self.fates.lock().expect("the script");
            match fates.len() {
                0 | 1 => fates.front().cloned(),
                _ => fates.pop_front(),
            }
        };
        let response = |status: u16| {
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = StatusCode::from_u16(status).expect("a status");
            response
        };
        match fate.expect("a fate") {
            Fate::Status(status) => Ok(response(status)),
            Fate::Throttled(seconds) => {
                let mut response = response(429);
                let seconds = HeaderValue::from_static(seconds);
                response.headers_mut().insert("retry-after", seconds);
                Ok(response)
            }
            Fate::AttemptError(error) => Err(error),
            Fate::CurrentUser => Ok(Response::new(Bytes::from_static(CURRENT_USER.as_bytes()))),
            Fate::Silence => {
                tokio::time::sleep(limits.time).await;
                Err(TransportError::TimedOut)
            }
        }
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Err(TransportError::Refused("not here".to_owned()))
    }
}

/// Requests go as they are.
struct Unsigned;

#[async_trait]
impl Authenticator for Unsigned {
    async fn send(&self, http_request: Request, sender: Sender<'_>) -> SendResult {
        Ok(sender.send(http_request).await?)
    }
}

/// A connection and what became of its requests.
struct Connection {
    script: Arc<Scripted>,
    client: Arc<SiteClient>,
}

impl Connection {
    fn with(fates: &[Fate]) -> Self {
        Self::that_checks(None, fates)
    }

    /// Asks the site who is signed in before anything else.
    fn signed_in(fates: &[Fate]) -> Self {
        let check = SignInCheck::for_rest(&address("/"), None).expect("a check");
        Self::that_checks(Some(check), fates)
    }

    fn that_checks(check: Option<SignInCheck>, fates: &[Fate]) -> Self {
        let script = Arc::new(Scripted {
            fates: Mutex::new(fates.iter().cloned().collect()),
            sent: Mutex::default(),
        });
        let client = Arc::new(SiteClient::new(
            Arc::clone(&script) as Arc<dyn Transport>,
            Arc::new(Unsigned),
            ATTEMPT,
            1_000,
            HeaderValue::from_static("tests"),
            address("/").origin(),
            check,
        ));
        Self { script, client }
    }

    async fn reads(&self) -> Result<SiteResponse, SiteError> {
        let read = SiteRequest::get(address("/items"));
        self.client.send(self.client.new_deadline(), &read).await
    }

    async fn writes(&self) -> Result<SiteResponse, SiteError> {
        let body = Bytes::from_static(b"{}");
        let write = SiteRequest::new(
            Method::POST,
            address("/items"),
            body,
            Idempotency::NonIdempotent,
        );
        self.client.send(self.client.new_deadline(), &write).await
    }

    fn sent(&self) -> usize {
        self.script.sent.lock().expect("the requests").len()
    }

    /// The time between one request and the next.
    fn pauses(&self) -> Vec<Duration> {
        let sent = self.script.sent.lock().expect("the requests");
        sent.windows(2).map(|two| two[1].0 - two[0].0).collect()
    }
}

fn address(path: &str) -> Url {
    let site = Url::parse("https://site.example/").expect("an address");
    site.join(path).expect("an address")
}

fn not_connected() -> Fate {
    Fate::AttemptError(TransportError::NotConnected("nobody listens".to_owned()))
}

fn broken() -> Fate {
    Fate::AttemptError(TransportError::Broken("it ended".to_owned()))
}

fn refused() -> Fate {
    Fate::AttemptError(TransportError::Refused("a private address".to_owned()))
}

#[tokio::test(start_paused = true)]
async fn a_read_that_fails_on_the_way_is_sent_three_times_more_and_then_told() {
    for status in [408, 502, 504] {
        let line = Connection::with(&[Fate::Status(status)]);
        let response = line.reads().await.expect("an answer");
        assert_eq!((response.status, line.sent()), (status, 4));
    }
    for (fate, kind, is_away) in [
        (not_connected(), ErrorKind::Unreachable, true),
        (broken(), ErrorKind::Unreachable, false),
        (
            Fate::AttemptError(TransportError::TimedOut),
            ErrorKind::TimedOut,
            true,
        ),
    ] {
        let line = Connection::with(&[fate]);
        let error = line.reads().await.expect_err("trouble");
        assert_eq!((error.kind(), line.sent()), (kind, 4), "{error}");
        assert_eq!(error.is_site_away(), is_away, "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_site_itself_says_is_an_answer_and_not_asked_for_again() {
    for status in [200, 204, 302, 400, 401, 404, 409, 412, 500, 501] {
        let line = Connection::with(&[Fate::Status(status)]);
        let response = line.reads().await.expect("an answer");
        assert_eq!((response.status, line.sent()), (status, 1));
        let line = Connection::with(&[Fate::Status(status)]);
        let response = line.writes().await.expect("an answer");
        assert_eq!((response.status, line.sent()), (status, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_that_may_not_be_asked_and_an_answer_that_is_too_large_stay_so() {
    for (fate, kind, said) in [
        (refused(), ErrorKind::AddressRefused, "may not be asked"),
        (
            Fate::AttemptError(TransportError::TooLarge),
            ErrorKind::UnexpectedResponse,
            "cannot be read",
        ),
    ] {
        let line = Connection::with(&[fate]);
        let error = line.reads().await.expect_err("trouble");
        assert_eq!((error.kind(), line.sent()), (kind, 1), "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
    let error = Connection::with(&[broken()])
        .reads()
        .await
        .expect_err("trouble");
    assert!(error.to_string().contains("cannot be reached"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_read_comes_through_when_the_trouble_passes() {
    let line = Connection::with(&[
        Fate::Status(502),
        broken(),
        not_connected(),
        Fate::Status(200),
    ]);
    let response = line.reads().await.expect("an answer");
    assert_eq!((response.status, line.sent()), (200, 4));
}

#[tokio::test(start_paused = true)]
async fn a_write_that_may_have_been_carried_out_is_sent_once_and_told_as_unclear() {
    for (fate, status) in [
        (Fate::Status(408), Some(408)),
        (Fate::Status(502), Some(502)),
        (Fate::Status(504), Some(504)),
        (broken(), None),
        (Fate::Silence, None),
        (Fate::AttemptError(TransportError::TooLarge), None),
    ] {
        let line = Connection::with(&[fate]);
        let error = line.writes().await.expect_err("trouble");
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        assert_eq!((error.status(), line.sent()), (status, 1), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_write_that_was_never_sent_is_tried_again() {
    let line = Connection::with(&[not_connected(), not_connected(), Fate::Status(201)]);
    let response = line.writes().await.expect("an answer");
    assert_eq!((response.status, line.sent()), (201, 3));
    let line = Connection::with(&[not_connected()]);
    let error = line.writes().await.expect_err("trouble");
    assert_eq!((error.kind(), line.sent()), (ErrorKind::Unreachable, 4));
    let line = Connection::with(&[refused()]);
    let error = line.writes().await.expect_err("trouble");
    assert_eq!((error.kind(), line.sent()), (ErrorKind::AddressRefused, 1));
}

#[tokio::test(start_paused = true)]
async fn each_pause_is_twice_as_long_as_the_one_before_and_not_the_same_for_everybody() {
    let mut firsts = Vec::new();
    for _ in 0..40 {
        let line = Connection::with(&[broken()]);
        line.reads().await.expect_err("trouble");
        let pauses = line.pauses();
        for (pause, least) in pauses
            .iter()
            .zip([100, 200, 400].map(Duration::from_millis))
        {
            // The clock of the runtime goes in whole milliseconds.
            let most = least * 2 + Duration::from_millis(2);
            assert!(*pause >= least && *pause <= most, "{pauses:?}");
        }
        firsts.push(pauses[0]);
    }
    firsts.sort();
    assert!(
        firsts[39] - firsts[0] > Duration::from_millis(30),
        "{firsts:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn throttling_is_waited_out_also_before_a_write_for_the_site_did_not_carry_it_out() {
    let fates = [
        Fate::Throttled("3"),
        Fate::Throttled("5"),
        Fate::Status(201),
    ];
    let line = Connection::with(&fates);
    let response = line.writes().await.expect("an answer");
    assert_eq!((response.status, line.sent()), (201, 3));
    for (pause, asked) in line.pauses().into_iter().zip([3, 5]) {
        let asked = Duration::from_secs(asked);
        assert!(pause >= asked && pause <= asked.mul_f64(1.11), "{pause:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_longer_than_the_call_is_told_at_once_and_keeps_the_next_call_away() {
    let line = Connection::with(&[Fate::Throttled("60")]);
    let begun = Instant::now();
    let error = line.reads().await.expect_err("throttled");
    assert_eq!(
        (error.kind(), error.status()),
        (ErrorKind::Throttled, Some(429))
    );
    assert!(error.retry_after() >= Some(Duration::from_secs(60)));
    // Nobody is sent while the rate limiter is closed.
    let error = line.reads().await.expect_err("throttled");
    assert_eq!(error.kind(), ErrorKind::Throttled);
    assert!(error.retry_after() >= Some(Duration::from_secs(59)));
    assert_eq!((line.sent(), begun.elapsed()), (1, Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_call_ends_when_its_time_is_over_however_often_it_might_still_try() {
    let line = Connection::with(&[Fate::Silence]);
    let begun = Instant::now();
    let error = line.reads().await.expect_err("silence");
    assert_eq!((error.kind(), line.sent()), (ErrorKind::TimedOut, 4));
    let pause = line.pauses()[0];
    assert!(pause >= ATTEMPT && pause < ATTEMPT * 2, "{pause:?}");
    let took = begun.elapsed();
    assert!(took <= ATTEMPT * 4 + Duration::from_millis(5), "{took:?}");
    assert!(took > ATTEMPT * 3, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_wait_fits_into_a_call_when_some_time_is_left_after_it() {
    let line = Connection::with(&[Fate::Status(200)]);
    let deadline = line.client.new_deadline();
    assert!(deadline.allows(ATTEMPT * 4 - Duration::from_millis(1)));
    assert!(!deadline.allows(ATTEMPT * 4));
    tokio::time::advance(ATTEMPT).await;
    assert!(deadline.allows(ATTEMPT * 2) && !deadline.allows(ATTEMPT * 3));
}

#[tokio::test(start_paused = true)]
async fn credentials_never_go_to_another_origin() {
    let line = Connection::with(&[Fate::Status(200)]);
    for elsewhere in [
        "https://evil.example/",
        "http://site.example/",
        "https://site.example:444/",
    ] {
        let elsewhere = SiteRequest::get(Url::parse(elsewhere).expect("an address"));
        let sent = line
            .client
            .send(line.client.new_deadline(), &elsewhere)
            .await;
        let error = sent.expect_err("a refusal");
        assert_eq!(error.kind(), ErrorKind::AddressRefused, "{error}");
    }
    assert_eq!(line.sent(), 0);
}

#[tokio::test(start_paused = true)]
async fn each_attempt_says_who_asks_and_has_an_id_of_its_own() {
    let line = Connection::with(&[Fate::Status(502)]);
    let read = SiteRequest::get(address("/items")).with("accept", "application/json");
    line.client
        .send(line.client.new_deadline(), &read)
        .await
        .expect("an answer");
    let sent = line.script.sent.lock().expect("the requests");
    let mut ids: Vec<&HeaderValue> = Vec::new();
    for (_, headers) in sent.iter() {
        assert_eq!(headers["user-agent"], "tests");
        assert_eq!(headers["accept"], "application/json");
        let id = &headers["client-request-id"];
        assert!(!ids.contains(&id), "{id:?}");
        ids.push(id);
    }
    assert_eq!(ids.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_part_of_a_batch_that_is_throttled_keeps_every_caller_away() {
    let line = Connection::with(&[Fate::Status(200)]);
    let backoff = |seconds| Backoff {
        requested: Duration::from_secs(seconds),
        delay: Duration::from_secs(seconds + 1),
    };
    let deadline = line.client.new_deadline();
    line.client
        .back_off(deadline, backoff(5))
        .expect("time is left");
    let begun = Instant::now();
    line.reads().await.expect("an answer");
    let waited = begun.elapsed();
    assert!(waited >= Duration::from_secs(6), "{waited:?}");

    let error = line
        .client
        .back_off(line.client.new_deadline(), backoff(60));
    let error = error.expect_err("longer than the batch may take");
    assert_eq!(error.kind(), ErrorKind::Throttled);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(60)));
    line.writes().await.expect_err("nobody is sent");
    assert_eq!(line.sent(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_sign_in_that_could_not_be_checked_is_checked_again_by_the_next_call() {
    let trouble = std::iter::repeat_n(not_connected(), 4);
    let fates: Vec<Fate> = trouble
        .chain([Fate::CurrentUser, Fate::Status(204)])
        .collect();
    let line = Connection::signed_in(&fates);
    let error = line.reads().await.expect_err("trouble");
    assert_eq!((error.kind(), line.sent()), (ErrorKind::Unreachable, 4));
    let response = line.reads().await.expect("an answer");
    assert_eq!((response.status, line.sent()), (204, 6));
}

#[tokio::test(start_paused = true)]
async fn who_is_signed_in_is_asked_once_for_all_and_again_after_ten_minutes() {
    let line = Connection::signed_in(&[Fate::CurrentUser]);
    assert!(line.client.needs_sign_in_check());
    let (one, other) = tokio::join!(line.reads(), line.writes());
    one.expect("an answer");
    other.expect("an answer");
    assert_eq!(line.sent(), 3, "one question and two requests");
    let ten_minutes = Duration::from_secs(600);
    tokio::time::advance(ten_minutes - Duration::from_millis(1)).await;
    assert!(!line.client.needs_sign_in_check());
    line.reads().await.expect("an answer");
    assert_eq!(line.sent(), 4);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(line.client.needs_sign_in_check());
    line.reads().await.expect("an answer");
    assert_eq!(line.sent(), 6);
    line.client.forget_current_user();
    line.writes().await.expect("an answer");
    assert_eq!(line.sent(), 8, "it is asked again once that was doubted");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_where_the_site_knows_the_caller_as_nobody_or_lets_anybody_in() {
    for fate in [Fate::Status(204), Fate::Status(200)] {
        let line = Connection::signed_in(&[fate]);
        let error = line.writes().await.expect_err("a refusal");
        assert_eq!((error.kind(), line.sent()), (ErrorKind::NotSignedIn, 1));
    }
    // It does not say who is signed in, and answers without credentials.
    let line = Connection::signed_in(&[Fate::Status(404), Fate::Status(200)]);
    let error = line.writes().await.expect_err("a refusal");
    assert_eq!((error.kind(), line.sent()), (ErrorKind::NotSignedIn, 2));
    // It does not say who is signed in, and wants credentials.
    let line = Connection::signed_in(&[Fate::Status(404), Fate::Status(401), Fate::Status(201)]);
    let response = line.writes().await.expect("an answer");
    assert_eq!((response.status, line.sent()), (201, 3));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_does_not_end_the_check_that_others_wait_for() {
    let line = Connection::signed_in(&[Fate::Silence, Fate::CurrentUser]);
    let impatient = tokio::time::timeout(ATTEMPT / 2, line.reads()).await;
    assert!(impatient.is_err(), "the site is silent");
    line.reads().await.expect("an answer");
    // The question, the same once more, and the request of the second caller.
    assert_eq!(line.sent(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_time_is_over_waits_no_longer_for_the_check() {
    let line = Connection::signed_in(&[Fate::Silence]);
    let deadline = line.client.new_deadline();
    tokio::time::advance(ATTEMPT * 3).await;
    let begun = Instant::now();
    let read = SiteRequest::get(address("/items"));
    let error = line.client.send(deadline, &read).await;
    let error = error.expect_err("silence");
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    assert!(error.to_string().contains("within 40 seconds"), "{error}");
    assert_eq!(begun.elapsed(), ATTEMPT);
}
