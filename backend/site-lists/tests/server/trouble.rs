//! What goes wrong on the way, made by the server on request: throttling, lost answers, cut-off
//! pages, expired digests. A read comes through or is an error, a write happens once or is told
//! as unclear.
//!
//! On a server of the test's own, over both protocols.

use std::time::{Duration, Instant};

use checklist_site_server::{Kind, Rule};
use serde_json::{Value, json};
use site_lists::{
    ErrorKind, Protocol, Site, add_site_item, delete_site_item, edit_site_item, get_site_item,
    get_site_items,
};

use crate::place::{BOTH, all_types, computers, patient, read_item, read_items, server, set, site};

/// A site whose attempts last two seconds.
fn hurried(server: &checklist_site_server::SiteServer, protocol: Protocol) -> Site {
    patient(server, protocol, 2)
}

#[tokio::test]
async fn throttling_is_waited_out_as_long_as_the_site_asks() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        site.columns(&computers()).await.expect("columns");
        for kind in [
            Kind::ThrottledSeconds,
            Kind::ThrottledDate,
            Kind::ThrottledAs401,
            Kind::Busy,
        ] {
            server.fault(Rule::once(kind).containing("/items"));
            let begin = Instant::now();
            let id = add_site_item(&site, &computers(), &[set("Title", "PC")]).await;
            id.unwrap_or_else(|error| panic!("{protocol:?}: {kind:?}: {error:?}"));
            // Dates have whole seconds only, so a date may be less than a second ahead.
            if kind == Kind::ThrottledSeconds {
                assert!(
                    begin.elapsed() >= Duration::from_secs(1),
                    "{protocol:?}: {kind:?}"
                );
            }
        }
        let all = read_items(&site, &computers()).await;
        assert_eq!(all.len(), 4, "{protocol:?}: none twice");
        for item in all {
            delete_site_item(
                &site,
                &computers(),
                i32::try_from(item.id()).expect("small"),
            )
            .await
            .expect("deleted");
        }
    }
}

#[tokio::test]
async fn a_wait_that_is_longer_than_the_call_may_take_is_told_with_its_length() {
    let server = server();
    for protocol in BOTH {
        let site = hurried(&server, protocol);
        site.columns(&computers()).await.expect("columns");
        let mut rule = Rule::once(Kind::ThrottledSeconds);
        rule.fault = rule.fault.lasting(60);
        server.fault(rule);
        let begin = Instant::now();
        let error = get_site_item(&site, &all_types(), 1)
            .await
            .expect_err("throttled");
        assert_eq!(
            error.kind(),
            ErrorKind::Throttled,
            "{protocol:?}: {error:?}"
        );
        assert!(
            error
                .retry_after()
                .is_some_and(|time| time >= Duration::from_secs(60)),
            "{protocol:?}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "nobody waits for it"
        );
        server.clear_faults();
    }
}

#[tokio::test]
async fn a_read_comes_through_broken_connections_and_late_answers() {
    let server = server();
    for protocol in BOTH {
        let site = hurried(&server, protocol);
        site.columns(&all_types()).await.expect("columns");
        for kind in [Kind::ResetBefore, Kind::HalfBody, Kind::TimeoutBefore] {
            server.fault(Rule::once(kind).of_method("GET"));
            let all = get_site_items(&site, &all_types(), "", &Value::Null).await;
            let all = all.unwrap_or_else(|error| panic!("{protocol:?}: {kind:?}: {error:?}"));
            assert_eq!(all.result.len(), 3, "{protocol:?}: {kind:?}");
        }
    }
}

#[tokio::test]
async fn a_page_that_is_no_page_is_an_error_and_never_an_empty_list() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        site.columns(&all_types()).await.expect("columns");
        for kind in [
            Kind::WrongType,
            Kind::TruncatedPage,
            Kind::BadRequestPage,
            Kind::ServerError,
        ] {
            let mut rule = Rule::once(kind).containing("/items");
            rule.times = None;
            server.fault(rule);
            let error = get_site_items(&site, &all_types(), "", &Value::Null)
                .await
                .expect_err("no page");
            let fits = matches!(
                error.kind(),
                ErrorKind::UnexpectedResponse
                    | ErrorKind::Failed
                    | ErrorKind::Rejected
                    | ErrorKind::Unreachable
            );
            assert!(fits, "{protocol:?}: {kind:?}: {error:?}");
            server.clear_faults();
        }
    }
}

#[tokio::test]
async fn a_create_whose_answer_is_lost_is_unclear_and_not_repeated() {
    for protocol in BOTH {
        let server = server();
        let site = hurried(&server, protocol);
        site.columns(&computers()).await.expect("columns");
        for (number, kind) in [
            Kind::ResetAfter,
            Kind::TimeoutAfter,
            Kind::HalfBody,
            Kind::TruncatedPage,
        ]
        .into_iter()
        .enumerate()
        {
            server.fault(Rule::once(kind).of_method("POST").containing("/items"));
            let error = add_site_item(&site, &computers(), &[set("Title", "PC")])
                .await
                .expect_err("lost");
            assert_eq!(
                error.kind(),
                ErrorKind::OutcomeUnknown,
                "{protocol:?}: {kind:?}: {error:?}"
            );
            let calm = crate::place::site(&server, protocol);
            let all = read_items(&calm, &computers()).await;
            assert_eq!(all.len(), number + 1, "{protocol:?}: {kind:?}");
        }
    }
}

#[tokio::test]
async fn an_edit_whose_answer_is_lost_is_repeated_for_it_says_the_same_again() {
    let server = server();
    for protocol in BOTH {
        let site = hurried(&server, protocol);
        site.columns(&all_types()).await.expect("columns");
        for kind in [
            Kind::ResetAfter,
            Kind::ResetBefore,
            Kind::TimeoutAfter,
            Kind::Conflict,
        ] {
            let method = if protocol == Protocol::Rest {
                "MERGE"
            } else {
                "PATCH"
            };
            server.fault(Rule::once(kind).of_method(method));
            let text = format!("{kind:?}");
            edit_site_item(&site, &all_types(), 3, &[set("Text", text.clone())])
                .await
                .unwrap_or_else(|error| panic!("{protocol:?}: {kind:?}: {error:?}"));
            let item = read_item(&site, &all_types(), 3).await;
            assert_eq!(
                item.field("Text").expect("a field").value,
                json!(text),
                "{protocol:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_delete_whose_answer_is_lost_is_looked_at() {
    let server = server();
    for protocol in BOTH {
        let site = hurried(&server, protocol);
        for kind in [Kind::ResetAfter, Kind::TimeoutAfter] {
            let id = add_site_item(&site, &computers(), &[set("Title", "PC")])
                .await
                .expect("an item");
            server.fault(Rule::once(kind).of_method("DELETE"));
            delete_site_item(&site, &computers(), id)
                .await
                .unwrap_or_else(|error| panic!("{protocol:?}: {kind:?}: {error:?}"));
        }
        let id = add_site_item(&site, &computers(), &[set("Title", "PC")])
            .await
            .expect("an item");
        server.fault(Rule::once(Kind::ResetBefore).of_method("DELETE"));
        let error = delete_site_item(&site, &computers(), id)
            .await
            .expect_err("still there");
        assert_eq!(
            error.kind(),
            ErrorKind::OutcomeUnknown,
            "{protocol:?}: {error:?}"
        );
        delete_site_item(&site, &computers(), id)
            .await
            .expect("deleted");
    }
}

#[tokio::test]
async fn a_page_that_came_up_short_is_told_by_the_number_of_items() {
    let server = server();
    // Graph does not tell how many items a list has.
    let site = site(&server, Protocol::Rest);
    for kind in [Kind::ShortPage, Kind::EmptyPage] {
        server.fault(Rule::once(kind).containing("/items"));
        let told = get_site_items(&site, &all_types(), "", &Value::Null)
            .await
            .expect("a page");
        assert!(told.result.len() < 3, "{kind:?}");
        assert!(
            told.warnings.iter().any(|text| text.contains("3 items")),
            "{kind:?}: {:?}",
            told.warnings
        );
    }
    let told = get_site_items(&site, &all_types(), "", &Value::Null)
        .await
        .expect("all");
    assert_eq!((told.result.len(), told.warnings), (3, Vec::new()));
}

#[tokio::test]
async fn requests_are_spread_over_the_time_when_little_of_the_budget_is_left() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item");
        // Five requests are left for two seconds.
        let mut rule = Rule::once(Kind::NearLimit);
        rule.fault = rule.fault.lasting(2);
        server.fault(rule);
        get_site_item(&site, &all_types(), 1)
            .await
            .expect("an item");
        let begin = Instant::now();
        for _ in 0..3 {
            get_site_item(&site, &all_types(), 1)
                .await
                .expect("an item");
        }
        let least = Duration::from_millis(1_000);
        assert!(
            begin.elapsed() >= least,
            "{protocol:?}: {:?}",
            begin.elapsed()
        );
    }
}
