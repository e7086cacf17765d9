//! The challenges in the `WWW-Authenticate` headers of a 401 (RFC 9110, 11.6.1).

use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, StatusCode};

use crate::error::{ErrorKind, SiteError};
use crate::response::SiteResponse;
use crate::transport::Response;

/// Whether a response refuses the credentials, and does not merely ask to wait.
pub(super) fn is_refused(response: &Response) -> bool {
    response.status() == StatusCode::UNAUTHORIZED
        && !SiteResponse::from_http(response).is_throttled()
}

/// The parameters of a scheme in the first header that has it; empty where only the name
/// is there.
pub(super) fn challenge_of<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    headers
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .find_map(|value| {
            let value = value.trim();
            let (name, rest) = value.split_once(' ').unwrap_or((value, ""));
            name.trim_end_matches(',')
                .eq_ignore_ascii_case(scheme)
                .then_some(rest.trim())
        })
}

/// The error for a site that does not offer a scheme.
pub(super) fn not_offered_error(headers: &HeaderMap, scheme: &str) -> SiteError {
    let offered: Vec<&str> = headers
        .get_all(WWW_AUTHENTICATE)
        .iter()
        .filter_map(|value| value.to_str().ok()?.split_whitespace().next())
        .collect();
    let offered = if offered.is_empty() {
        "nothing that is known".to_owned()
    } else {
        offered.join(", ")
    };
    SiteError::new(
        ErrorKind::SignInRefused,
        format!("The site does not sign in by {scheme}; it offers {offered}."),
    )
    .with_status(401)
    .with_hint("Choose another authentication type. No password was sent.")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_scheme_is_found_among_others_with_what_stands_behind_it() {
        let mut headers = HeaderMap::new();
        for value in [
            "Negotiate",
            "NTLM TlRMTVNTUAAC",
            "Digest realm=\"r\", nonce=\"n\"",
        ] {
            headers.append(WWW_AUTHENTICATE, HeaderValue::from_static(value));
        }
        assert_eq!(challenge_of(&headers, "ntlm"), Some("TlRMTVNTUAAC"));
        assert_eq!(challenge_of(&headers, "Negotiate"), Some(""));
        assert_eq!(
            challenge_of(&headers, "Digest"),
            Some("realm=\"r\", nonce=\"n\"")
        );
        assert_eq!(challenge_of(&headers, "Basic"), None);
        assert!(
            not_offered_error(&headers, "Basic")
                .to_string()
                .contains("Negotiate, NTLM, Digest")
        );
    }
}
