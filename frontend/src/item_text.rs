//! Renders an item's text: web addresses become links, text in backticks becomes code.
//!
//! There is no other markup. Only `http` and `https` become links, and the host of an address is
//! never hidden.

use leptos::prelude::*;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextSegment<'a> {
    Text(&'a str),
    Code(&'a str),
    Link(&'a str),
}

/// Addresses with more characters are shortened in the middle.
const LONG: usize = 60;
/// Characters of the end that are shown of these.
const END: usize = 18;
/// Characters of the beginning, unless the name of the host needs more.
const BEGINNING: usize = 36;

/// Renders an item's text with its links and code.
#[must_use]
pub fn item_text(text: &str) -> AnyView {
    let is_plain = !text.contains('`') && !text.contains("://");
    if is_plain {
        return text.to_owned().into_any();
    }
    let pieces: Vec<_> = pieces(text).into_iter().map(piece).collect();
    pieces.into_any()
}

fn piece(piece: TextSegment<'_>) -> AnyView {
    match piece {
        TextSegment::Text(text) => text.to_owned().into_any(),
        TextSegment::Code(text) => view! { <code>{text.to_owned()}</code> }.into_any(),
        TextSegment::Link(address) => {
            let short = shorten_address(address);
            let title = short.is_some().then(|| address.to_owned());
            // In a tab of its own, because the form around the list may hold unsaved work.
            view! {
                <a
                    href=address.to_owned()
                    target="_blank"
                    rel="noopener noreferrer"
                    dir="ltr"
                    title=title
                >
                    {short.unwrap_or_else(|| address.to_owned())}
                </a>
            }
            .into_any()
        }
    }
}

fn pieces(text: &str) -> Vec<TextSegment<'_>> {
    let mut pieces = Vec::new();
    // The range from `shown` to `at` is text that is in no piece yet.
    let (mut shown, mut at) = (0, 0);
    while let Some(next) = text.get(at..).filter(|next| !next.is_empty()) {
        let found = match next.as_bytes() {
            [b'`', ..] => code(next),
            [b'h' | b'H', ..] if !ends_in_word(text.get(..at).unwrap_or_default()) => link(next),
            _ => None,
        };
        let Some((piece, length)) = found else {
            at += next.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        take_text(&mut pieces, text.get(shown..at));
        pieces.push(piece);
        at += length;
        shown = at;
    }
    take_text(&mut pieces, text.get(shown..));
    pieces
}

fn take_text<'a>(pieces: &mut Vec<TextSegment<'a>>, text: Option<&'a str>) {
    pieces.extend(text.filter(|text| !text.is_empty()).map(TextSegment::Text));
}

fn ends_in_word(before: &str) -> bool {
    before
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric)
}

/// The text between two backticks.
fn code(text: &str) -> Option<(TextSegment<'_>, usize)> {
    let inner = text.get(1..)?;
    let inner = inner.get(..inner.find('`')?)?;
    (!inner.trim().is_empty()).then_some((TextSegment::Code(inner), inner.len() + 2))
}

/// The address that a text begins with.
fn link(text: &str) -> Option<(TextSegment<'_>, usize)> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| {
        let start = text.as_bytes().get(..scheme.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(scheme.as_bytes())
    })?;
    let end = text.find(ends_address).unwrap_or(text.len());
    let address = without_punctuation(text.get(..end)?);
    let host = host_of(address, scheme.len());
    // A name before an @ passes for the host: "https://bank.example@elsewhere.example".
    let is_host =
        host.starts_with(|c: char| c.is_alphanumeric() || c == '[') && !host.contains('@');
    is_host.then_some((TextSegment::Link(address), address.len()))
}

/// Blanks, quotes, and characters that are not seen or turn the direction of what follows.
fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '<' | '>' | '"' | '`' | '\\' | '“' | '”' | '„' | '«' | '»'
        )
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Punctuation that ends a sentence, or closes a bracket before the address, is not part of it.
fn without_punctuation(mut address: &str) -> &str {
    loop {
        let Some(last) = address.chars().next_back() else {
            return address;
        };
        let count = |c: char| address.matches(c).count();
        let goes = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_' | '…' | '،' | '؛' | '؟' => {
                true
            }
            ')' => count(')') > count('('),
            ']' => count(']') > count('['),
            '}' => count('}') > count('{'),
            _ => false,
        };
        if !goes {
            return address;
        }
        address = address.strip_suffix(last).unwrap_or_default();
    }
}

fn host_of(address: &str, from: usize) -> &str {
    let rest = address.get(from..).unwrap_or_default();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// An address without its middle, if it is long. Its host is always there as a whole.
fn shorten_address(address: &str) -> Option<String> {
    let all = address.chars().count();
    let scheme = address.find("://").map_or(0, |at| at + 3);
    let host = scheme + host_of(address, scheme).chars().count() + 1;
    let beginning = host.max(BEGINNING);
    if all <= LONG.max(beginning + END + 1) {
        return None;
    }
    let start: String = address.chars().take(beginning).collect();
    let end: String = address.chars().skip(all - END).collect();
    Some([&start, "…", &end].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<&str> {
        let pieces = pieces(text).into_iter();
        pieces
            .filter_map(|piece| match piece {
                TextSegment::Link(address) => Some(address),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn addresses_and_code_are_found_and_everything_else_stays_as_it_is() {
        assert_eq!(
            pieces("Run `rm -rf x` (see https://a.example/b_(c)), then *stop*."),
            [
                TextSegment::Text("Run "),
                TextSegment::Code("rm -rf x"),
                TextSegment::Text(" (see "),
                TextSegment::Link("https://a.example/b_(c)"),
                TextSegment::Text("), then *stop*."),
            ]
        );
        assert_eq!(
            pieces("`` ` [a](b) <b>"),
            [TextSegment::Text("`` ` [a](b) <b>")]
        );
        assert_eq!(
            pieces("`https://a.example`"),
            [TextSegment::Code("https://a.example")]
        );
        assert_eq!(
            pieces("Äh – `ü`"),
            [TextSegment::Text("Äh – "), TextSegment::Code("ü")]
        );
    }

    #[test]
    fn an_address_ends_where_a_reader_sees_it_end() {
        assert_eq!(links("HTTPS://A.example."), ["HTTPS://A.example"]);
        assert_eq!(
            links("„https://a.example/ä?b=1&c#d“!"),
            ["https://a.example/ä?b=1&c#d"]
        );
        assert_eq!(
            links("https://a.example,http://b.example:8080/"),
            ["https://a.example,http://b.example:8080/"]
        );
        assert_eq!(links("http://[::1]/x]"), ["http://[::1]/x"]);
        assert_eq!(
            links("https://a.example/\u{202e}gpj.exe"),
            ["https://a.example/"]
        );
    }

    #[test]
    fn nothing_hostile_becomes_a_link() {
        for text in [
            "javascript:alert(1)",
            "javascript://a.example/%0aalert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:http:",
            "xhttps://a.example",
            "https://",
            "https:// a.example",
            "https:///a.example",
            "https://bank.example@elsewhere.example/",
            "https://bank.example\\@elsewhere.example",
            "file:///etc/passwd",
        ] {
            let found = links(text);
            let is_safe = |link: &str| {
                link.starts_with("https://bank.example") && !link.contains("elsewhere")
            };
            assert!(found.iter().all(|link| is_safe(link)), "{text}: {found:?}");
        }
    }

    #[test]
    fn long_addresses_lose_their_middle_but_never_their_host() {
        let long = "https://wiki.example.org/space/operations/runbooks/2026/replace-the-gateway-certificate.html";
        assert_eq!(
            shorten_address(long).unwrap(),
            "https://wiki.example.org/space/opera…y-certificate.html"
        );
        assert_eq!(shorten_address("https://wiki.example.org/a"), None);
        let host = ["https://", &"a.".repeat(60), "example/", &"b".repeat(90)].concat();
        assert!(shorten_address(&host).unwrap().contains(".example/…"));
    }
}
