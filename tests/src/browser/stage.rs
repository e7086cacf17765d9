//! A product in use: a server, a host platform on another origin with a strict policy, a page of
//! that platform with the control in it, and a browser that looks at it.
//!
//! The page's token comes from the platform, signed with its own key; nothing here runs in
//! `--demo`.

use serde_json::{Value, json};

use super::control::Control;
use super::driver::Browser;
use crate::host::{HostKey, now};
use crate::neighbour::Neighbour;
use crate::person::Person;
use crate::place::{Place, incident};
use crate::role::EDITOR;
use crate::server::Server;
use crate::setup::Setup;
use crate::template;

/// Everything that a test of the control needs.
pub struct Stage {
    /// The browser's window.
    pub browser: Browser,
    /// The product.
    pub server: Server,
    /// The platform.
    pub host: Neighbour,
}

/// A script for pages that hear nothing of what others do until they ask.
pub const DEAF: &str = "{ const real = window.fetch; window.fetch = (address, ...rest) =>\
    String(address).includes('/Events') ? new Promise(() => {}) : real(address, ...rest); }";

/// What a careful platform allows its pages when it embeds a control from `server`.
#[must_use]
pub fn strict_policy(server: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self' {server} 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' {server}; \
         form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'"
    )
}

impl Stage {
    /// A stage on which people may do everything but lock, with a template `f` of these items
    /// for the type `incident`.
    #[must_use]
    #[track_caller]
    pub fn with(items: impl IntoIterator<Item = Value>) -> Self {
        Self::for_people_who_may(EDITOR, items)
    }

    /// The same with the items "Ask" and "Build".
    #[must_use]
    #[track_caller]
    pub fn ask_and_build() -> Self {
        Self::with([template::item("a", "Ask"), template::item("b", "Build")])
    }

    /// The same with "Ask" and "Build" in a section "First", and "Close" behind it.
    #[must_use]
    #[track_caller]
    pub fn with_a_section() -> Self {
        Self::with([
            template::section("first", "First"),
            template::under("first", template::item("a", "Ask")),
            template::under("first", template::item("b", "Build")),
            template::item("c", "Close"),
        ])
    }

    /// The same for people with exactly these permissions.
    #[must_use]
    #[track_caller]
    pub fn for_people_who_may(
        permissions: &'static [&'static str],
        items: impl IntoIterator<Item = Value>,
    ) -> Self {
        Self::new(permissions, 300, &[], items)
    }

    /// A stage for lists of up to ten thousand items.
    #[must_use]
    #[track_caller]
    pub fn with_a_long_list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::new(EDITOR, 300, &["--max-items", "10000"], items)
    }

    /// A stage whose tokens end after so many seconds.
    #[must_use]
    #[track_caller]
    pub fn with_tokens_for(seconds: u64, items: impl IntoIterator<Item = Value>) -> Self {
        Self::new(EDITOR, seconds, &[], items)
    }

    #[track_caller]
    fn new(
        permissions: &'static [&'static str],
        seconds: u64,
        arguments: &[&str],
        items: impl IntoIterator<Item = Value>,
    ) -> Self {
        let key = HostKey::of("north");
        let setup = Setup::for_hosts(std::slice::from_ref(&key));
        let server = arguments
            .iter()
            .fold(setup, |setup, argument| setup.argument(argument))
            .start();
        template::publish(&server, &template::fragment("f", items));
        let admin = server.as_admin().on(&incident("1"));
        let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": "f" } });
        admin.put("Types/incident", &kind).ok();
        let base_url = server.base_url();
        let host = Neighbour::open(move |wish| {
            let mut claims = key.claims(&base_url, "petra", permissions);
            claims["name"] = json!("Petra Page");
            if let Some(person) = wish["Person"].as_str() {
                claims["sub"] = json!(person);
                claims["name"] = json!(person);
            }
            claims["exp"] = json!(now() + seconds);
            if wish["Contexts"].is_array() {
                let contexts = wish["Contexts"].as_array().into_iter().flatten().map(|context| {
                    let mut covered = json!({
                        "ObjectType": context["ObjectType"], "ObjectId": context["ObjectId"], "Purpose": context["Purpose"],
                        "TemplateId": wish["Template"].as_str().unwrap_or("*")
                    });
                    if wish["Facts"].is_object() {
                        covered["Facts"] = wish["Facts"].clone();
                    }
                    covered
                });
                claims["contexts"] = contexts.collect();
            }
            let ends = i64::try_from(now() + seconds).unwrap_or(i64::MAX) * 1000;
            json!({ "Token": key.sign(&claims), "ExpiresAt": checklist_shared::Timestamp::from_millis(ends) })
        });
        host.under(&strict_policy(&server.address_as_origin()));
        Self {
            browser: Browser::start(),
            server,
            host,
        }
    }

    /// The attributes that bind a control to an object of the type `incident`.
    #[must_use]
    pub fn bound_to(&self, object_id: &str) -> String {
        format!("{} object-id='{object_id}'", self.unbound())
    }

    /// The attributes of a control that has no object yet.
    #[must_use]
    pub fn unbound(&self) -> String {
        format!(
            "base-url='{}' token-url='{}/token' object-type='incident'",
            self.server.base_url(),
            self.host.origin
        )
    }

    /// Opens a page of the platform with this body; `script` runs before the control is loaded.
    #[track_caller]
    pub fn open_with_script(&self, body: &str, script: &str) {
        self.host
            .serve("/probe.js", "text/javascript", &super::probe());
        self.host.serve("/page.js", "text/javascript", script);
        let page = format!(
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Incident</title>\
             <meta name='viewport' content='width=device-width, initial-scale=1'>\
             <script src='/probe.js'></script><script src='/page.js'></script>\
             <script type='module' src='{}/control/checklist-control.js'></script></head>\
             <body><main><h1>Incident</h1>{body}</main></body></html>",
            self.server.base_url()
        );
        self.host.serve("/", "text/html", &page);
        self.browser.open(&format!("{}/", self.host.origin));
    }

    /// Opens a page of the platform with this body.
    #[track_caller]
    pub fn open(&self, body: &str) {
        self.open_with_script(body, "");
    }

    /// Opens a page with one control on the object `1`, with more attributes; gives the control.
    #[track_caller]
    pub fn control(&self, attributes: &str) -> Control<'_> {
        let bound = self.bound_to("1");
        self.open(&format!("<form id='form'><checklist-control id='list' {bound} {attributes}></checklist-control></form>"));
        self.browser.control("#list")
    }

    /// The same without a form; `script` runs before the control is loaded.
    #[track_caller]
    pub fn control_after(&self, script: &str) -> Control<'_> {
        let bound = self.bound_to("1");
        let body = format!("<checklist-control id='list' {bound}></checklist-control>");
        self.open_with_script(&body, script);
        self.browser.control("#list")
    }

    /// The same, on a page that hears nothing of what others do until it asks.
    #[track_caller]
    pub fn control_that_hears_nothing(&self) -> Control<'_> {
        self.control_after(DEAF)
    }

    /// Somebody elsewhere who works on the same object.
    #[must_use]
    #[track_caller]
    pub fn bob(&self) -> Person {
        self.server.as_owner("Bob Backoffice").on(&self.place())
    }

    /// The list of the object `1`.
    #[must_use]
    pub fn place(&self) -> Place {
        incident("1")
    }
}
