//! One way to build every element of the control.
//!
//! A view is a tree of [`El`]: a tag, attributes, listeners, children. All have one type, so
//! each kind of attribute is compiled once instead of once for every combination, which keeps
//! the download small. Built through Leptos' element builders, never through an HTML string,
//! so pages with Trusted Types are content. Called by every component.

use std::borrow::Cow;

use leptos::ev::Custom;
use leptos::html::custom;
use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::custom::custom_attribute;
use leptos::tachys::html::event::on;
use leptos::tachys::html::property::prop;
use leptos::tachys::html::style::style;
use leptos::web_sys::Event;

/// Draws again whenever something that it reads has changed.
type Live<T> = Box<dyn Fn() -> T + Send>;

/// What a view is about, as a plain copy: a row of a control, say.
pub trait Place: Copy + Send + 'static {}

impl<T: Copy + Send + 'static> Place for T {}

/// An element that is being put together.
///
/// Boxed, and built by functions that are never inlined: a view is a few hundred calls, and
/// each should cost the download no more than its arguments.
pub struct El(Box<Parts>);

struct Parts {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element of that tag.
#[must_use]
#[inline(never)]
pub fn el(tag: &'static str) -> El {
    El(Box::new(Parts {
        tag,
        attributes: Vec::new(),
        children: Vec::new(),
    }))
}

impl El {
    /// Its classes.
    #[must_use]
    pub fn class(self, names: &'static str) -> Self {
        self.fixed("class", names)
    }

    /// Its part for hosts.
    #[must_use]
    pub fn part(self, name: &'static str) -> Self {
        self.fixed("part", name)
    }

    /// An attribute.
    #[must_use]
    pub fn attr(self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.named(name, value.into())
    }

    #[inline(never)]
    fn fixed(self, name: &'static str, value: &'static str) -> Self {
        self.named(name, Cow::Borrowed(value))
    }

    #[inline(never)]
    fn named(mut self, name: &'static str, value: Cow<'static, str>) -> Self {
        self.0
            .attributes
            .push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// An attribute that is there or not.
    #[must_use]
    pub fn flag(self, name: &'static str, there: bool) -> Self {
        if there { self.fixed(name, "") } else { self }
    }

    /// An attribute that follows what its function reads; `None` takes it away. As all that
    /// follows or listens, it is a function with the place it is about: a closure of its own
    /// for each would be a type of its own for each.
    #[must_use]
    pub fn live_attr<P: Place>(
        self,
        name: &'static str,
        at: P,
        value: fn(P) -> Option<String>,
    ) -> Self {
        self.boxed_attr(name, Box::new(move || value(at)))
    }

    #[inline(never)]
    fn boxed_attr(mut self, name: &'static str, value: Live<Option<String>>) -> Self {
        self.0
            .attributes
            .push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// The property `checked`, following what its function reads.
    #[must_use]
    pub fn checked<P: Place>(mut self, at: P, value: fn(P) -> bool) -> Self {
        let value: Live<bool> = Box::new(move || value(at));
        self.0
            .attributes
            .push(prop("checked", value).into_any_attr());
        self
    }

    /// A custom property, set through the object model and not through a `style` attribute.
    #[must_use]
    pub fn live_style<P: Place>(
        mut self,
        name: &'static str,
        at: P,
        value: fn(P) -> String,
    ) -> Self {
        let value: Live<String> = Box::new(move || value(at));
        self.0.attributes.push(style((name, value)).into_any_attr());
        self
    }

    /// A listener.
    #[must_use]
    pub fn on<P: Place>(self, event: &'static str, at: P, act: fn(P, &Event)) -> Self {
        self.boxed_on(event, Box::new(move |event| act(at, &event)))
    }

    /// A listener that is a closure.
    #[must_use]
    pub fn on_closure(self, event: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        self.boxed_on(event, Box::new(act))
    }

    #[inline(never)]
    fn boxed_on(mut self, event: &'static str, act: Box<dyn FnMut(Event)>) -> Self {
        self.0
            .attributes
            .push(on(Custom::<Event>::new(event), act).into_any_attr());
        self
    }

    /// A child.
    #[must_use]
    #[inline(never)]
    pub fn child(mut self, child: AnyView) -> Self {
        self.0.children.push(child);
        self
    }

    /// A child, where there is one.
    #[must_use]
    #[inline(never)]
    pub fn maybe(mut self, child: Option<AnyView>) -> Self {
        self.0.children.extend(child);
        self
    }

    /// An element as a child.
    #[must_use]
    #[inline(never)]
    pub fn el(self, child: Self) -> Self {
        self.child(child.view())
    }

    /// Many children.
    #[must_use]
    #[inline(never)]
    pub fn children(mut self, children: Vec<AnyView>) -> Self {
        self.0.children.extend(children);
        self
    }

    /// A text inside.
    #[must_use]
    pub fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        self.words(text.into())
    }

    #[inline(never)]
    fn words(self, text: Cow<'static, str>) -> Self {
        self.child(text.into_any())
    }

    /// A text inside that follows what its function reads.
    #[must_use]
    pub fn live_text<P: Place>(self, at: P, text: fn(P) -> String) -> Self {
        self.boxed_text(Box::new(move || text(at)))
    }

    #[inline(never)]
    fn boxed_text(self, text: Live<String>) -> Self {
        self.child(text.into_any())
    }

    /// Content that follows what its function reads.
    #[must_use]
    pub fn live<P: Place>(self, at: P, content: fn(P) -> AnyView) -> Self {
        self.child(live(at, content))
    }

    /// The finished view.
    #[must_use]
    #[inline(never)]
    pub fn view(self) -> AnyView {
        let Parts {
            tag,
            attributes,
            children,
        } = *self.0;
        custom(tag)
            .add_any_attr(attributes)
            .child(children)
            .into_any()
    }
}

/// A place that the host may fill in the element; what is inside is shown otherwise.
#[must_use]
pub fn slot(name: &'static str) -> El {
    el("slot").attr("name", name)
}

/// Content that follows what its function reads.
#[must_use]
pub fn live<P: Place>(at: P, content: fn(P) -> AnyView) -> AnyView {
    boxed_live(Box::new(move || content(at)))
}

/// Content that follows what a closure reads.
#[must_use]
pub fn live_closure(content: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    boxed_live(Box::new(content))
}

#[inline(never)]
fn boxed_live(content: Live<AnyView>) -> AnyView {
    content.into_any()
}

/// Nothing at all.
#[must_use]
#[inline(never)]
pub fn nothing() -> AnyView {
    ().into_any()
}

/// A button with words on it.
#[must_use]
pub fn button<P: Place>(class: &'static str, label: &'static str, at: P, act: fn(P, &Event)) -> El {
    plain_button(class, label).on("click", at, act)
}

/// A button with words on it that does nothing yet.
#[must_use]
#[inline(never)]
pub fn plain_button(class: &'static str, label: &'static str) -> El {
    el("button")
        .fixed("type", "button")
        .fixed("class", class)
        .text(label)
}
