//! Browser sign-in: the redirect to the identity provider, and the redirect back.
//!
//! Both are navigations, so an error is shown by the page that the browser returns to: its URL gets
//! `?SignInProblem=` with the name of the error. `services::sessions` implements the flow.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{Extensions, HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use checklist_auth::oidc::Oidc;
use checklist_auth::oidc::code_flow::{AuthorizationResponse, SignInError};
use checklist_services::base_url::BaseUrl;
use checklist_services::sessions;
use checklist_shared::problem::ProblemCode;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::cookie::Cookie;
use super::extract::{Parameters, too_many};
use super::peer::address_of;
use super::problems::{Counted, SignsIn};
use super::session::with_cookie;
use crate::http::problem::ProblemResponse;

/// The lifetime of the cookie of a pending sign-in, in seconds.
const KEPT: i64 = 10 * 60;
/// The page to return to by default.
const HOME: &str = "/admin/";
/// The maximum length of the page's URL, in bytes.
const LONGEST: usize = 2_000;

/// Where to go afterwards.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SignInParameters {
    /// A page of this server, by its path: `/admin/`. Anything else is taken for that.
    return_to: Option<String>,
    /// Which tenant, for people who are registered in several; the first otherwise.
    tenant: Option<String>,
}

/// What the identity provider sends along.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SignInCallback {
    /// The code.
    code: Option<String>,
    /// Which sign-in it belongs to.
    #[serde(default)]
    state: String,
    /// What went wrong.
    error: Option<String>,
    /// Who sends it (RFC 9207).
    iss: Option<String>,
}

/// Sign in with the identity provider.
///
/// Sends the browser there and, at the end, to `ReturnTo`, with a session or with
/// `?SignInProblem=` (`Refused`, `Expired`, `NotRegistered`, `NoRole`, `GroupsLeftOut`,
/// `ProviderFailed`). Where the provider has said who it is, `SignInIssuer` and `SignInSubject` are
/// what an administrator registers the person by.
#[utoipa::path(get, path = "/session/sign-in", operation_id = "BeginSignIn", tag = "Session", security(()),
    params(SignInParameters),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(SignsIn, Counted, (status = 302, description = "To the identity provider, or back with a problem.")))]
pub async fn begin(
    State(web): State<Arc<Web>>,
    extensions: Extensions,
    headers: HeaderMap,
    Parameters(wish): Parameters<SignInParameters>,
) -> Result<Response, ProblemResponse> {
    let oidc = oidc_of(&web)?;
    let address = address_of(&extensions, &headers, &web.proxies);
    too_many(web.rates.failure(address))?;
    let page = page_of_ours(wish.return_to.as_deref(), &web.base);
    let begun =
        sessions::begin_sign_in(&web.app, oidc, &callback(&web), page.clone(), wish.tenant).await;
    Ok(match begun {
        Ok((address, cookie)) => {
            let kept = Cookie::SignIn.set(&cookie, KEPT, &web.base);
            let kept = kept.map(|cookie| (header::SET_COOKIE, cookie));
            (kept.into_iter().collect::<HeaderMap>(), to(&address)).into_response()
        }
        Err(problem) => with_problem(&page, problem),
    })
}

/// Back from the identity provider.
///
/// The provider sends browsers here; nobody else has a reason to.
#[utoipa::path(get, path = "/session/callback", operation_id = "FinishSignIn", tag = "Session", security(()),
    params(SignInCallback),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(SignsIn, (status = 302, description = "To the page that was asked for.")))]
pub async fn finish(
    State(web): State<Arc<Web>>,
    extensions: Extensions,
    headers: HeaderMap,
    Parameters(back): Parameters<SignInCallback>,
) -> Result<Response, ProblemResponse> {
    let oidc = oidc_of(&web)?;
    let returned = AuthorizationResponse {
        code: back.code,
        error: back.error,
        issuer: back.iss,
    };
    let cookie = Cookie::SignIn.of(&headers, &web.base);
    let callback = callback(&web);
    let (page, begun) = sessions::finish_sign_in(
        &web.app,
        oidc,
        &callback,
        &back.state,
        cookie,
        returned,
        web.session_seconds,
    )
    .await;
    let page = page.unwrap_or_else(|| page_of_ours(None, &web.base));
    if let Err(problem) = &begun
        && !matches!(problem, SignInError::ProviderFailed)
    {
        let address = address_of(&extensions, &headers, &web.proxies);
        let code = ProblemCode::Unauthenticated;
        web.failures.tell(address, code, problem.name());
        too_many(web.rates.failure(address))?;
    }
    let mut response = match begun {
        Ok(begun) => (with_cookie(&web, &begun), to(&page)).into_response(),
        Err(problem) => with_problem(&page, problem),
    };
    if let Some(gone) = Cookie::SignIn.set("", 0, &web.base) {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    Ok(response)
}

fn oidc_of(web: &Web) -> Result<&Oidc, ProblemResponse> {
    let oidc = web.oidc.as_deref().filter(|oidc| oidc.has_client());
    oidc.ok_or_else(|| {
        ProblemResponse::new(
            ProblemCode::NotFound,
            "This server has no identity provider to sign in with.",
        )
    })
}

fn callback(web: &Web) -> String {
    format!("{}/session/callback", web.base)
}

/// To another address.
pub(super) fn to(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(address) => (StatusCode::FOUND, [(header::LOCATION, address)]).into_response(),
        Err(_) => super::problem::internal().into_response(),
    }
}

fn with_problem(page: &str, problem: SignInError) -> Response {
    let (path, rest) = page.split_once('?').unwrap_or((page, ""));
    let more = if rest.is_empty() { "" } else { "&" };
    let who = problem.account().map_or_else(String::new, |account| {
        url::form_urlencoded::Serializer::new(String::new())
            .append_pair("SignInIssuer", &account.issuer)
            .append_pair("SignInSubject", &account.subject)
            .finish()
    });
    let and = if who.is_empty() { "" } else { "&" };
    to(&format!(
        "{path}?{rest}{more}SignInProblem={}{and}{who}",
        problem.name()
    ))
}

/// The path of a page of this server. Anything that could lead to another site is replaced by the
/// default.
fn page_of_ours(wish: Option<&str>, base: &BaseUrl) -> String {
    let plain = |path: &&str| {
        let letters = path.chars().all(|letter| letter.is_ascii_graphic());
        let local = path.starts_with('/') && !path.starts_with("//");
        letters && local && path.len() <= LONGEST && !path.contains(['\\', '#'])
    };
    let path = wish.filter(plain).unwrap_or(HOME);
    let inside = format!("{}/", base.path());
    if path.starts_with(&inside) {
        path.to_owned()
    } else {
        format!("{}{path}", base.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(wish: &str, base: &str) -> String {
        page_of_ours(Some(wish), &base.parse().expect("a URL"))
    }

    #[test]
    fn people_come_back_to_a_page_of_ours_and_to_no_other() {
        let base = "https://checks.example/platform";
        assert_eq!(page("/admin/keys?a=b", base), "/platform/admin/keys?a=b");
        assert_eq!(page("/platform/admin/", base), "/platform/admin/");
        assert_eq!(page("/admin/", "https://checks.example"), "/admin/");
        for bad in [
            "https://evil.example/",
            "//evil.example/",
            "/\\evil.example/",
            "\\\\evil.example",
            "javascript:alert(1)",
            "admin/",
            "",
            "/a\r\nSet-Cookie: a=b",
            "/a b",
            "/ä",
            "/admin/#//evil.example",
            &format!("/{}", "a".repeat(LONGEST)),
        ] {
            assert_eq!(page(bad, base), "/platform/admin/", "{bad}");
        }
    }

    #[test]
    fn a_problem_is_told_beside_what_the_page_has_in_its_address() {
        let told = |page: &str| {
            let response = with_problem(page, SignInError::Refused);
            response.headers()[header::LOCATION]
                .to_str()
                .expect("text")
                .to_owned()
        };
        assert_eq!(told("/admin/"), "/admin/?SignInProblem=Refused");
        assert_eq!(told("/admin/?a=b"), "/admin/?a=b&SignInProblem=Refused");
    }
}
