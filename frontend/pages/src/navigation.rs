//! Navigation: the address bar, links, back and forward, and the question before unsaved changes
//! are lost.
//!
//! Links are plain links with an address; a click on a link to a page opens it in place.

use leptos::prelude::*;
use leptos::web_sys;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, MouseEvent};

use crate::app::App;
use crate::dom::{document, focus_title};
use crate::route::{Route, with_query};

/// The parameter with what the list of a page is searched for.
pub const SEARCH: &str = "Search";

/// The base URL's path, from the page: `data-base` of its root element.
#[must_use]
pub fn base() -> String {
    root()
        .and_then(|root| root.get_attribute("data-base"))
        .unwrap_or_default()
}

fn root() -> Option<Element> {
    document()?.document_element()
}

/// The page of the address bar.
#[must_use]
pub fn current() -> Route {
    let Some(location) = web_sys::window().map(|window| window.location()) else {
        return Route::Home;
    };
    let path = location.pathname().unwrap_or_default();
    let query = location.search().unwrap_or_default();
    route_of(&path, &query).unwrap_or(Route::Unknown)
}

/// The value of a parameter in the address bar; empty when it is not there.
#[must_use]
pub fn parameter(name: &str) -> String {
    let location = web_sys::window().map(|window| window.location());
    let query = location.and_then(|location| location.search().ok());
    let query = query.unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.trim_start_matches('?').as_bytes());
    let found = pairs.find(|(key, _)| key == name);
    found.map_or_else(String::new, |(_, value)| value.into_owned())
}

/// The path in the address bar.
#[must_use]
pub fn path() -> String {
    let location = web_sys::window().map(|window| window.location());
    location
        .and_then(|location| location.pathname().ok())
        .unwrap_or_default()
}

fn route_of(path: &str, query: &str) -> Option<Route> {
    let below = path.strip_prefix(&*base())?.strip_prefix("/admin")?;
    (below.is_empty() || below.starts_with('/')).then(|| Route::of(below, query))
}

/// The address of a page.
#[must_use]
pub fn href(route: &Route) -> String {
    [&base(), "/admin", &route.path()].concat()
}

impl App {
    /// Opens a page, unless something is unsaved: then the person is asked first.
    pub fn go(self, route: Route) {
        if self.unsaved.get_untracked() {
            self.pending_route.set(Some(route));
        } else {
            self.leave_for(route);
        }
    }

    /// Opens a page whatever is unsaved.
    pub fn leave_for(self, route: Route) {
        self.unsaved.set(false);
        self.pending_route.set(None);
        push(&route);
        self.open(route);
    }

    /// Changes the address of the page that is open, such as what it is searched for.
    pub fn rename(self, route: Route) {
        push(&route);
        self.route.set(route);
    }

    /// Puts what the list of the page is searched for into its address; empty for everything.
    pub fn keep_search(self, search: &str) {
        push_address(&with_query(&path(), [(SEARCH, search)]));
    }

    fn open(self, route: Route) {
        self.announcement.set(String::new());
        self.close_dialog();
        self.route.set(route);
        if let Some(window) = web_sys::window() {
            window.scroll_to_with_x_and_y(0.0, 0.0);
        }
        // A link to the page that is open draws nothing anew; screen readers read its title again.
        focus_title();
    }
}

fn push(route: &Route) {
    push_address(&href(route));
}

fn push_address(address: &str) {
    let history = web_sys::window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(address));
    }
}

/// Listens to clicks on links, to back and forward, and to the tab being closed.
pub fn listen(app: App) {
    on("click", move |event| {
        let Some(click) = event.dyn_ref::<MouseEvent>() else {
            return;
        };
        if let Some(route) = linked_route(click) {
            event.prevent_default();
            app.go(route);
        }
    });
    on("popstate", move |_| {
        let route = current();
        if app.unsaved.get_untracked() {
            // The address stays that of the page that stays open.
            push(&app.route.get_untracked());
            app.pending_route.set(Some(route));
        } else {
            app.open(route);
        }
    });
    on("beforeunload", move |event| {
        if app.unsaved.get_untracked() {
            event.prevent_default();
        }
    });
}

/// The page that a plain click on a link opens.
fn linked_route(click: &MouseEvent) -> Option<Route> {
    if click.button() != 0
        || click.ctrl_key()
        || click.meta_key()
        || click.shift_key()
        || click.alt_key()
        || click.default_prevented()
    {
        return None;
    }
    let target: Element = click.target()?.dyn_into().ok()?;
    let anchor = target.closest("a[href]").ok()??;
    if anchor.has_attribute("target") || anchor.has_attribute("download") {
        return None;
    }
    let anchor: web_sys::HtmlAnchorElement = anchor.dyn_into().ok()?;
    let origin = web_sys::window()?.location().origin().ok()?;
    if anchor.origin() != origin || !anchor.hash().is_empty() {
        return None;
    }
    let path = anchor.pathname();
    if path.contains("/admin/assets/") {
        return None;
    }
    route_of(&path, &anchor.search())
}

fn on(name: &str, act: impl FnMut(Event) + 'static) {
    let act = Closure::<dyn FnMut(Event)>::new(act);
    if let Some(window) = web_sys::window() {
        let _ = window.add_event_listener_with_callback(name, act.as_ref().unchecked_ref());
    }
    // The pages live as long as the tab.
    act.forget();
}

/// The address of the product's icon.
#[must_use]
pub fn icon() -> String {
    [&base(), "/admin/assets/icon.svg"].concat()
}
