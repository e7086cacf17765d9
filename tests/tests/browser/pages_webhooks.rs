//! The built-in pages about webhooks: made, tried, seen to fail, turned on again, sent once more.
//!
//! A receiver of the test's own says what really arrived.

use checklist_tests::browser::{Keys, Pages};
use checklist_tests::receiver::{Receiver, Reply};
use checklist_tests::{Server, Setup, incident};
use serde_json::json;

fn server_for(receiver: &Receiver) -> Server {
    Setup::demo()
        .with_vault()
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start()
}

/// Makes a webhook without the page; the address of its page.
fn made(server: &Server, receiver: &Receiver) -> String {
    let wish =
        json!({ "Name": "Service desk", "Url": receiver.url(), "Events": ["checklist.completed"] });
    let admin = server.as_admin().on(&incident("1"));
    let made = admin.about_webhooks().send("", &wish).ok();
    format!("/webhooks/{}", made["Webhook"]["Id"].as_str().unwrap())
}

#[test]
fn a_webhook_is_made_shows_its_secret_once_and_is_tried() {
    let receiver = Receiver::open();
    let server = server_for(&receiver);
    let pages = Pages::of_demo(&server, "/webhooks");
    pages.is_at("Webhooks");
    pages.says("No webhooks yet");
    pages.click("New webhook");
    pages.click("Create webhook");
    pages.says("This field is required.");
    pages.fill("Name", "Service desk");
    pages.fill("Address", "http://desk.example/hooks");
    pages.click("Create webhook");
    pages.says("Without TLS only allowed origins are asked");
    pages.fill("Address", &receiver.url());
    pages.click("Checklist reopened");
    pages.browser.is_accessible("body", "the form");
    pages.click("Create webhook");
    pages.says("You won't be able to see it again");
    let secret = pages.value("document.querySelector('#secret').value");
    let secret = secret.as_str().unwrap_or_default().to_owned();
    pages.browser.press(Keys::Escape);
    pages.says("You won't be able to see it again");
    pages.click("Done");
    pages.click("Service desk");
    pages.is_at("Service desk");
    pages.says("No deliveries yet");
    pages.click("Send a test");
    pages.says("Delivered");
    let received = receiver.waits_for(1);
    assert_eq!(received[0].json()["type"], "webhook.test");
    assert!(received[0].is_signed_with(&secret));
    let whole = pages
        .value("document.documentElement.outerHTML")
        .to_string();
    assert!(!whole.contains(&secret));
    pages.browser.is_untroubled();
}

#[test]
fn the_log_tells_why_something_was_not_taken_and_sends_it_again() {
    let receiver = Receiver::open().first(&[Reply::Status(500)]);
    let server = server_for(&receiver);
    let pages = Pages::of_demo(&server, &made(&server, &receiver));
    pages.is_at("Service desk");
    let anna = server.editor_on(&incident("INC-7").for_purpose("x"));
    anna.add("One");
    pages.click("Send a test");
    pages.says("The receiver answered 500.");
    pages.says("Next attempt");
    pages.browser.is_accessible_in_every_scheme("body");
    pages.click_of("Test", "Redeliver");
    pages.says("Delivered");
    let received = receiver.waits_for(2);
    assert_eq!(received[0].id(), received[1].id());
    pages.browser.is_untroubled();
}

#[test]
fn a_webhook_that_the_server_has_turned_off_says_why_and_is_turned_on_again() {
    let receiver = Receiver::open().first(&[Reply::Status(410)]);
    let server = server_for(&receiver);
    let pages = Pages::of_demo(&server, &made(&server, &receiver));
    pages.click("Send a test");
    pages.says("Failed");
    pages.open("/webhooks");
    pages.says("Off");
    pages.click("Service desk");
    pages.says("it is gone for good (410)");
    pages.click("Turn on again");
    pages.says("On");
    pages.click("Send a test");
    pages.says("Delivered");
    pages.click("New secret");
    pages.says("signed with both secrets");
    pages.browser.press(Keys::Escape);
    pages.click("Edit");
    pages.fill("Name", "Help desk");
    pages.click("Save");
    pages.is_at("Help desk");
    pages.click("Delete");
    pages.click("Delete webhook");
    pages.is_at("Webhooks");
    pages.says("No webhooks yet");
    pages.browser.is_untroubled();
}

#[test]
fn a_view_of_320_pixels_shows_a_webhook_and_its_log_whole() {
    let receiver = Receiver::open().first(&[Reply::Status(500)]);
    let server = server_for(&receiver);
    let pages = Pages::of_demo(&server, &made(&server, &receiver));
    pages.click("Send a test");
    pages.says("The receiver answered 500.");
    pages.browser.resize(320, 720);
    let fits = |place: &str| {
        let root = "document.documentElement";
        let fits = pages.value(&format!("{root}.scrollWidth <= {root}.clientWidth"));
        assert_eq!(fits, json!(true), "{place}");
        // A card cuts off what is wider than itself.
        let cut = pages.value(
            "[...document.querySelectorAll('.card dd, .card td, .card p')]\
             .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth || one.getBoundingClientRect().right > innerWidth)\
             .map((one) => one.textContent)",
        );
        assert_eq!(cut, json!([]), "{place}: cut off");
    };
    fits("a webhook");
    pages.click("Edit");
    pages.says("Send events");
    fits("its form");
    pages.browser.press(Keys::Escape);
    pages.open("/webhooks");
    pages.says("Service desk");
    fits("all webhooks");
}

#[test]
fn a_delivery_shows_each_request_with_its_answer_and_no_secret() {
    let receiver = Receiver::open().first(&[Reply::Page(503, "<b>down</b> ", 2)]);
    let server = server_for(&receiver);
    let pages = Pages::of_demo(&server, &made(&server, &receiver));
    pages.click("Send a test");
    pages.says("The receiver answered 503.");
    pages.browser.click("document.querySelector('#deliveries-title').closest('section').querySelector('a.row-link')");
    pages.is_at("Test");
    pages.says("Attempt 1");
    pages.says("<b>down</b>");
    pages.says("webhook-signature");
    pages.says("[redacted]");
    assert!(!pages.tells("HOOK-SECRET"));
    pages.says("\"webhook.test\"");
    pages.browser.is_accessible_in_every_scheme("body");
    pages.browser.resize(320, 720);
    pages.browser.fits_its_window();
    // By keyboard: an attempt is closed and opened, and a long answer can be reached and scrolled.
    let attempt = "document.querySelector('details.attempt')";
    pages
        .browser
        .script(&format!("{attempt}.querySelector('summary').focus();"), &[]);
    pages.browser.press(Keys::Enter);
    pages.until(&format!("!{attempt}.open"));
    pages.browser.press(Keys::Enter);
    pages.until(&format!("{attempt}.open"));
    pages.browser.press(Keys::Tab);
    pages.until("document.activeElement.matches('.text-block')");
    pages.browser.is_untroubled();
}
