//! The cookies of the built-in pages: their names and attributes, and the requests that they
//! authenticate.
//!
//! Over https the names start with `__Host-`: no other host can set them, and they are never sent
//! in plain text. Over http on loopback (a demo, a development server) browsers would reject such
//! cookies, so the prefix is omitted. Invariant: a cookie authenticates requests of this server's
//! own pages only, whatever else a browser attaches it to.

use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, Method};

use checklist_services::base_url::BaseUrl;

/// Where a request comes from, set by the browser; pages cannot change it.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A cookie of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cookie {
    /// Who has signed in. Sent by our own pages alone.
    Session,
    /// That this browser has begun to sign in. Comes back from the identity provider's page.
    SignIn,
    /// That this browser has begun to grant access to a site. Comes back from the authorization
    /// server's page.
    Consent,
    /// That this browser has opened a one-time link first. Sent by our own pages alone.
    AdminLink,
}

impl Cookie {
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Session => ("__Host-checklist-session", "checklist-session"),
            Self::SignIn => ("__Host-checklist-sign-in", "checklist-sign-in"),
            Self::Consent => ("__Host-checklist-consent", "checklist-consent"),
            Self::AdminLink => ("__Host-checklist-link", "checklist-link"),
        }
    }

    fn name(self, base: &BaseUrl) -> &'static str {
        let (secure, plain) = self.names();
        if base.is_https() { secure } else { plain }
    }

    /// The cookie's value in a request, unless there are several.
    #[must_use]
    pub fn of<'a>(self, headers: &'a HeaderMap, base: &BaseUrl) -> Option<&'a str> {
        let name = self.name(base);
        let mut values = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(found, _)| *found == name)
            .map(|(_, value)| value);
        let value = values.next();
        if values.next().is_some() {
            return None;
        }
        value
    }

    /// `Set-Cookie` with that value, for so many seconds; 0 takes it away.
    #[must_use]
    pub fn set(self, value: &str, seconds: i64, base: &BaseUrl) -> Option<HeaderValue> {
        let name = self.name(base);
        let secure = if base.is_https() { "; Secure" } else { "" };
        // The provider sends the browser back with a navigation from its own site.
        let site = match self {
            Self::Session | Self::AdminLink => "Strict",
            Self::SignIn | Self::Consent => "Lax",
        };
        let text =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={site}{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

/// Whether a request comes from a page of this server, or from its address line for what is only
/// read. A cookie counts for nothing else.
#[must_use]
pub fn is_from_here(method: &Method, headers: &HeaderMap, base: &BaseUrl) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(HeaderValue::as_bytes);
    let only_reads = matches!(*method, Method::GET | Method::HEAD);
    match text(&FETCH_SITE) {
        Some(b"same-origin") => true,
        // Typed, or opened from outside the browser: no page has made it.
        Some(b"none") => only_reads,
        Some(_) => false,
        // Older browsers, and pages without TLS, where browsers leave the header out.
        None => match text(&header::ORIGIN) {
            Some(origin) => origin == base.origin().as_bytes(),
            None => only_reads,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> BaseUrl {
        "https://checks.example/platform".parse().expect("a URL")
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn over_https_a_cookie_is_tied_to_this_host() {
        let set = Cookie::Session.set("abc", 60, &base()).expect("a header");
        assert_eq!(
            set,
            "__Host-checklist-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure"
        );
        let here: BaseUrl = "http://127.0.0.1:8080".parse().expect("a URL");
        let set = Cookie::SignIn.set("abc", 60, &here).expect("a header");
        assert_eq!(
            set,
            "checklist-sign-in=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"
        );
    }

    #[test]
    fn a_cookie_is_read_by_its_whole_name_and_once() {
        let read = |pairs| {
            Cookie::Session
                .of(&headers(pairs), &base())
                .map(str::to_owned)
        };
        assert_eq!(
            read(&[("cookie", "a=1; __Host-checklist-session=x; b=2")]),
            Some("x".into())
        );
        assert_eq!(read(&[("cookie", "checklist-session=x")]), None);
        assert_eq!(
            read(&[
                ("cookie", "__Host-checklist-session=x"),
                ("cookie", "__Host-checklist-session=y")
            ]),
            None
        );
    }

    #[test]
    fn only_requests_of_our_own_pages_count() {
        let ask = |method: Method, pairs: &[(&'static str, &'static str)]| {
            is_from_here(&method, &headers(pairs), &base())
        };
        let own = ("origin", "https://checks.example");
        let (get, post) = (Method::GET, Method::POST);
        assert!(ask(post.clone(), &[("sec-fetch-site", "same-origin")]));
        assert!(ask(post.clone(), &[own]));
        assert!(ask(get.clone(), &[("sec-fetch-site", "none")]));
        assert!(ask(get.clone(), &[]));
        assert!(!ask(post.clone(), &[("sec-fetch-site", "none")]));
        assert!(!ask(post.clone(), &[]));
        for site in ["cross-site", "same-site", "Same-Origin", ""] {
            assert!(
                !ask(get.clone(), &[("sec-fetch-site", site), own]),
                "{site}"
            );
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://checks.example",
            "https://checks.example:444",
        ] {
            assert!(!ask(post.clone(), &[("origin", origin)]), "{origin}");
        }
    }
}
