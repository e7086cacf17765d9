//! Which form of a word goes with a number.
//!
//! The categories are those of the Unicode plural rules. The rule of each language is written
//! out, because there are few, the server needs them too, and both then say the same. Called
//! by every text that counts something.

use super::{Language, fill};

/// The plural category of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// One thing.
    One,
    /// Everything else.
    Other,
}

/// A text in its plural forms. The number stands at `{n}`.
#[derive(Clone, Copy, Debug)]
pub struct Plural {
    /// For one thing.
    pub one: &'static str,
    /// For every other number.
    pub other: &'static str,
}

/// The category of `n` in `language`.
#[must_use]
pub const fn category(language: Language, n: u32) -> Category {
    match language {
        Language::En | Language::De => {
            if n == 1 {
                Category::One
            } else {
                Category::Other
            }
        }
    }
}

/// The form of `text` for `n`, with the number and the other values in place.
#[must_use]
pub fn plural(language: Language, text: &Plural, n: u32, values: &[(&str, &str)]) -> String {
    let form = match category(language, n) {
        Category::One => text.one,
        Category::Other => text.other,
    };
    let number = n.to_string();
    let mut all = Vec::with_capacity(values.len() + 1);
    all.push(("n", number.as_str()));
    all.extend_from_slice(values);
    fill(form, &all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_is_singular_and_none_is_plural() {
        let texts = Language::En.texts();
        assert_eq!(
            plural(Language::En, &texts.still_open, 1, &[("names", "logs")]),
            "1 item still open: logs"
        );
        assert_eq!(
            plural(Language::En, &texts.still_open, 2, &[("names", "a; b")]),
            "2 items still open: a; b"
        );
        assert_eq!(category(Language::En, 0), Category::Other);
        assert_eq!(category(Language::De, 1), Category::One);
    }
}
