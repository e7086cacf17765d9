//! What a template would change, in lines for people.
//!
//! Id, status and version are no difference: the server decides them.

use std::collections::BTreeSet;

use checklist_shared::template::{Template, TemplateItem};
use serde_json::{Map, Value};

/// Fields of a template that the server decides, and the items, which are compared one by one.
const DECIDED_OTHERWISE: [&str; 4] = ["Id", "Items", "Status", "Version"];

/// How a file differs from what is published.
#[derive(Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not at all.
    None,
    /// There is no such template.
    New {
        /// How many items and sections it has.
        items: usize,
    },
    /// In these fields and items.
    Changed(Vec<String>),
}

impl Difference {
    /// Compares a version with a file.
    pub fn between(published: Option<&Template>, file: &Template) -> Self {
        let Some(published) = published else {
            return Self::New {
                items: file.items.len(),
            };
        };
        let names = changed_fields(published, file);
        let mut lines: Vec<String> = names
            .iter()
            .filter(|name| !DECIDED_OTHERWISE.contains(&name.as_str()))
            .map(|name| format!("~ {name}"))
            .collect();
        compare_items(&published.items, &file.items, &mut lines);
        match lines.is_empty() {
            true => Self::None,
            false => Self::Changed(lines),
        }
    }

    /// Whether there is none.
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

fn compare_items(published: &[TemplateItem], file: &[TemplateItem], lines: &mut Vec<String>) {
    let of = |items: &[TemplateItem], key: &str| items.iter().position(|item| item.key == key);
    for item in published {
        if of(file, &item.key).is_none() {
            lines.push(format!("- {}: {}", item.key, text(item)));
        }
    }
    for item in file {
        let Some(before) = of(published, &item.key).map(|at| &published[at]) else {
            lines.push(format!("+ {}: {}", item.key, text(item)));
            continue;
        };
        let names = changed_fields(before, item);
        if !names.is_empty() {
            lines.push(format!("~ {}: {}", item.key, names.join(", ")));
        }
    }
    let order = |items: &[TemplateItem], others: &[TemplateItem]| -> Vec<String> {
        let kept = items.iter().filter(|item| of(others, &item.key).is_some());
        kept.map(|item| item.key.clone()).collect()
    };
    if order(published, file) != order(file, published) {
        lines.push("~ order of the items".to_owned());
    }
}

fn text(item: &TemplateItem) -> &str {
    item.text.iter().next().map_or("", |(_, text)| text)
}

/// The names of the fields in which two values differ, whichever fields there are.
fn changed_fields(before: &impl serde::Serialize, after: &impl serde::Serialize) -> Vec<String> {
    let (before, after) = (fields(before), fields(after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names
        .into_iter()
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect()
}

fn fields(value: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn template(items: &Value) -> Template {
        let template = json!({ "Key": "t", "Name": { "en": "T" }, "Items": items });
        serde_json::from_value(template).expect("a template")
    }

    #[test]
    fn what_was_added_changed_removed_and_moved_is_named_by_its_key() {
        let published = template(&json!([
            { "Key": "a", "Text": { "en": "Ask" } },
            { "Key": "b", "Text": { "en": "Build" } },
            { "Key": "c", "Text": { "en": "Clean" } },
        ]));
        let file = template(&json!([
            { "Key": "c", "Text": { "en": "Clean" } },
            { "Key": "b", "Text": { "en": "Build it" }, "Required": true },
            { "Key": "d", "Text": { "en": "Deliver" } },
        ]));
        let lines = [
            "- a: Ask",
            "~ b: Required, Text",
            "+ d: Deliver",
            "~ order of the items",
        ];
        assert_eq!(
            Difference::between(Some(&published), &file),
            Difference::Changed(lines.map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn every_field_of_a_template_that_changes_is_named_also_one_that_was_not_there() {
        let published = template(&json!([]));
        let mut file = published.clone();
        file.due_notice = Some("P1D".to_owned());
        file.key = "other".to_owned();
        assert_eq!(
            Difference::between(Some(&published), &file),
            Difference::Changed(["~ DueNotice", "~ Key"].map(str::to_owned).to_vec())
        );
    }

    #[test]
    fn what_the_server_decides_is_no_difference() {
        let file = template(&json!([{ "Key": "a", "Text": { "en": "Ask" } }]));
        let mut published = file.clone();
        (published.id, published.version) = ("t".to_owned(), 7);
        assert_eq!(
            Difference::between(Some(&published), &file),
            Difference::None
        );
        assert_eq!(
            Difference::between(None, &file),
            Difference::New { items: 1 }
        );
    }
}
