//! One way to build every element of the pages.
//!
//! Like the control's builder one type for all, so that a view is compiled once and not once for
//! every combination, and never an HTML string, so that Trusted Types are content. Where the
//! control's takes plain functions to stay small, this one takes closures: here the download is no
//! promise.

use std::borrow::Cow;

use checklist_control::components::icon::Icon;
use leptos::ev::Custom;
use leptos::html::custom;
use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::tachys::html::attribute::custom::custom_attribute;
use leptos::tachys::html::directive::directive;
use leptos::tachys::html::event::on;
use leptos::tachys::html::property::prop;
use leptos::web_sys::{Element, Event};
use wasm_bindgen::JsCast;

/// An element that is being put together.
pub struct El {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element of that tag.
#[must_use]
pub fn el(tag: &'static str) -> El {
    El {
        tag,
        attributes: Vec::new(),
        children: Vec::new(),
    }
}

impl El {
    /// Its classes.
    #[must_use]
    pub fn class(self, names: impl Into<Cow<'static, str>>) -> Self {
        self.attr("class", names)
    }

    /// Its id.
    #[must_use]
    pub fn id(self, id: impl Into<Cow<'static, str>>) -> Self {
        self.attr("id", id)
    }

    /// An attribute.
    #[must_use]
    pub fn attr(mut self, name: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        let value: Cow<'static, str> = value.into();
        self.attributes
            .push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// An attribute that is there or not.
    #[must_use]
    pub fn flag(self, name: &'static str, there: bool) -> Self {
        if there { self.attr(name, "") } else { self }
    }

    /// An attribute that follows what its function reads; `None` takes it away.
    #[must_use]
    pub fn follow(
        mut self,
        name: &'static str,
        value: impl Fn() -> Option<String> + Send + 'static,
    ) -> Self {
        let value: Box<dyn Fn() -> Option<String> + Send> = Box::new(value);
        self.attributes
            .push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// The property `value` as it is at the beginning.
    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        let value: String = value.into();
        self.attributes.push(prop("value", value).into_any_attr());
        self
    }

    /// The property `value`, following what its function reads.
    #[must_use]
    pub fn follow_value(mut self, value: impl Fn() -> String + Send + 'static) -> Self {
        let value: Box<dyn Fn() -> String + Send> = Box::new(value);
        self.attributes.push(prop("value", value).into_any_attr());
        self
    }

    /// The property `checked`, following what its function reads.
    #[must_use]
    pub fn checked(mut self, value: impl Fn() -> bool + Send + 'static) -> Self {
        let value: Box<dyn Fn() -> bool + Send> = Box::new(value);
        self.attributes.push(prop("checked", value).into_any_attr());
        self
    }

    /// A listener.
    #[must_use]
    pub fn on(mut self, event: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        let act: Box<dyn FnMut(Event)> = Box::new(act);
        self.attributes
            .push(on(Custom::<Event>::new(event), act).into_any_attr());
        self
    }

    /// Does something with the element once it stands on the page.
    #[must_use]
    pub fn ready(mut self, act: impl Fn(Element) + Clone + 'static) -> Self {
        let later = move |element: Element| {
            let act = act.clone();
            checklist_control::browser::set_timeout(0, Box::new(move || act(element)));
        };
        self.attributes.push(directive(later, ()).into_any_attr());
        self
    }

    /// Gives it the focus once it stands on the page.
    #[must_use]
    pub fn focused(self) -> Self {
        self.ready(|element| focus(&element))
    }

    /// A sign of the control's.
    #[must_use]
    pub fn sign(self, path: &'static str) -> Self {
        self.child(view! { <Icon path /> }.into_any())
    }

    /// A child.
    #[must_use]
    pub fn child(mut self, child: AnyView) -> Self {
        self.children.push(child);
        self
    }

    /// A child, where there is one.
    #[must_use]
    pub fn maybe(mut self, child: Option<El>) -> Self {
        self.children.extend(child.map(El::view));
        self
    }

    /// An element as a child.
    #[must_use]
    pub fn el(self, child: Self) -> Self {
        self.child(child.view())
    }

    /// Many elements.
    #[must_use]
    pub fn els(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children.into_iter().map(El::view));
        self
    }

    /// A text inside.
    #[must_use]
    pub fn text(self, text: impl Into<Cow<'static, str>>) -> Self {
        let text: Cow<'static, str> = text.into();
        self.child(text.into_any())
    }

    /// A text inside that follows what its function reads.
    #[must_use]
    pub fn follow_text(self, text: impl Fn() -> String + Send + 'static) -> Self {
        let text: Box<dyn Fn() -> String + Send> = Box::new(text);
        self.child(text.into_any())
    }

    /// Content that follows what its function reads.
    #[must_use]
    pub fn live(self, content: impl Fn() -> AnyView + Send + 'static) -> Self {
        self.child(live(content))
    }

    /// The finished view.
    #[must_use]
    pub fn view(self) -> AnyView {
        let Self {
            tag,
            attributes,
            children,
        } = self;
        custom(tag)
            .add_any_attr(attributes)
            .child(children)
            .into_any()
    }
}

/// Content that follows what its function reads.
#[must_use]
pub fn live(content: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let content: Box<dyn Fn() -> AnyView + Send> = Box::new(content);
    content.into_any()
}

/// Several views side by side.
#[must_use]
pub fn all(views: Vec<AnyView>) -> AnyView {
    views.into_any()
}

/// Nothing at all.
#[must_use]
pub fn nothing() -> AnyView {
    ().into_any()
}

/// A button with words on it.
#[must_use]
pub fn button(
    class: &'static str,
    label: impl Into<Cow<'static, str>>,
    mut act: impl FnMut() + 'static,
) -> El {
    el("button")
        .attr("type", "button")
        .class(class)
        .text(label)
        .on("click", move |_| act())
}

/// Gives an element the focus.
pub fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<leptos::web_sys::HtmlElement>() {
        let _ = element.focus();
    }
}

/// What stands in the field that an event came from.
#[must_use]
pub fn typed(event: &Event) -> String {
    let Some(target) = event.target() else {
        return String::new();
    };
    let property = js_sys::Reflect::get(&target, &"value".into());
    property
        .ok()
        .and_then(|value| value.as_string())
        .unwrap_or_default()
}

/// Whether the box that an event came from is checked.
#[must_use]
pub fn ticked(event: &Event) -> bool {
    let Some(target) = event.target() else {
        return false;
    };
    let property = js_sys::Reflect::get(&target, &"checked".into());
    property
        .ok()
        .and_then(|value| value.as_bool())
        .unwrap_or(false)
}
