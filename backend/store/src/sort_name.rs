//! What people are sorted by: their name without case and accents.
//!
//! Computed here and stored beside the name, because the collations of SQLite and PostgreSQL differ. When this
//! function changes, a migration sets `person.sort_name` to NULL: the store computes it again when it is opened.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The maximum length, in bytes. With tenant, issuer and subject of 200 characters each it fits into an entry of
/// an index of PostgreSQL (2,704 bytes).
const MAX_BYTES: usize = 200;

/// The sort key of a name, compared byte by byte: `aerzte` of `Ærzte`, `muller` of `MÜLLER`.
#[must_use]
pub fn sort_name(name: &str) -> String {
    let mut key = String::new();
    let folded = name
        .nfkd()
        .filter(|letter| !is_combining_mark(*letter))
        // Upper case first: `ß` is `SS` there, and one kind of sigma is left.
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase);
    for letter in folded {
        let before = key.len();
        match without_stroke(letter) {
            Some(letters) => key.push_str(letters),
            None => key.push(letter),
        }
        if key.len() > MAX_BYTES {
            key.truncate(before);
            break;
        }
    }
    key
}

/// Letters that Unicode does not decompose into a letter and an accent.
const fn without_stroke(letter: char) -> Option<&'static str> {
    Some(match letter {
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_case_accents_or_strokes_alone_have_one_key() {
        for (name, key) in [
            ("Zoë Ärmel", "zoe armel"),
            ("ZOE\u{308} A\u{308}RMEL", "zoe armel"),
            ("Łukasz Strauß", "lukasz strauss"),
            ("LUKASZ STRAUSS", "lukasz strauss"),
            ("Øyvind Ærø", "oyvind aero"),
            ("Σωκράτης", "σωκρατησ"),
            ("İpek Işık", "ipek isik"),
            ("Ａｎｎａ", "anna"),
            ("渡辺", "渡辺"),
            ("", ""),
        ] {
            assert_eq!(sort_name(name), key, "{name}");
        }
    }

    #[test]
    fn a_key_ends_with_a_whole_letter_where_an_index_has_no_room_for_more() {
        assert_eq!(sort_name(&"x".repeat(MAX_BYTES + 1)).len(), MAX_BYTES);
        assert_eq!(sort_name(&"æ".repeat(MAX_BYTES)), "ae".repeat(100));
        // Three bytes each.
        assert_eq!(sort_name(&"渡".repeat(200)), "渡".repeat(66));
        // One character, of which compatibility makes eighteen.
        let long = sort_name(&"\u{fdfa}".repeat(200));
        assert!(long.len() <= MAX_BYTES && !long.is_empty(), "{long}");
    }
}
