//! Reads the JSDoc of the element's script: the tags of the class, and the comment of each public
//! getter and method. Not a JavaScript parser: it relies on the script's own
//! layout (members are indented by two spaces), and fails loudly if that does not hold.

use anyhow::{Context, Result, ensure};

/// A custom element as its class comment describes it.
#[derive(Debug, PartialEq, Eq)]
pub struct Element {
    pub class: String,
    pub tag: String,
    pub description: String,
    pub attributes: Vec<Entry>,
    /// Settable properties without an attribute.
    pub properties: Vec<Entry>,
    /// Properties that can only be read.
    pub readings: Vec<Entry>,
    pub methods: Vec<Method>,
    pub events: Vec<Entry>,
    pub slots: Vec<Entry>,
    pub parts: Vec<Entry>,
    pub tokens: Vec<Entry>,
    pub states: Vec<Entry>,
}

/// A name with its type and its sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub kind: String,
    pub description: String,
}

/// A public method.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    pub name: String,
    pub optional_parameter: Option<String>,
    pub returns: String,
    pub description: String,
}

impl Element {
    /// Attributes that are not every element's own: `lang` belongs to all of them.
    pub fn own_attributes(&self) -> impl Iterator<Item = &Entry> {
        self.attributes
            .iter()
            .filter(|attribute| attribute.name != "lang")
    }
}

/// `object-type` → `objectType`, the name of the property behind an attribute.
pub fn property_name(attribute: &str) -> String {
    let mut words = attribute.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// All elements that the script exports.
pub fn elements(script: &str) -> Result<Vec<Element>> {
    let lines: Vec<&str> = script.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("export class ") else {
            continue;
        };
        let class = rest
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned();
        let comment =
            comment_before(&lines, at).with_context(|| format!("{class} has no JSDoc"))?;
        let mut element = describe(class, &comment)?;
        members(body(&lines, at)?, &mut element)?;
        // What it has of a class of the script that it extends.
        let base = rest.split_whitespace().nth(2).unwrap_or_default();
        let base = ["class ", base, " "].concat();
        if let Some(at) = lines.iter().position(|line| line.starts_with(&base)) {
            members(body(&lines, at)?, &mut element)?;
        }
        found.push(element);
    }
    ensure!(!found.is_empty(), "the script exports no class");
    Ok(found)
}

/// The lines between the first of a class and its last.
fn body<'a>(lines: &'a [&'a str], at: usize) -> Result<&'a [&'a str]> {
    let end = lines[at..]
        .iter()
        .position(|line| *line == "}")
        .with_context(|| format!("{} has no end", lines[at]))?;
    Ok(&lines[at + 1..at + end])
}

/// The text of the comment that ends right before line `at`, without its stars.
fn comment_before(lines: &[&str], at: usize) -> Option<Vec<String>> {
    let last = at.checked_sub(1)?;
    if !lines[last].trim_end().ends_with("*/") {
        return None;
    }
    let first = (0..=last)
        .rev()
        .find(|line| lines[*line].trim_start().starts_with("/**"))?;
    let clean = |line: &&str| {
        let line = line.trim().trim_start_matches("/**").trim_end_matches("*/");
        line.trim().trim_start_matches('*').trim().to_owned()
    };
    Some(lines[first..=last].iter().map(clean).collect())
}

fn describe(class: String, comment: &[String]) -> Result<Element> {
    let mut element = Element {
        class,
        tag: String::new(),
        description: String::new(),
        attributes: Vec::new(),
        properties: Vec::new(),
        readings: Vec::new(),
        methods: Vec::new(),
        events: Vec::new(),
        slots: Vec::new(),
        parts: Vec::new(),
        tokens: Vec::new(),
        states: Vec::new(),
    };
    for line in comment.iter().filter(|line| !line.is_empty()) {
        let Some(tag) = line.strip_prefix('@') else {
            ensure!(element.tag.is_empty(), "text after the tags: {line}");
            element.description = format!("{} {line}", element.description).trim().to_owned();
            continue;
        };
        let (tag, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        match tag {
            "tagname" => element.tag = rest.to_owned(),
            "attr" => element.attributes.push(entry(rest)),
            "prop" => element.properties.push(entry(rest)),
            "fires" => element.events.push(entry(rest)),
            "slot" => element.slots.push(entry(rest)),
            "csspart" => element.parts.push(entry(rest)),
            "cssprop" => element.tokens.push(entry(rest)),
            "cssstate" => element.states.push(entry(rest)),
            other => anyhow::bail!("{}: the tag @{other} is not known", element.class),
        }
    }
    ensure!(!element.tag.is_empty(), "{} has no @tagname", element.class);
    Ok(element)
}

/// `{type} name - sentence`; type and name may be missing.
fn entry(text: &str) -> Entry {
    let (kind, rest) = braces(text);
    let (name, description) = match rest.split_once("- ") {
        Some((name, description)) => (name.trim(), description.trim()),
        None => (rest.trim(), ""),
    };
    Entry {
        name: name.to_owned(),
        kind: kind.to_owned(),
        description: description.to_owned(),
    }
}

/// The text in the braces that it begins with, and the rest.
fn braces(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    if !text.starts_with('{') {
        return ("", text);
    }
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&text[1..at], &text[at + 1..]);
        }
    }
    ("", text)
}

/// Public getters and methods, in the order of the script.
fn members(body: &[&str], element: &mut Element) -> Result<()> {
    let described: Vec<String> = element
        .properties
        .iter()
        .map(|property| property.name.clone())
        .collect();
    for (at, line) in body.iter().enumerate() {
        let Some(member) = line
            .strip_prefix("  ")
            .filter(|member| member.starts_with(char::is_alphabetic))
        else {
            continue;
        };
        let Some(head) = member
            .strip_suffix(" {")
            .or_else(|| member.strip_suffix(" {}"))
        else {
            continue;
        };
        let head = head.strip_prefix("async ").unwrap_or(head);
        let private = head.strip_prefix("get ").unwrap_or(head).starts_with('#');
        if private
            || ["static ", "set ", "constructor("]
                .iter()
                .any(|other| head.starts_with(other))
        {
            continue;
        }
        let comment = comment_before(body, at).unwrap_or_default().join(" ");
        if let Some(name) = head
            .strip_prefix("get ")
            .and_then(|head| head.strip_suffix("()"))
        {
            if described.iter().any(|described| described == name) {
                continue;
            }
            let kind = comment
                .split_once("@type ")
                .map_or("", |(_, rest)| braces(rest).0);
            ensure!(!kind.is_empty(), "{}.{name} has no @type", element.class);
            let description = sentence(&comment);
            element.readings.push(Entry {
                name: name.to_owned(),
                kind: kind.to_owned(),
                description,
            });
        } else if let Some((name, parameters)) = head.split_once('(') {
            if name.ends_with("Callback") {
                continue;
            }
            let parameter = parameters.trim_end_matches(')');
            let returns = comment
                .split_once("@returns ")
                .map_or("", |(_, rest)| braces(rest).0);
            element.methods.push(Method {
                name: name.to_owned(),
                optional_parameter: (!parameter.is_empty()).then(|| parameter.to_owned()),
                returns: returns.to_owned(),
                description: sentence(&comment),
            });
        }
    }
    Ok(())
}

/// The text before the first tag.
fn sentence(comment: &str) -> String {
    comment
        .split('@')
        .next()
        .unwrap_or_default()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"
/**
 * A thing
 * on a page.
 *
 * @tagname the-thing
 * @attr {"a" | "b"} what-kind - Which kind.
 * @attr {string} lang - The language.
 * @prop {(request: {id: string}) => void} asked - Is asked.
 * @fires {CustomEvent<{done: boolean}>} thing-done - It is done.
 * @slot - What stands inside.
 * @cssstate done - Done.
 */
export class TheThing extends HTMLElement {
  static get observedAttributes() {
    return [];
  }

  #hidden = 1;

  constructor() {
    super();
  }

  /** How many. @readonly @type {number} */
  get count() {
    return 1;
  }

  get asked() {
    return undefined;
  }

  set asked(value) {}

  /** Goes. @returns {Promise<void>} */
  async go(fast) {
    await this.#inside();
  }

  connectedCallback() {}

  async #inside() {}
}
"#;

    #[test]
    fn the_description_of_an_element_is_read_from_its_comments() {
        let elements = elements(SCRIPT).unwrap();
        let thing = &elements[0];
        assert_eq!(
            (thing.class.as_str(), thing.tag.as_str()),
            ("TheThing", "the-thing")
        );
        assert_eq!(thing.description, "A thing on a page.");
        assert_eq!(thing.attributes[0].kind, "\"a\" | \"b\"");
        assert_eq!(thing.own_attributes().count(), 1);
        assert_eq!(thing.properties[0].kind, "(request: {id: string}) => void");
        assert_eq!(thing.events[0].kind, "CustomEvent<{done: boolean}>");
        assert_eq!(
            (
                thing.slots[0].name.as_str(),
                thing.slots[0].description.as_str()
            ),
            ("", "What stands inside.")
        );
        assert_eq!(
            thing
                .readings
                .iter()
                .map(|reading| reading.name.as_str())
                .collect::<Vec<_>>(),
            ["count"]
        );
        assert_eq!(
            thing.methods.len(),
            1,
            "private members and callbacks are nobody's business"
        );
        assert_eq!(thing.methods[0].returns, "Promise<void>");
        assert_eq!(thing.methods[0].optional_parameter.as_deref(), Some("fast"));
    }

    #[test]
    fn what_an_element_has_of_a_class_that_it_extends_is_its_own() {
        let base = "class Base extends HTMLElement {\n  /** Where. @readonly @type {string} */\n  get place() {\n    return \"\";\n  }\n}\n";
        let script = SCRIPT.replace("TheThing extends HTMLElement", "TheThing extends Base");
        let thing = &elements(&[base, &script].concat()).unwrap()[0];
        let names = thing.readings.iter().map(|reading| reading.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["count", "place"]);
    }

    #[test]
    fn a_reading_without_a_type_is_refused() {
        let script = SCRIPT.replace("@readonly @type {number}", "");
        assert!(
            elements(&script)
                .unwrap_err()
                .to_string()
                .contains("TheThing.count has no @type")
        );
    }

    #[test]
    fn attributes_become_camel_case_properties() {
        assert_eq!(property_name("log-in-journal"), "logInJournal");
        assert_eq!(property_name("name"), "name");
    }
}
