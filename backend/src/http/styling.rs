//! The styles of rendered HTML: linked, or inline, which saves a round trip on the first visit.
//!
//! Validates the requested options, and builds the matching content security policy.

use std::sync::LazyLock;

use axum::http::header::HeaderValue;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use checklist_control::stylesheet::{Sheet, Styling};
use checklist_runtime::clock::random;
use checklist_shared::problem::{FieldError, FieldErrorCode};
use checklist_shared::wire::render::Styles;

use super::Web;
use super::assets;
use super::problem::internal;
use crate::http::problem::ProblemResponse;

/// The maximum length of a nonce, in bytes; usual ones have some twenty.
const LONGEST_NONCE: usize = 200;

/// The parsed style sheet of the control.
static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::new(assets::styles()));

/// Validates the options for styles. `inline` is the reason why inline styles are not available, if
/// so.
pub(super) fn check(
    styles: Styles,
    nonce: Option<&str>,
    inline: Result<(), &'static str>,
    errors: &mut Vec<FieldError>,
) {
    let mut invalid = |pointer: &str, detail: &str| {
        errors.push(FieldError::new(pointer, FieldErrorCode::Invalid, detail));
    };
    match (styles, inline) {
        (Styles::Inline, Err(detail)) => invalid("/Styles", detail),
        (Styles::Inline, Ok(())) if nonce.is_some_and(|nonce| !is_nonce(nonce)) => invalid(
            "/StyleNonce",
            "Not the nonce of a policy: base64, at most 200 characters, without quotation marks.",
        ),
        (Styles::Linked, _) if nonce.is_some() => invalid(
            "/StyleNonce",
            "Goes with Styles \"Inline\" alone: a style sheet is allowed by its address.",
        ),
        _ => {}
    }
}

/// Whether a text is a `base64-value` of a content security policy.
fn is_nonce(text: &str) -> bool {
    let value = text.trim_end_matches('=');
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    !value.is_empty()
        && text.len() - value.len() <= 2
        && text.len() <= LONGEST_NONCE
        && value.bytes().all(allowed)
}

/// The styles for a fragment of another origin's page.
pub(super) fn of_part(web: &Web, styles: Styles, nonce: Option<String>) -> Styling {
    match styles {
        Styles::Linked => {
            let name = assets::style_sheet().unwrap_or("checklist.css");
            Styling::Linked(format!("{}/control/{name}", web.base))
        }
        Styles::Inline => inside(nonce),
    }
}

/// The styles for a page of this server, with the nonce for its policy.
///
/// # Errors
/// The operating system has no random numbers.
pub(super) fn of_page() -> Result<(Styling, String), ProblemResponse> {
    let mut bytes = [0; 16];
    random(&mut bytes).map_err(|_| internal())?;
    let nonce = BASE64_STANDARD.encode(bytes);
    Ok((inside(Some(nonce.clone())), nonce))
}

fn inside(nonce: Option<String>) -> Styling {
    Styling::Inline {
        sheet: &SHEET,
        nonce,
    }
}

/// The policy of rendered HTML: its style sheet, or inline styles with this nonce, and nothing
/// else.
///
/// # Errors
/// The nonce was not validated.
pub(super) fn policy(nonce: Option<&str>) -> Result<HeaderValue, ProblemResponse> {
    let styles = nonce.map_or_else(|| "'self'".to_owned(), |nonce| format!("'nonce-{nonce}'"));
    let policy = format!(
        "default-src 'none'; style-src {styles}; img-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'self'"
    );
    HeaderValue::try_from(policy).map_err(|_| internal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_are_what_policies_take_for_one() {
        let longest = "a".repeat(LONGEST_NONCE);
        for nonce in ["r4nd0m", "YWJj/+==", "a-b_c=", &longest] {
            assert!(is_nonce(nonce), "{nonce}");
        }
        let longer = "a".repeat(LONGEST_NONCE + 1);
        for other in [
            "", "=", "a===", "a=b", "a b", "'a'", "a\"", "é", "a;b", &longer,
        ] {
            assert!(!is_nonce(other), "{other}");
        }
    }
}
