//! A language and its words, as everything that draws holds them.

use super::texts::Texts;
#[cfg(any(feature = "all", test))]
use super::{Failures, ar, de, es, fr};
use super::{en, number};

/// A language that the control speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, for everybody whose language is not here.
    #[default]
    En,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Arabic.
    Ar,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::En, Self::De, Self::Fr, Self::Es, Self::Ar];

    /// The language of a tag such as `de-AT`; English when the control does not speak it.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        let primary = tag.split(['-', '_']).next().unwrap_or(tag);
        let spoken = |language: &Self| primary.eq_ignore_ascii_case(language.tag());
        Self::ALL.into_iter().find(spoken).unwrap_or_default()
    }

    /// The tag for the `lang` attribute.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
            Self::Fr => "fr",
            Self::Es => "es",
            Self::Ar => "ar",
        }
    }

    /// The direction of its script, for the `dir` attribute.
    #[must_use]
    pub const fn direction(self) -> &'static str {
        match self {
            Self::Ar => "rtl",
            _ => "ltr",
        }
    }

    /// What the elements say while they have no WASM.
    #[cfg(any(feature = "all", test))]
    #[must_use]
    pub const fn failures(self) -> &'static Failures {
        match self {
            Self::En => &en::FAILURES,
            Self::De => &de::FAILURES,
            Self::Fr => &fr::FAILURES,
            Self::Es => &es::FAILURES,
            Self::Ar => &ar::FAILURES,
        }
    }
}

/// A language and its words: a plain copy, cheap to hold in every view.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The language.
    pub language: Language,
    /// Its words, or those that a host puts in their place.
    pub texts: &'static Texts,
    arabic_digits: bool,
}

impl Words {
    /// The words for everybody whose language is not here.
    #[must_use]
    pub fn english() -> Self {
        Self {
            language: Language::En,
            texts: in_english(),
            arabic_digits: false,
        }
    }

    /// The words for a language tag; English where its table is not built in.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        #[cfg(any(feature = "all", test))]
        match Language::of(tag) {
            Language::En => Self::english(),
            Language::De => Self::with(tag, &de::TEXTS),
            Language::Fr => Self::with(tag, &fr::TEXTS),
            Language::Es => Self::with(tag, &es::TEXTS),
            Language::Ar => Self::with(tag, &ar::TEXTS),
        }
        #[cfg(not(any(feature = "all", test)))]
        {
            let _ = tag;
            Self::english()
        }
    }

    /// Such words for a language tag.
    #[must_use]
    pub fn with(tag: &str, texts: &'static Texts) -> Self {
        let language = Language::of(tag);
        Self {
            language,
            texts,
            arabic_digits: number::has_arabic_digits(language, tag),
        }
    }

    /// A number as it is read: `1,234`, `1.234` or `١٬٢٣٤`.
    #[must_use]
    pub fn number(self, n: u32) -> String {
        number::number(self.language, self.arabic_digits, n)
    }
}

#[cfg(any(feature = "all", test))]
const fn in_english() -> &'static Texts {
    &en::TEXTS
}

#[cfg(not(any(feature = "all", test)))]
fn in_english() -> &'static Texts {
    static ENGLISH: std::sync::OnceLock<Texts> = std::sync::OnceLock::new();
    ENGLISH.get_or_init(|| Texts::from_lines(en::LINES))
}

impl Default for Words {
    fn default() -> Self {
        Self::english()
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        // Tables live as long as the page; the same words are the same table.
        self.language == other.language
            && self.arabic_digits == other.arabic_digits
            && std::ptr::eq(self.texts, other.texts)
    }
}

impl Eq for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regional_tags_find_their_language_and_unknown_ones_get_english() {
        assert_eq!(Language::of("de-AT"), Language::De);
        assert_eq!(Language::of("DE"), Language::De);
        assert_eq!(Language::of("ar_EG"), Language::Ar);
        assert_eq!(Language::of("den"), Language::En);
        assert_eq!(Language::of(""), Language::En);
    }

    #[test]
    fn every_language_has_words_of_its_own() {
        for language in Language::ALL {
            let words = Words::of(language.tag());
            assert_eq!(words.language, language);
            let others = Language::ALL.into_iter().filter(|other| *other != language);
            for other in others {
                assert_ne!(words.texts.save(), Words::of(other.tag()).texts.save());
            }
        }
    }
}
