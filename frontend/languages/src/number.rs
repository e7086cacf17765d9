//! How a language writes a number of things: its digits, and the sign between thousands.
//!
//! Written out, because there are few, and a server then writes what a browser does.

use super::language::Language;

/// Countries that write Arabic with the digits of Europe, as the language by itself does now.
const EUROPEAN_DIGITS: [&str; 6] = ["AE", "DZ", "EH", "LY", "MA", "TN"];

/// Whether the reader of a language tag expects the digits ٠ to ٩.
pub fn has_arabic_digits(language: Language, tag: &str) -> bool {
    let region = tag.split(['-', '_']).skip(1).find(|part| part.len() == 2);
    language == Language::Ar
        && region.is_some_and(|region| {
            !EUROPEAN_DIGITS
                .iter()
                .any(|other| region.eq_ignore_ascii_case(other))
        })
}

/// The number as it is read.
pub fn number(language: Language, arabic_digits: bool, n: u32) -> String {
    let digits = n.to_string();
    let mut written = String::new();
    let grouped = language != Language::Es || n >= 10_000;
    for (at, digit) in digits.bytes().enumerate() {
        if at > 0 && grouped && (digits.len() - at).is_multiple_of(3) {
            written.push(match language {
                Language::Ar if arabic_digits => '٬',
                Language::En | Language::Ar => ',',
                Language::De | Language::Es => '.',
                Language::Fr => '\u{202f}',
            });
        }
        let zero = if arabic_digits {
            '٠' as u32
        } else {
            '0' as u32
        };
        written.extend(char::from_u32(zero + u32::from(digit - b'0')));
    }
    written
}

/// A decimal number as it is read, from its digits with a point: `-1234.5`. Thousands are not grouped.
pub fn decimal(language: Language, arabic_digits: bool, number: &str) -> String {
    let mark = decimal_mark(language, arabic_digits);
    let read = number.chars().map(|letter| match letter {
        '.' => mark,
        '0'..='9' if arabic_digits => {
            char::from_u32('٠' as u32 + (letter as u32 - '0' as u32)).unwrap_or(letter)
        }
        other => other,
    });
    read.collect()
}

const fn decimal_mark(language: Language, arabic_digits: bool) -> char {
    match language {
        Language::Ar if arabic_digits => '٫',
        Language::En | Language::Ar => '.',
        Language::De | Language::Es | Language::Fr => ',',
    }
}

/// The digits with a point of a number as it is typed, in whichever digits, with a point or a comma. The mark that groups thousands
/// in the language is refused before three digits at the end: it could mean either.
pub fn typed_digits(language: Language, typed: &str) -> Option<String> {
    let mut number = String::new();
    let (mut mark, mut digits_after) = (None, 0);
    for letter in typed.trim().chars() {
        match letter {
            '-' | '\u{2212}' if number.is_empty() => number.push('-'),
            '.' | ',' | '٫' if mark.is_none() => {
                mark = Some(letter);
                number.push('.');
            }
            _ => {
                let digit = match letter {
                    '٠'..='٩' => letter as u32 - '٠' as u32,
                    _ => letter.to_digit(10)?,
                };
                number.extend(char::from_digit(digit, 10));
                digits_after += usize::from(mark.is_some());
            }
        }
    }
    let groups = match language {
        Language::En | Language::Ar => ',',
        Language::De | Language::Es => '.',
        Language::Fr => '\u{202f}',
    };
    let is_ambiguous = mark == Some(groups) && digits_after == 3;
    (!is_ambiguous).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped_as_each_language_does() {
        let written = |language, n| number(language, false, n);
        assert_eq!(written(Language::En, 7), "7");
        assert_eq!(written(Language::En, 999), "999");
        assert_eq!(written(Language::En, 1_234_567), "1,234,567");
        assert_eq!(written(Language::De, 10_000), "10.000");
        assert_eq!(written(Language::Fr, 1234), "1\u{202f}234");
        assert_eq!(written(Language::Es, 1234), "1234");
        assert_eq!(written(Language::Es, 12_345), "12.345");
        assert_eq!(written(Language::Ar, 1234), "1,234");
        assert_eq!(number(Language::Ar, true, 12_345), "١٢٬٣٤٥");
    }

    #[test]
    fn egypt_counts_with_other_digits_than_morocco() {
        let arabic = |tag| has_arabic_digits(Language::of(tag), tag);
        for tag in ["ar-EG", "ar-SA", "ar_iq", "ar-Arab-EG"] {
            assert!(arabic(tag), "{tag}");
        }
        for tag in ["ar", "ar-MA", "ar-AE", "ar-001", "de-EG"] {
            assert!(!arabic(tag), "{tag}");
        }
    }
}
