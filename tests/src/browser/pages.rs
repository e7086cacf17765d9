//! The built-in pages as a person uses them: links, buttons and fields by their names.
//!
//! Every act is a real click or key; every look waits until what was asked for is there. While a
//! dialog is open, only what is in it can be used.

use serde_json::{Value, json};
use thirtyfour::Key;

use super::driver::Browser;
use crate::server::Server;

/// The built-in pages in a window.
pub struct Pages {
    /// The window.
    pub browser: Browser,
    base: String,
}

/// What can be seen and used now, as an expression: `§` is a list of selectors.
const USABLE: &str = "[...(([...document.querySelectorAll('dialog[open]')].pop()) ?? document).querySelectorAll('§')].filter(__probe.seen)";
const BUTTONS: &str = "a[href], button, summary, label.switch, label.tick";
const FIELDS: &str = "input, textarea, select";

impl Pages {
    /// Opens a page of the demo and enters as its administrator.
    #[must_use]
    #[track_caller]
    pub fn of_demo(server: &Server, path: &str) -> Self {
        let pages = Self::unknown(server, path);
        pages.click("Continue as demo administrator");
        pages.until("!!document.querySelector('main.page h1')");
        pages
    }

    /// Opens a page as somebody who is not signed in.
    #[must_use]
    #[track_caller]
    pub fn unknown(server: &Server, path: &str) -> Self {
        let pages = Self::at(&server.base_url());
        pages.open(path);
        pages
    }

    /// A window for the pages of a server that browsers reach at that URL; opens none yet.
    #[must_use]
    #[track_caller]
    pub fn at(base: &str) -> Self {
        Self {
            browser: Browser::start(),
            base: base.to_owned(),
        }
    }

    /// Opens the page at a path below `/admin`, by its address.
    #[track_caller]
    pub fn open(&self, path: &str) {
        self.browser.open(&format!("{}/admin{path}", self.base));
    }

    /// The value of an expression.
    #[must_use]
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.browser.value(expression)
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        self.browser.until(expression);
    }

    /// Waits until the open page has this title.
    #[track_caller]
    pub fn is_at(&self, title: &str) {
        self.until(&format!(
            "__probe.tidy(document.querySelector('main h1')?.textContent) === {}",
            json!(title)
        ));
    }

    /// Waits until the page says this somewhere where it can be seen.
    #[track_caller]
    pub fn says(&self, text: &str) {
        self.until(&format!(
            "__probe.tidy(document.body.innerText).includes({})",
            json!(text)
        ));
    }

    /// Whether the page says this anywhere where it can be seen.
    #[must_use]
    #[track_caller]
    pub fn tells(&self, text: &str) -> bool {
        self.value(&format!(
            "__probe.tidy(document.body.innerText).includes({})",
            json!(text)
        )) == json!(true)
    }

    /// Waits until the page no longer says this.
    #[track_caller]
    pub fn says_no_longer(&self, text: &str) {
        self.until(&format!(
            "!__probe.tidy(document.body.innerText).includes({})",
            json!(text)
        ));
    }

    fn found(selectors: &str, name: &str) -> String {
        let usable = USABLE.replace('§', selectors);
        format!(
            "{usable}.find((one) => __probe.named(one) === {})",
            json!(name)
        )
    }

    /// Clicks a link, button or switch by its name.
    #[track_caller]
    pub fn click(&self, name: &str) {
        self.browser.click(&Self::found(BUTTONS, name));
    }

    /// Clicks a button in the row of a table or list that holds a text.
    #[track_caller]
    pub fn click_of(&self, row: &str, name: &str) {
        let rows = USABLE.replace('§', "tr, li");
        self.browser.click(&format!(
            "{rows}.filter((one) => __probe.tidy(one.textContent).includes({})).flatMap((one) => [...one.querySelectorAll('{BUTTONS}')])\
             .filter(__probe.seen).find((one) => __probe.named(one) === {name} || __probe.tidy(one.textContent) === {name})",
            json!(row),
            name = json!(name)
        ));
    }

    /// Signs in at the identity provider of the test as somebody who is registered.
    #[track_caller]
    pub fn sign_in(&self, subject: &str) {
        self.click("Sign in");
        self.tell_provider(subject);
        self.until("!!document.querySelector('main.page h1')");
    }

    /// Says at the identity provider of the test who they are.
    #[track_caller]
    pub fn tell_provider(&self, subject: &str) {
        for (field, text) in [("login", subject), ("password", "anything")] {
            let field = format!("document.querySelector('[name={field}]')");
            self.until(&format!("!!{field}"));
            self.browser.click(&field);
            self.browser.keys(text);
        }
        self.browser
            .click("document.querySelector('[type=submit]')");
    }

    /// Publishes the draft on the open page as that version.
    #[track_caller]
    pub fn publish(&self, version: u32) {
        self.click("Publish…");
        self.click(&format!("Publish version {version}"));
        self.says(&format!("Version {version} is published"));
    }

    /// Clicks a button of the open dialog whose name others on the page have, too.
    #[track_caller]
    pub fn click_in_dialog(&self, name: &str) {
        self.until("!!document.querySelector('dialog[open]')");
        self.click(name);
    }

    /// Waits until a dialog is open and keys go there.
    #[track_caller]
    pub fn asks(&self) {
        self.until("!!document.activeElement?.closest('dialog[open]')");
    }

    /// An expression for a field, by its label.
    #[must_use]
    pub fn field(label: &str) -> String {
        Self::found(FIELDS, label)
    }

    /// Types into a field, replacing what it holds.
    #[track_caller]
    pub fn fill(&self, label: &str, text: &str) {
        self.browser.click(&Self::field(label));
        self.browser.press_with(Key::Control, 'a');
        if text.is_empty() {
            self.browser.press(Key::Delete);
        } else {
            self.browser.keys(text);
        }
        self.until(&format!(
            "{}?.value === {}",
            Self::field(label),
            json!(text)
        ));
    }

    /// Chooses from a field by the words of the choice.
    #[track_caller]
    pub fn choose(&self, label: &str, choice: &str) {
        self.browser.click(&format!(
            "[...{}.options].find((one) => __probe.tidy(one.textContent) === {})",
            Self::field(label),
            json!(choice)
        ));
    }

    /// Chooses a file with this content.
    #[track_caller]
    pub fn choose_file(&self, label: &str, name: &str, content: impl AsRef<[u8]>) {
        let field = self
            .browser
            .element(&Self::found("input[type=file]", label));
        let typed = field.send_keys(own_file(name, content));
        self.browser.wait_for(typed).expect("a file can be chosen");
    }

    /// Drops a file with this content onto what a selector names, as from another window.
    #[track_caller]
    pub fn drop_file(&self, selector: &str, name: &str, content: impl AsRef<[u8]>) {
        let target = format!("document.querySelector({})", json!(selector));
        self.until(&format!("!!{target}"));
        let spot = self.browser.middle_of(&target);
        let data =
            json!({ "items": [], "files": [own_file(name, content)], "dragOperationsMask": 1 });
        for event in ["dragEnter", "dragOver", "drop"] {
            let parameters = json!({ "type": event, "x": spot.x, "y": spot.y, "data": data });
            self.browser.command("Input.dispatchDragEvent", parameters);
        }
    }

    /// The texts of everything that a selector names and that can be seen.
    #[must_use]
    #[track_caller]
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let all = self.value(&format!(
            "[...document.querySelectorAll({})].filter(__probe.seen).map((one) => __probe.tidy(one.textContent))",
            json!(selector)
        ));
        let all = all.as_array().cloned().unwrap_or_default();
        all.iter()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    }
}

/// The path of a file with this content.
fn own_file(name: &str, content: impl AsRef<[u8]>) -> String {
    let folder = tempfile::TempDir::new()
        .expect("a temporary directory")
        .keep();
    let file = folder.join(name);
    std::fs::write(&file, content).expect("a file of the test's own");
    file.display().to_string()
}
