//! A text that a row is looked for by: the site understands the very text that was given, whatever
//! it holds, and nothing else in the filter.

/// Writes a filter for the text and reads it as a site does; `parse` gives name and text of an
/// equation.
pub fn hold(
    data: &[u8],
    write: impl Fn(&str) -> Option<String>,
    parse: impl Fn(&str) -> Option<(Vec<String>, String)>,
) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    // No text is looked for as nothing, which is no equation.
    if text.is_empty() {
        return;
    }
    let filter = write(text).unwrap_or_else(|| panic!("nothing is written for {text:?}"));
    let read = parse(&filter).unwrap_or_else(|| panic!("no equation: {filter}"));
    assert_eq!(read, (vec!["Title".to_owned()], text.to_owned()));
}
