//! The format of a file or of a pasted text with computers: a table, or JSON.

use serde_json::{Value, json};

/// What is to be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A table, to be sent as it is.
    Table,
    /// JSON, as the call takes it.
    Json(String),
    /// Invalid JSON, and why.
    Invalid(String),
}

/// Tells tables from JSON. JSON begins with a bracket, which no heading of a table does; it may be the
/// list alone.
#[must_use]
pub fn parse(text: &str) -> Content {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with(['{', '[']) {
        return Content::Table;
    }
    // Where bytes are no UTF-8, browsers put this in their place.
    if text.contains('\u{fffd}') {
        return Content::Invalid("UTF-8".to_owned());
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(list)) => Content::Json(json!({ "Computers": list }).to_string()),
        Ok(whole) => Content::Json(whole.to_string()),
        Err(error) => Content::Invalid(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_alone_is_wrapped_into_the_request() {
        let whole = r#"{"Computers":[{"Id":"c-1"}]}"#;
        for text in [
            whole,
            r#"[{"Id":"c-1"}]"#,
            "\u{feff} \n[ {\"Id\": \"c-1\"} ]",
        ] {
            assert_eq!(parse(text), Content::Json(whole.to_owned()), "{text}");
        }
    }

    #[test]
    fn text_that_is_no_json_is_a_table_and_invalid_json_is_reported() {
        for text in [
            "",
            "Id;Name;Status",
            "\u{feff}Id,Name,Status\n[1],{2},InUse",
        ] {
            assert_eq!(parse(text), Content::Table, "{text}");
        }
        assert!(matches!(parse("[{]"), Content::Invalid(why) if why.contains("line 1")));
        assert_eq!(
            parse("[{\"Name\": \"B\u{fffd}ro\"}]"),
            Content::Invalid("UTF-8".to_owned())
        );
    }
}
