//! When a serial number or a name in the inventory equals one in a list.
//!
//! Normal forms are compared: trimmed, case-insensitive. Placeholders (`To be filled by O.E.M.`,
//! `0`, `None`) have no normal form and match nothing.

/// What firmware and people write where nothing is known.
const PLACEHOLDERS: [&str; 38] = [
    "0",
    "base board serial number",
    "chassis serial number",
    "default",
    "default string",
    "empty",
    "fill by oem",
    "invalid",
    "missing",
    "n.a.",
    "n/a",
    "na",
    "nil",
    "no serial",
    "no serial number",
    "none",
    "not applicable",
    "not available",
    "not known",
    "not set",
    "not specified",
    "null",
    "o.e.m",
    "o.e.m.",
    "oem",
    "serial number",
    "standard",
    "system serial number",
    "tba",
    "tbd",
    "to be filled by o.e.m",
    "to be filled by o.e.m.",
    "to be filled by oem",
    "type1productconfigid",
    "undefined",
    "unknown",
    "unspecified",
    "void",
];

/// Serial numbers from the mainboard's manual.
const SAMPLES: [&str; 6] = [
    "0123456789",
    "012345678",
    "123456789",
    "1234567890",
    "12345678",
    "sys-1234567890",
];

/// A serial number as it is compared; `None` when it says nothing.
///
/// ```
/// use checklist_shared::export::normal_serial;
/// assert_eq!(normal_serial(" 5cg1234Xyz "), normal_serial("5CG1234XYZ"));
/// assert_eq!(normal_serial("To be filled by O.E.M."), None);
/// assert_eq!(normal_serial("00000000"), None);
/// ```
#[must_use]
pub fn normal_serial(serial: &str) -> Option<String> {
    let normal = normalize_name(serial);
    let mut letters = normal.chars();
    let repeats = letters
        .next()
        .is_none_or(|first| letters.all(|letter| letter == first));
    let says = !repeats && !SAMPLES.contains(&normal.as_str()) && !is_empty_word(&normal);
    says.then_some(normal)
}

/// A name as it is compared; `None` when it says nothing.
///
/// ```
/// use checklist_shared::export::normal_name;
/// assert_eq!(normal_name("PC-0815"), normal_name("pc-0815\u{a0}"));
/// assert_eq!(normal_name("Unknown"), None);
/// assert_eq!(normal_name("1111").as_deref(), Some("1111"), "unlike a serial number");
/// ```
#[must_use]
pub fn normal_name(name: &str) -> Option<String> {
    let normal = normalize_name(name);
    (!is_empty_word(&normal)).then_some(normal)
}

/// Whether a text says nothing: empty, a placeholder, or only punctuation.
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    is_empty_word(&normalize_name(text))
}

fn is_empty_word(normal: &str) -> bool {
    !normal.chars().any(char::is_alphanumeric) || PLACEHOLDERS.contains(&normal)
}

/// Without blanks, controls and invisible marks at the ends, in one letter case.
fn normalize_name(text: &str) -> String {
    let blank = |letter: char| {
        letter.is_whitespace()
            || letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    // By way of upper case, so that ß is ss and every sigma the same; ẞ only from below.
    text.trim_matches(blank)
        .chars()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}
