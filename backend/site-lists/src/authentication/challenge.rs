//! What a 401 offers: the schemes in its `WWW-Authenticate` headers.

use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, StatusCode};

use crate::answer::Answer;
use crate::error::{ErrorKind, SiteError};
use crate::transport::Response;

/// Whether an answer refuses the credentials, and does not merely ask to wait.
pub(super) fn is_refused(answer: &Response) -> bool {
    answer.status() == StatusCode::UNAUTHORIZED && !Answer::of(answer).is_throttled()
}

/// What stands behind a scheme's name in the first header that has it; empty where only the name
/// is there.
pub(super) fn of_scheme<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
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
pub(super) fn not_offered(headers: &HeaderMap, scheme: &str) -> SiteError {
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
        assert_eq!(of_scheme(&headers, "ntlm"), Some("TlRMTVNTUAAC"));
        assert_eq!(of_scheme(&headers, "Negotiate"), Some(""));
        assert_eq!(
            of_scheme(&headers, "Digest"),
            Some("realm=\"r\", nonce=\"n\"")
        );
        assert_eq!(of_scheme(&headers, "Basic"), None);
        assert!(
            not_offered(&headers, "Basic")
                .to_string()
                .contains("Negotiate, NTLM, Digest")
        );
    }
}
