//! Makes nodes of a view, and keeps them up to date: what is alike stays, what differs is set.
//!
//! `live` decides when something is drawn again, this what changes on the page. One type of view
//! and one of state, so that it is compiled once, where Leptos' own renderer is compiled for
//! every kind of attribute and child: a third of the download. Texts never pass through an HTML
//! string, so pages with Trusted Types are content. Called by `placed`, `mounted`, and by itself.

use std::borrow::Cow;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, HtmlInputElement, Node};

use super::hearing::Hearing;
use super::live::{Live, Source};
use super::{Attribute, El, Key, Parts, View, fixed_of, keyed, stencil, tag_of};

/// A view on the page.
pub(crate) struct Drawn(Kind);

enum Kind {
    Text(Node, Cow<'static, str>),
    Element(Box<Held>),
    Sign(Node, &'static str),
    Live(Rc<Live>),
}

/// An element and what is known of it.
pub(super) struct Held {
    pub(super) node: Element,
    description: &'static str,
    attributes: Vec<Attribute>,
    hearing: Option<Hearing>,
    pub(super) children: Vec<Drawn>,
    pub(super) keys: Vec<Key>,
}

impl Drawn {
    /// Makes the nodes of a view; they are nowhere yet.
    pub(crate) fn new(view: View) -> Self {
        Self(match view {
            View::Text(text) => {
                let node = document().create_text_node(&text);
                Kind::Text(node.unchecked_into(), text)
            }
            View::Element(El(parts)) => Kind::Element(Box::new(Held::new(*parts))),
            View::Sign(path) => Kind::Sign(stencil::sign(path), path),
            View::Live(at, draw) => Kind::Live(Live::new(Source::Place(at, draw))),
            View::LiveClosure(draw) => Kind::Live(Live::new(Source::Closure(draw))),
        })
    }

    /// The one node of the view.
    pub(crate) fn node(&self) -> Node {
        match &self.0 {
            Kind::Text(node, _) | Kind::Sign(node, _) => node.clone(),
            Kind::Element(held) => held.node.clone().unchecked_into(),
            Kind::Live(live) => live.node(),
        }
    }

    /// Takes it off the page.
    pub(super) fn remove(&self) {
        let node = self.node();
        if let Some(parent) = node.parent_node() {
            let _ = parent.remove_child(&node);
        }
    }

    /// Makes it look like another view.
    pub(super) fn patch(&mut self, view: View) {
        let view = match (&mut self.0, view) {
            (Kind::Text(node, shown), View::Text(text)) => {
                if *shown != text {
                    node.set_node_value(Some(&text));
                    *shown = text;
                }
                return;
            }
            (Kind::Element(held), View::Element(El(parts)))
                if tag_of(held.description) == tag_of(parts.description) =>
            {
                held.patch(*parts);
                return;
            }
            (Kind::Sign(_, shown), View::Sign(path)) if *shown == path => return,
            (Kind::Live(live), View::Live(at, draw)) => {
                live.show(Source::Place(at, draw));
                return;
            }
            (_, view) => view,
        };
        let (before, after) = (self.node(), Self::new(view));
        if let Some(parent) = before.parent_node() {
            let _ = parent.replace_child(&after.node(), &before);
        }
        *self = after;
    }
}

impl Held {
    fn new(parts: Parts) -> Self {
        let mut held = Self {
            node: stencil::element(parts.description),
            description: parts.description,
            attributes: Vec::new(),
            hearing: None,
            children: Vec::new(),
            keys: Vec::new(),
        };
        if let Some(controller) = parts.root_of {
            controller.set_root(held.node.clone());
        }
        held.patch(parts);
        // Most is never drawn again, and then nothing is added.
        held.attributes.shrink_to_fit();
        held.children.shrink_to_fit();
        held
    }

    fn patch(&mut self, parts: Parts) {
        if self.description != parts.description {
            self.describe(parts.description);
        }
        self.patch_attributes(parts.attributes);
        if !parts.listeners.is_empty() || self.hearing.is_some() {
            let node = &self.node;
            let hearing = self.hearing.get_or_insert_with(|| Hearing::of(node));
            hearing.hear(node, parts.place, parts.listeners);
        }
        if self.keys != parts.keys {
            keyed::patch(self, parts.keys, parts.children);
        } else {
            self.patch_children(parts.children);
        }
    }

    /// Another kind of the same element: what was fixed about it goes, what is now comes.
    fn describe(&mut self, description: &'static str) {
        fixed_of(self.description, &mut |name, _| {
            let _ = self.node.remove_attribute(name);
        });
        fixed_of(description, &mut |name, value| self.set(name, value));
        self.description = description;
        for (name, _) in std::mem::take(&mut self.attributes) {
            let mut fixed = false;
            fixed_of(description, &mut |other, _| fixed |= other == name);
            if !fixed {
                let _ = self.node.remove_attribute(name);
            }
        }
    }

    fn patch_attributes(&mut self, attributes: Vec<Attribute>) {
        let value_in =
            |list: &[Attribute], name: &str| list.iter().position(|(there, _)| *there == name);
        for (name, value) in &attributes {
            let before = value_in(&self.attributes, name).map(|at| &self.attributes[at].1);
            // People change these two by themselves, so what was set last says nothing.
            if before != Some(value) || ["checked", "typed"].contains(name) {
                self.set(name, value);
            }
        }
        for (name, _) in &self.attributes {
            if value_in(&attributes, name).is_none() {
                let _ = self.node.remove_attribute(name);
            }
        }
        self.attributes = attributes;
    }

    fn set(&self, name: &str, value: &str) {
        if name == "checked" {
            self.node
                .unchecked_ref::<HtmlInputElement>()
                .set_checked(!value.is_empty());
        } else if name == "typed" {
            self.node
                .unchecked_ref::<HtmlInputElement>()
                .set_value(value);
        } else if name.starts_with("--") {
            let style = self.node.unchecked_ref::<HtmlElement>().style();
            let _ = style.set_property(name, value);
        } else {
            let _ = self.node.set_attribute(name, value);
        }
    }

    /// Children that stand where they stood.
    fn patch_children(&mut self, children: Vec<View>) {
        for gone in self
            .children
            .drain(children.len().min(self.children.len())..)
        {
            let _ = self.node.remove_child(&gone.node());
        }
        for (at, child) in children.into_iter().enumerate() {
            match self.children.get_mut(at) {
                Some(drawn) => drawn.patch(child),
                None => {
                    let drawn = Drawn::new(child);
                    let _ = self.node.append_child(&drawn.node());
                    self.children.push(drawn);
                }
            }
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(hearing) = &self.hearing {
            hearing.end(&self.node);
        }
    }
}

thread_local! {
    static DOCUMENT: Option<Document> = web_sys::window().and_then(|window| window.document());
}

/// The page. Nothing is ever drawn without one.
pub(super) fn document() -> Document {
    let Some(document) = DOCUMENT.with(Option::clone) else {
        unreachable!("there is no page to draw on")
    };
    document
}
