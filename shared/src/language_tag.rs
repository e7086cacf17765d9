//! Validates language tags: the syntax of BCP 47 (RFC 5646, section 2.1).
//!
//! A tag only has to be well-formed: the registry of languages grows, and a reader who asks for a
//! missing language gets the template's first.

/// The message for an invalid tag.
pub const EXPECTED: &str = "A language tag (BCP 47) such as de or pt-BR.";

/// Tags from before the syntax was settled, which do not follow it.
const IRREGULAR: [&str; 17] = [
    "en-GB-oed",
    "i-ami",
    "i-bnn",
    "i-default",
    "i-enochian",
    "i-hak",
    "i-klingon",
    "i-lux",
    "i-mingo",
    "i-navajo",
    "i-pwn",
    "i-tao",
    "i-tay",
    "i-tsu",
    "sgn-BE-FR",
    "sgn-BE-NL",
    "sgn-CH-DE",
];

/// Whether the text is a well-formed tag.
///
/// ```
/// use checklist_shared::language_tag::is_language_tag;
/// assert!(is_language_tag("de-AT"));
/// assert!(!is_language_tag("klingon!"));
/// ```
#[must_use]
pub fn is_language_tag(text: &str) -> bool {
    let mut subtags = text.split('-').peekable();
    let irregular = || IRREGULAR.iter().any(|tag| tag.eq_ignore_ascii_case(text));
    if subtags.next_if(|tag| is_private(tag)).is_some() {
        return are_all(subtags, 1);
    }
    let Some(language) = subtags.next_if(|tag| is_alpha(tag, 2, 8)) else {
        return irregular();
    };
    if language.len() <= 3 {
        for _ in 0..3 {
            let _extended = subtags.next_if(|tag| is_alpha(tag, 3, 3));
        }
    }
    let _script = subtags.next_if(|tag| is_alpha(tag, 4, 4));
    let _region = subtags.next_if(|tag| is_alpha(tag, 2, 2) || is_number(tag));
    while subtags.next_if(|tag| is_variant(tag)).is_some() {}
    while subtags
        .next_if(|tag| is_alphanumeric(tag, 1, 1) && !is_private(tag))
        .is_some()
    {
        let mut is_empty = true;
        while subtags.next_if(|tag| is_alphanumeric(tag, 2, 8)).is_some() {
            is_empty = false;
        }
        if is_empty {
            return false;
        }
    }
    match subtags.next() {
        None => true,
        Some(tag) if is_private(tag) => are_all(subtags, 1),
        Some(_) => irregular(),
    }
}

fn are_all<'a>(mut subtags: impl Iterator<Item = &'a str>, shortest: usize) -> bool {
    let first = subtags.next();
    first.is_some_and(|tag| is_alphanumeric(tag, shortest, 8))
        && subtags.all(|tag| is_alphanumeric(tag, shortest, 8))
}

fn is_private(tag: &str) -> bool {
    tag.eq_ignore_ascii_case("x")
}

fn is_alpha(tag: &str, shortest: usize, longest: usize) -> bool {
    (shortest..=longest).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn is_alphanumeric(tag: &str, shortest: usize, longest: usize) -> bool {
    (shortest..=longest).contains(&tag.len())
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_number(tag: &str) -> bool {
    tag.len() == 3 && tag.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_variant(tag: &str) -> bool {
    is_alphanumeric(tag, 5, 8) || is_alphanumeric(tag, 4, 4) && tag.as_bytes()[0].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_of_the_standard_are_taken() {
        for tag in [
            "de",
            "fr",
            "ja",
            "i-enochian",
            "zh-Hant",
            "sr-Cyrl",
            "zh-cmn-Hans-CN",
            "cmn-Hans-CN",
            "zh-yue-HK",
            "sr-Latn-RS",
            "sl-rozaj",
            "sl-rozaj-biske",
            "de-CH-1901",
            "sl-IT-nedis",
            "hy-Latn-IT-arevela",
            "de-DE",
            "en-US",
            "es-419",
            "de-CH-x-phonebk",
            "az-Arab-x-AZE-derbend",
            "x-whatever",
            "qaa-Qaaa-QM-x-southern",
            "de-Qaaa",
            "en-US-u-islamcal",
            "zh-CN-a-myext-x-private",
            "en-a-myext-b-another",
            "DE-at",
            "en-GB-oed",
            "art-lojban",
            "zh-min-nan",
        ] {
            assert!(is_language_tag(tag), "{tag}");
        }
    }

    #[test]
    fn a_language_that_is_no_tag_such_as_klingon_with_a_mark_is_told_apart() {
        for text in [
            "",
            "klingon!",
            "de_DE",
            "d",
            "deutschland",
            "de-",
            "-de",
            "de--AT",
            "de-419-DE",
            "a-DE",
            "ar-a",
            "de-x",
            "x",
            "i-nothing",
            "dé",
            "de AT",
            "en-u",
            "de-12",
            "*",
        ] {
            assert!(!is_language_tag(text), "{text}");
        }
    }
}
