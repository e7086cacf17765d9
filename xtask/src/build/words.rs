//! Writes the language tables that the elements fetch: one file per language, names and texts in the
//! order in which the WASM reads them. English is in the WASM; its table is for hosts that replace
//! texts.

use checklist_languages::{Failures, Language, Texts};
use serde_json::{Map, Value};

use super::assets::{Asset, hashed_name};

/// The files of all languages, which share the beginning of their names.
pub struct Tables {
    /// Without the language and `.json`.
    pub stem: String,
    pub files: Vec<Asset>,
}

/// Builds the tables of all languages.
pub fn tables() -> Tables {
    let texts: Vec<_> = Language::ALL.into_iter().map(table).collect();
    // One hash over all, so that the script needs one name.
    let stem = hashed_name("", texts.concat().as_bytes());
    let stem = stem.trim_end_matches('.').to_owned();
    let files = Language::ALL.into_iter().zip(texts);
    let files = files.map(|(language, text)| Asset {
        path: format!("{stem}.{}.json", language.tag()),
        bytes: text.into_bytes(),
        immutable: true,
    });
    Tables {
        files: files.collect(),
        stem,
    }
}

fn table(language: Language) -> String {
    let (texts, failures) = (Texts::of(language), Failures::of(language));
    let all = texts.entries().chain(failures.entries());
    let all: Map<_, _> = all
        .map(|(name, text)| (name.to_owned(), Value::from(text)))
        .collect();
    Value::Object(all).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_the_texts_in_their_order() {
        let tables = tables();
        assert_eq!(tables.files.len(), 5);
        let german = &tables.files[1];
        assert_eq!(german.path, format!("{}.de.json", tables.stem));
        let text = std::str::from_utf8(&german.bytes).expect("text");
        assert!(text.starts_with(r#"{"checklist":"Checkliste","done_of":"{done} von"#));
        assert!(text.ends_with('}') && text.contains(r#""failed":"Die Checkliste"#));
    }
}
