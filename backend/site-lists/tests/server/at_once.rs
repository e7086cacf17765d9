//! A whole list read in one trip: what comes is what comes step by step, and a site that takes no
//! reads together is read all the same.
//!
//! On a server of the test's own.

use checklist_site_server::{Kind, Rule};
use serde_json::{Value, json};
use site_lists::{Protocol, SiteItem, get_site_items};

use crate::place::{all_types, computers, fill, patient, read_items, sent, server, site};

#[tokio::test]
async fn five_thousand_items_are_read_in_one_request_and_in_one_when_read_again() {
    let server = server();
    let row = |number: u32| json!({"Title": format!("PC-{number}"), "MemoryGB": number});
    fill(&server, (0..5_000).map(row));
    let site = patient(&server, Protocol::Rest, 60);
    for time in ["first", "second"] {
        server.forget_requests();
        assert_eq!(read_items(&site, &computers()).await.len(), 5_000);
        let sent = sent(&server);
        assert_eq!(sent.len(), 1, "the {time} time: {sent:?}");
    }
}

#[tokio::test]
async fn hidden_columns_lookups_terms_and_people_come_as_they_do_step_by_step() {
    let server = server();
    let at_once = read_items(&site(&server, Protocol::Rest), &all_types()).await;
    server.fault(
        Rule::once(Kind::BadRequestPage)
            .containing("$batch")
            .always(),
    );
    let step_by_step = read_items(&site(&server, Protocol::Rest), &all_types()).await;
    assert!(!at_once.is_empty());
    let shown = |items: &[SiteItem]| serde_json::to_value(items).expect("JSON");
    assert_eq!(shown(&at_once), shown(&step_by_step));
}

#[tokio::test]
async fn a_site_that_takes_no_reads_together_is_asked_for_them_once() {
    let server = server();
    server.fault(
        Rule::once(Kind::BadRequestPage)
            .containing("$batch")
            .always(),
    );
    let site = site(&server, Protocol::Rest);
    for _ in 0..3 {
        assert!(!read_items(&site, &all_types()).await.is_empty());
    }
    let together = sent(&server);
    let together = together.iter().filter(|sent| sent.contains("$batch"));
    assert_eq!(together.count(), 1);
}

#[tokio::test]
async fn a_list_that_is_not_there_is_told_as_ever() {
    let server = server();
    let site = site(&server, Protocol::Rest);
    let told = get_site_items(&site, &"Nowhere".into(), "", &Value::Null).await;
    let error = told.expect_err("no list");
    assert_eq!(error.kind(), site_lists::ErrorKind::ListNotFound);
}

#[tokio::test]
async fn a_page_that_lost_rows_on_the_way_is_noticed_in_one_trip_too() {
    let server = server();
    server.fault(Rule::once(Kind::ShortPage).containing("/items?"));
    let site = site(&server, Protocol::Rest);
    let told = get_site_items(&site, &all_types(), "", &Value::Null)
        .await
        .expect("what was left");
    assert!(
        told.warnings.iter().any(|text| text.contains("were read")),
        "{:?}",
        told.warnings
    );
}

#[tokio::test]
async fn who_made_an_item_is_told_to_those_who_may_not_look_into_the_list_of_people() {
    let server = server();
    let makers = |items: &[SiteItem]| -> Vec<_> {
        let standard = items.iter().map(|item| &item.standard);
        standard
            .map(|of| {
                (
                    of.created_by_display_name.clone(),
                    of.last_modified_by_email.clone(),
                )
            })
            .collect()
    };
    let open = makers(&read_items(&site(&server, Protocol::Rest), &all_types()).await);
    assert!(open.iter().all(|(name, _)| name.is_some()), "{open:?}");
    server.fault(
        Rule::once(Kind::BadRequestPage)
            .containing("siteuserinfolist")
            .always(),
    );
    server.fault(
        Rule::once(Kind::BadRequestPage)
            .containing("GetUserById")
            .always(),
    );
    let closed = makers(&read_items(&site(&server, Protocol::Rest), &all_types()).await);
    assert_eq!(closed, open);
}
