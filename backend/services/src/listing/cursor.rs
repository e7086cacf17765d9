//! Where a page of a list ends, as text.
//!
//! A cursor names its list, and another one refuses it. Anybody can make one up, so it says where a page
//! begins and never what may be read.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_shared::problem::FieldErrorCode;

use crate::access::FieldErrors;

/// A key that is encoded as a cursor. None of its parts contains U+0000.
pub(crate) trait Cursor: Sized {
    fn parts(&self) -> Vec<String>;
    fn of(parts: &[&str]) -> Option<Self>;

    /// The cursor of a page that ends with this key. No two lists have the same name.
    fn encode(&self, list: &str) -> String {
        let mut parts = self.parts();
        parts.insert(0, list.to_owned());
        URL_SAFE_NO_PAD.encode(parts.join("\0"))
    }

    /// `None` unless it is a cursor of that list.
    fn decode(text: &str, list: &str) -> Option<Self> {
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let parts: Vec<&str> = text.split('\0').collect();
        let (of, parts) = parts.split_first()?;
        (*of == list).then(|| Self::of(parts)).flatten()
    }

    /// The key of the parameter `After`, if there is one.
    fn after(list: &str, after: Option<&str>, faults: &mut FieldErrors) -> Option<Self> {
        let key = Self::decode(after?, list);
        if key.is_none() {
            faults.say(
                "/After",
                FieldErrorCode::Invalid,
                "Send the Next of the previous page of this list.",
            );
        }
        key
    }
}

impl Cursor for String {
    fn parts(&self) -> Vec<String> {
        vec![self.clone()]
    }

    fn of(parts: &[&str]) -> Option<Self> {
        match parts {
            [one] => Some((*one).to_owned()),
            _ => None,
        }
    }
}

impl Cursor for (String, String) {
    fn parts(&self) -> Vec<String> {
        vec![self.0.clone(), self.1.clone()]
    }

    fn of(parts: &[&str]) -> Option<Self> {
        match parts {
            [one, other] => Some(((*one).to_owned(), (*other).to_owned())),
            _ => None,
        }
    }
}

impl Cursor for (String, String, String) {
    fn parts(&self) -> Vec<String> {
        vec![self.0.clone(), self.1.clone(), self.2.clone()]
    }

    fn of(parts: &[&str]) -> Option<Self> {
        match parts {
            [one, other, last] => {
                Some(((*one).to_owned(), (*other).to_owned(), (*last).to_owned()))
            }
            _ => None,
        }
    }
}

impl Cursor for (i64, String) {
    fn parts(&self) -> Vec<String> {
        vec![self.0.to_string(), self.1.clone()]
    }

    fn of(parts: &[&str]) -> Option<Self> {
        match parts {
            [number, id] => Some((number.parse().ok()?, (*id).to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_went_and_belongs_to_its_list() {
        let key = ("pc-ä / 0815".to_owned(), "c-17".to_owned());
        let cursor = key.encode("Computers");
        assert_eq!(Cursor::decode(&cursor, "Computers"), Some(key));
        for (list, cursor) in [
            ("Users", cursor.as_str()),
            ("Computers", ""),
            ("Computers", "x"),
            ("Computers", "****"),
            ("Computers", "-_-_"),
            ("Computers", &String::from("c-17").encode("Computers")),
        ] {
            assert_eq!(
                <(String, String)>::decode(cursor, list),
                None,
                "{list} {cursor}"
            );
        }
    }
}
