//! The page of the gallery, which `gallery.js` fills, and what it says of attributes and events.

use anyhow::{Result, ensure};
use serde_json::{Map, Value, json};

use crate::html::escape;
use crate::navigation::GALLERY;
use crate::page::{Heading, Kind, Page};

/// A chapter of the gallery.
pub struct Chapter {
    pub id: String,
    pub title: String,
    pub states: Vec<State>,
}

/// A state of the gallery: its name in addresses, and its caption.
pub struct State {
    pub name: String,
    pub title: String,
}

/// Reads the captions out of `gallery-states.js`: `id` begins a chapter, `name` a state, and the
/// next `title` belongs to it. A browser test compares the result with the page.
///
/// # Errors
/// When there are no captions.
pub fn chapters(script: &str) -> Result<Vec<Chapter>> {
    let body = script.split_once("export const CHAPTERS");
    ensure!(body.is_some(), "gallery-states.js exports no CHAPTERS");
    let body = body.unwrap_or_default().1;
    let mut chapters: Vec<Chapter> = Vec::new();
    let mut rest = body;
    while let Some((key, value, after)) = next(rest) {
        rest = after;
        match (key, chapters.last_mut()) {
            ("id", _) => chapters.push(Chapter {
                id: value.to_owned(),
                title: String::new(),
                states: Vec::new(),
            }),
            ("name", Some(chapter)) => chapter.states.push(State {
                name: value.to_owned(),
                title: String::new(),
            }),
            ("title", Some(chapter)) => match chapter.states.last_mut() {
                Some(state) if state.title.is_empty() => value.clone_into(&mut state.title),
                None => value.clone_into(&mut chapter.title),
                Some(_) => {}
            },
            _ => {}
        }
    }
    ensure!(
        chapters
            .iter()
            .all(|one| !one.title.is_empty() && !one.states.is_empty()),
        "a chapter of the gallery has no title or no states"
    );
    Ok(chapters)
}

/// The next `id: "…"`, `name: "…"` or `title: "…"`, and what follows it.
fn next(text: &str) -> Option<(&'static str, &str, &str)> {
    let found = ["id", "name", "title"].into_iter().filter_map(|key| {
        let mut from = 0;
        let pattern = format!("{key}: \"");
        loop {
            let at = from + text[from..].find(&pattern)?;
            // A name or an id comes first in its object; elsewhere it is an attribute of the element.
            let expected = if key == "title" { ',' } else { '{' };
            if text[..at].trim_end().ends_with(expected) {
                let start = at + pattern.len();
                let end = start + text[start..].find('"')?;
                return Some((at, key, &text[start..end], &text[end..]));
            }
            from = at + pattern.len();
        }
    });
    let (_, key, value, rest) = found.min_by_key(|(at, ..)| *at)?;
    Some((key, value, rest))
}

/// The page.
pub fn page(chapters: &[Chapter]) -> Page {
    let links: String = chapters
        .iter()
        .map(|one| {
            format!(
                "<a href=\"#{}\">{}</a>\n",
                escape(&one.id),
                escape(&one.title)
            )
        })
        .collect();
    let html = format!(
        "<div class=\"gallery-head\">\n\
        <h1>Gallery</h1>\n\
        <p>Every state of <code>&lt;checklist-control&gt;</code>, <code>&lt;checklist-preview&gt;</code> and <code>&lt;checklist-worklist&gt;</code>, with the HTML that makes it, its attributes \
        and the events it has fired. These are the elements as they ship. This page answers their calls, so nothing is stored. \
        <a href=\"./element\">The elements</a> lists every attribute, event and style hook.</p>\n\
        <div class=\"switches\">\n\
        <label><input type=\"checkbox\" id=\"switch-both\"> Light and dark side by side</label>\n\
        <label><input type=\"checkbox\" id=\"switch-rtl\"> Right to left</label>\n\
        <label><input type=\"checkbox\" id=\"switch-compact\"> Compact rows</label>\n\
        </div>\n\
        </div>\n<details class=\"chapters\"><summary>Chapters</summary>\n<nav aria-label=\"Chapters\">\n{links}</nav>\n</details>\n<div id=\"states\"></div>\n\
        <noscript><p>The gallery shows running elements, which need JavaScript.</p></noscript>\n"
    );
    let mut page = Page::generated(GALLERY, "Gallery", html, Kind::Gallery);
    page.headings = chapters
        .iter()
        .map(|chapter| Heading {
            id: chapter.id.clone(),
            level: 2,
            text: chapter.title.clone(),
            body: String::new(),
        })
        .collect();
    page
}

/// Attributes, properties and events of all elements with their descriptions.
pub fn elements(manifest: &Value) -> String {
    let mut all = Map::new();
    let modules = manifest["modules"].as_array().into_iter().flatten();
    let declarations = modules.filter_map(|module| module["declarations"].as_array());
    for element in declarations.flatten() {
        let described = |key: &str| {
            let entries = element[key].as_array().into_iter().flatten();
            let entries = entries.filter_map(|entry| {
                Some((
                    entry["name"].as_str()?.to_owned(),
                    entry["description"].clone(),
                ))
            });
            Value::Object(entries.collect())
        };
        let tag = element["tagName"].as_str().unwrap_or_default();
        let entry = json!({
            "attributes": described("attributes"),
            "members": described("members"),
            "events": described("events"),
        });
        all.insert(tag.to_owned(), entry);
    }
    Value::Object(all).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_read_in_their_order() {
        let script = "const x = { title: \"no\" };\nexport const CHAPTERS = [{\n  id: \"a\",\n  title: \"A\",\n  states: [{ name: \"s\", title: \"S\", attributes: { \"object-id\": \"x\", name: \"Checklist\" } },\n { name: \"t\", title: \"T\" }]\n}];";
        let chapters = chapters(script).expect("captions");
        assert_eq!(chapters[0].title, "A");
        let names: Vec<&str> = chapters[0]
            .states
            .iter()
            .map(|one| one.title.as_str())
            .collect();
        // An attribute of that name is no state.
        assert_eq!(names, ["S", "T"]);
    }
}
