//! Extracts the caller: the only code in `http` that authenticates requests.
//!
//! The credential is in `Authorization: Bearer` or, for the built-in pages, in a cookie.
//! `auth::authenticator` checks it; handlers see the principal only.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use checklist_auth::{PresentedCredential, Principal};
use checklist_shared::problem::ProblemCode;

use crate::http::Web;
use crate::http::cookie::{self, Cookie};
use crate::http::peer::address_of;
use crate::http::problem::NO_CREDENTIAL;
use crate::http::problem::ProblemResponse;

/// The maximum number of languages that are considered.
const MOST_LANGUAGES: usize = 10;

/// The caller.
pub struct Caller(pub Principal);

impl FromRequestParts<Arc<Web>> for Caller {
    type Rejection = ProblemResponse;

    async fn from_request_parts(
        parts: &mut Parts,
        web: &Arc<Web>,
    ) -> Result<Self, ProblemResponse> {
        let (shown, origin) = presented(parts, web)?;
        let caller = match web.gate.admit(shown, origin, web.now()).await {
            Ok(principal) => Self::of(principal, parts),
            Err(denied) => {
                let address = address_of(&parts.extensions, &parts.headers, &web.proxies);
                web.failures.tell(address, denied.code, &denied.detail);
                // A good credential goes on to count, whatever else comes from that address.
                if denied.code == ProblemCode::Unauthenticated {
                    too_many(web.rates.failure(address))?;
                }
                return Err(denied.into());
            }
        };
        too_many(web.rates.request(&caller.0))?;
        Ok(caller)
    }
}

impl Caller {
    /// The caller of a request that was answered before and goes on, as a stream does. Counts neither
    /// as a request nor, if the credential has ended, as a failed sign-in.
    pub async fn again(parts: &Parts, web: &Web) -> Result<Self, ProblemResponse> {
        let (shown, origin) = presented(parts, web)?;
        let principal = web.gate.admit_again(shown, origin, web.now()).await?;
        Ok(Self::of(principal, parts))
    }

    /// The caller, who reads the languages of the request.
    fn of(mut principal: Principal, parts: &Parts) -> Self {
        principal
            .languages
            .extend(accepted_languages(&parts.headers));
        Self(principal)
    }
}

/// The refusal of one request too many; `Err` is the seconds to wait.
pub fn too_many(counted: Result<(), u32>) -> Result<(), ProblemResponse> {
    counted.map_err(|seconds| {
        ProblemResponse::new(
            ProblemCode::TooManyRequests,
            "Too many requests; try again later.",
        )
        .retry_after(seconds)
    })
}

/// The credential of a request, and the origin of the page that it comes from.
fn presented<'a>(
    parts: &'a Parts,
    web: &Web,
) -> Result<(PresentedCredential<'a>, Option<&'a str>), ProblemResponse> {
    Ok((presented_credential(parts, web)?, origin(&parts.headers)?))
}

/// The credential of a request. A session cookie counts only without any other credential, and only
/// in requests of this server's own pages.
fn presented_credential<'a>(
    parts: &'a Parts,
    web: &Web,
) -> Result<PresentedCredential<'a>, ProblemResponse> {
    let headers = &parts.headers;
    if !headers.contains_key(header::AUTHORIZATION)
        && let Some(cookie) = Cookie::Session.of(headers, &web.base)
        && cookie::is_from_here(&parts.method, headers, &web.base)
    {
        return Ok(PresentedCredential::Cookie(cookie));
    }
    bearer(headers).map(PresentedCredential::Bearer)
}

/// The `Origin` of a request. Fails if it is ambiguous, because the request then comes from a page.
fn origin(headers: &HeaderMap) -> Result<Option<&str>, ProblemResponse> {
    let mut all = headers.get_all(header::ORIGIN).iter();
    match (all.next().map(|one| one.to_str()), all.next()) {
        (None, _) => Ok(None),
        (Some(Ok(origin)), None) => Ok(Some(origin)),
        _ => Err(ProblemResponse::new(
            ProblemCode::OriginRefused,
            "A request names one Origin and no more.",
        )),
    }
}

fn bearer(headers: &HeaderMap) -> Result<&str, ProblemResponse> {
    let refuse = |detail: &str| Err(ProblemResponse::new(ProblemCode::Unauthenticated, detail));
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(one), None) = (all.next(), all.next()) else {
        return refuse(NO_CREDENTIAL);
    };
    let Some((scheme, token)) = one.to_str().ok().and_then(|text| text.split_once(' ')) else {
        return refuse("The Authorization header has to be: Bearer <token>.");
    };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return refuse("The Authorization header has to be: Bearer <token>.");
    }
    Ok(token.trim())
}

/// The languages of `Accept-Language`, best first.
pub fn accepted_languages(headers: &HeaderMap) -> Vec<String> {
    let text = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    let mut tags: Vec<(f32, &str)> = text
        .split(',')
        .take(MOST_LANGUAGES)
        .filter_map(|entry| {
            let (tag, quality) = entry.split_once(';').unwrap_or((entry, "q=1"));
            let quality: f32 = quality.trim().strip_prefix("q=")?.parse().ok()?;
            let tag = tag.trim();
            (quality > 0.0 && !tag.is_empty() && tag != "*").then_some((quality, tag))
        })
        .collect();
    tags.sort_by(|one, other| other.0.total_cmp(&one.0));
    tags.into_iter().map(|(_, tag)| tag.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(name: header::HeaderName, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(&name, HeaderValue::from_str(value).expect("a header"));
        }
        headers
    }

    #[test]
    fn languages_come_in_the_order_of_their_quality() {
        let languages = |text: &str| accepted_languages(&headers(header::ACCEPT_LANGUAGE, &[text]));
        assert_eq!(
            languages("en;q=0.5, de-AT, fr;q=0.9, *;q=0.1, es;q=0"),
            ["de-AT", "fr", "en"]
        );
        assert_eq!(languages("nonsense;;;, ,"), Vec::<String>::new());
        assert_eq!(languages(&"x,".repeat(50)).len(), 10);
    }

    #[test]
    fn a_credential_is_one_bearer_token() {
        let ask = |values: &[&str]| {
            bearer(&headers(header::AUTHORIZATION, values))
                .ok()
                .map(str::to_owned)
        };
        assert_eq!(ask(&["Bearer abc"]), Some("abc".into()));
        assert_eq!(ask(&["bearer abc"]), Some("abc".into()));
        for bad in [
            &["Basic abc"][..],
            &["Bearer"],
            &["abc"],
            &[],
            &["Bearer a", "Bearer b"],
        ] {
            assert_eq!(ask(bad), None, "{bad:?}");
        }
    }
}
