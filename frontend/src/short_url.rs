//! Addresses in texts are shown short: their middle is left out, so that one address does not take
//! three lines of a narrow list.
//!
//! What is shown is all that changes: whoever stores, copies or follows an address takes the whole.
//! Called by `components::row`.

/// Addresses of so many characters or fewer stand as they are.
const LONGEST: usize = 48;
/// What is kept of a longer one, at its beginning and at its end.
const KEPT: (usize, usize) = (30, 14);

/// A text with its long addresses shortened.
#[must_use]
pub fn short_urls(text: &str) -> String {
    let is_long = |word: &&str| is_url(word) && word.chars().count() > LONGEST;
    // Blanks are kept as they are, so the text is cut behind each of them.
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|piece| {
            let word = piece.trim_end();
            match Some(word).filter(is_long) {
                Some(url) => {
                    [&short_url(url), piece.get(word.len()..).unwrap_or_default()].concat()
                }
                None => piece.to_owned(),
            }
        })
        .collect()
}

/// A long address without its middle.
#[must_use]
pub fn short_url(url: &str) -> String {
    let count = url.chars().count();
    if count <= LONGEST {
        return url.to_owned();
    }
    let (first, last) = KEPT;
    let begin: String = url.chars().take(first).collect();
    let end: String = url.chars().skip(count - last).collect();
    [&begin, "…", &end].concat()
}

fn is_url(word: &str) -> bool {
    word.starts_with("https://") || word.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_address_loses_its_middle_and_nothing_else_changes() {
        let url =
            "https://wiki.example.com/spaces/operations/pages/4711/How+to+restart+the+gateway";
        assert_eq!(
            short_urls(&["See  ", url, "\nthen go on"].concat()),
            "See  https://wiki.example.com/space…rt+the+gateway\nthen go on"
        );
        for text in [
            "",
            " a  b ",
            "https://a.example/b",
            "no-address-but-a-very-long-word-that-nobody-would-cut-in-half",
        ] {
            assert_eq!(short_urls(text), text);
        }
    }
}
