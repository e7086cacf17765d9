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
use web_sys::Event;

/// A closure that draws again whenever a signal that it reads has changed.
pub type Live<T> = Box<dyn Fn() -> T + Send>;

/// An element that is being put together.
pub struct El {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element of that tag.
#[must_use]
pub fn el(tag: &'static str) -> El {
    El { tag, attributes: Vec::new(), children: Vec::new() }
}

impl El {
    /// Its classes; the first one is a `part` too, so that hosts can style it.
    #[must_use]
    pub fn class(self, names: &'static str) -> Self {
        self.attr("class", names)
    }

    /// Its part for hosts.
    #[must_use]
    pub fn part(self, name: &'static str) -> Self {
        self.attr("part", name)
    }

    /// An attribute.
    #[must_use]
    pub fn attr(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        let value: Cow<'static, str> = value.into();
        self.attributes.push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// An attribute that is there or not.
    #[must_use]
    pub fn flag(self, name: &'static str, there: bool) -> Self {
        if there { self.attr(name, "") } else { self }
    }

    /// An attribute that follows signals; `None` takes it away.
    #[must_use]
    pub fn live_attr(mut self, name: &'static str, value: impl Fn() -> Option<String> + Send + 'static) -> Self {
        let value: Live<Option<String>> = Box::new(value);
        self.attributes.push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// The property `checked`, following signals.
    #[must_use]
    pub fn checked(mut self, value: impl Fn() -> bool + Send + 'static) -> Self {
        let value: Live<bool> = Box::new(value);
        self.attributes.push(prop("checked", value).into_any_attr());
        self
    }

    /// The property `value`, as it is at first.
    #[must_use]
    pub fn value(mut self, value: String) -> Self {
        self.attributes.push(prop("value", value).into_any_attr());
        self
    }

    /// A custom property, set through the object model and not through a `style` attribute.
    #[must_use]
    pub fn live_style(mut self, name: &'static str, value: impl Fn() -> String + Send + 'static) -> Self {
        let value: Live<String> = Box::new(value);
        self.attributes.push(style((name, value)).into_any_attr());
        self
    }

    /// A listener.
    #[must_use]
    pub fn on(mut self, event: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        let act: Box<dyn FnMut(Event)> = Box::new(act);
        self.attributes.push(on(Custom::<Event>::new(event), act).into_any_attr());
        self
    }

    /// A child.
    #[must_use]
    pub fn child(mut self, child: AnyView) -> Self {
        self.children.push(child);
        self
    }

    /// A child, where there is one.
    #[must_use]
    pub fn maybe(mut self, child: Option<AnyView>) -> Self {
        self.children.extend(child);
        self
    }

    /// An element as a child.
    #[must_use]
    pub fn el(self, child: Self) -> Self {
        self.child(child.view())
    }

    /// Many children.
    #[must_use]
    pub fn children(mut self, children: Vec<AnyView>) -> Self {
        self.children.extend(children);
        self
    }

    /// A text inside.
    #[must_use]
    pub fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        let text: Cow<'static, str> = text.into();
        self.child(text.into_any())
    }

    /// A text inside that follows signals.
    #[must_use]
    pub fn live_text(self, text: impl Fn() -> String + Send + 'static) -> Self {
        let text: Live<String> = Box::new(text);
        self.child(text.into_any())
    }

    /// Content that follows signals.
    #[must_use]
    pub fn live(self, content: impl Fn() -> AnyView + Send + 'static) -> Self {
        self.child(live(content))
    }

    /// The finished view.
    #[must_use]
    pub fn view(self) -> AnyView {
        custom(self.tag).add_any_attr(self.attributes).child(self.children).into_any()
    }
}

/// Content that follows signals.
#[must_use]
pub fn live(content: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let content: Live<AnyView> = Box::new(content);
    content.into_any()
}

/// Nothing at all.
#[must_use]
pub fn nothing() -> AnyView {
    ().into_any()
}

/// A button with words on it.
#[must_use]
pub fn button(class: &'static str, label: impl Into<Cow<'static, str>>, act: impl FnMut(Event) + 'static) -> El {
    el("button").attr("type", "button").attr("class", class).on("click", act).text(label)
}
