//! URLs of SharePoint REST and Microsoft Graph: the one place where names become parts of a URL.
//!
//! Invariant: a quote inside a literal is doubled, then everything but unreserved characters is
//! percent-encoded, so that no name leads out of the site.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::error::{ErrorKind, Result, SiteError};

/// What stays as it is inside a literal or a value of a query.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// The same, for queries that people read in logs.
const IN_QUERY: &AsciiSet = &ENCODED.remove(b',').remove(b'/').remove(b'*');

/// Text as part of a path or the value of a query.
pub(crate) fn percent_encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A value of a query, with `,`, `/` and `*` left as they are.
pub(crate) fn in_query(text: &str) -> String {
    utf8_percent_encode(text, IN_QUERY).to_string()
}

/// A text literal for a filter, quotes and all, not yet percent-encoded.
pub(crate) fn quote_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text literal for a path: `'It''s%20a%20list'`. Its quotes stay as they are, as other clients
/// write them.
pub(crate) fn literal(text: &str) -> String {
    let parts: Vec<String> = text.split('\'').map(percent_encode).collect();
    format!("'{}'", parts.join("''"))
}

/// An address below `_api` of a site.
///
/// # Errors
/// It is none; cannot happen for encoded parts.
pub(crate) fn api(site: &Url, tail: &str) -> Result<Url> {
    join_path(site, &format!("_api/{tail}"))
}

/// An address below a site.
///
/// # Errors
/// It is none, or it leads out of the site.
pub(crate) fn join_path(site: &Url, tail: &str) -> Result<Url> {
    let base = site.as_str().trim_end_matches('/');
    let text = format!("{base}/{tail}");
    let url = Url::parse(&text).ok();
    // Dots in a part could have led somewhere else.
    let inside = format!("{}/", site.path().trim_end_matches('/'));
    url.filter(|url| url.origin() == site.origin() && url.path().starts_with(&inside))
        .ok_or_else(|| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                format!("{text} is no address of the site."),
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled_then_everything_is_encoded() {
        assert_eq!(
            literal("It's a / list & 100%"),
            "'It''s%20a%20%2F%20list%20%26%20100%25'"
        );
        assert_eq!(quote_literal("a'b"), "'a''b'");
        assert_eq!(
            in_query("Id,Author/Title eq 'ä'"),
            "Id,Author/Title%20eq%20%27%C3%A4%27"
        );
    }

    #[test]
    fn no_name_leads_out_of_the_site() {
        let site = Url::parse("https://a.example/sites/it").expect("a URL");
        let url = api(
            &site,
            &format!("web/lists/GetByTitle({})", literal("../../x")),
        )
        .expect("inside");
        assert_eq!(
            url.as_str(),
            "https://a.example/sites/it/_api/web/lists/GetByTitle('..%2F..%2Fx')"
        );
        assert!(join_path(&site, "../other/_api/web").is_err());
    }
}
