//! Texts: written by a person (a plain string) or by a template (one string per language).
//!
//! The store keeps a template's texts in all languages; they are resolved per request, so two
//! readers see the same item each in their language.

use std::fmt;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "text-hash")]
use sha2::{Digest, Sha256};

/// One text per language, in the order in which the template's author wrote them.
///
/// The order matters: the first language is what a reader gets who asks for one that is
/// missing. On the wire it is an object, `{"en": "…", "de": "…"}`. A copy shares the texts: a
/// list is copied for every change, its wording is nearly always the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LanguageMap(Arc<Vec<(String, String)>>);

impl LanguageMap {
    /// From pairs of language tag and text; a later pair of the same tag wins.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut map = Self::default();
        for (language, text) in pairs {
            map.insert(language, text);
        }
        map
    }

    fn insert(&mut self, language: String, text: String) {
        let pairs = Arc::make_mut(&mut self.0);
        match pairs.iter_mut().find(|(tag, _)| *tag == language) {
            Some(entry) => entry.1 = text,
            None => pairs.push((language, text)),
        }
    }

    /// Pairs of language tag and text, the first language first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(tag, text)| (tag.as_str(), text.as_str()))
    }

    /// The tags that are none, see [`crate::language_tag`].
    pub fn wrong_tags(&self) -> impl Iterator<Item = &str> {
        self.iter()
            .map(|(tag, _)| tag)
            .filter(|tag| !crate::language_tag::is_language_tag(tag))
    }

    /// Whether there is no language at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pair for the first of `wanted` that is there: as asked (`de-AT`), else its language
    /// alone (`de`), else a sibling (`de-CH` for `de`), else the map's first.
    #[must_use]
    pub fn resolve(&self, wanted: &[&str]) -> Option<(&str, &str)> {
        let primary = |tag: &str| tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
        wanted
            .iter()
            .find_map(|want| {
                self.iter()
                    .find(|(tag, _)| tag.eq_ignore_ascii_case(want))
                    .or_else(|| {
                        self.iter()
                            .find(|(tag, _)| tag.eq_ignore_ascii_case(&primary(want)))
                    })
                    .or_else(|| self.iter().find(|(tag, _)| primary(tag) == primary(want)))
            })
            .or_else(|| self.iter().next())
    }
}

impl Serialize for LanguageMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (language, text) in self.0.iter() {
            map.serialize_entry(language, text)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for LanguageMap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = LanguageMap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of language tags and texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<LanguageMap, A::Error> {
                let mut map = LanguageMap::default();
                while let Some((language, text)) = access.next_entry()? {
                    map.insert(language, text);
                }
                Ok(map)
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for LanguageMap {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        std::collections::BTreeMap::<String, String>::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for LanguageMap {}

/// The text of an item: a plain string, or the template's map of languages.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Text {
    /// Written by a person or through the API, the same in every language.
    Plain(String),
    /// From a template.
    Localized(LanguageMap),
}

impl Text {
    /// The text for the first wanted language that is there, see [`LanguageMap::resolve`].
    #[must_use]
    pub fn resolve(&self, wanted: &[&str]) -> &str {
        match self {
            Self::Plain(text) => text,
            Self::Localized(map) => map.resolve(wanted).map_or("", |(_, text)| text),
        }
    }

    /// Whether this is the wording, in whichever language.
    #[must_use]
    pub fn says(&self, wording: &str) -> bool {
        match self {
            Self::Plain(text) => text == wording,
            Self::Localized(map) => map.iter().any(|(_, text)| text == wording),
        }
    }

    /// The language of what [`Text::resolve`] gives; `None` for plain text.
    #[must_use]
    pub fn language(&self, wanted: &[&str]) -> Option<&str> {
        match self {
            Self::Plain(_) => None,
            Self::Localized(map) => map.resolve(wanted).map(|(tag, _)| tag),
        }
    }

    /// The wording whose [`text_hash`] is `hash`, with its language: what a person has seen.
    #[cfg(feature = "records")]
    #[must_use]
    pub fn by_hash(&self, hash: &str) -> Option<(Option<&str>, &str)> {
        match self {
            Self::Plain(text) => (text_hash(text) == hash).then_some((None, text)),
            Self::Localized(map) => map
                .iter()
                .find(|(_, text)| text_hash(text) == hash)
                .map(|(tag, text)| (Some(tag), text)),
        }
    }
}

// By hand: what is derived tries one form after the other, and for each text of a template writes
// out why it is no string. A store reads thousands of them a second.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, or an object of language tags and texts")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text::Plain(text.to_owned()))
            }

            fn visit_string<E>(self, text: String) -> Result<Text, E> {
                Ok(Text::Plain(text))
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Text, A::Error> {
                LanguageMap::deserialize(MapAccessDeserializer::new(access)).map(Text::Localized)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Plain(text.to_owned())
    }
}

/// Whether a reader sees nothing of the text: no text at all, or blanks, control characters and
/// characters without a shape of their own. The one rule for every text that has to be there.
///
/// ```
/// use checklist_shared::text::is_blank;
/// assert!(is_blank(" \u{200B}\u{2060}\n") && !is_blank("\u{200B}x"));
/// ```
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_invisible)
}

/// The text without what nobody sees at its ends. Marks of direction, joiners and variation
/// selectors stay: they belong to the characters beside them.
#[must_use]
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{180E}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}')
    })
}

/// Blanks, control characters, and what Unicode calls `Default_Ignorable_Code_Point` (UAX #44),
/// with the Braille pattern that has no dots.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Lowercase hex SHA-256 of the UTF-8 text as served: the `SeenTextHash` of a tick.
///
/// ```
/// use checklist_shared::text::text_hash;
/// assert!(text_hash("Call back").starts_with("fbb0a343"));
/// ```
#[cfg(feature = "text-hash")]
#[must_use]
pub fn text_hash(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        hash.push(char::from(HEX[usize::from(byte >> 4)]));
        hash.push(char::from(HEX[usize::from(byte & 15)]));
    }
    hash
}
