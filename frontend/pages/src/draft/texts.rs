//! Texts in several languages, as they are written.

use checklist_shared::text::{LanguageMap, Text, is_blank};

/// A text in several languages, in the draft's order of languages.
pub type Texts = Vec<(String, String)>;

/// The language of a text that is the same in all of them; it stands alone.
const ANY: &str = "";

/// The text in a language, empty where there is none.
#[must_use]
pub fn text_in<'a>(texts: &'a Texts, language: &str) -> &'a str {
    texts
        .iter()
        .find(|(tag, _)| tag == language || tag == ANY)
        .map_or("", |(_, text)| text)
}

/// The texts, to be written in one of these languages: what was the same in all of them is from then on
/// a text of each.
pub(super) fn in_each<'a>(texts: &'a mut Texts, languages: &[String]) -> &'a mut Texts {
    if let [(tag, text)] = texts.as_slice()
        && tag == ANY
    {
        let text = text.clone();
        let languages = languages.iter();
        *texts = languages.map(|tag| (tag.clone(), text.clone())).collect();
    }
    texts
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

/// A text that may be the same in all languages.
pub(super) fn texts_of_text(text: &Text) -> Texts {
    match text {
        Text::Plain(text) => vec![(ANY.to_owned(), text.clone())],
        Text::Localized(map) => texts_of(map),
    }
}

/// The same as a template has it.
pub(super) fn text_unless_empty(texts: &Texts) -> Option<Text> {
    match texts.as_slice() {
        [(tag, text)] if tag == ANY => (!is_blank(text)).then(|| Text::Plain(text.clone())),
        _ => language_map_unless_empty(texts).map(Text::Localized),
    }
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
