//! Signing in with a real browser at a real identity provider, and what the browser may do then.
//!
//! How each step can go wrong is tested without a window, in `http/oidc.rs`.

use checklist_tests::browser::{Browser, Pages};
use checklist_tests::identity_provider::IdentityProvider;
use checklist_tests::{HostKey, Server, Setup, incident};
use serde_json::json;

/// What a page of ours is answered at an address.
fn answer(method: &str, path: &str) -> String {
    format!(
        "(() => {{ const ask = new XMLHttpRequest(); ask.open('{method}', '{path}', false); ask.send(); \
         return [ask.status, ask.responseText]; }})()"
    )
}

/// A server that Anna may sign in at.
fn server_of(provider: &IdentityProvider) -> Server {
    let server = provider
        .trusted_by(Setup::for_hosts(&[HostKey::of("north")]))
        .start();
    let admin = server.as_admin().on(&incident("1"));
    let user =
        json!({ "Issuer": provider.issuer, "Subject": "anna", "Name": "Anna", "Roles": ["admin"] });
    admin.put("Users", &user).ok();
    server
}

/// Types a name into the provider's form.
fn sign_in_as(browser: &Browser, name: &str) {
    browser.until("document.querySelector('[name=login]') !== null");
    browser.click("document.querySelector('[name=login]')");
    browser.keys(name);
    browser.click("document.querySelector('[name=password]')");
    browser.keys("anything");
    browser.click("document.querySelector('[type=submit]')");
}

#[test]
fn whoever_is_not_registered_reads_why_they_are_not_let_in() {
    let provider = IdentityProvider::start();
    let server = server_of(&provider);
    let pages = Pages::unknown(&server, "/audit");
    pages.click("Sign in");
    sign_in_as(&pages.browser, "ben");
    pages.says("You don't have access yet");
    // What an administrator registers the person by.
    pages.says(&provider.issuer);
    pages.until(
        "[...document.querySelectorAll('.facts code')].some((code) => code.textContent === 'ben')",
    );
    pages.until("document.querySelector('[role=alert]') !== null");
    pages.browser.is_untroubled();

    // Ben is still signed in there, and is so told the same again.
    pages.click("Sign in");
    pages.says("You don't have access yet");
}

#[test]
fn each_way_that_a_sign_in_can_fail_has_its_sentence_in_both_languages() {
    let provider = IdentityProvider::start();
    let server = server_of(&provider);
    let pages = Pages::unknown(&server, "/");
    for (problem, english, german) in [
        (
            "Refused",
            "was declined or cancelled",
            "abgelehnt oder abgebrochen",
        ),
        ("Expired", "took too long", "zu lange gedauert"),
        ("NotRegistered", "have access yet", "noch keinen Zugriff"),
        ("NoRole", "no role here yet", "hier noch keine Rolle"),
        (
            "GroupsLeftOut",
            "in too many groups",
            "in so vielen Gruppen",
        ),
        (
            "ProviderFailed",
            "returned an unexpected response",
            "unerwartet geantwortet",
        ),
    ] {
        for (language, sentence) in [("en", english), ("de", german)] {
            pages.browser.script(
                "localStorage.setItem('checklist-language', arguments[0]);",
                &[json!(language)],
            );
            pages.open(&format!("/?SignInProblem={problem}"));
            pages.says(sentence);
        }
    }
    pages.open("/");
    pages.says("Melden Sie sich mit Ihrem Konto an");
    assert!(!pages.tells("unerwartet geantwortet"));
    pages.browser.script("localStorage.clear();", &[]);
}

#[test]
fn a_session_that_ends_is_renewed_in_a_second_tab_and_what_was_typed_is_saved() {
    let provider = IdentityProvider::start();
    let server = server_of(&provider);
    let pages = Pages::unknown(&server, "/templates/new");
    pages.click("Sign in");
    sign_in_as(&pages.browser, "anna");
    pages.is_at("New template");
    pages.fill("ID", "kept");
    pages.fill("Name", "Kept over a sign-in");
    assert_eq!(pages.value(&answer("POST", "/session/sign-out"))[0], 204);
    pages.click("Save draft");
    pages.says("Your session has expired");
    pages.click("Sign in");
    // The provider still knows Anna.
    pages.browser.in_new_tab(|tab| {
        tab.until("document.querySelector('main.page h1') !== null");
    });
    pages.click("I have signed in");
    pages.is_at("Kept over a sign-in");
    pages.until("location.pathname === '/admin/templates/of/kept'");
}

#[test]
fn a_person_signs_in_works_and_signs_out() {
    let provider = IdentityProvider::start();
    let server = server_of(&provider);
    let browser = Browser::start();
    let base = server.base_url();
    browser.open(&format!("{base}/session/sign-in?ReturnTo=/docs/"));
    sign_in_as(&browser, "anna");
    browser.until(&format!("location.href === '{base}/docs/'"));

    let session = browser.value(&answer("GET", "/session"));
    assert_eq!(session[0], 200, "{session}");
    assert!(
        session[1]
            .as_str()
            .is_some_and(|text| text.contains("\"Anna\"")),
        "{session}"
    );
    let keys = browser.value(&answer("GET", &format!("{}/ApiKeys", checklist_tests::API)));
    assert_eq!(keys[0], 200, "{keys}");
    assert_eq!(
        browser.value("document.cookie"),
        json!(""),
        "no script reads the cookie"
    );

    let out = browser.value(&answer("POST", "/session/sign-out"));
    assert_eq!(out[0], 204, "{out}");
    assert_eq!(browser.value(&answer("GET", "/session"))[0], 401);
}
