//! The first page: what a new tenant is led through, and what an administrator of a running one sees.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::identity_provider::IdentityProvider;
use checklist_tests::template::{fragment, item};
use checklist_tests::{HostKey, Person, Place, Server, Setup, incident};
use serde_json::json;

/// A server whose only person, an administrator, signs in with an identity provider; and a key of theirs.
fn new_tenant(place: &Place) -> (IdentityProvider, Server, Person) {
    let host = HostKey::of("north");
    let provider = IdentityProvider::start();
    let server = provider
        .trusted_by(Setup::for_hosts(std::slice::from_ref(&host)))
        .start();
    let key = server.admin_key(&host.tenant, "Ada");
    let admin = server.as_admin().on(place).with_token(&key);
    let user = json!({ "Issuer": provider.issuer, "Subject": "ada", "Name": "Ada",
        "Roles": ["admin"] });
    admin.put("Users", &user).ok();
    (provider, server, admin)
}

#[test]
fn a_new_tenant_is_told_what_is_missing_and_led_there() {
    let (_provider, server, admin) = new_tenant(&incident("INC-1"));
    let pages = Pages::unknown(&server, "/");
    pages.sign_in("ada");
    pages.is_at("Overview");
    // The administrator's own key counts as one.
    pages.says("1 of 6 steps completed");
    pages.says("Set up the vault (optional)");
    pages.browser.is_accessible_in_every_scheme("body");
    pages.click("Create a template");
    pages.is_at("New template");
    admin
        .put("Templates/f", &fragment("f", [item("a", "Call back")]))
        .ok();
    pages.click("Overview");
    pages.says("2 of 6 steps completed");
    admin.send("Templates/f/Publish", &json!({})).ok();
    pages.browser.reload();
    pages.says("3 of 6 steps completed");
    pages.click("Create a type");
    pages.is_at("New type");
    let kind = json!({ "Name": "incident", "Classes": [], "Templates": { "": "f" } });
    admin.put("Types/incident", &kind).ok();
    pages.open("/");
    pages.says("4 of 6 steps completed");
    admin.tick("Call back");
    pages.browser.reload();
    pages.is_at("Overview");
    pages.says("Recent activity");
    pages.says_no_longer("steps completed");
    pages.browser.is_untroubled();
}

#[test]
fn a_tenant_whose_pages_name_the_template_has_all_steps_done_without_a_type() {
    let (_provider, server, admin) = new_tenant(&incident("INC-1").from_template("f"));
    admin
        .put("Templates/f", &fragment("f", [item("a", "Call back")]))
        .ok();
    admin.send("Templates/f/Publish", &json!({})).ok();
    admin.tick("Call back");
    let pages = Pages::unknown(&server, "/");
    pages.sign_in("ada");
    pages.is_at("Overview");
    pages.says("Recent activity");
    pages.says_no_longer("steps completed");
}

#[test]
fn a_demo_asks_for_no_key_and_leads_to_the_guide_of_the_form_designer() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/");
    pages.is_at("Overview");
    pages.says("steps completed");
    pages.says("Active people");
    assert!(!pages.tells("Add a key"));
    let guide = pages.value(
        "[...document.querySelectorAll('.setup a')].find((one) => one.textContent === 'Open the guide').href",
    );
    let guide = guide.as_str().unwrap();
    let path = guide.strip_prefix(&server.base_url()).unwrap();
    assert_eq!(server.http().get(path).status, 200, "{guide}");
}

#[test]
fn figures_lead_to_what_they_count_and_activity_to_its_list() {
    let server = Server::demo();
    let anna = server
        .as_editor("Anna")
        .on(&incident("INC-7").for_purpose("x"));
    anna.add("Call back");
    anna.tick("Call back");
    server
        .as_editor("Ben")
        .on(&incident("INC-8").for_purpose("x"))
        .add("Ask the owner");
    let pages = Pages::of_demo(&server, "/");
    pages.is_at("Overview");
    pages.says("Call back");
    pages.click("Completed1");
    pages.is_at("All checklists");
    pages.until("location.search === '?State=Complete'");
    pages.says("INC-7");
    assert!(!pages.tells("INC-8"));
    pages.click("Overview");
    pages.is_at("Overview");
    pages.click_of("Ask the owner", "incident INC-8x");
    pages.is_at("INC-8");
    pages.says("Ask the owner");
    pages.browser.is_untroubled();
}

#[test]
fn the_navigation_stands_in_groups_and_is_behind_a_button_on_a_phone() {
    let server = Server::demo();
    let pages = Pages::of_demo(&server, "/types");
    pages.is_at("Types");
    let groups = pages.texts("nav .section-heading");
    assert_eq!(groups, ["Checklists", "Access", "Extensions", "Logs"]);
    let entries = pages.texts("nav .section-link");
    let expected = [
        "Overview",
        "Open items",
        "All checklists",
        "Templates",
        "Types",
        "Apply a template",
        "People",
        "Keys",
        "Webhooks",
        "Connections",
        "Computers",
        "Runs",
        "Journal",
        "Audit trail",
        "Documentation",
    ];
    assert_eq!(entries, expected);
    pages.browser.resize(390, 844);
    assert_eq!(
        pages.texts("nav .section-link"),
        [""; 0],
        "they are put away"
    );
    let button = "document.getElementById('sections-button')";
    pages.browser.script(&format!("{button}.focus();"), &[]);
    pages.browser.press(Keys::Enter);
    pages.until(&format!(
        "{button}.getAttribute('aria-expanded') === 'true'"
    ));
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.press(Keys::Tab);
    pages.until("document.activeElement.textContent === 'Overview'");
    pages.browser.press(Keys::Escape);
    pages.until(&format!("document.activeElement === {button}"));
    assert_eq!(pages.texts("nav .section-link"), [""; 0]);
    pages.click("Menu");
    pages.click("Audit trail");
    pages.is_at("Audit trail");
    assert_eq!(
        pages.texts("nav .section-link"),
        [""; 0],
        "a page closes them"
    );
}
