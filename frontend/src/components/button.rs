//! A button with a text.
//!
//! One component for all buttons, so that none lacks its `type`: a button without one would submit
//! the host's form.

use leptos::prelude::*;
use web_sys::Event;

use super::at::ViewContext;
use crate::STILL;

/// A button with words on it, for a list of actions.
pub fn action(
    at: ViewContext,
    class: &'static str,
    label: &'static str,
    act: fn(ViewContext, &Event),
) -> AnyView {
    view! { <Button class label at act /> }.into_any()
}

/// A button with words on it.
#[component]
pub fn Button(
    /// The CSS classes.
    class: &'static str,
    /// The visible text.
    label: &'static str,
    /// The control, and its row if there is one.
    at: ViewContext,
    /// Called on a click.
    act: fn(ViewContext, &Event),
    /// Whether what it opens is open, for one that opens something.
    #[prop(optional)]
    expanded: Option<bool>,
) -> impl IntoView {
    // A server only reserves the space of a button, which could not work yet.
    if STILL {
        return view! { <span class=[class, " room"].concat()>{label}</span> }.into_any();
    }
    let expanded = expanded.map(|open| if open { "true" } else { "false" });
    view! {
        <button type="button" class=class aria-expanded=expanded on:click=at.on(act)>
            {label}
        </button>
    }
    .into_any()
}
