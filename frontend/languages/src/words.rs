//! A language and its words, as everything that draws holds them.

use super::language::Language;
use super::number;
use super::texts::Texts;

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
            language => Self::with(tag, Texts::of(language)),
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

    /// A decimal number as it is read, from its digits with a point: `1234.5`, `1234,5` or `١٢٣٤٫٥`.
    #[must_use]
    pub fn decimal(self, number: &str) -> String {
        number::decimal(self.language, self.arabic_digits, number)
    }

    /// The digits with a point of a number as somebody types it; `None` for what is none, or could be two.
    #[must_use]
    pub fn typed_digits(self, typed: &str) -> Option<String> {
        number::typed_digits(self.language, typed)
    }
}

#[cfg(any(feature = "all", test))]
const fn in_english() -> &'static Texts {
    Texts::of(Language::En)
}

#[cfg(not(any(feature = "all", test)))]
fn in_english() -> &'static Texts {
    static ENGLISH: std::sync::OnceLock<Texts> = std::sync::OnceLock::new();
    ENGLISH.get_or_init(Texts::english)
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
