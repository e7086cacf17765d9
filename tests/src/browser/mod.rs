//! A real browser (Chromium, Firefox or WebKitGTK), driven by a driver
//! of its own. Clicks and keys are real ones; scripts only look.
//!
//! `Browser` is one window, `Stage` a product with a host's page in it, `Control` one checklist
//! on that page, `Pages` the built-in pages. Everything here waits for what it needs, so that tests need not.

mod axe;
mod control;
mod driver;
mod engine;
mod firefox;
mod gallery;
mod pages;
mod picture;
mod pointer;
mod stage;
mod text_spacing;

use serde_json::{Value, json};
use thirtyfour::{Key, WebElement, WindowHandle};

pub use control::Control;
pub use driver::Browser;
pub use engine::Engine;
pub use gallery::looks;
pub use pages::Pages;
pub use picture::{Baselines, Picture};
pub use pointer::{Pointer, Spot};
pub use stage::{DEAF, Stage, strict_policy};
pub use thirtyfour::Key as Keys;

use crate::server::Server;
use crate::wait::{PATIENCE, until_or_none};

/// Runs before every page's own scripts: notes what goes wrong, and finds things in shadow roots.
/// Chromium puts it into every page; elsewhere the pages of a `Stage` bring it along, and others
/// get it as soon as they are loaded.
fn probe() -> String {
    let script = include_str!("probe.js");
    // `CHECKLIST_SLOW_WASM=400`: the control comes so many milliseconds later, as on a slow network.
    match std::env::var("CHECKLIST_SLOW_WASM") {
        Ok(delay) => format!("window.__slowWasm = {delay};{script}"),
        Err(_) => script.to_owned(),
    }
}

impl Browser {
    /// Opens an address and waits until the page is loaded.
    #[track_caller]
    pub fn open(&self, address: &str) {
        self.wait_for(self.driver().goto(address))
            .unwrap_or_else(|error| panic!("{address}: {error}"));
        self.probe();
    }

    /// Opens the demo and waits until its first list is shown.
    #[track_caller]
    pub fn open_demo(&self, server: &Server) {
        self.open(&format!("{}/demo/", server.base_url()));
        let list = self.control("#list-main");
        list.until("__probe.rows(§).length > 0");
    }

    /// Loads the page again.
    #[track_caller]
    pub fn reload(&self) {
        self.wait_for(self.driver().refresh())
            .expect("a page can be loaded again");
        self.probe();
    }

    /// Has every request take that many milliseconds longer from now on.
    #[track_caller]
    pub fn delay_network(&self, millis: u32) {
        self.emulate_network(false, millis);
    }

    #[track_caller]
    fn emulate_network(&self, offline: bool, latency: u32) {
        self.command("Network.enable", json!({}));
        self.command(
            "Network.emulateNetworkConditions",
            json!({ "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 }),
        );
    }

    /// Goes back in history.
    #[track_caller]
    pub fn back(&self) {
        self.wait_for(self.driver().back())
            .expect("there is a page before");
        self.probe();
    }

    /// Goes forward in history.
    #[track_caller]
    pub fn forward(&self) {
        self.wait_for(self.driver().forward())
            .expect("there is a page after");
        self.probe();
    }

    /// Does something in the tab that the page has just opened, closes that one and comes back.
    ///
    /// # Panics
    /// When no tab was opened.
    #[track_caller]
    pub fn in_new_tab(&self, act: impl FnOnce(&Self)) {
        let driver = self.driver();
        let here = self.wait_for(driver.window()).expect("a tab is open");
        let opened = until_or_none(|| {
            let tabs = self.wait_for(driver.windows()).ok()?;
            tabs.into_iter().find(|tab| *tab != here)
        });
        let opened = opened.expect("the page opens a tab");
        self.wait_for(driver.switch_to_window(opened))
            .expect("the new tab can be looked at");
        self.prepare();
        act(self);
        self.wait_for(driver.close_window())
            .expect("a tab can be closed");
        self.wait_for(driver.switch_to_window(here))
            .expect("the first tab is still there");
    }

    /// The window that is looked at.
    #[must_use]
    #[track_caller]
    pub fn window(&self) -> String {
        let here = self.wait_for(self.driver().window());
        here.expect("a window is open").to_string()
    }

    /// Opens an address in a window of its own, which is looked at from then on.
    #[must_use]
    #[track_caller]
    pub fn open_window(&self, address: &str) -> String {
        let opened = self.wait_for(self.driver().new_window());
        let opened = opened.expect("a window can be opened").to_string();
        self.show_window(&opened);
        self.prepare();
        self.open(address);
        opened
    }

    /// Looks at another window.
    #[track_caller]
    pub fn show_window(&self, window: &str) {
        let window = WindowHandle::from(window.to_owned());
        self.wait_for(self.driver().switch_to_window(window))
            .expect("the window is still there");
    }

    /// Closes the window and looks at another one.
    #[track_caller]
    pub fn close_window(&self, next: &str) {
        self.wait_for(self.driver().close_window())
            .expect("a window can be closed");
        self.show_window(next);
    }

    /// What a function body returns, called with `arguments` in the page.
    #[track_caller]
    pub fn script(&self, body: &str, arguments: &[Value]) -> Value {
        match self.wait_for(self.driver().execute(body, arguments.to_vec())) {
            Ok(answer) => answer.json().clone(),
            Err(error) => panic!("the script failed: {error}\n{body}"),
        }
    }

    /// The value of an expression.
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.script(&format!("return {expression};"), &[])
    }

    /// Waits until an expression is true. One that throws is not true yet: what it asks may not be
    /// drawn.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        let body = format!("return {expression};");
        let mut last = String::new();
        let came = until_or_none(|| {
            match self.wait_for(self.driver().execute(body.as_str(), Vec::<Value>::new())) {
                Ok(answer) if answer.json() == &json!(true) => return Some(()),
                Ok(answer) => last = answer.json().to_string(),
                Err(error) => last = error.to_string(),
            }
            None
        });
        assert!(
            came.is_some(),
            "waited in vain: {expression}; it is {last}; the page says {}, at {}",
            self.troubles(),
            self.value("`${location.href}: ${document.body?.innerText.slice(0, 300)}`")
        );
    }

    /// Waits for an expression to give an element, inside shadow roots too.
    #[track_caller]
    pub fn element(&self, expression: &str) -> WebElement {
        let body = format!("return {expression};");
        let found = until_or_none(|| {
            let answer = self.wait_for(self.driver().execute(body.as_str(), Vec::<Value>::new()));
            answer.ok()?.element().ok()
        });
        match found {
            Some(element) => element,
            None => panic!(
                "there is no element {expression}; the page says {}",
                self.troubles()
            ),
        }
    }

    /// Clicks an element as a person does: where it is seen, and only if it can be hit there.
    #[track_caller]
    pub fn click(&self, expression: &str) {
        // What is being redrawn or moved may be gone at the moment of the click: look once more.
        crate::until(&format!("a click on {expression}"), || {
            let element = self.element(expression);
            // As people do: nobody hits what is just moving.
            if self.value(&format!("__probe.standsStill({expression})")) != json!(true) {
                return None;
            }
            let clicked = self.wait_for(element.click()).ok();
            clicked.or_else(|| self.click_on_field_in_webkit(expression))
        });
    }

    /// Moves the pointer to the middle of an element.
    #[track_caller]
    pub fn point_at(&self, expression: &str) {
        let element = self.element(expression);
        let moved = self
            .driver()
            .action_chain()
            .move_to_element_center(&element);
        self.wait_for(moved.perform())
            .expect("the pointer can be moved");
    }

    /// WebKit's driver takes a field in a shadow root for covered by the host of that root: its
    /// `elementsFromPoint` names the host first. A mouse knows no better and hits the field.
    #[track_caller]
    fn click_on_field_in_webkit(&self, expression: &str) -> Option<()> {
        let is_field = || self.value(&format!("({expression}).matches('input, textarea')"));
        let missed = self.engine() == Engine::WebKit && is_field() == json!(true);
        missed.then(|| self.drag(Pointer::Mouse, &[self.middle_of(expression)]))
    }

    /// Types into whatever has the focus.
    #[track_caller]
    pub fn keys(&self, text: impl AsRef<str>) {
        let typed = self.driver().action_chain().send_keys(text.as_ref());
        self.wait_for(typed.perform()).expect("keys can be typed");
    }

    /// Presses one key.
    #[track_caller]
    pub fn press(&self, key: Key) {
        self.keys(key.value().to_string());
    }

    /// Presses a key while another is held.
    #[track_caller]
    pub fn press_with(&self, held: Key, key: impl Into<char>) {
        let key: char = key.into();
        let typed = self
            .driver()
            .action_chain()
            .key_down(held.value())
            .send_keys(key.to_string())
            .key_up(held.value());
        self.wait_for(typed.perform()).expect("keys can be pressed");
    }

    /// Waits until the page needs no scrolling sideways.
    #[track_caller]
    pub fn fits_its_window(&self) {
        let root = "document.documentElement";
        self.until(&format!("{root}.scrollWidth <= {root}.clientWidth"));
    }

    /// The colour schemes that this browser can be asked to show.
    #[must_use]
    pub fn schemes(&self) -> &'static [&'static str] {
        match self.engine() {
            Engine::Chromium | Engine::Firefox => &["light", "dark"],
            // It follows the system's theme, and nothing else.
            Engine::WebKit => &["light"],
        }
    }

    /// Whether the page prefers dark colours from here on: one of [`Self::schemes`].
    #[track_caller]
    pub fn prefer(&self, scheme: &str) {
        match self.engine() {
            Engine::Chromium => drop(self.command(
                "Emulation.setEmulatedMedia",
                json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
            )),
            Engine::Firefox => self.prefer_in_firefox(scheme),
            Engine::WebKit => assert_eq!(scheme, "light", "WebKit follows the system's theme"),
        }
    }

    /// Whether the page is asked to leave motion out from here on: it is.
    #[track_caller]
    pub fn prefer_reduced_motion(&self) {
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
        );
    }

    /// Makes this a device that is used with fingers.
    #[track_caller]
    pub fn touch(&self) {
        self.command(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": true, "maxTouchPoints": 5 }),
        );
    }

    /// Makes the view this wide and high, in CSS pixels.
    ///
    /// # Panics
    /// In `WebKitGTK`.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32) {
        match self.engine() {
            Engine::Chromium => self.resize_dense(width, height, 1),
            Engine::Firefox => self.resize_firefox(width, height),
            // Without a window manager, a window that is resized loses the focus for good.
            Engine::WebKit => panic!("WebKit's window keeps its size"),
        }
    }

    /// The same where a CSS pixel is so many of the screen's, as on a page that is enlarged.
    #[track_caller]
    pub fn resize_dense(&self, width: u32, height: u32, scale: u32) {
        self.command(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false }),
        );
    }

    /// The open page on paper: a PDF in base64.
    ///
    /// # Panics
    /// When it cannot be printed.
    #[must_use]
    #[track_caller]
    pub fn print(&self) -> String {
        let printed = self.command("Page.printToPDF", json!({ "preferCSSPageSize": true }));
        printed["data"].as_str().expect("a PDF").to_owned()
    }

    /// The value of an expression while the page is laid out for paper.
    #[must_use]
    #[track_caller]
    pub fn printed_value(&self, expression: &str) -> Value {
        self.command("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        let value = self.value(expression);
        self.command("Emulation.setEmulatedMedia", json!({ "media": "" }));
        value
    }

    /// Cuts the page off from the network, or connects it again.
    #[track_caller]
    pub fn offline(&self, offline: bool) {
        self.emulate_network(offline, 0);
    }

    /// Keeps the page from loading addresses of these patterns.
    #[track_caller]
    pub fn cut_off(&self, patterns: &[&str]) {
        self.command("Network.enable", json!({}));
        self.command("Network.setBlockedURLs", json!({ "urls": patterns }));
    }

    /// Lets go of everything that nothing on the page holds any more.
    #[track_caller]
    pub fn collect_garbage(&self) {
        self.command("HeapProfiler.collectGarbage", json!({}));
    }

    /// What has gone wrong on this page so far: violations of its policy, errors, warnings.
    #[must_use]
    #[track_caller]
    pub fn troubles(&self) -> Value {
        self.value("window.__probe ? window.__probe.troubles : ['no probe']")
    }

    /// Violations of the page's policy alone.
    #[must_use]
    #[track_caller]
    pub fn violations(&self) -> Value {
        self.value("window.__probe.troubles.filter((one) => one.startsWith('violation'))")
    }

    /// Fails unless the page is free of violations and errors.
    #[track_caller]
    pub fn is_untroubled(&self) {
        assert_eq!(self.troubles(), json!([]), "the page has troubles");
    }

    /// Puts the probe into the open page, where it has not come with the page.
    #[track_caller]
    fn probe(&self) {
        if self.engine() != Engine::Chromium && self.value("!window.__probe") == json!(true) {
            self.script(&probe(), &[]);
        }
    }

    #[track_caller]
    fn prepare(&self) {
        match self.engine() {
            Engine::Chromium => drop(self.send_command(
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": probe() }),
            )),
            Engine::Firefox => self.forget_what_was_preferred(),
            Engine::WebKit => {}
        }
        self.wait_for(self.driver().set_script_timeout(PATIENCE))
            .expect("a timeout can be set");
    }
}
