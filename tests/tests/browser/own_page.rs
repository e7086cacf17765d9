//! The visitor's own page: `serve --demo --allow-page ORIGIN`, and one line of HTML on a page of that
//! origin.

use checklist_tests::browser::Browser;
use checklist_tests::client::send;
use checklist_tests::neighbour::Neighbour;
use checklist_tests::{Server, Setup};
use reqwest::Method;
use serde_json::json;

#[test]
fn the_line_of_html_that_the_demo_shows_ticks_on_a_page_of_the_visitors_own() {
    let page = Neighbour::open(|_| json!({}));
    let server = Setup::demo()
        .argument("--allow-page")
        // With the slash that an address bar copies along.
        .argument(&format!("{}/", page.origin))
        .start();
    let browser = Browser::start();
    browser.open(&format!("{}/demo/own-page", server.base_url()));
    browser.until("document.querySelector('#line').textContent.includes('checklist-control')");
    let line = browser.value("document.querySelector('#line').textContent");
    page.under("");
    page.serve(
        "/",
        "text/html",
        &format!(
            "<!doctype html><html lang=en><title>Mine</title>{}",
            line.as_str().unwrap()
        ),
    );
    browser.open(&format!("{}/", page.origin));
    let control = browser.control("checklist-control");
    control.until("__probe.rows(§).some((row) => row.Checkbox)");
    let text = control
        .rows()
        .iter()
        .find(|row| row["Checkbox"] == true)
        .map(|row| row["Text"].as_str().unwrap().to_owned())
        .unwrap();
    control.tick(&text);
    control.becomes_checked(&text, true);
    control.settles();
    browser.is_untroubled();

    let ask = |origin: &str, method: Method| {
        let request = server.http().request(method, "/demo/token");
        let request = request
            .header("origin", origin)
            .header("sec-fetch-site", "cross-site")
            .header("access-control-request-method", "POST");
        send(request)
    };
    let allowed = ask(&page.origin, Method::OPTIONS);
    assert_eq!(
        allowed.headers["access-control-allow-origin"],
        page.origin.as_str()
    );
    for other in ["http://127.0.0.1:1", "null", &format!("{}0", page.origin)] {
        ask(other, Method::POST).refused(403, "OriginRefused");
    }
}

/// A page with the demo's line of HTML, and the address of the page at another name of this machine.
fn page_with_a_list(server: &Server, page: &Neighbour) -> String {
    let base = server.base_url();
    page.under("");
    page.serve(
        "/",
        "text/html",
        &format!(
            "<!doctype html><html lang=en><title>Mine</title>\
             <script type=module src=\"{base}/control/checklist-control.js\"></script>\
             <checklist-control object-type=incident object-id=INC-1 token-url=\"{base}/demo/token\"></checklist-control>"
        ),
    );
    format!("{}/", page.origin.replace("127.0.0.1", "localhost"))
}

#[test]
fn a_page_that_was_let_in_at_one_name_of_this_machine_is_let_in_at_the_other() {
    let page = Neighbour::open(|_| json!({}));
    let server = Setup::demo()
        .argument("--allow-page")
        .argument(&page.origin)
        .start();
    let localhost = page_with_a_list(&server, &page);
    let browser = Browser::start();
    browser.open(&localhost);
    let control = browser.control("checklist-control");
    control.until("__probe.rows(§).some((row) => row.Checkbox)");
    browser.is_untroubled();
}

#[test]
fn a_page_that_was_not_named_reads_why_it_gets_no_token_and_the_log_says_it_once() {
    let page = Neighbour::open(|_| json!({}));
    let server = Setup::demo().start();
    let localhost = page_with_a_list(&server, &page);
    let origin = localhost.trim_end_matches('/');
    let browser = Browser::start();
    let advice = format!("--allow-page {origin}");
    let warns = format!(
        "__probe.troubles.some((one) => one.startsWith('warn:') && one.includes({}))",
        json!(advice)
    );
    // The second visit asks again, and the log says no more.
    for _ in 0..2 {
        browser.open(&localhost);
        browser.until(&warns);
        let control = browser.control("checklist-control");
        control.says("Your sign-in could not be confirmed.");
    }
    let log = server.errors();
    assert_eq!(log.matches(&advice).count(), 1, "{log}");
}

#[test]
fn a_server_that_is_no_demo_takes_no_page_and_says_what_to_do() {
    use checklist_tests::HostKey;
    let setup = Setup::for_hosts(&[HostKey::of("north")]);
    let said = setup
        .argument("--allow-page")
        .argument("http://127.0.0.1:8082")
        .refused(2);
    assert!(
        said.contains("--demo") && said.contains("key register"),
        "{said}"
    );
}
