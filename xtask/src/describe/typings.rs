//! `checklist-control.d.ts`, `checklist-worklist.d.ts`: the elements for TypeScript, with a map of their events, so that
//! `addEventListener("completed-changed", …)` has a typed detail. Rendered from `custom-elements.json`.

use super::elements::{Element, Entry, property_name};

pub fn render(elements: &[&Element]) -> String {
    let classes: String = elements.iter().map(|element| class(element)).collect();
    let tags = elements.iter().map(|element| {
        let (tag, class) = (&element.tag, &element.class);
        format!("    \"{tag}\": {class};\n")
    });
    format!(
        "// Generated from custom-elements.json by `cargo xtask describe`.\n{classes}\n\
         declare global {{\n  interface HTMLElementTagNameMap {{\n{}  }}\n}}\n",
        tags.collect::<String>()
    )
}

fn class(element: &Element) -> String {
    let (name, tag) = (&element.class, &element.tag);
    let events = element.events.iter().map(|event| {
        let declared = format!("\"{}\": {}", event.name, event.kind.text);
        member(&event.description, &declared)
    });
    let attributes = element.own_attributes().map(|one| {
        let declared = format!("{}: {}", property_name(&one.name), settable(one));
        member(&one.description, &declared)
    });
    let properties = element.properties().map(|one| {
        let kind = parenthesised(&one.of_type.text);
        let declared = format!("{}: {kind} | undefined", one.name);
        member(&one.description, &declared)
    });
    let readings = element.readings().map(|one| {
        let declared = format!("readonly {}: {}", one.name, one.of_type.text);
        member(&one.description, &declared)
    });
    let methods = element.methods().map(|method| {
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
        let declared = format!("{}({parameter}): {returns}", method.name);
        member(&method.description, &declared)
    });
    let members = attributes.chain(properties).chain(readings).chain(methods);
    format!(
        "\n/** The events of `<{tag}>`. */\nexport interface {name}EventMap {{\n{}}}\n\n{}\
         /** {} */\nexport declare class {name} extends HTMLElement {{\n{}{}}}\n",
        events.collect::<String>(),
        writable(element),
        element.description,
        members.collect::<String>(),
        listeners(name)
    )
}

/// How one listens to the events of a class.
fn listeners(class: &str) -> String {
    let mut text = String::new();
    for (verb, options) in [
        ("addEventListener", "boolean | AddEventListenerOptions"),
        ("removeEventListener", "boolean | EventListenerOptions"),
    ] {
        for map in [&*format!("{class}EventMap"), "HTMLElementEventMap"] {
            let listener = format!("(this: {class}, event: {map}[K]) => unknown");
            let declared = format!(
                "{verb}<K extends keyof {map}>(type: K, listener: {listener}, options?: {options}): void"
            );
            text.push_str(&member("", &declared));
        }
        let listener = "EventListenerOrEventListenerObject";
        let declared =
            format!("{verb}(type: string, listener: {listener}, options?: {options}): void");
        text.push_str(&member("", &declared));
    }
    text
}

/// What the templates of frameworks may write: attributes by their names, and properties.
fn writable(element: &Element) -> String {
    let (name, tag) = (&element.class, &element.tag);
    let attributes = element.own_attributes().map(|attribute| {
        let kind = match attribute.kind.text.as_str() {
            "boolean" => "boolean | \"\" | \"true\" | \"false\"".to_owned(),
            _ => settable(attribute),
        };
        let declared = format!("\"{}\"?: {kind} | undefined", attribute.name);
        member(&attribute.description, &declared)
    });
    let names = element.own_attributes().map(|one| property_name(&one.name));
    let names = names.chain(element.properties().map(|one| one.name.clone()));
    format!(
        "/** The attributes of `<{tag}>`. */\nexport interface {name}Attributes {{\n{}}}\n\n\
         /** The properties of `<{tag}>` that can be set. */\n\
         export type {name}Properties = {{ [Name in \"{}\"]?: {name}[Name] | undefined }};\n\n",
        attributes.collect::<String>(),
        names.collect::<Vec<_>>().join("\" | \"")
    )
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

/// A member of a class or an interface, below its description.
fn member(description: &str, declared: &str) -> String {
    if description.is_empty() {
        return format!("  {declared};\n");
    }
    format!("  /** {description} */\n  {declared};\n")
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
