//! One way to put every element of the control together.
//!
//! A view is a tree of [`View`]s: texts, elements with attributes, listeners and children. It is
//! plain data of one type, made by functions that are never inlined, so each of the few hundred
//! calls costs the download no more than its arguments. `dom` makes nodes of it in a browser and
//! keeps them up to date, `html` writes it out on a server. Called by every component.

mod dom;
mod hearing;
pub(crate) mod html;
mod keyed;
pub mod live;
#[cfg(feature = "csr")]
pub mod mounted;
pub mod placed;
mod stencil;

use std::borrow::Cow;
use std::rc::Rc;

use web_sys::Event;

use super::at::At;
use crate::control::Controller;

/// Something that is drawn: always exactly one node of the page.
pub enum View {
    /// A text; an empty one where there is nothing.
    Text(Cow<'static, str>),
    /// An element.
    Element(El),
    /// A sign, by its path: an element that never changes.
    Sign(&'static str),
    /// What a function makes of a place; drawn again when something that it follows changes.
    Live(At, fn(At) -> View),
    /// What a closure makes; drawn again when something that it follows changes.
    LiveClosure(Rc<dyn Fn() -> View>),
}

/// An element that is being put together.
pub struct El(pub(crate) Box<Parts>);

/// What an element is made of.
pub(crate) struct Parts {
    /// What never changes about it, see [`el`].
    pub description: &'static str,
    /// What does.
    pub attributes: Vec<Attribute>,
    /// The place that its listeners are told.
    pub place: Option<At>,
    pub listeners: Vec<Listener>,
    pub children: Vec<View>,
    /// The control whose root it is.
    pub root_of: Option<Controller>,
    /// Where children come, go and change places: what each of them is known by, in their order.
    pub keys: Vec<Key>,
}

/// An attribute: its name and its value.
pub(crate) type Attribute = (&'static str, Cow<'static, str>);

/// What hears an event of that name.
pub(crate) type Listener = (&'static str, Act);

/// What is done about an event.
#[derive(Clone)]
pub(crate) enum Act {
    /// Something at the element's place.
    There(fn(At, &Event)),
    /// What a closure does.
    Closure(Rc<dyn Fn(&Event)>),
}

/// What a child is known by among its siblings: an item, and a number where there is none.
pub(crate) type Key = (Option<checklist_shared::ItemId>, u32);

/// An element, by what never changes about it: its tag, and behind bars its attributes. A name
/// alone is the element's class and its part for hosts. One text for all of that weighs less
/// than a call for each.
///
/// ```
/// use checklist_control::components::element::el;
/// let view = el("p|hint|lang=en").text("Call").view();
/// assert_eq!(view.to_html(), r#"<p class="hint" part="hint" lang="en">Call</p>"#);
/// ```
#[must_use]
#[inline(never)]
pub fn el(description: &'static str) -> El {
    El(Box::new(Parts {
        description,
        attributes: Vec::new(),
        place: None,
        listeners: Vec::new(),
        children: Vec::new(),
        root_of: None,
        keys: Vec::new(),
    }))
}

/// The tag of a description.
pub(crate) fn tag_of(description: &'static str) -> &'static str {
    description.split('|').next().unwrap_or_default()
}

/// The attributes of a description.
pub(crate) fn fixed_of(
    description: &'static str,
    tell: &mut dyn FnMut(&'static str, &'static str),
) {
    for word in description.split('|').skip(1) {
        match word.split_once('=') {
            Some((name, value)) => tell(name, value),
            None => {
                tell("class", word);
                tell("part", word);
            }
        }
    }
}

impl El {
    /// Its classes.
    #[must_use]
    #[inline(never)]
    pub fn class(self, names: &'static str) -> Self {
        self.fixed("class", names)
    }

    /// Its part for hosts.
    #[must_use]
    #[inline(never)]
    pub fn part(self, name: &'static str) -> Self {
        self.fixed("part", name)
    }

    /// Class and part of the same name.
    #[must_use]
    #[inline(never)]
    pub fn named(self, name: &'static str) -> Self {
        self.fixed("class", name).fixed("part", name)
    }

    /// An attribute. Three names mean more: `checked` is the property, `typed` what stands in a
    /// field however it came there, and what begins with two dashes is a custom property of the
    /// style, set through the object model.
    #[must_use]
    pub fn attr(self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.attribute(name, value.into())
    }

    /// The same for a value that never changes.
    #[must_use]
    #[inline(never)]
    pub fn fixed(self, name: &'static str, value: &'static str) -> Self {
        self.attribute(name, Cow::Borrowed(value))
    }

    #[inline(never)]
    fn attribute(mut self, name: &'static str, value: Cow<'static, str>) -> Self {
        self.0.attributes.push((name, value));
        self
    }

    /// An attribute that is there or not.
    #[must_use]
    #[inline(never)]
    pub fn flag(self, name: &'static str, there: bool) -> Self {
        if there { self.fixed(name, "") } else { self }
    }

    /// An attribute that says `true`, or is not there.
    #[must_use]
    #[inline(never)]
    pub fn says_true(self, name: &'static str, so: bool) -> Self {
        if so { self.fixed(name, "true") } else { self }
    }

    /// A listener.
    #[must_use]
    #[inline(never)]
    pub fn on(mut self, event: &'static str, at: At, act: fn(At, &Event)) -> Self {
        debug_assert!(
            self.0.place.is_none_or(|place| place == at),
            "an element has one place"
        );
        self.0.place = Some(at);
        self.0.listeners.push((event, Act::There(act)));
        self
    }

    /// A listener that is a closure.
    #[must_use]
    #[inline(never)]
    pub fn on_closure(mut self, event: &'static str, act: Rc<dyn Fn(&Event)>) -> Self {
        self.0.listeners.push((event, Act::Closure(act)));
        self
    }

    /// A child.
    #[must_use]
    #[inline(never)]
    pub fn child(mut self, child: View) -> Self {
        self.0.children.push(child);
        self
    }

    /// A child, where there is one.
    #[must_use]
    #[inline(never)]
    pub fn maybe(self, child: Option<El>) -> Self {
        match child {
            Some(child) => self.el(child),
            None => self,
        }
    }

    /// An element as a child.
    #[must_use]
    #[inline(never)]
    pub fn el(self, child: Self) -> Self {
        self.child(View::Element(child))
    }

    /// Many children.
    #[must_use]
    #[inline(never)]
    pub fn children(mut self, children: Vec<View>) -> Self {
        self.0.children.extend(children);
        self
    }

    /// Children that come, go and change places: what stays is moved, not drawn anew.
    #[must_use]
    #[inline(never)]
    pub fn keyed(mut self, children: Vec<(Key, View)>) -> Self {
        for (key, child) in children {
            self.0.keys.push(key);
            self.0.children.push(child);
        }
        self
    }

    /// A text inside.
    #[must_use]
    pub fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.words(text.into())
    }

    #[inline(never)]
    fn words(self, text: Cow<'static, str>) -> Self {
        self.child(View::Text(text))
    }

    /// Tells a controller of the element, once it is made: it is the root of its control.
    #[must_use]
    pub(crate) fn root_of(mut self, controller: Controller) -> Self {
        self.0.root_of = Some(controller);
        self
    }

    /// The finished view.
    #[must_use]
    pub fn view(self) -> View {
        View::Element(self)
    }
}

/// A place that the host may fill in the element; what is inside is shown otherwise.
#[must_use]
#[inline(never)]
pub fn slot(name: &'static str) -> El {
    el("slot").fixed("name", name)
}

/// Nothing at all.
#[must_use]
pub const fn nothing() -> View {
    View::Text(Cow::Borrowed(""))
}

/// A button with words on it.
#[must_use]
#[inline(never)]
pub fn button(class: &'static str, label: &'static str, at: At, act: fn(At, &Event)) -> El {
    plain_button(class, label).on("click", at, act)
}

/// A button with words on it that does nothing yet.
#[must_use]
#[inline(never)]
pub fn plain_button(class: &'static str, label: &'static str) -> El {
    el("button|type=button").class(class).fixed_text(label)
}

impl El {
    #[inline(never)]
    fn fixed_text(self, text: &'static str) -> Self {
        self.words(Cow::Borrowed(text))
    }
}
