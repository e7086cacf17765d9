//! A local administrator's passkey in a real browser, with Chromium's virtual authenticator: from the
//! one-time link to a sign-in without one.
//!
//! What the server refuses is tested without a window, in `http/passkeys`. The server is reached as
//! `localhost`, because browsers make no passkeys for IP addresses.

use checklist_tests::Server;
use checklist_tests::browser::{Keys, Pages};
use checklist_tests::process::Process;
use checklist_tests::setup::{free_address, init, program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server without an identity provider, and the link of its first start.
struct FirstStart {
    _server: Process,
    base: String,
    link: String,
    _folder: TempDir,
}

impl FirstStart {
    #[track_caller]
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let address = free_address();
        let base = address.replace("127.0.0.1", "http://localhost");
        init(&base, &folder.path().join("data"));
        let mut serve = program();
        serve
            .args(["serve", "--listen", &address, "--config"])
            .arg(folder.path().join("data/checklist.env"));
        let mut server = Process::start(&mut serve);
        let link = server.says("/admin/link#");
        let link = format!("/link#{}", link.split_whitespace().next().unwrap());
        Self {
            _server: server,
            base,
            link,
            _folder: folder,
        }
    }

    /// Grace Hopper signs in with the link.
    #[track_caller]
    fn signs_in(&self, pages: &Pages) {
        pages.open(&self.link);
        pages.fill("Your name", "Grace Hopper");
        pages.click("Sign in");
        pages.is_at("Passkeys");
    }
}

/// A window whose browser has an authenticator that says yes.
pub struct WithAuthenticator {
    pub pages: Pages,
    id: Value,
}

impl WithAuthenticator {
    #[track_caller]
    pub fn at(base: &str) -> Self {
        let pages = Pages::at(base);
        pages.browser.command("WebAuthn.enable", json!({}));
        let options = json!({ "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
            "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true });
        let added = json!({ "options": options });
        let added = pages
            .browser
            .command("WebAuthn.addVirtualAuthenticator", added);
        Self {
            id: added["authenticatorId"].clone(),
            pages,
        }
    }

    /// Whether the person confirms with PIN or fingerprint.
    fn verifies(&self, verifies: bool) {
        let wish = json!({ "authenticatorId": self.id, "isUserVerified": verifies });
        self.pages.browser.command("WebAuthn.setUserVerified", wish);
    }

    pub fn ends(self) {
        // The browser is another test's next.
        self.pages.browser.command("WebAuthn.disable", json!({}));
    }
}

#[test]
fn a_link_then_a_passkey_then_a_sign_in_without_a_link() {
    let server = FirstStart::new();
    let window = WithAuthenticator::at(&server.base);
    let pages = &window.pages;
    pages.open(&server.link);
    // By keys alone: the only field has the focus.
    pages.until("document.activeElement.matches('main input')");
    pages.browser.keys("Grace Hopper");
    pages.browser.press(Keys::Enter);
    pages.is_at("Passkeys");
    pages.says("No passkeys yet");
    pages.click("Add a passkey");
    pages.click("Continue");
    pages.fill("Name", "Laptop");
    pages.click("Continue");
    pages.says("Passkey “Laptop” added.");
    pages.says("Never");

    // The same device again.
    pages.click("Add a passkey");
    pages.fill("Name", "Once more");
    pages.click("Continue");
    pages.says("already has a passkey of yours");
    pages.click("Cancel");

    pages.click("Sign out");
    pages.click("Sign in with a passkey");
    pages.until("!!document.querySelector('main.page h1')");
    pages.click("Passkeys");
    pages.is_at("Passkeys");
    pages.says_no_longer("Never");
    pages.click("Rename Laptop");
    pages.fill("Name", "Work laptop");
    pages.click("Save");
    pages.says("Work laptop");
    pages.click("Remove Work laptop");
    pages.says("This is your only passkey");
    pages.click("Remove");
    pages.says("No passkeys yet");
    pages.click("Sign out");
    pages.says("one-time sign-in link");
    assert!(!pages.tells("Sign in with a passkey"));
    pages.browser.is_untroubled();
    window.ends();
}

#[test]
fn on_a_phone_the_menu_leads_to_the_pages_first_and_to_the_passkeys_after_them() {
    let server = FirstStart::new();
    let window = WithAuthenticator::at(&server.base);
    let pages = &window.pages;
    server.signs_in(pages);
    pages.browser.resize(320, 844);
    pages.click("Menu");
    pages.browser.press(Keys::Tab);
    pages.until("document.activeElement.textContent === 'Overview'");
    pages.browser.press_with(Keys::Shift, Keys::Tab);
    pages.browser.press(Keys::Enter);
    pages.browser.press(Keys::Tab);
    pages.until("document.activeElement.textContent === 'Passkeys'");
    window.ends();
}

#[test]
fn an_administrator_makes_a_link_for_a_second_one_who_signs_in_with_it() {
    let server = FirstStart::new();
    let window = WithAuthenticator::at(&server.base);
    let pages = &window.pages;
    server.signs_in(pages);
    pages.open("/people");
    pages.click("Add administrator");
    pages.says("whoever opens it first, within 10 minutes");
    pages.click_in_dialog("Create link");
    pages.says("It is not shown again.");
    pages.browser.is_accessible_in_every_scheme("body");
    let link = pages.value("document.getElementById('secret').value");
    let link = link.as_str().expect("a link");
    let (_, secret) = link.split_once('#').expect("a secret");
    pages.click_in_dialog("Done");
    pages.click("Sign out");
    pages.open(&format!("/link#{secret}"));
    pages.fill("Your name", "Ada Lovelace");
    pages.click("Sign in");
    pages.is_at("Passkeys");
    pages.open("/people");
    pages.says("Grace Hopper");
    pages.says("Ada Lovelace");
    window.ends();
}

#[test]
fn whoever_is_signed_in_another_way_is_told_who_has_passkeys() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/passkeys");
    pages.is_at("Passkeys");
    pages.says("No passkeys for this sign-in");
    assert!(!pages.tells("Add a passkey"));
}

#[test]
fn whoever_is_not_verified_reads_why_in_both_languages_and_tries_again() {
    let server = FirstStart::new();
    let window = WithAuthenticator::at(&server.base);
    let pages = &window.pages;
    server.signs_in(pages);
    pages.click("Add a passkey");
    pages.fill("Name", "Laptop");
    window.verifies(false);
    pages.click("Continue");
    pages.says("cancelled or timed out");
    window.verifies(true);
    pages.click("Continue");
    pages.says("Passkey “Laptop” added.");
    pages.click("Sign out");
    for (language, button, sentence) in [
        ("en", "Sign in with a passkey", "cancelled or timed out"),
        (
            "de",
            "Mit Passkey anmelden",
            "abgebrochen oder ist abgelaufen",
        ),
    ] {
        pages.browser.script(
            "localStorage.setItem('checklist-language', arguments[0]);",
            &[json!(language)],
        );
        pages.open("/");
        window.verifies(false);
        pages.click(button);
        pages.says(sentence);
        window.verifies(true);
    }
    pages.click("Mit Passkey anmelden");
    pages.until("!!document.querySelector('main.page h1')");
    pages.browser.script("localStorage.clear();", &[]);
    window.ends();
}
