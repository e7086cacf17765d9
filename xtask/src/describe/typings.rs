//! `checklist-control.d.ts`, `checklist-worklist.d.ts`: the elements for TypeScript, with a map of their events, so that
//! `addEventListener("completed-changed", …)` has a typed detail. Rendered from `custom-elements.json`.

use std::fmt::Write;

use super::elements::{Element, Entry, property_name};

pub fn render(elements: &[&Element]) -> String {
    let mut text =
        String::from("// Generated from custom-elements.json by `cargo xtask describe`.\n");
    for element in elements {
        class(&mut text, element);
    }
    text.push_str("\ndeclare global {\n  interface HTMLElementTagNameMap {\n");
    for element in elements {
        line(
            &mut text,
            format_args!("    \"{}\": {};", element.tag, element.class),
        );
    }
    text.push_str("  }\n}\n");
    text
}

fn class(text: &mut String, element: &Element) {
    let name = &element.class;
    line(
        text,
        format_args!("\n/** The events of `<{}>`. */", element.tag),
    );
    line(text, format_args!("export interface {name}EventMap {{"));
    for event in &element.events {
        comment(text, &event.description);
        line(
            text,
            format_args!("  \"{}\": {};", event.name, event.kind.text),
        );
    }
    text.push_str("}\n\n");
    writable(text, element);
    line(text, format_args!("/** {} */", element.description));
    line(
        text,
        format_args!("export declare class {name} extends HTMLElement {{"),
    );
    for attribute in element.own_attributes() {
        comment(text, &attribute.description);
        line(
            text,
            format_args!(
                "  {}: {};",
                property_name(&attribute.name),
                settable(attribute)
            ),
        );
    }
    for property in element.properties() {
        comment(text, &property.description);
        line(
            text,
            format_args!(
                "  {}: {} | undefined;",
                property.name,
                parenthesised(&property.of_type.text)
            ),
        );
    }
    for reading in element.readings() {
        comment(text, &reading.description);
        line(
            text,
            format_args!("  readonly {}: {};", reading.name, reading.of_type.text),
        );
    }
    for method in element.methods() {
        comment(text, &method.description);
        let parameter = match method.parameters.first().map(|one| one.name.as_str()) {
            Some(name) if method.name == "focus" => format!("{name}?: FocusOptions"),
            Some(name) => format!("{name}?: unknown"),
            None => String::new(),
        };
        let returns = method.returns.as_ref();
        let returns = match returns.map_or("", |returns| returns.kind.text.as_str()) {
            "" if method.name.ends_with("Validity") => "boolean",
            "" => "void",
            returns => returns,
        };
        line(
            text,
            format_args!("  {}({parameter}): {returns};", method.name),
        );
    }
    for verb in ["addEventListener", "removeEventListener"] {
        let options = if verb.starts_with("add") {
            "boolean | AddEventListenerOptions"
        } else {
            "boolean | EventListenerOptions"
        };
        for map in [format!("{name}EventMap"), "HTMLElementEventMap".to_owned()] {
            line(
                text,
                format_args!(
                    "  {verb}<K extends keyof {map}>(type: K, listener: (this: {name}, event: {map}[K]) => unknown, options?: {options}): void;"
                ),
            );
        }
        line(
            text,
            format_args!(
                "  {verb}(type: string, listener: EventListenerOrEventListenerObject, options?: {options}): void;"
            ),
        );
    }
    text.push_str("}\n");
}

/// What the templates of frameworks may write: attributes by their names, and properties.
fn writable(text: &mut String, element: &Element) {
    let name = &element.class;
    line(
        text,
        format_args!("/** The attributes of `<{}>`. */", element.tag),
    );
    line(text, format_args!("export interface {name}Attributes {{"));
    for attribute in element.own_attributes() {
        comment(text, &attribute.description);
        let kind = match attribute.kind.text.as_str() {
            "boolean" => "boolean | \"\" | \"true\" | \"false\"".to_owned(),
            _ => settable(attribute),
        };
        line(
            text,
            format_args!("  \"{}\"?: {kind} | undefined;", attribute.name),
        );
    }
    text.push_str("}\n\n");
    let mut names: Vec<String> = element
        .own_attributes()
        .map(|attribute| property_name(&attribute.name))
        .collect();
    names.extend(element.properties().map(|property| property.name.clone()));
    line(
        text,
        format_args!(
            "/** The properties of `<{}>` that can be set. */",
            element.tag
        ),
    );
    line(
        text,
        format_args!(
            "export type {name}Properties = {{ [Name in \"{}\"]?: {name}[Name] | undefined }};\n",
            names.join("\" | \"")
        ),
    );
}

/// The type that a property may be set to; strings and booleans as the attribute takes them.
fn settable(attribute: &Entry) -> String {
    match attribute.kind.text.as_str() {
        "" | "string" => "string".to_owned(),
        "boolean" => "boolean".to_owned(),
        choice => format!("{choice} | \"\""),
    }
}

/// A function type needs parentheses before `| undefined`.
fn parenthesised(kind: &str) -> String {
    if kind.contains("=>") {
        format!("({kind})")
    } else {
        kind.to_owned()
    }
}

fn comment(text: &mut String, description: &str) {
    if !description.is_empty() {
        line(text, format_args!("  /** {description} */"));
    }
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{what}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::elements;

    #[test]
    fn typings_know_the_events_and_the_element_by_its_tag() {
        let typings = render(&elements::example().elements());
        for expected in [
            "  \"x-done\": CustomEvent<{x: 1}>;",
            "  save: \"off\" | \"\";",
            "  \"save\"?: \"off\" | \"\" | undefined;",
            "export type AbProperties = { [Name in \"save\" | \"ask\"]?: Ab[Name] | undefined };",
            "  ask: (() => void) | undefined;",
            "  readonly n: number;",
            "  focus(options?: FocusOptions): void;",
            "    \"a-b\": Ab;",
        ] {
            assert!(
                typings.contains(expected),
                "{expected} is missing in\n{typings}"
            );
        }
    }
}
