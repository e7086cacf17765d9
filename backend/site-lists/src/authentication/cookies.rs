//! Cookie sessions: cookies from the response to a sign-in, sent with every request.
//!
//! Invariant: cookies are sent to the origin that set them alone.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use tokio::sync::RwLock;
use tokio::time::Instant;
use url::Url;

use super::authenticator::{Authenticator, SendResult, Sender};
use super::challenge::is_refused;
use super::credentials::secret_header;
use super::password_guard::PasswordGuard;
use crate::error::Result;
use crate::response::SiteResponse;
use crate::transport::{Request, Response};

/// Renewed this long before its end.
const EARLY: Duration = Duration::from_secs(60);

/// What a sign-in brings.
pub(super) struct Session {
    cookies: HeaderValue,
    until: Instant,
    since: Instant,
    /// Whether it followed another one.
    is_second: bool,
}

/// A refusal soon after a sign-in is no sign of a session that is over.
const YOUNG: Duration = Duration::from_secs(60);

impl Session {
    /// A session with these cookies that holds for so long.
    pub(super) fn new(cookies: &str, holds: Duration) -> Result<Self> {
        let usable = holds.checked_sub(EARLY).unwrap_or(holds / 2);
        Ok(Self {
            cookies: secret_header(cookies)?,
            until: Instant::now() + usable,
            since: Instant::now(),
            is_second: false,
        })
    }
}

/// How to sign in, for a method that ends in cookies.
#[async_trait]
pub(super) trait CookieSignIn: Send + Sync {
    /// Signs in. A rejected password is marked in `guard`.
    async fn sign_in(&self, guard: &PasswordGuard, sender: Sender<'_>) -> SendResult<Session>;
}

/// Sends with cookies, signing in where there are none that hold.
pub(super) struct CookieAuthenticator<D> {
    sign_in: D,
    session: RwLock<Option<Session>>,
    guard: PasswordGuard,
}

impl<D: CookieSignIn> CookieAuthenticator<D> {
    pub(super) fn new(sign_in: D) -> Self {
        Self {
            sign_in,
            session: RwLock::default(),
            guard: PasswordGuard::default(),
        }
    }

    /// The cookies to send; new ones where those that are known are `stale`.
    async fn cookies(
        &self,
        stale: Option<&HeaderValue>,
        sender: Sender<'_>,
    ) -> SendResult<HeaderValue> {
        let holds =
            |session: &Session| Instant::now() < session.until && stale != Some(&session.cookies);
        if let Some(session) = self
            .session
            .read()
            .await
            .as_ref()
            .filter(|session| holds(session))
        {
            return Ok(session.cookies.clone());
        }
        let mut session = self.session.write().await;
        if let Some(session) = session.as_ref().filter(|session| holds(session)) {
            return Ok(session.cookies.clone());
        }
        let _alone = self.guard.acquire(sender.limits.time).await?;
        let mut fresh = self.sign_in.sign_in(&self.guard, sender).await?;
        fresh.is_second = session.is_some();
        self.guard.mark_accepted();
        let cookies = fresh.cookies.clone();
        *session = Some(fresh);
        Ok(cookies)
    }

    /// Whether a 403 may stand for a session that is over, and signing in again is worth trying:
    /// not when that was tried a moment ago, and not for the first session, which holds.
    async fn may_have_ended(&self, cookies: &HeaderValue) -> bool {
        let session = self.session.read().await;
        let Some(session) = session
            .as_ref()
            .filter(|session| session.cookies == cookies)
        else {
            return true;
        };
        !session.is_second || session.since.elapsed() >= YOUNG
    }
}

#[async_trait]
impl<D: CookieSignIn> Authenticator for CookieAuthenticator<D> {
    fn is_refused(&self) -> bool {
        self.guard.is_refused()
    }

    async fn send(&self, request: Request, sender: Sender<'_>) -> SendResult {
        let cookies = self.cookies(None, sender).await?;
        let mut first = request.clone();
        first.headers_mut().insert(COOKIE, cookies.clone());
        let response = sender.send(first).await?;
        let over = match session_end(&response) {
            SessionEnd::No => false,
            SessionEnd::Yes => true,
            SessionEnd::Perhaps => self.may_have_ended(&cookies).await,
        };
        if !over {
            return Ok(response);
        }
        // The request was refused and not carried out.
        let cookies = self.cookies(Some(&cookies), sender).await?;
        let mut second = request;
        second.headers_mut().insert(COOKIE, cookies);
        Ok(sender.send(second).await?)
    }
}

/// Whether a response means that the session is over.
enum SessionEnd {
    No,
    /// A 403, which sites answer to whoever lacks a right as well.
    Perhaps,
    /// A 401, the way to a sign-in page, or the refusal that stands for it.
    Yes,
}

fn session_end(response: &Response) -> SessionEnd {
    let leads_away = matches!(
        response.status(),
        StatusCode::FOUND | StatusCode::SEE_OTHER | StatusCode::TEMPORARY_REDIRECT
    );
    if is_refused(response)
        || leads_away
        || response
            .headers()
            .contains_key("x-forms_based_auth_required")
    {
        return SessionEnd::Yes;
    }
    if response.status() == StatusCode::FORBIDDEN
        && !SiteResponse::from_http(response).rejects_digest()
    {
        return SessionEnd::Perhaps;
    }
    SessionEnd::No
}

/// A request of a sign-in; `None` where nothing can be sent to that address.
pub(super) fn post(url: &Url, content_type: &'static str, body: String) -> Option<Request> {
    let mut request = Request::new(Bytes::from(body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = url.as_str().parse().ok()?;
    let content_type = HeaderValue::from_static(content_type);
    request.headers_mut().insert(CONTENT_TYPE, content_type);
    Some(request)
}

/// The cookies that a response sets, as a request sends them back.
pub(super) fn cookies_of(headers: &HeaderMap) -> Option<String> {
    let all: Vec<&str> = headers
        .get_all(SET_COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok()?.split(';').next())
        .map(str::trim)
        .filter(|pair| {
            pair.split_once('=')
                .is_some_and(|(_, value)| !value.is_empty())
        })
        .collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_sent_back_without_their_attributes() {
        let mut headers = HeaderMap::new();
        headers.append(
            SET_COOKIE,
            HeaderValue::from_static("FedAuth=a%2Bb==; path=/; HttpOnly"),
        );
        headers.append(SET_COOKIE, HeaderValue::from_static("rtFa=c; Secure"));
        headers.append(
            SET_COOKIE,
            HeaderValue::from_static("gone=; expires=Thu, 01 Jan 1970"),
        );
        assert_eq!(
            cookies_of(&headers).as_deref(),
            Some("FedAuth=a%2Bb==; rtFa=c")
        );
        assert_eq!(cookies_of(&HeaderMap::new()), None);
    }
}
