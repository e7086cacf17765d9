//! The control's own words, in every language that it speaks.
//!
//! Each language is one constant [`Texts`], so a missing text does not compile. Placeholders in
//! braces are filled by [`fill`], plural forms chosen by [`plural`]. Item texts never come from
//! here. Called by everything that draws or announces, in the browser and on the server.

mod de;
pub mod due;
mod en;
pub mod plural;
mod texts;

pub use plural::{Category, Plural, plural};
pub use texts::Texts;

/// A language that the control speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, for everybody whose language is not here.
    #[default]
    En,
    /// German.
    De,
}

impl Language {
    /// The language of a tag such as `de-AT`; English when the control does not speak it.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or(tag);
        if primary.eq_ignore_ascii_case("de") {
            Self::De
        } else {
            Self::En
        }
    }

    /// The words of this language. Never inlined: a view asks for many, and each choice of a
    /// language would be made anew.
    #[must_use]
    #[inline(never)]
    pub fn texts(self) -> &'static Texts {
        match self {
            Self::En => &en::TEXTS,
            Self::De => &de::TEXTS,
        }
    }

    /// The tag for the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }

    /// The direction of its script, for the `dir` attribute.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::En | Self::De => "ltr",
        }
    }
}

/// Puts values into the places of a text: `{name}` becomes the value of that name.
///
/// ```
/// use checklist_control::i18n::fill;
/// assert_eq!(fill("{done} of {total} done", &[("done", "3"), ("total", "5")]), "3 of 5 done");
/// ```
#[must_use]
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            // A brace without its partner is text.
            filled.push('{');
            rest = after;
            continue;
        };
        if let Some((_, value)) = values.iter().find(|(key, _)| *key == name) {
            filled.push_str(value);
        }
        rest = tail;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_looks_like_a_place_is_not_filled_again() {
        assert_eq!(
            fill("“{text}”", &[("text", "{who}"), ("who", "nobody")]),
            "“{who}”"
        );
    }

    #[test]
    fn a_lone_brace_stays() {
        assert_eq!(fill("a { b", &[]), "a { b");
    }

    #[test]
    fn regional_tags_find_their_language_and_unknown_ones_get_english() {
        assert_eq!(Language::of("de-AT"), Language::De);
        assert_eq!(Language::of("DE"), Language::De);
        assert_eq!(Language::of("den"), Language::En);
        assert_eq!(Language::of(""), Language::En);
    }
}
