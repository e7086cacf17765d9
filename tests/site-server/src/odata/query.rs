//! The query string: decoded pairs, and the options that OData knows.
//!
//! `+` is a space, names may be encoded, `$` may be missing where a service allows that, and a
//! client's own parameters (`@alias`) are kept.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What a query value may hold as it is, as the service writes its links.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'*');

/// A query string.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
}

impl Query {
    /// Reads what stands behind the question mark.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let decode = |text: &str| {
            let spaced = text.replace('+', " ");
            percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
        };
        let pairs = text
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decode(name), decode(value))
            })
            .collect();
        Self { pairs }
    }

    /// A parameter by its exact name, in whatever case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let same = |pair: &&(String, String)| pair.0.eq_ignore_ascii_case(name);
        let found = self.pairs.iter().find(same);
        found.map(|(_, value)| value.as_str())
    }

    /// Names and values in order, as they were meant.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.pairs
    }

    /// An option with its `$`.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.get(&format!("${name}"))
            .filter(|value| !value.trim().is_empty())
    }

    /// An option with or without its `$`, as Graph takes it.
    #[must_use]
    pub fn lenient_option(&self, name: &str) -> Option<&str> {
        let bare = || self.get(name).filter(|value| !value.trim().is_empty());
        self.option(name).or_else(bare)
    }

    /// The same query with one parameter put first, written out; the others keep their order.
    #[must_use]
    pub fn with_first(&self, name: &str, value: &str) -> String {
        let kept = self
            .pairs
            .iter()
            .filter(|pair| !pair.0.eq_ignore_ascii_case(name));
        let kept = kept.map(|(name, value)| (name.as_str(), value.as_str()));
        let all = std::iter::once((name, value)).chain(kept);
        let written = all.map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
        written.collect::<Vec<_>>().join("&")
    }
}

/// Text as it stands in a query, in the lower case that the service uses.
#[must_use]
pub fn encoded(text: &str) -> String {
    let written = utf8_percent_encode(text, KEPT).to_string();
    let mut out = String::with_capacity(written.len());
    let mut in_code = 0;
    for letter in written.chars() {
        if letter == '%' {
            in_code = 3;
        }
        out.push(if in_code > 0 {
            letter.to_ascii_lowercase()
        } else {
            letter
        });
        in_code = usize::saturating_sub(in_code, 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_all_three_spellings() {
        for text in [
            "$filter=Title eq 'y'",
            "%24filter=Title+eq+%27y%27",
            "$filter=Title%20eq%20'y'",
        ] {
            assert_eq!(
                Query::read(text).option("filter"),
                Some("Title eq 'y'"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_link_to_the_next_page_is_written_as_the_service_writes_it() {
        let query = Query::read("$select=Id,Title&$top=100");
        assert_eq!(
            query.with_first("$skiptoken", "Paged=TRUE&p_ID=100"),
            "%24skiptoken=Paged%3dTRUE%26p_ID%3d100&%24select=Id%2cTitle&%24top=100"
        );
    }
}
