//! Renders the manifest as Markdown: events, methods, slots, states, parts and custom properties of
//! the control, and everything of the other elements, for `docs/ELEMENT.md` and the package's `llms.txt`.
//! The control's attributes and properties have a table of their own (`documents`).

use std::fmt::Write as _;

use super::documents::cell;
use super::elements::{Element, Entry};

/// A table: its title, the head of its first column, its rows, and how a name is written.
type Table<'a> = (&'static str, &'static str, &'a [Entry], fn(&str) -> String);

/// The sections of every element. The first element's attributes are described elsewhere.
pub fn reference(elements: &[&Element]) -> String {
    let mut text = String::new();
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            push(&mut text, &format!("## `<{}>`", element.tag));
            push(&mut text, &element.description);
            text.push('\n');
            table(&mut text, "attribute", &element.attributes, code);
            list(&mut text, "Properties", &properties(element));
        }
        if !element.events.is_empty() {
            section(&mut text, index, "Events");
            events(&mut text, &element.events);
        }
        let methods = entries(element.methods().map(|one| (&one.name, &one.description)));
        let tables: [Table<'_>; 5] = [
            ("Methods", "method", &methods, |name| format!("`{name}()`")),
            ("Slots", "slot", &element.slots, slot),
            ("States", "state", &element.css_states, |name| {
                format!("`:state({name})`")
            }),
            ("Parts", "part", &element.css_parts, |name| {
                format!("`::part({name})`")
            }),
            (
                "Custom properties",
                "property",
                &element.css_properties,
                code,
            ),
        ];
        for (title, head, entries, form) in tables {
            if !entries.is_empty() {
                section(&mut text, index, title);
                table(&mut text, head, entries, form);
            }
        }
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

fn properties(element: &Element) -> Vec<Entry> {
    entries(
        element
            .properties()
            .chain(element.readings())
            .map(|one| (&one.name, &one.description)),
    )
}

fn entries<'a>(members: impl Iterator<Item = (&'a String, &'a String)>) -> Vec<Entry> {
    let entry = |(name, description): (&String, &String)| Entry {
        name: name.clone(),
        description: description.clone(),
        ..Entry::default()
    };
    members.map(entry).collect()
}

/// Elements after the first are one level deeper.
fn section(text: &mut String, index: usize, title: &str) {
    let marks = if index == 0 { "##" } else { "###" };
    push(text, &format!("{marks} {title}"));
}

fn events(text: &mut String, events: &[Entry]) {
    push(text, "| event | `detail` | when |\n|---|---|---|");
    for event in events {
        let kind = event.kind.text.as_str();
        let detail = kind
            .strip_prefix("CustomEvent<")
            .and_then(|rest| rest.strip_suffix('>'))
            .map_or_else(String::new, |detail| format!("`{}`", cell(detail)));
        row(
            text,
            &[&code(&event.name), &detail, &cell(&event.description)],
        );
    }
    text.push('\n');
}

fn table(text: &mut String, head: &str, entries: &[Entry], form: fn(&str) -> String) {
    push(text, &format!("| {head} | meaning |\n|---|---|"));
    for entry in entries {
        row(text, &[&form(&entry.name), &cell(&entry.description)]);
    }
    text.push('\n');
}

fn list(text: &mut String, title: &str, entries: &[Entry]) {
    let names: Vec<String> = entries.iter().map(|one| code(&one.name)).collect();
    push(text, &format!("{title}: {}.\n", names.join(", ")));
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn slot(name: &str) -> String {
    if name.is_empty() {
        "(default)".to_owned()
    } else {
        code(name)
    }
}

fn row(text: &mut String, cells: &[&str]) {
    push(text, &format!("| {} |", cells.join(" | ")));
}

fn push(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::elements;

    #[test]
    fn the_reference_names_events_methods_slots_and_parts_of_every_element() {
        let text = reference(&elements::example().elements());
        for expected in [
            "## Events\n| event | `detail` | when |",
            "| `x-done` | `{x: 1}` |  |",
            "| `focus()` |  |",
            "| `::part(card)` |  |",
            "## `<c-d>`\nC.",
        ] {
            assert!(text.contains(expected), "{expected} is missing in\n{text}");
        }
        assert!(!text.contains("## Slots"), "{text}");
    }
}
