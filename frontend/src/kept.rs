//! Attributes that stay on their element when a view is rendered anew.
//!
//! With erased components Leptos takes every attribute of an element off and puts it on again then. For most
//! nothing happens in between. A menu without `popover` is closed, though, and half a date is lost
//! when its field is none for a moment; screen readers take a box that loses its type for a new one.

use leptos::tachys::html::attribute::{Attribute, NextAttribute};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// Something about an element that is only ever changed, never taken off.
#[derive(Clone, Copy)]
pub(crate) enum Kept {
    /// An attribute that is the same for good.
    Attribute(&'static str, &'static str),
    /// Whether a box is checked.
    Checked(bool),
    /// Whether a box is neither checked nor unchecked.
    Mixed(bool),
}

impl Kept {
    fn apply(self, element: &Element) {
        match self {
            Self::Attribute(name, value) => {
                if element.get_attribute(name).as_deref() != Some(value) {
                    let _ = element.set_attribute(name, value);
                }
            }
            Self::Checked(is_checked) => {
                if let Some(input) = element.dyn_ref::<HtmlInputElement>()
                    && input.checked() != is_checked
                {
                    input.set_checked(is_checked);
                }
            }
            Self::Mixed(is_mixed) => {
                if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
                    input.set_indeterminate(is_mixed);
                }
            }
        }
    }
}

impl NextAttribute for Kept {
    type Output<Next: Attribute> = (Self, Next);

    fn add_any_attr<Next: Attribute>(self, next: Next) -> Self::Output<Next> {
        (self, next)
    }
}

/// No key is named by `keys`, so there is nothing for Leptos to take off.
impl Attribute for Kept {
    const MIN_LENGTH: usize = 0;

    type State = Element;
    type AsyncOutput = Self;
    type Cloneable = Self;
    type CloneableOwned = Self;

    fn html_len(&self) -> usize {
        match self {
            Self::Attribute(name, value) => name.len() + value.len() + 4,
            Self::Checked(_) | Self::Mixed(_) => 0,
        }
    }

    fn to_html(self, html: &mut String, _: &mut String, _: &mut String, _: &mut String) {
        // A box that a server draws has the attribute `checked` of its own.
        if let Self::Attribute(name, value) = self {
            html.extend([" ", name, "=\"", value, "\""]);
        }
    }

    fn hydrate<const FROM_SERVER: bool>(self, element: &Element) -> Element {
        self.build(element)
    }

    fn build(self, element: &Element) -> Element {
        self.apply(element);
        element.clone()
    }

    fn rebuild(self, element: &mut Element) {
        self.apply(element);
    }

    fn into_cloneable(self) -> Self {
        self
    }

    fn into_cloneable_owned(self) -> Self {
        self
    }

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }
}
