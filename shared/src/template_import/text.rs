//! The text of a file: UTF-8 or UTF-16 with a byte order mark, else Windows-1252, as Excel saves CSV in
//! Western Europe. Control characters that no text has are left out: the stores cannot keep NUL.

use std::borrow::Cow;

/// Windows-1252 from 0x80 to 0x9F; the five bytes that it does not define are the control characters
/// of the same number, as the WHATWG's encoding standard has it.
const UPPER: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text, and whether it is Unicode beyond doubt.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    let (text, is_utf) = match bytes {
        [0xFF, 0xFE, rest @ ..] => (Cow::Owned(utf_16(rest, u16::from_le_bytes)), true),
        [0xFE, 0xFF, rest @ ..] => (Cow::Owned(utf_16(rest, u16::from_be_bytes)), true),
        [0xEF, 0xBB, 0xBF, rest @ ..] => (String::from_utf8_lossy(rest), true),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (Cow::Borrowed(text), true),
            Err(_) => (Cow::Owned(windows_1252(bytes)), false),
        },
    };
    let is_foreign =
        |letter: char| letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r');
    match text.contains(is_foreign) {
        true => (Cow::Owned(text.replace(is_foreign, "")), is_utf),
        false => (text, is_utf),
    }
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let letters = char::decode_utf16(units);
    letters
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

fn windows_1252(bytes: &[u8]) -> String {
    let letters = bytes.iter().map(|byte| match byte {
        0x80..=0x9F => UPPER[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    });
    letters.collect()
}
