//! "Connect" in a real browser, at a real authorization server: a person agrees and the connection
//! works, or refuses and is told that nothing was granted.
//!
//! What becomes of tokens afterwards is tested without a window, in `http/consent.rs`.

use checklist_site_server::{Options, SiteServer};
use checklist_tests::browser::Pages;
use checklist_tests::identity_provider::{IdentityProvider, SECRET};
use checklist_tests::{Server, Setup};

/// An administrator whom a provider asks whether a new connection to a site may act for them.
struct ConsentRequest {
    pages: Pages,
    site: SiteServer,
    _server: Server,
    _provider: IdentityProvider,
}

/// Makes a delegated connection on its page, and goes to the authorization server from there.
fn consent_request() -> ConsentRequest {
    let provider = IdentityProvider::start();
    let site = SiteServer::start(Options {
        check_tokens: Some(provider.issuer.clone()),
        ..Options::default()
    });
    let site = site.expect("a site server");
    let server = Setup::demo()
        .argument("--allow-origin")
        .argument(&site.origin())
        .argument("--allow-origin")
        .argument(&provider.issuer)
        .start();
    let pages = Pages::of_demo(&server, "/connections/new");
    pages.fill("Name", "Team site");
    pages.fill("Site URL", &site.site_url());
    pages.choose("Sign-in method", "Delegated: on behalf of a user (OAuth)");
    pages.fill("Issuer", &provider.issuer);
    pages.fill("Client ID", "site-app");
    pages.fill("Client secret", SECRET);
    pages.click("Save");
    pages.is_at("Team site");
    pages.says("Sign-in required");
    pages.click("Connect");
    pages.tell_provider("ada");
    pages.until("document.querySelector('[name=prompt]')?.value === 'consent'");
    ConsentRequest {
        pages,
        site,
        _server: server,
        _provider: provider,
    }
}

#[test]
fn a_person_agrees_and_the_connection_works_in_their_name() {
    let asked = consent_request();
    let pages = &asked.pages;
    pages
        .browser
        .click("document.querySelector('[type=submit]')");
    pages.is_at("Team site");
    pages.says("Connected. The connection now acts on your behalf.");
    pages.says("Ready");
    pages.fill("List", "Computers");
    pages.click("Test connection");
    pages.says("The connection works.");
    let users = asked.site.users();
    assert!(users.iter().any(|user| user.contains("ada")), "{users:?}");
    pages.browser.is_untroubled();
}

#[test]
fn a_person_who_refuses_is_told_that_nothing_was_granted() {
    let ConsentRequest { pages, .. } = &consent_request();
    pages
        .browser
        .click("document.querySelector('a[href$=\"/abort\"]')");
    pages.is_at("Team site");
    pages.says("Access was not granted: the request was declined.");
    pages.says("Sign-in required");
}
