//! The index of the search: an entry for each page, section, call of the API and state of the
//! gallery. The script of the pages reads it when somebody begins to type.

use serde_json::{Value, json};

use crate::gallery::Chapter;
use crate::navigation::GALLERY;
use crate::page::Page;

/// How much of a section's text is searched, in characters: enough for each but the longest.
const LONGEST: usize = 4_000;

/// The index as JSON: `[title, page, address, text]` each.
pub fn index(pages: &[Page], chapters: &[Chapter]) -> String {
    let mut entries: Vec<Value> = Vec::new();
    for page in pages {
        entries.push(entry(&page.title, "", &page.address, &page.lead));
        for heading in &page.headings {
            let address = format!("{}#{}", page.address, heading.id);
            entries.push(entry(&heading.text, &page.title, &address, &heading.body));
        }
    }
    for chapter in chapters {
        for state in &chapter.states {
            let address = format!("{GALLERY}#{}", state.name);
            let place = format!("Gallery: {}", chapter.title);
            entries.push(entry(&state.title, &place, &address, ""));
        }
    }
    Value::Array(entries).to_string()
}

fn entry(title: &str, page: &str, address: &str, text: &str) -> Value {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text: String = words.join(" ").chars().take(LONGEST).collect();
    json!([title, page, address, text])
}
