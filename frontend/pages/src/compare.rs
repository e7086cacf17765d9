//! What differs between two versions of a template: items by their key, texts word by word.
//!
//! An item is moved if it is in another section, or if its order among the items of both versions
//! has changed.

use std::collections::{HashMap, HashSet};

use checklist_shared::template::{Template, TemplateItem};
use checklist_shared::text::{LanguageMap, Text};

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// It is new.
    Added,
    /// It was removed.
    Removed,
    /// Some of it is different; it may have moved too.
    Changed,
    /// It is elsewhere.
    Moved,
    /// It is as it was.
    Same,
}

/// One item, before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// What became of it.
    pub case: Case,
    /// Whether it is elsewhere, even if it has changed too.
    pub moved: bool,
    /// As it was.
    pub before: Option<&'a TemplateItem>,
    /// As it is.
    pub after: Option<&'a TemplateItem>,
}

/// The items of both versions: those of `after` in their order, the removed ones where they were.
#[must_use]
pub fn differences<'a>(before: &'a Template, after: &'a Template) -> Vec<Difference<'a>> {
    let old: HashMap<&str, &TemplateItem> = before
        .items
        .iter()
        .map(|item| (item.key.as_str(), item))
        .collect();
    let new: HashSet<&str> = after.items.iter().map(|item| item.key.as_str()).collect();
    let stayed = in_place(before, after);
    let mut rows: Vec<Difference<'a>> = after
        .items
        .iter()
        .map(|item| {
            let Some(was) = old.get(item.key.as_str()).copied() else {
                return Difference {
                    case: Case::Added,
                    moved: false,
                    before: None,
                    after: Some(item),
                };
            };
            let moved = was.parent_key != item.parent_key || !stayed.contains(item.key.as_str());
            let case = match (is_changed(was, item), moved) {
                (true, _) => Case::Changed,
                (false, true) => Case::Moved,
                (false, false) => Case::Same,
            };
            Difference {
                case,
                moved,
                before: Some(was),
                after: Some(item),
            }
        })
        .collect();
    // A removed item comes after the one that it followed.
    let mut previous: Option<&str> = None;
    for item in &before.items {
        if !new.contains(item.key.as_str()) {
            let at = previous.map_or(0, |key| {
                rows.iter()
                    .position(|row| row.key() == key)
                    .map_or(rows.len(), |at| at + 1)
            });
            rows.insert(
                at,
                Difference {
                    case: Case::Removed,
                    moved: false,
                    before: Some(item),
                    after: None,
                },
            );
        }
        previous = Some(&item.key);
    }
    rows
}

impl Difference<'_> {
    /// The item's key.
    #[must_use]
    pub fn key(&self) -> &str {
        self.after.or(self.before).map_or("", |item| &item.key)
    }
}

/// Whether anything but the position of an item differs.
fn is_changed(was: &TemplateItem, is: &TemplateItem) -> bool {
    let mut elsewhere = was.clone();
    elsewhere.parent_key.clone_from(&is.parent_key);
    elsewhere != *is
}

/// The keys that are in both versions and have kept their order: a longest common subsequence.
fn in_place<'a>(before: &'a Template, after: &'a Template) -> HashSet<&'a str> {
    let keys = |template: &'a Template, other: &'a Template| -> Vec<&'a str> {
        let known: HashSet<&str> = other.items.iter().map(|item| item.key.as_str()).collect();
        let keys = template.items.iter().map(|item| item.key.as_str());
        keys.filter(|key| known.contains(key)).collect()
    };
    let (old, new) = (keys(before, after), keys(after, before));
    common(&old, &new)
        .into_iter()
        .map(|(_, at)| new[at])
        .collect()
}

/// A longest common subsequence, as pairs of places in both.
fn common<T: PartialEq>(one: &[T], other: &[T]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    let mut lengths = vec![0_u32; (one.len() + 1) * width];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            lengths[i * width + j] = if one[i] == other[j] {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < one.len() && j < other.len() {
        if one[i] == other[j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// What became of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// It is in both.
    Same,
    /// It is gone.
    Gone,
    /// It is new.
    New,
}

/// Longer texts are compared as a whole: word by word would take long and help nobody.
const MAX_WORDS: usize = 1_500;

/// Two texts word by word: pieces in reading order, neighbours of one kind joined.
#[must_use]
pub fn words(before: &str, after: &str) -> Vec<(Piece, String)> {
    let (old, new) = (split(before), split(after));
    let mut pieces: Vec<(Piece, String)> = Vec::new();
    let mut say = |kind: Piece, text: &str| match pieces.last_mut() {
        Some((last, words)) if *last == kind => words.push_str(text),
        _ => pieces.push((kind, text.to_owned())),
    };
    if old.len().max(new.len()) > MAX_WORDS {
        say(Piece::Gone, before);
        say(Piece::New, after);
        return pieces;
    }
    let (mut i, mut j) = (0, 0);
    let ends = std::iter::once((old.len(), new.len()));
    for (at_old, at_new) in common(&old, &new).into_iter().chain(ends) {
        old[i..at_old]
            .iter()
            .for_each(|word| say(Piece::Gone, word));
        new[j..at_new].iter().for_each(|word| say(Piece::New, word));
        if let Some(word) = old.get(at_old) {
            say(Piece::Same, word);
        }
        (i, j) = (at_old + 1, at_new + 1);
    }
    pieces
}

/// Words, and what is between them.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last: Option<bool> = None;
    for (at, character) in text.char_indices() {
        let is_word = character.is_alphanumeric();
        // Each character between words is a piece of its own, so that one more comma is one more comma.
        if last.is_some_and(|last| last != is_word || !is_word) {
            words.push(&text[start..at]);
            start = at;
        }
        last = Some(is_word);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// A text of two versions in every language that differs: tag, before, after.
#[must_use]
pub fn languages<'a>(
    before: Option<&'a LanguageMap>,
    after: Option<&'a LanguageMap>,
) -> Vec<(&'a str, &'a str, &'a str)> {
    let find = |map: Option<&'a LanguageMap>, tag: &str| {
        map.and_then(|map| map.iter().find(|(own, _)| *own == tag))
            .map_or("", |(_, text)| text)
    };
    let mut tags: Vec<&str> = Vec::new();
    for (tag, _) in after.into_iter().chain(before).flat_map(LanguageMap::iter) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let texts = tags
        .into_iter()
        .map(|tag| (tag, find(before, tag), find(after, tag)));
    texts.filter(|(_, before, after)| before != after).collect()
}

/// Texts of a list side by side in each language that any of them has; under an empty tag where all
/// are the same in every language.
#[must_use]
pub fn side_by_side<'a>(texts: impl Iterator<Item = &'a Text> + Clone) -> LanguageMap {
    let maps = texts.clone().filter_map(|text| match text {
        Text::Localized(map) => Some(map),
        Text::Plain(_) => None,
    });
    let mut tags: Vec<&str> = maps
        .flat_map(LanguageMap::iter)
        .map(|(tag, _)| tag)
        .collect();
    if tags.is_empty() && texts.clone().next().is_some() {
        tags.push("");
    }
    let pairs = tags.into_iter().map(|tag| {
        let texts: Vec<&str> = texts.clone().map(|text| text.resolve(&[tag])).collect();
        (tag.to_owned(), texts.join(" · "))
    });
    LanguageMap::new(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn template(items: Value) -> Template {
        serde_json::from_value(json!({ "Key": "t", "Name": { "en": "T" }, "Items": items }))
            .expect("a template")
    }

    fn told(before: Value, after: Value) -> Vec<(String, Case, bool)> {
        let (before, after) = (template(before), template(after));
        differences(&before, &after)
            .iter()
            .map(|row| (row.key().to_owned(), row.case, row.moved))
            .collect()
    }

    fn item(key: &str, text: &str) -> Value {
        json!({ "Key": key, "Text": { "en": text } })
    }

    fn row(key: &str, case: Case, moved: bool) -> (String, Case, bool) {
        (key.to_owned(), case, moved)
    }

    #[test]
    fn added_changed_removed_and_moved_items_are_told_apart() {
        let before = json!([
            item("a", "A"),
            item("b", "B"),
            item("c", "C"),
            item("d", "D"),
            item("e", "E"),
        ]);
        let after = json!([
            item("e", "E"),
            item("a", "A!"),
            item("c", "C"),
            item("new", "N"),
            item("d", "D"),
        ]);
        assert_eq!(
            told(before, after),
            [
                row("e", Case::Moved, true),
                row("a", Case::Changed, false),
                row("b", Case::Removed, false),
                row("c", Case::Same, false),
                row("new", Case::Added, false),
                row("d", Case::Same, false),
            ]
        );
    }

    #[test]
    fn an_item_in_another_section_has_moved() {
        let section = json!({ "Key": "s", "Kind": "Section", "Text": { "en": "S" } });
        let inside = json!({ "Key": "a", "ParentKey": "s", "Text": { "en": "A" } });
        let told = told(json!([section, inside]), json!([section, item("a", "A")]));
        assert_eq!(told[1], row("a", Case::Moved, true));
    }

    #[test]
    fn texts_of_a_list_are_compared_in_every_language() {
        let list = |texts: Value| -> Value {
            let texts: Vec<Text> = serde_json::from_value(texts).expect("texts");
            json!(side_by_side(texts.iter()))
        };
        assert_eq!(list(json!([])), json!({}));
        assert_eq!(list(json!(["°C"])), json!({ "": "°C" }));
        assert_eq!(
            list(json!([{ "en": "Shut", "de": "Zu" }, "Ok", { "en": "Open" }])),
            json!({ "en": "Shut · Ok · Open", "de": "Zu · Ok · Open" })
        );
    }

    #[test]
    fn words_that_changed_are_marked_and_the_others_are_not() {
        let pieces = words(
            "Tell the caller, then close.",
            "Tell the duty manager, then close.",
        );
        let said: Vec<(Piece, &str)> = pieces
            .iter()
            .map(|(kind, text)| (*kind, text.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                (Piece::Same, "Tell the "),
                (Piece::Gone, "caller"),
                (Piece::New, "duty manager"),
                (Piece::Same, ", then close."),
            ]
        );
    }

    #[test]
    fn both_texts_can_be_read_off_the_pieces() {
        for (before, after) in [
            ("", "new"),
            ("old", ""),
            ("ä b  c", "b c, ä"),
            ("same", "same"),
            ("a, b", "a b,"),
        ] {
            let pieces = words(before, after);
            let read = |without: Piece| -> String {
                pieces
                    .iter()
                    .filter(|(kind, _)| *kind != without)
                    .map(|(_, text)| text.as_str())
                    .collect()
            };
            assert_eq!(
                (read(Piece::New).as_str(), read(Piece::Gone).as_str()),
                (before, after)
            );
        }
    }

    #[test]
    fn only_languages_that_differ_are_told() {
        let map = |pairs: &[(&str, &str)]| {
            LanguageMap::new(
                pairs
                    .iter()
                    .map(|(tag, text)| ((*tag).to_owned(), (*text).to_owned())),
            )
        };
        let (before, after) = (
            map(&[("en", "One"), ("fr", "Un")]),
            map(&[("de", "Eins"), ("en", "One")]),
        );
        assert_eq!(
            languages(Some(&before), Some(&after)),
            [("de", "", "Eins"), ("fr", "Un", "")]
        );
        assert_eq!(languages(None, Some(&before)).len(), 2);
    }
}
