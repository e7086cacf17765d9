//! The parts of a page: head, breadcrumb, panel, empty state.

use leptos::prelude::*;

use super::controls::PageLink;
use crate::app::use_app;
use crate::dom::{document, focus_when_mounted};
use crate::route::Route;
use crate::wording::Wording;

/// The head of a page: title, introduction, actions.
///
/// The title gets the focus when a page is opened, so that it is read out and Tab goes on from it.
#[component]
pub fn PageHead(
    #[prop(into)] title: Signal<String>,
    #[prop(optional, into)] intro: Option<&'static str>,
    /// The actions.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    let product = use_app().language.frame().product;
    Effect::new(move |_| {
        if let Some(document) = document() {
            document.set_title(&[&title.get(), " · ", product].concat());
        }
    });
    view! {
        <header class="page-head">
            <div class="page-words">
                <h1 class="page-title" tabindex="-1" dir="auto" use:focus_when_mounted>{move || title.get()}</h1>
                {intro.map(|intro| view! { <p class="quiet">{intro}</p> })}
            </div>
            {children.map(|children| view! { <div class="buttons">{children()}</div> })}
        </header>
    }
    .into_any()
}

/// The link back to the list that a page belongs to.
#[component]
pub fn BackLink(to: Route, label: &'static str) -> AnyView {
    view! {
        <p class="crumbs"><PageLink to class="quiet-link">{["← ", label].concat()}</PageLink></p>
    }
    .into_any()
}

/// A card with a title that names it. `id` is the id of the title.
#[component]
pub fn Panel(
    id: &'static str,
    title: &'static str,
    /// Stands next to the title.
    #[prop(optional, into)]
    beside: Option<AnyView>,
    /// Whether the content brings its own padding, as a table does.
    #[prop(optional)]
    is_bare: bool,
    children: Children,
) -> AnyView {
    let body = if is_bare {
        children()
    } else {
        view! { <div class="panel-body">{children()}</div> }.into_any()
    };
    view! {
        <section class="card panel" aria-labelledby=id>
            <div class="panel-head"><h2 class="panel-title" id=id>{title}</h2>{beside}</div>
            {body}
        </section>
    }
    .into_any()
}

/// Stands where there is nothing yet, with what can be done about it.
#[component]
pub fn Empty(
    title: &'static str,
    hint: &'static str,
    #[prop(optional)] children: Option<ChildrenFn>,
) -> AnyView {
    view! {
        <div class="card nothing">
            <p class="nothing-title">{title}</p>
            <p class="quiet">{hint}</p>
            {children.map(|children| view! { <div class="buttons centre">{children()}</div> })}
        </div>
    }
    .into_any()
}
