//! What can go wrong: each kind with its name and what it makes of a request or of its answer.
//!
//! What happens to the connection itself is done by `handler` and `wire`.

use jiff::SignedDuration;
use serde_json::Value;

use super::Fault;
use crate::clock;
use crate::odata::flavour::Flavour;
use crate::request::{Answer, Incoming};
use crate::rest::error::RestError;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 429 with Retry-After in seconds.
    ThrottledSeconds,
    /// 429 with Retry-After as a date.
    ThrottledDate,
    /// 503 without a word.
    Busy,
    /// 401 whose body says that it is a 429.
    ThrottledAs401,
    /// 400 with a page in HTML.
    BadRequestPage,
    /// 401, as if the sign-in had ended.
    SignInEnded,
    /// 403, as if the form digest had ended.
    DigestEnded,
    /// 409, as if two writers had met.
    Conflict,
    /// 412, as if somebody had written in between.
    Stale,
    /// 500 of the service's own.
    ServerError,
    /// 500, as if the list were too long for the query.
    Threshold,
    /// 500, as if a unique column held the value already.
    Duplicate,
    /// No answer; nothing is done.
    TimeoutBefore,
    /// No answer; it is done.
    TimeoutAfter,
    /// The right answer, which says that the budget is nearly used up.
    NearLimit,
    /// The answer late.
    Slow,
    /// The connection is reset; nothing is done.
    ResetBefore,
    /// The connection is reset; it is done.
    ResetAfter,
    /// Half of the body that was announced, then the end of the connection.
    HalfBody,
    /// A page in HTML that says 200 and JSON.
    WrongType,
    /// A whole answer with a body that stops in the middle.
    TruncatedPage,
    /// A page that lacks half of its rows, and the address of the next one.
    ShortPage,
    /// A page without any rows.
    EmptyPage,
}

const NAMES: [(Kind, &str, &str); 23] = [
    (
        Kind::ThrottledSeconds,
        "429-seconds",
        "429, Retry-After in seconds",
    ),
    (
        Kind::ThrottledDate,
        "429-date",
        "429, Retry-After as a date",
    ),
    (Kind::Busy, "503", "503 without Retry-After"),
    (
        Kind::ThrottledAs401,
        "401-throttled",
        "401 whose body says 429",
    ),
    (Kind::BadRequestPage, "400-html", "400 with a page in HTML"),
    (Kind::SignInEnded, "401", "401, the sign-in has ended"),
    (
        Kind::DigestEnded,
        "403-digest",
        "403, the form digest has ended",
    ),
    (Kind::Conflict, "409", "409, save conflict"),
    (Kind::Stale, "412", "412, somebody wrote in between"),
    (Kind::ServerError, "500", "500 of the service"),
    (Kind::Threshold, "threshold", "500, list view threshold"),
    (
        Kind::Duplicate,
        "unique",
        "500, duplicate value in a unique column",
    ),
    (
        Kind::TimeoutBefore,
        "timeout-before",
        "No answer, nothing done",
    ),
    (Kind::TimeoutAfter, "timeout-after", "No answer, but done"),
    (
        Kind::NearLimit,
        "near-limit",
        "The right answer, and RateLimit headers that warn",
    ),
    (Kind::Slow, "slow", "The answer late"),
    (Kind::ResetBefore, "reset", "Connection reset, nothing done"),
    (
        Kind::ResetAfter,
        "reset-after",
        "Connection reset, but done",
    ),
    (
        Kind::HalfBody,
        "half-body",
        "Half of the body, then the end",
    ),
    (
        Kind::WrongType,
        "wrong-type",
        "A page in HTML where JSON was announced",
    ),
    (
        Kind::TruncatedPage,
        "truncated-page",
        "A body that stops in the middle",
    ),
    (
        Kind::ShortPage,
        "short-page",
        "Half of the rows, no next page",
    ),
    (Kind::EmptyPage, "empty-page", "No rows at all"),
];

impl Kind {
    /// Every kind, with its name and a few words.
    pub fn all() -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        NAMES.into_iter()
    }

    /// The kind of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES
            .iter()
            .find(|(_, own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(kind, ..)| *kind)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(kind, ..)| *kind == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// How long it lasts when nobody says.
    #[must_use]
    pub fn usual_seconds(self) -> u64 {
        match self {
            Self::TimeoutBefore | Self::TimeoutAfter => 120,
            Self::ThrottledSeconds | Self::ThrottledDate | Self::ThrottledAs401 => 1,
            _ => 2,
        }
    }

    /// Whether it is an answer, so that a part of a batch can have it.
    #[must_use]
    pub fn is_answer(self) -> bool {
        !matches!(
            self,
            Self::TimeoutBefore
                | Self::TimeoutAfter
                | Self::Slow
                | Self::ResetBefore
                | Self::ResetAfter
                | Self::HalfBody
                | Self::TruncatedPage
        )
    }
}

/// The answer in place of the right one.
pub fn instead(fault: Fault, incoming: &Incoming) -> Option<Answer> {
    let graph = crate::graph::split(&incoming.path).is_some();
    let flavour = Flavour::accepted(incoming.header("accept")).unwrap_or(Flavour::Minimal);
    let error = |status: u16, code: &str, message: &str, rest: RestError| {
        if graph {
            crate::graph::error::GraphError::new(status, code, message).answer()
        } else {
            rest.answer(flavour)
        }
    };
    let html = |status: u16, text: &str| {
        let page = format!(
            "<!DOCTYPE html><html><head><title>{text}</title></head><body><h1>{text}</h1></body></html>"
        );
        Answer::text(status, "text/html; charset=utf-8", page)
    };
    let throttled = || {
        error(
            429,
            "activityLimitReached",
            "The request has been throttled.",
            RestError::new(
                429,
                -2_147_429_894,
                "Microsoft.SharePoint.SPException",
                "The request has been throttled -- your application ID is causing too much traffic.",
            ),
        )
    };
    Some(match fault.kind {
        Kind::ThrottledSeconds => throttled().with("retry-after", &fault.seconds.to_string()),
        Kind::ThrottledDate => {
            let seconds = i64::try_from(fault.seconds).unwrap_or(1);
            let at = clock::now() + SignedDuration::from_secs(seconds);
            let date = at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
            throttled().with("retry-after", &date)
        }
        Kind::Busy => Answer::empty(503),
        Kind::ThrottledAs401 => Answer::text(401, "text/plain", "429 TOO MANY REQUESTS".to_owned()),
        Kind::BadRequestPage => html(400, "Bad Request"),
        Kind::SignInEnded => error(
            401,
            "InvalidAuthenticationToken",
            "Access token has expired or is not yet valid.",
            RestError {
                status: 401,
                ..RestError::access_denied()
            },
        )
        .with("www-authenticate", "Bearer"),
        Kind::DigestEnded => error(403, "accessDenied", "Access denied", RestError::digest()),
        Kind::Conflict => error(
            409,
            "resourceModified",
            "The resource has changed since the caller last read it; usually an eTag mismatch",
            RestError::save_conflict(),
        ),
        Kind::Stale => error(
            412,
            "resourceModified",
            "ETag does not match current item's value",
            RestError::stale("\"1\"", "\"2\""),
        ),
        Kind::ServerError => error(
            500,
            "generalException",
            "General exception while processing",
            RestError::new(
                500,
                -2_147_467_259,
                "Microsoft.SharePoint.SPException",
                "An unexpected error has occurred.",
            ),
        ),
        Kind::Threshold => error(
            500,
            "generalException",
            "The attempted operation is prohibited because it exceeds the list view threshold.",
            RestError::threshold(),
        ),
        Kind::Duplicate => error(
            400,
            "invalidRequest",
            "One of the provided values is not unique.",
            RestError::duplicate("SyncKey"),
        ),
        _ => return None,
    })
}

/// The right answer, spoilt.
pub fn spoilt(fault: Fault, mut answer: Answer) -> Answer {
    match fault.kind {
        Kind::WrongType => {
            answer.body = b"<html><body>Sign in to your account</body></html>".to_vec();
            answer.status = 200;
        }
        Kind::TruncatedPage => {
            let mut half = answer.body.len() / 2;
            // In the middle of a letter it would not even be text.
            while half > 0 && answer.body[half] & 0xC0 == 0x80 {
                half -= 1;
            }
            answer.body.truncate(half);
        }
        Kind::NearLimit => {
            answer.set("ratelimit-limit", "100");
            answer.set("ratelimit-remaining", "5");
            answer.set("ratelimit-reset", &fault.seconds.to_string());
        }
        Kind::ShortPage | Kind::EmptyPage => {
            if let Some(mut body) = answer.value() {
                shorten(&mut body, fault.kind == Kind::EmptyPage);
                answer.body = body.to_string().into_bytes();
            }
        }
        _ => {}
    }
    answer
}

fn shorten(body: &mut Value, to_nothing: bool) {
    let cut = |rows: &mut Value| {
        if let Some(rows) = rows.as_array_mut() {
            let kept = if to_nothing { 0 } else { rows.len() / 2 };
            rows.truncate(kept);
        }
    };
    if let Some(rows) = body.get_mut("value") {
        cut(rows);
    }
    if let Some(rows) = body.pointer_mut("/d/results") {
        cut(rows);
    }
    if let Some(all) = body.as_object_mut() {
        all.shift_remove("odata.nextLink");
        all.shift_remove("@odata.nextLink");
    }
    if let Some(inner) = body.get_mut("d").and_then(Value::as_object_mut) {
        inner.shift_remove("__next");
    }
}
