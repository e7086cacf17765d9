//! Elements as they are before anything about them changes, each made once and then copied.
//!
//! A row has a dozen elements and a long list thousands of rows. Copying a node is one call
//! without a text in it; making one is a call for its tag and one for each attribute. Called by
//! `dom`.

use std::cell::RefCell;

use wasm_bindgen::JsCast;
use web_sys::{Element, Node};

use super::dom::{Drawn, document};
use super::{View, fixed_of, tag_of};
use crate::components::icon;

thread_local! {
    /// What was made, under the text that it is made of.
    static MADE: RefCell<Vec<(&'static str, Node)>> = const { RefCell::new(Vec::new()) };
}

/// An element of that description.
pub(super) fn element(description: &'static str) -> Element {
    copy(description, || made(description).into()).unchecked_into()
}

/// A sign with that path.
pub(super) fn sign(path: &'static str) -> Node {
    copy(path, || {
        Drawn::new(View::Element(icon::drawing(path))).node()
    })
}

fn copy(of: &'static str, make: impl FnOnce() -> Node) -> Node {
    let known = MADE.with_borrow(|made| {
        // Where it lies in memory says which it is.
        let known = made.iter().find(|(there, _)| std::ptr::eq(*there, of));
        known.map(|(_, node)| node.clone())
    });
    let node = known.unwrap_or_else(|| {
        let node = make();
        MADE.with_borrow_mut(|made| made.push((of, node.clone())));
        node
    });
    match node.clone_node_with_deep(true) {
        Ok(copied) => copied,
        // Only documents cannot be copied.
        Err(_) => node,
    }
}

fn made(description: &'static str) -> Element {
    let document = document();
    let tag = tag_of(description);
    let element = match tag {
        "svg" | "path" => document.create_element_ns(Some("http://www.w3.org/2000/svg"), tag),
        _ => document.create_element(tag),
    };
    let Ok(element) = element else {
        // Only a tag that is no name makes this fail, and all of ours are constants.
        unreachable!("{tag} is no tag")
    };
    fixed_of(description, &mut |name, value| {
        let _ = element.set_attribute(name, value);
    });
    element
}
