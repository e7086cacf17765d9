//! The people that are offered while an assignee or a mention in a note is typed.

use super::item_fields::DetailField;
use crate::port::Person;

/// The people that are offered for a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestions {
    /// The field with the suggestions.
    pub field: DetailField,
    /// The state of the request to the host.
    pub answer: Answer,
    /// The index of the entry that Enter takes.
    pub active: Option<usize>,
    pub(super) prefix: String,
    pub(super) number: u32,
}

/// The state of the host's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Not yet, and nobody has to know.
    Awaited,
    /// Not yet, and it takes a while.
    Loading,
    /// The host returned these people.
    People(Vec<Person>),
    /// The host returned an error.
    Failed,
}

/// The text after an `@` before the caret, and the position of the `@`: in UTF-16 units.
#[must_use]
pub fn mention(text: &str, caret: u32) -> Option<(u32, String)> {
    let mut at = 0;
    let mut found: Option<(u32, String)> = None;
    let mut may_begin = true;
    for letter in text.chars() {
        if at >= caret {
            break;
        }
        match &mut found {
            _ if letter == '@' && may_begin => found = Some((at, String::new())),
            Some(_) if letter.is_whitespace() || letter == '@' => found = None,
            Some((_, prefix)) => prefix.push(letter),
            None => {}
        }
        may_begin = letter.is_whitespace() || "([{\"'“„«".contains(letter);
        at += letter.len_utf16() as u32;
    }
    found.filter(|(_, prefix)| !prefix.is_empty())
}

#[cfg(test)]
mod tests {
    use super::mention;

    #[test]
    fn a_mention_is_what_stands_behind_an_at_sign_that_begins_a_word() {
        let found = |text: &str| mention(text, text.encode_utf16().count() as u32);
        assert_eq!(found("ask @Ca"), Some((4, "Ca".to_owned())));
        assert_eq!(found("(@ä"), Some((1, "ä".to_owned())));
        assert_eq!(found("😀 @b"), Some((3, "b".to_owned())));
        for text in ["ask @", "a@b", "@Carla ", "nobody", ""] {
            assert_eq!(found(text), None, "{text}");
        }
        assert_eq!(mention("@Ca rest", 3), Some((0, "Ca".to_owned())));
        assert_eq!(mention("@Ca rest", 8), None);
    }
}
