//! Which form of a word goes with a number.
//!
//! The categories are those of the Unicode plural rules, for whole numbers. The rule of each
//! language is written out, because there are few, the server needs them too, and both then say the
//! same.

use super::fill::fill;
use super::language::Language;
use super::number::number;
use super::texts::Plural;
use super::words::Words;

/// Which of its forms a language uses for `n`, counted from 0.
const fn place(language: Language, n: u32) -> usize {
    match language {
        Language::En | Language::De => (n != 1) as usize,
        // One, many (a round million of things), other.
        Language::Fr | Language::Es => match n {
            0 if matches!(language, Language::Fr) => 0,
            1 => 0,
            1_000_000.. if n.is_multiple_of(1_000_000) => 1,
            _ => 2,
        },
        Language::Ar => match (n, n % 100) {
            (0..=2, _) => n as usize,
            (_, 3..=10) => 3,
            (_, 11..) => 4,
            _ => 5,
        },
    }
}

/// How many forms a language distinguishes.
#[cfg(test)]
const fn forms(language: Language) -> usize {
    match language {
        Language::En | Language::De => 2,
        Language::Fr | Language::Es => 3,
        Language::Ar => 6,
    }
}

/// The form of `text` for `n`, with the number and the other values in place.
#[must_use]
pub fn plural(words: Words, text: Plural, n: u32, values: &[(&str, &str)]) -> String {
    let number = words.number(n);
    let mut all = Vec::with_capacity(values.len() + 1);
    all.push(("n", number.as_str()));
    all.extend_from_slice(values);
    fill(text.form(place(words.language, n)), &all)
}

/// The form of `text` for `n`, with the number in place, in a language whose words are elsewhere.
#[must_use]
pub fn counted(language: Language, text: Plural, n: u32) -> String {
    let number = number(language, false, n);
    fill(text.form(place(language, n)), &[("n", &number)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_is_singular_and_none_is_plural() {
        let words = Words::english();
        let still_open = |n, names| plural(words, words.texts.still_open(), n, &[("names", names)]);
        assert_eq!(still_open(1, "logs"), "1 item still open: logs");
        assert_eq!(still_open(2, "a; b"), "2 items still open: a; b");
        assert_eq!(place(Language::En, 0), 1);
        assert_eq!(place(Language::De, 1), 0);
    }

    #[test]
    fn arabic_has_six_forms() {
        let numbers = [0, 1, 2, 3, 10, 11, 99, 100, 101, 102, 103, 111, 200];
        let places = numbers.map(|n| place(Language::Ar, n));
        assert_eq!(places, [0, 1, 2, 3, 3, 4, 4, 5, 5, 5, 3, 4, 5]);
    }

    #[test]
    fn nothing_is_singular_in_french_and_plural_in_spanish() {
        assert_eq!([0, 1, 2].map(|n| place(Language::Fr, n)), [0, 0, 2]);
        assert_eq!([0, 1, 2].map(|n| place(Language::Es, n)), [2, 0, 2]);
        assert_eq!(place(Language::Fr, 3_000_000), 1);
        assert_eq!(place(Language::Es, 3_000_001), 2);
    }

    #[test]
    fn each_plural_has_the_forms_of_its_language_and_each_text_the_places_of_the_english_one() {
        let places = |text: &str| {
            let mut places: Vec<_> = text
                .split('{')
                .skip(1)
                .filter_map(|rest| rest.split_once('}'))
                .map(|(name, _)| name.to_owned())
                .collect();
            places.sort();
            places
        };
        for language in Language::ALL {
            let entries = Words::of(language.tag()).texts.entries();
            let english = Words::english().texts.entries();
            for ((name, text), (_, in_english)) in entries.into_iter().zip(english) {
                assert!(!text.trim().is_empty(), "{language:?} {name}");
                let wanted = places(in_english.rsplit('|').next().unwrap());
                let last = text.rsplit('|').next().unwrap();
                assert_eq!(places(last), wanted, "{language:?} {name}");
                let given = text.split('|').count();
                let due = if in_english.contains('|') {
                    forms(language)
                } else {
                    1
                };
                assert_eq!(given, due, "{language:?} {name}: {text}");
                // One and two are words in Arabic; nothing else that a text says may be left out.
                for form in text
                    .split('|')
                    .filter(|_| wanted.iter().any(|place| place != "n"))
                {
                    assert!(
                        wanted
                            .iter()
                            .all(|place| place == "n" || form.contains(place)),
                        "{form}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_text_with_fewer_forms_than_its_language_uses_the_last() {
        assert_eq!(Plural("a").form(5), "a");
        assert_eq!(Plural("a|b").form(0), "a");
        assert_eq!(Plural("a|b").form(5), "b");
    }
}
