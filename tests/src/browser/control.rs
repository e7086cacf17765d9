//! One checklist on a page, as a person uses it: rows by their text, buttons by their name.
//!
//! Every act is a real click or key; every look waits until what was asked for is there.

use serde_json::{Value, json};

use super::driver::Browser;

/// A `<checklist-control>` or `<checklist-preview>` on the open page.
pub struct Control<'a> {
    browser: &'a Browser,
    selector: String,
}

impl<'a> Control<'a> {
    /// The element that a selector of the page names, after it shows something.
    #[track_caller]
    pub(super) fn on(browser: &'a Browser, selector: &str) -> Self {
        let control = Self {
            browser,
            selector: selector.to_owned(),
        };
        browser.until(&format!("!!__probe.root({:?})", control.selector));
        control
    }

    /// An expression about this element: `§` stands for its selector.
    fn about(&self, expression: &str) -> String {
        expression.replace('§', &Value::from(self.selector.as_str()).to_string())
    }

    /// The value of an expression about this element.
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.browser.value(&self.about(expression))
    }

    /// Waits until an expression about this element is true.
    #[track_caller]
    pub fn until(&self, expression: &str) {
        self.browser.until(&self.about(expression));
    }

    /// A property of the element.
    #[track_caller]
    pub fn property(&self, name: &str) -> Value {
        self.value(&format!("document.querySelector(§).{name}"))
    }

    /// Whether it is completed.
    #[track_caller]
    pub fn completed(&self) -> bool {
        self.property("completed") == json!(true)
    }

    /// Waits until it is completed.
    #[track_caller]
    pub fn becomes_completed(&self) {
        self.until("document.querySelector(§).completed === true");
    }

    /// Waits until everything was sent and confirmed.
    #[track_caller]
    pub fn settles(&self) {
        self.until("document.querySelector(§).pendingCount === 0");
    }

    /// Waits until it shows exactly these items.
    #[track_caller]
    pub fn shows(&self, texts: &[&str]) {
        let expected = json!(texts);
        let mut last = json!(null);
        let shown = crate::wait::until_or_none(|| {
            last = self.value("__probe.rows(§).map((row) => row.Text)");
            (last == expected).then_some(())
        });
        assert!(
            shown.is_some(),
            "expected {expected}, it shows {last}; the page says {}",
            self.browser.troubles()
        );
    }

    /// Waits until an item is shown.
    #[track_caller]
    pub fn shows_item(&self, text: &str) {
        self.until(&format!("!!__probe.row(§, {})", json!(text)));
    }

    /// The items as they are seen: text, checkbox, checked.
    #[must_use]
    #[track_caller]
    pub fn rows(&self) -> Vec<Value> {
        self.value("__probe.rows(§)")
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    /// Waits until everything that it says somewhere contains this.
    #[track_caller]
    pub fn says(&self, text: &str) {
        self.until(&format!("__probe.text(§).includes({})", json!(text)));
    }

    /// Whether it says this anywhere.
    #[must_use]
    #[track_caller]
    pub fn tells(&self, text: &str) -> bool {
        self.value(&format!("__probe.text(§).includes({})", json!(text))) == json!(true)
    }

    /// Whether it is in a custom state such as `completed`.
    #[must_use]
    #[track_caller]
    pub fn is(&self, state: &str) -> bool {
        self.value(&format!("__probe.state(§, {state:?})")) == json!(true)
    }

    /// Waits until it is in a custom state.
    #[track_caller]
    pub fn becomes(&self, state: &str) {
        self.until(&format!("__probe.state(§, {state:?})"));
    }

    /// Clicks the checkbox of an item.
    #[track_caller]
    pub fn tick(&self, text: &str) {
        self.browser
            .click(&self.about(&format!("__probe.checkbox(§, {})", json!(text))));
    }

    /// Whether the item's checkbox is checked.
    #[must_use]
    #[track_caller]
    pub fn checked(&self, text: &str) -> bool {
        self.value(&format!("!!__probe.checkbox(§, {})?.checked", json!(text))) == json!(true)
    }

    /// Waits until an item is checked or not.
    #[track_caller]
    pub fn becomes_checked(&self, text: &str, checked: bool) {
        self.until(&format!(
            "__probe.checkbox(§, {})?.checked === {checked}",
            json!(text)
        ));
    }

    /// Gives the focus to an item's checkbox, as clicking beside it would not.
    #[track_caller]
    pub fn focus_item(&self, text: &str) {
        self.until(&format!(
            "(() => {{ const box = __probe.checkbox(§, {}); box?.focus(); return __probe.deepActive() === box; }})()",
            json!(text)
        ));
    }

    /// Clicks a button anywhere in it, by its name or the beginning of it.
    #[track_caller]
    pub fn click(&self, name: &str) {
        let found = self.about(&format!(
            "__probe.within(§, null, 'button, [role=menuitem], summary', {})",
            json!(name)
        ));
        self.browser.click(&found);
    }

    /// Clicks a button of an item.
    #[track_caller]
    pub fn click_of(&self, text: &str, name: &str) {
        let found = self.about(&format!(
            "__probe.within(§, {}, 'button, [role=menuitem], summary', {})",
            json!(text),
            json!(name)
        ));
        self.browser.click(&found);
    }

    /// Presses Tab until the button of that name has the focus.
    ///
    /// # Panics
    /// When it never has.
    #[track_caller]
    pub fn tab_to(&self, name: &str) {
        let named = json!(name);
        let is_there = format!("__probe.deepActive()?.textContent.trim() === {named}");
        for _ in 0..40 {
            if self.value(&is_there) == json!(true) {
                return;
            }
            self.browser.press(thirtyfour::Key::Tab);
        }
        panic!("Tab never came to {name}");
    }

    /// Opens an item's menu and chooses from it.
    #[track_caller]
    pub fn choose(&self, text: &str, entry: &str) {
        self.click_of(text, "More for");
        self.click(entry);
    }

    /// Opens an item's text by its menu, and waits until keys go there.
    #[track_caller]
    pub fn edit(&self, text: &str) {
        self.choose(text, "Edit");
        self.until("!!__probe.root(§).activeElement?.closest('.editor')");
    }

    /// Types into a field by its name, replacing what it holds.
    #[track_caller]
    pub fn fill(&self, field: &str, text: &str) {
        let found = self.about(&format!(
            "__probe.within(§, null, 'input:not([type=checkbox]), textarea', {})",
            json!(field)
        ));
        self.browser.click(&found);
        self.browser.press_with(thirtyfour::Key::Control, 'a');
        self.browser.keys(text);
    }

    /// The names of all buttons that can be seen.
    #[must_use]
    #[track_caller]
    pub fn buttons(&self) -> Vec<String> {
        let names = self.value("__probe.buttons(§)");
        names
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect()
    }

    /// Opens the field at the end and waits until it can be typed into.
    #[track_caller]
    pub fn open_the_add_field(&self) {
        self.click("Add an item");
        self.until("__probe.deepActive()?.matches('.add input')");
    }

    /// Adds an item through the row at the end.
    #[track_caller]
    pub fn add(&self, text: &str) {
        self.open_the_add_field();
        self.browser.keys(text);
        self.browser.press(thirtyfour::Key::Enter);
        self.shows_item(text);
    }
}
