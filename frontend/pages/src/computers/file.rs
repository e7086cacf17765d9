//! What a file or a pasted text with computers is: a table, or JSON.

use serde_json::{Value, json};

/// What was chosen or pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A table, to be sent as it is.
    Table,
    /// JSON, as the call takes it.
    Json(String),
    /// JSON that cannot be read, and why.
    Broken(String),
}

/// What a text is. JSON begins with a bracket, which no heading of a table does; it may be the
/// list alone.
#[must_use]
pub fn content(text: &str) -> Content {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['{', '[']) {
        return Content::Table;
    }
    // Where bytes are no UTF-8, browsers put this in their place.
    if text.contains('\u{fffd}') {
        return Content::Broken("UTF-8".to_owned());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(list)) => Content::Json(json!({ "Computers": list }).to_string()),
        Ok(whole) => Content::Json(whole.to_string()),
        Err(error) => Content::Broken(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_alone_is_taken_for_the_whole() {
        let whole = r#"{"Computers":[{"Id":"c-1"}]}"#;
        for text in [
            whole,
            r#"[{"Id":"c-1"}]"#,
            "\u{feff} \n[ {\"Id\": \"c-1\"} ]",
        ] {
            assert_eq!(content(text), Content::Json(whole.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_a_table_and_what_is_broken_is_told() {
        for text in [
            "",
            "Id;Name;Status",
            "\u{feff}Id,Name,Status\n[1],{2},InUse",
        ] {
            assert_eq!(content(text), Content::Table, "{text}");
        }
        assert!(matches!(content("[{]"), Content::Broken(why) if why.contains("line 1")));
        assert_eq!(
            content("[{\"Name\": \"B\u{fffd}ro\"}]"),
            Content::Broken("UTF-8".to_owned())
        );
    }
}
