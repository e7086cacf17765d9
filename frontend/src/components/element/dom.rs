//! Makes nodes of a view, and keeps them up to date: what is alike stays, what differs is set.
//!
//! Leptos decides when something is drawn again (each live part is one of its render effects);
//! this decides what changes on the page. One type of view and one of state, so that it is
//! compiled once, where Leptos' own renderer is compiled for every kind of attribute and child:
//! a third of the download. Texts never pass through an HTML string, so pages with Trusted
//! Types are content. Called by `leptos`, and by itself.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::RenderEffect;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, HtmlElement, HtmlInputElement, Node};

use super::keyed;
use super::{El, Key, Listener, Parts, View};
use crate::components::at::At;

/// A view on the page.
pub(crate) struct Drawn(Kind);

enum Kind {
    Text(Node, Cow<'static, str>),
    Element(Box<Held>),
    Live(Live),
}

/// An element and what is known of it.
pub(super) struct Held {
    pub(super) node: Element,
    tag: &'static str,
    attributes: Vec<(&'static str, Cow<'static, str>)>,
    listeners: Vec<Hearing>,
    pub(super) children: Vec<Drawn>,
    pub(super) keys: Vec<Key>,
}

/// What a live view is about, and what draws it.
type Source = (At, fn(At) -> View);

/// What follows something: drawn anew by its effect.
struct Live {
    source: Option<Source>,
    content: Rc<RefCell<Option<Drawn>>>,
    _effect: RenderEffect<()>,
}

/// A listener on the page; what it calls may change.
struct Hearing {
    node: Element,
    event: &'static str,
    act: Rc<RefCell<Listener>>,
    closure: Closure<dyn FnMut(JsValue)>,
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
            View::Live(at, draw) => Kind::Live(Live::new(
                Some((at, draw)),
                Rc::new(move || draw(at)),
                Rc::default(),
            )),
            View::LiveClosure(draw) => Kind::Live(Live::new(None, draw, Rc::default())),
        })
    }

    /// The one node of the view.
    pub(crate) fn node(&self) -> Node {
        match &self.0 {
            Kind::Text(node, _) => node.clone(),
            Kind::Element(held) => held.node.clone().unchecked_into(),
            Kind::Live(live) => live.node(),
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
            (Kind::Element(held), View::Element(El(parts))) if held.tag == parts.tag => {
                held.patch(*parts);
                return;
            }
            (Kind::Live(live), View::Live(at, draw)) => {
                let same = |(was, before): Source| was == at && std::ptr::fn_addr_eq(before, draw);
                // What it is about is the same: its own effect knows when to draw it.
                if !live.source.is_some_and(same) {
                    let content = Rc::clone(&live.content);
                    *live = Live::new(Some((at, draw)), Rc::new(move || draw(at)), content);
                }
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

impl Live {
    fn new(
        source: Option<Source>,
        draw: Rc<dyn Fn() -> View>,
        content: Rc<RefCell<Option<Drawn>>>,
    ) -> Self {
        let drawn = Rc::clone(&content);
        Self {
            source,
            content,
            _effect: RenderEffect::new(move |_| {
                let view = draw();
                let mut drawn = drawn.borrow_mut();
                match drawn.as_mut() {
                    Some(drawn) => drawn.patch(view),
                    None => *drawn = Some(Drawn::new(view)),
                }
            }),
        }
    }

    fn node(&self) -> Node {
        match self.content.borrow().as_ref() {
            Some(drawn) => drawn.node(),
            // Its effect has drawn it already; this is for an effect that never ran.
            None => document().create_text_node("").unchecked_into(),
        }
    }
}

impl Held {
    fn new(parts: Parts) -> Self {
        let document = document();
        let node = match parts.tag {
            "svg" | "path" => {
                document.create_element_ns(Some("http://www.w3.org/2000/svg"), parts.tag)
            }
            _ => document.create_element(parts.tag),
        };
        let Ok(node) = node else {
            // Only a tag that is no name makes this fail, and all of ours are constants.
            unreachable!("{} is no tag", parts.tag)
        };
        let mut held = Self {
            node,
            tag: parts.tag,
            attributes: Vec::new(),
            listeners: Vec::new(),
            children: Vec::new(),
            keys: Vec::new(),
        };
        if let Some(controller) = parts.root_of {
            controller.set_root(held.node.clone());
        }
        held.patch(parts);
        held
    }

    fn patch(&mut self, parts: Parts) {
        self.patch_attributes(parts.attributes);
        self.patch_listeners(parts.listeners);
        if self.keys != parts.keys {
            keyed::patch(self, parts.keys, parts.children);
        } else {
            self.patch_children(parts.children);
        }
    }

    fn patch_attributes(&mut self, attributes: Vec<(&'static str, Cow<'static, str>)>) {
        let value_in = |list: &[(&'static str, Cow<'static, str>)], name: &str| {
            list.iter().position(|(there, _)| *there == name)
        };
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

    fn patch_listeners(&mut self, listeners: Vec<(&'static str, Listener)>) {
        self.listeners.truncate(listeners.len());
        for (at, (event, act)) in listeners.into_iter().enumerate() {
            match self.listeners.get_mut(at) {
                Some(hearing) if hearing.event == event => {
                    hearing.act.replace(act);
                }
                Some(hearing) => *hearing = Hearing::new(&self.node, event, act),
                None => self.listeners.push(Hearing::new(&self.node, event, act)),
            }
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

impl Hearing {
    fn new(node: &Element, event: &'static str, act: Listener) -> Self {
        let act = Rc::new(RefCell::new(act));
        let now = Rc::clone(&act);
        let closure = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
            let act = Rc::clone(&now.borrow());
            act(event.unchecked_ref());
        });
        let _ = node.add_event_listener_with_callback(event, closure.as_ref().unchecked_ref());
        Self {
            node: node.clone(),
            event,
            act,
            closure,
        }
    }
}

impl Drop for Hearing {
    fn drop(&mut self) {
        let _ = self
            .node
            .remove_event_listener_with_callback(self.event, self.closure.as_ref().unchecked_ref());
    }
}

thread_local! {
    static DOCUMENT: Option<Document> = web_sys::window().and_then(|window| window.document());
}

/// The page. Nothing is ever drawn without one.
fn document() -> Document {
    let Some(document) = DOCUMENT.with(Option::clone) else {
        unreachable!("there is no page to draw on")
    };
    document
}
