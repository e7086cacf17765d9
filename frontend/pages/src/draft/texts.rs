//! Texts in several languages, as they are written.

use checklist_shared::text::LanguageMap;

/// A text in several languages, in the draft's order of languages.
pub type Texts = Vec<(String, String)>;

/// The text in a language, empty where there is none.
#[must_use]
pub fn text_in<'a>(texts: &'a Texts, language: &str) -> &'a str {
    texts
        .iter()
        .find(|(tag, _)| tag == language)
        .map_or("", |(_, text)| text)
}

/// Writes the text in a language; an empty one is none.
pub fn write_text(texts: &mut Texts, language: &str, text: &str) {
    match texts.iter_mut().find(|(tag, _)| tag == language) {
        Some(entry) => text.clone_into(&mut entry.1),
        None => texts.push((language.to_owned(), text.to_owned())),
    }
}

/// The first text that is there.
#[must_use]
pub fn first_text(texts: &Texts) -> &str {
    texts
        .iter()
        .map(|(_, text)| text.as_str())
        .find(|text| !text.trim().is_empty())
        .unwrap_or("")
}

pub(super) fn texts_of(map: &LanguageMap) -> Texts {
    map.iter()
        .map(|(tag, text)| (tag.to_owned(), text.to_owned()))
        .collect()
}

pub(super) fn language_map(texts: &Texts) -> LanguageMap {
    LanguageMap::new(
        texts
            .iter()
            .filter(|(_, text)| !text.trim().is_empty())
            .cloned(),
    )
}

pub(super) fn language_map_unless_empty(texts: &Texts) -> Option<LanguageMap> {
    let map = language_map(texts);
    (!map.is_empty()).then_some(map)
}
