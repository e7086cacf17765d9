//! The little XML that two sign-in services need: the text of an element, and text escaped for one.

use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity};
use quick_xml::events::Event;

/// The text of the first element of that name, whatever its namespace's prefix.
pub(super) fn element_text(xml: &[u8], name: &str) -> Option<String> {
    let xml = std::str::from_utf8(xml).ok()?;
    let mut reader = Reader::from_str(xml);
    let mut inside = false;
    let mut text = String::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if start.local_name().as_ref() == name => inside = true,
            Event::Text(part) if inside => text.push_str(&part),
            Event::CData(part) if inside => text.push_str(&part),
            Event::GeneralRef(reference) if inside => match reference.resolve_char_ref().ok()? {
                Some(character) => text.push(character),
                None => text.push_str(resolve_predefined_entity(&reference)?),
            },
            Event::End(_) if inside => return Some(text.trim().to_owned()),
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// Text for an element.
pub(super) fn escape_text(text: &str) -> String {
    escape(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_whatever_its_prefix() {
        let xml = br#"<?xml version="1.0"?><s:Envelope xmlns:s="x"><s:Body><LoginResult><CookieName>Fed&amp;Auth</CookieName><wsse:Token xmlns:wsse="y"> t=a&#x41;&lt;b </wsse:Token></LoginResult></s:Body></s:Envelope>"#;
        assert_eq!(element_text(xml, "CookieName").as_deref(), Some("Fed&Auth"));
        assert_eq!(element_text(xml, "Token").as_deref(), Some("t=aA<b"));
        assert_eq!(element_text(xml, "ErrorCode"), None);
        assert_eq!(element_text(b"<html><body>no XML", "Token"), None);
    }

    #[test]
    fn a_password_cannot_break_out_of_its_element() {
        assert_eq!(
            escape_text("a</p><x y=\"&'"),
            "a&lt;/p&gt;&lt;x y=&quot;&amp;&apos;"
        );
    }
}
