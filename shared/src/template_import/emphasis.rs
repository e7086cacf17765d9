//! Takes Markdown's signs for bold out of a title: items are drawn without emphasis, and would show
//! the signs. What is in code stays as it is.

/// The text without `**` and `__` around words.
pub(super) fn without_emphasis(text: &str) -> String {
    without(&without(text, "**"), "__")
}

fn without(text: &str, sign: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = next(rest, sign) {
        let (before, inside) = (&rest[..start], &rest[start + sign.len()..]);
        let end = next(inside, sign).filter(|end| {
            let words = &inside[..*end];
            let after = &inside[end + sign.len()..];
            words.trim() == words && !words.is_empty() && is_around_words(sign, before, after)
        });
        plain.push_str(before);
        if let Some(end) = end {
            plain.push_str(&inside[..end]);
            rest = &inside[end + sign.len()..];
        } else {
            plain.push_str(sign);
            rest = inside;
        }
    }
    plain + rest
}

/// Names in programs hold `__`; it is emphasis around whole words alone.
fn is_around_words(sign: &str, before: &str, after: &str) -> bool {
    let is_apart = |letter: Option<char>| !letter.is_some_and(char::is_alphanumeric);
    sign != "__" || is_apart(before.chars().next_back()) && is_apart(after.chars().next())
}

/// Where the sign is next, outside of code.
fn next(text: &str, sign: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find(sign)?;
        let Some(code) = text[from..at].find('`').map(|code| from + code + 1) else {
            return Some(at);
        };
        let Some(end) = text[code..].find('`') else {
            return Some(at);
        };
        from = code + end + 1;
    }
}
