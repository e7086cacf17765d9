//! Highlights search matches in the rows without changing the DOM, with the CSS Custom Highlight API.
//!
//! One highlight for all controls of the page, styled in `style/search.css`. Browsers without the API
//! show the same rows without marks.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Node, Range};

use crate::letters::lower_case;
use crate::model::item_fields::DetailField;

/// The name that the style sheet knows.
const NAME: &str = "checklist-search";
/// Rows of a group that are marked; nobody reads on that far without another word.
const MOST: usize = 200;

/// Marks the words in these rows. They are in lower case.
pub(super) fn mark(rows: impl Iterator<Item = Element>, words: &[String]) {
    let Some(highlight) = highlight(true) else {
        return;
    };
    for row in rows.take(MOST) {
        for selector in [".text"].into_iter().chain(DetailField::SEARCHED) {
            if let Ok(Some(part)) = row.query_selector(selector) {
                mark_in(&part, words, &highlight);
            }
        }
    }
}

/// Takes the marks out of a list, and those of rows that are gone.
pub(super) fn remove(list: &Element) {
    let Some(highlight) = highlight(false) else {
        return;
    };
    for range in Array::from(&highlight).iter() {
        let range: Range = range.unchecked_into();
        let Ok(node) = range.start_container() else {
            continue;
        };
        if !node.is_connected() || list.contains(Some(&node)) {
            let _ = call(&highlight, "delete", &[range.into()]);
        }
    }
}

fn mark_in(node: &Node, words: &[String], highlight: &JsValue) {
    if node.node_type() == Node::TEXT_NODE {
        let text = node.text_content().unwrap_or_default();
        for (begin, end) in words.iter().flat_map(|word| places(&text, word)) {
            let Ok(range) = Range::new() else { return };
            if range.set_start(node, begin).is_ok() && range.set_end(node, end).is_ok() {
                let _ = call(highlight, "add", &[range.into()]);
            }
        }
        return;
    }
    let mut child = node.first_child();
    while let Some(here) = child {
        mark_in(&here, words, highlight);
        child = here.next_sibling();
    }
}

/// The positions of a lower-case word in a text, in UTF-16 units.
fn places(text: &str, word: &str) -> Vec<(u32, u32)> {
    let units = |text: &str| text.encode_utf16().count() as u32;
    let lower = lower_case(text);
    // A few letters become two in lower case; where nobody knows the places nothing is marked.
    if units(&lower) != units(text) {
        return Vec::new();
    }
    let found = lower.match_indices(word).map(|(at, word)| {
        let begin = units(lower.get(..at).unwrap_or_default());
        (begin, begin + units(word))
    });
    found.collect()
}

/// The highlight of the page; made when it is asked for, where the browser has such.
fn highlight(may_make: bool) -> Option<JsValue> {
    let get = |of: &JsValue, name: &str| {
        let value = Reflect::get(of, &name.into()).ok()?;
        (!value.is_undefined()).then_some(value)
    };
    let global: JsValue = js_sys::global().into();
    let all = get(&get(&global, "CSS")?, "highlights")?;
    let there = call(&all, "get", &[NAME.into()])?;
    if !there.is_undefined() || !may_make {
        return (!there.is_undefined()).then_some(there);
    }
    let made: Function = get(&global, "Highlight")?.dyn_into().ok()?;
    let made = Reflect::construct(&made, &Array::new()).ok()?;
    call(&all, "set", &[NAME.into(), made.clone()])?;
    Some(made)
}

fn call(of: &JsValue, name: &str, arguments: &[JsValue]) -> Option<JsValue> {
    let method: Function = Reflect::get(of, &name.into()).ok()?.dyn_into().ok()?;
    let arguments: Array = arguments.iter().collect();
    Reflect::apply(&method, of, &arguments).ok()
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn a_word_is_found_wherever_it_stands_however_it_is_written() {
        assert_eq!(places("Ask Bob, ASK", "ask"), [(0, 3), (9, 12)]);
        assert_eq!(places("Grüße", "üß"), [(2, 4)]);
        // Beside the first plane a character takes two units.
        assert_eq!(places("😀 Ask", "ask"), [(3, 6)]);
        assert!(places("İstanbul", "stan").is_empty());
        assert!(places("Ask", "bob").is_empty());
    }
}
