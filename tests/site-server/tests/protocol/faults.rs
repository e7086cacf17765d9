//! Faults: each of them asked for by a header, set by a test, or switched on by the page.
//!
//! What real clients rely on, asked over a real connection.

use std::time::{Duration, Instant};

use checklist_site_server::{Kind, Rule};
use serde_json::json;

use crate::caller::{Caller, send, with_json};

const ITEMS: &str = "/_api/web/lists/getByTitle('Computers')/items";

fn faulty(site: &Caller, fault: &str) -> crate::caller::Answer {
    send(site.request("GET", ITEMS).header("x-site-fault", fault))
}

#[test]
fn faults_that_are_answers_have_the_status_and_number_of_the_service() {
    let site = Caller::new();
    for (fault, status, number) in [
        ("403-digest", 403, "-2130575251"),
        ("409", 409, "-2130575305"),
        ("412", 412, "-1"),
        ("threshold", 500, "-2147024860"),
        ("unique", 500, "-2130575169"),
        ("500", 500, "-2147467259"),
    ] {
        assert_eq!(
            faulty(&site, fault).expect(status).error_number(),
            number,
            "{fault}"
        );
    }
    assert_eq!(
        faulty(&site, "429-seconds;seconds=7")
            .expect(429)
            .header("retry-after"),
        "7"
    );
    let near = faulty(&site, "near-limit;seconds=9").expect(200);
    assert_eq!(near.header("ratelimit-remaining"), "5");
    assert_eq!(near.header("ratelimit-reset"), "9");
    let date = faulty(&site, "429-date").expect(429);
    assert!(
        date.header("retry-after").ends_with(" GMT"),
        "{:?}",
        date.headers
    );
    assert_eq!(faulty(&site, "503").expect(503).header("retry-after"), "");
    assert_eq!(
        faulty(&site, "401-throttled").expect(401).text,
        "429 TOO MANY REQUESTS"
    );
    assert!(
        faulty(&site, "400-html")
            .expect(400)
            .header("content-type")
            .starts_with("text/html")
    );
    let misspelt = faulty(&site, "429seconds").expect(400);
    assert!(misspelt.text.contains("429seconds"), "{}", misspelt.text);
    let seen = site.server.requests();
    assert_eq!(seen[0].fault.as_deref(), Some("403-digest"));
    site.get(ITEMS).expect(200);
}

#[test]
fn a_graph_caller_is_told_in_the_words_of_graph() {
    let site = Caller::new();
    let path = format!("{}/lists/Computers/items", site.graph_site());
    let answer = send(
        site.request("GET", &path)
            .header("x-site-fault", "429-seconds"),
    );
    assert_eq!(
        answer.expect(429).json()["error"]["code"],
        "activityLimitReached"
    );
}

#[test]
fn a_connection_can_break_before_and_after_the_effect() {
    let site = Caller::new();
    let count = || {
        site.get("/_api/web/lists/getByTitle('Computers')/ItemCount")
            .json()["value"]
            .clone()
    };
    let post = |fault: &str| {
        let request = site.request("POST", ITEMS).header("x-site-fault", fault);
        with_json(request, &json!({"Title": "x"}))
            .timeout(Duration::from_millis(800))
            .send()
    };
    assert!(post("reset").is_err());
    assert_eq!(count(), 0);
    assert!(post("reset-after").is_err());
    assert_eq!(count(), 1);
    assert!(post("timeout-before;seconds=3").is_err());
    assert_eq!(count(), 1);
    assert!(post("timeout-after;seconds=3").is_err());
    // Whoever gave up may have done so before the server came to it.
    let deadline = Instant::now() + Duration::from_secs(20);
    while count() == 1 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(count(), 2);
}

#[test]
fn a_body_can_stop_in_the_middle_in_three_ways() {
    let site = Caller::new();
    for number in 0..4 {
        site.new_computer(&format!("PC {number}"));
    }
    let half = site
        .request("GET", ITEMS)
        .header("x-site-fault", "half-body")
        .send();
    assert!(half.expect("headers come").text().is_err());
    let truncated = faulty(&site, "truncated-page").expect(200);
    assert!(serde_json::from_str::<serde_json::Value>(&truncated.text).is_err());
    let short = faulty(&site, "short-page").expect(200).json();
    assert_eq!(short["value"].as_array().map(Vec::len), Some(2));
    let empty = faulty(&site, "empty-page").expect(200).json();
    assert_eq!(empty["value"], json!([]));
    let wrong = faulty(&site, "wrong-type").expect(200);
    assert!(
        wrong.header("content-type").starts_with("application/json")
            && wrong.text.starts_with("<html>")
    );
    let started = Instant::now();
    faulty(&site, "slow;seconds=1").expect(200);
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_rule_meets_only_those_that_it_means() {
    let site = Caller::new();
    let rule = Rule::once(Kind::Busy)
        .of_method("POST")
        .containing("COMPUTERS")
        .after(1)
        .times(2);
    site.server.fault(rule);
    let post = || site.post(ITEMS, &json!({"Title": "x"})).status;
    site.get(ITEMS).expect(200);
    assert_eq!([post(), post(), post(), post()], [201, 503, 503, 201]);
    site.server.fault(Rule::once(Kind::Conflict).always());
    assert_eq!([post(), post()], [409, 409]);
    site.server.clear_faults();
    assert_eq!(post(), 201);
}

#[test]
fn a_part_of_a_batch_fails_for_itself() {
    let site = Caller::new();
    site.server
        .fault(Rule::once(Kind::ThrottledSeconds).containing("items(2)"));
    let web = site.server.site_url();
    let part = |id: u32| {
        format!(
            "--b\nContent-Type: application/http\n\nGET {web}/_api/web/lists/getByTitle('All Types')/items({id}) HTTP/1.1\naccept: application/json\n\n"
        )
    };
    let body = format!("{}{}{}--b--\n", part(1), part(2), part(3));
    let request = site
        .request("POST", "/_api/$batch")
        .header("content-type", "multipart/mixed; boundary=b");
    let answer = send(request.body(body)).expect(200);
    let statuses: Vec<_> = answer
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("HTTP/1.1 ")?.get(..3))
        .collect();
    assert_eq!(statuses, ["200", "429", "200"]);
    assert!(answer.text.contains("RETRY-AFTER: 1"));
}

#[test]
fn the_page_switches_faults_on_and_off() {
    let site = Caller::new();
    let form = |body: &str| {
        let request =
            reqwest::blocking::Client::builder().redirect(reqwest::redirect::Policy::none());
        let client = request.build().expect("a client");
        let request = client.post(format!("{}/faults", site.server.origin()));
        send(
            request
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.to_owned()),
        )
    };
    form("fault=503&method=&contains=&skip=0&times=1&seconds=").expect(303);
    let page =
        send(reqwest::blocking::Client::new().get(format!("{}/faults", site.server.origin())));
    assert!(page.expect(200).text.contains("<th scope=\"row\">503</th>"));
    site.get(ITEMS).expect(503);
    site.get(ITEMS).expect(200);
    form("fault=503&times=").expect(303);
    form("clear=1").expect(303);
    site.get(ITEMS).expect(200);
    assert!(
        form("fault=nonsense")
            .expect(400)
            .text
            .contains("There is no fault named “nonsense”.")
    );
    let json = site
        .post(
            "/faults",
            &json!({"fault": "409", "times": 2, "contains": "items"}),
        )
        .expect(200);
    assert_eq!(json.json()["faults"][0]["times"], 2);
    site.get(ITEMS).expect(409);
    let foreign = site
        .request("POST", "/faults")
        .header("sec-fetch-site", "cross-site");
    send(foreign.body("fault=503")).expect(403);
}

#[test]
fn a_person_edits_a_list_after_so_many_requests() {
    let site = Caller::new();
    let title = || {
        site.server.with_site(|site| {
            let list = site.list_titled("All Types").expect("the demo's list");
            list.items[&1].values["Title"].clone()
        })
    };
    let before = title();
    site.server.after(1, |site| {
        let id = site.list_titled("All Types").expect("the demo's list").id;
        let list = site.list_mut(id).expect("it was just there");
        let values = [("Title".to_owned(), "edited".into())].into();
        list.update(1, values, None, 11).expect("a title fits");
    });
    let began = checklist_site_server::clock::now();
    site.get(ITEMS).expect(200);
    assert_eq!(title(), before, "not yet");
    site.get(ITEMS).expect(200);
    assert_eq!(title(), "edited");
    let seen = site.server.requests();
    assert_eq!(seen.len(), 2);
    assert!(began <= seen[0].at && seen[0].at <= seen[1].at);
}
