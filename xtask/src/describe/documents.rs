//! Renders the table of descriptors for documents and the demo: Markdown tables, the options of
//! `Render`, the demo's switches.

use std::fmt::Write as _;

use checklist_descriptors::{Descriptor, Kind};

use super::elements::property_name;

/// A descriptor, as written in markup.
fn written(descriptor: &Descriptor) -> String {
    match descriptor.kind {
        Kind::Choice(word) => format!("`{}={word:?}`", descriptor.name),
        _ => format!("`{}`", descriptor.name),
    }
}

pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The table of names and meanings.
pub fn short_table(descriptors: &[Descriptor]) -> String {
    let mut table = String::from("| attribute / property | meaning |\n|---|---|\n");
    for descriptor in descriptors {
        let kind = match descriptor.kind {
            Kind::Object(_) => " (property)",
            Kind::Output(_) => " (read-only property)",
            _ => "",
        };
        let default = match (descriptor.kind, descriptor.default) {
            (Kind::Text, default) if !default.is_empty() => format!(" Default: {default}."),
            _ => String::new(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            table,
            "| {}{kind} | {}{default} |",
            written(descriptor),
            cell(descriptor.documentation())
        );
    }
    table
}

/// Under which name a descriptor is known where.
pub fn whole_table(descriptors: &[Descriptor]) -> String {
    let mut table = String::from(
        "| attribute | property | Leptos | `Render` | direction | meaning |\n|---|---|---|---|---|---|\n",
    );
    for descriptor in descriptors {
        let name = |name: &str| {
            if name.is_empty() {
                String::new()
            } else {
                format!("`{name}`")
            }
        };
        let (attribute, direction) = match descriptor.kind {
            Kind::Object(_) => (String::new(), "in"),
            Kind::Output(_) => (String::new(), "out"),
            _ => (written(descriptor), "in"),
        };
        let _ = writeln!(
            table,
            "| {attribute} | `{}` | {} | {} | {direction} | {} |",
            property_name(descriptor.name),
            name(descriptor.setting),
            name(descriptor.option),
            cell(descriptor.documentation())
        );
    }
    table
}

/// The options of `Render` that become attributes.
pub fn options(descriptors: &[Descriptor]) -> String {
    let options = descriptors.iter().filter_map(|descriptor| {
        let option = descriptor.option;
        match descriptor.kind {
            _ if option.is_empty() => None,
            Kind::Choice(word) => {
                let (first, rest) = word.split_at(1);
                let word = first.to_ascii_uppercase() + rest;
                Some(format!("`{option}` (`\"{word}\"`)"))
            }
            _ => Some(format!("`{option}`")),
        }
    });
    let options: Vec<String> = options.collect();
    format!(
        "* **What the element is told** goes along and becomes its attributes: {}.",
        options.join(", ")
    )
}

/// The switches of the demo.
pub fn switches(descriptors: &[Descriptor]) -> String {
    let mut html = String::new();
    for descriptor in descriptors.iter().filter(|one| !one.label.is_empty()) {
        let (small, value) = match descriptor.kind {
            Kind::Choice(word) => (
                format!(" <small>{}={word:?}</small>", descriptor.name),
                format!(" data-value={word:?}"),
            ),
            _ => Default::default(),
        };
        let _ = writeln!(
            html,
            "<label class=\"switch\"><span>{}{small}</span><input type=\"checkbox\" role=\"switch\" data-attribute={:?}{value}></label>",
            descriptor.label, descriptor.name
        );
    }
    html
}
