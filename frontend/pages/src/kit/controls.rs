//! Small elements: buttons, links, pills, times, facts.

use checklist_control::browser::date_and_time;
use checklist_shared::Timestamp;
use leptos::prelude::*;
use leptos::web_sys::Element;

use crate::app::use_app;
use crate::dom::focus_when_mounted;
use crate::navigation::href;
use crate::route::Route;

/// A button; `class` is added to `button`, such as `primary` or `danger`.
#[component]
pub fn Button(
    #[prop(into)] label: Signal<String>,
    /// What it does.
    click: impl FnMut() + 'static,
    #[prop(optional)] class: &'static str,
    /// The accessible name, where the label alone does not say what the button is about.
    #[prop(optional, into)]
    name: Option<String>,
    /// Has the focus as soon as it is on the page.
    #[prop(optional)]
    focused: bool,
) -> AnyView {
    button(label, Box::new(click), class, name, focused)
}

/// The button, compiled once for whatever it does.
fn button(
    label: Signal<String>,
    mut click: Box<dyn FnMut()>,
    class: &'static str,
    name: Option<String>,
    focused: bool,
) -> AnyView {
    let focus_if_wanted = move |element: Element| {
        if focused {
            focus_when_mounted(element);
        }
    };
    view! {
        <button
            type="button"
            class=button_class(class)
            aria-label=name
            use:focus_if_wanted
            on:click=move |_| click()
        >
            {move || label.get()}
        </button>
    }
    .into_any()
}

/// The button that submits the form it is in.
#[component]
pub fn SubmitButton(
    #[prop(into)] label: Signal<String>,
    #[prop(default = "primary")] class: &'static str,
) -> AnyView {
    view! { <button type="submit" class=button_class(class)>{move || label.get()}</button> }
        .into_any()
}

fn button_class(class: &'static str) -> String {
    if class.is_empty() {
        "button".to_owned()
    } else {
        ["button ", class].concat()
    }
}

/// A link to a page.
#[component]
pub fn PageLink(to: Route, class: &'static str, children: Children) -> AnyView {
    view! { <a class=class href=href(&to)>{children()}</a> }.into_any()
}

/// A link out of these pages, in a tab of its own; plain text where there is no such address.
/// `name` is the accessible name, where the content alone does not say enough.
#[must_use]
pub fn external_link(
    address: Option<&str>,
    class: &'static str,
    name: Option<String>,
    content: impl IntoAny,
) -> AnyView {
    // Addresses come from sites: one of a script or of a file is none to follow.
    let is_web = |address: &&str| address.starts_with("https://") || address.starts_with("http://");
    let class = (!class.is_empty()).then_some(class);
    let content = content.into_any();
    match address.filter(is_web) {
        Some(address) => view! {
            <a class=class href=address.to_owned() target="_blank" rel="noopener noreferrer" aria-label=name>
                {content}
            </a>
        }
        .into_any(),
        None => view! { <span class=class>{content}</span> }.into_any(),
    }
}

/// A state in one word; `class` is empty, `warm`, `bad` or `plain`.
#[must_use]
pub fn pill(class: &'static str, text: impl Into<String>) -> AnyView {
    let class = if class.is_empty() {
        "pill".to_owned()
    } else {
        ["pill ", class].concat()
    };
    let text: String = text.into();
    view! { <span class=class>{text}</span> }.into_any()
}

/// A time: short to read, exact in its tooltip.
#[must_use]
pub fn time(at: Timestamp) -> AnyView {
    let exact = at.to_string();
    let short = date_and_time(at, use_app().language.tag());
    view! { <time datetime=exact.clone() title=exact>{short}</time> }.into_any()
}

/// Names with values.
#[must_use]
pub fn facts(facts: impl IntoIterator<Item = (&'static str, AnyView)>) -> AnyView {
    let facts = facts
        .into_iter()
        .map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> });
    view! { <dl class="facts">{facts.collect::<Vec<_>>()}</dl> }.into_any()
}

/// A message that interrupts: something went wrong.
#[component]
pub fn Alert(#[prop(into)] text: String, #[prop(optional)] children: Option<Children>) -> AnyView {
    view! {
        <div class="notice danger" role="alert"><p>{text}</p>{children.map(|children| children())}</div>
    }
    .into_any()
}
