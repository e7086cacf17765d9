//! Signing in with a real browser at a real identity provider, and what the browser may do then.
//!
//! How each step can go wrong is tested without a window, in `http/oidc.rs`.

use checklist_tests::browser::Browser;
use checklist_tests::identity_provider::IdentityProvider;
use checklist_tests::{HostKey, Setup, incident};
use serde_json::json;

/// What a page of ours is answered at an address.
fn answer(method: &str, path: &str) -> String {
    format!(
        "(() => {{ const ask = new XMLHttpRequest(); ask.open('{method}', '{path}', false); ask.send(); \
         return [ask.status, ask.responseText]; }})()"
    )
}

#[test]
fn a_person_signs_in_works_and_signs_out() {
    let provider = IdentityProvider::start();
    let server = provider
        .trusted_by(Setup::for_hosts(&[HostKey::of("north")]))
        .start();
    let admin = server.as_admin().on(&incident("1"));
    let user =
        json!({ "Issuer": provider.issuer, "Subject": "anna", "Name": "Anna", "Roles": ["admin"] });
    admin.put("Users", &user).ok();

    let browser = Browser::start();
    let base = server.base_url();
    browser.open(&format!("{base}/session/sign-in?ReturnTo=/docs/"));
    browser.until("document.querySelector('[name=login]') !== null");
    browser.click("document.querySelector('[name=login]')");
    browser.keys("anna");
    browser.click("document.querySelector('[name=password]')");
    browser.keys("anything");
    browser.click("document.querySelector('[type=submit]')");
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
