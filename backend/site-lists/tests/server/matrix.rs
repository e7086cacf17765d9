//! Every fault that the server knows, at several places, in the way of every operation: whatever
//! is told on the way, the list is what the caller meant in the end, and nothing is there twice.
//!
//! On servers of the test's own, over both protocols. A caller here does what the errors say: it
//! repeats what was not done, and what is unclear only with a key.

use checklist_site_server::{Kind, Rule, SiteServer};
use serde_json::{Value, json};
use site_lists::{ErrorKind, NewColumn, Protocol, Site, SiteFieldType, get_site_items};

use crate::place::{computers, fill, patient, read_item, read_items, server, set};

/// A caller gives up after so many tries.
const TRIES: usize = 4;

/// Faults that would keep a caller of this test waiting for as long as an attempt may last.
fn is_slow(kind: Kind) -> bool {
    matches!(kind, Kind::TimeoutBefore | Kind::TimeoutAfter | Kind::Slow)
}

async fn hurried(server: &SiteServer, protocol: Protocol) -> Site {
    let site = patient(server, protocol, 2);
    let key = NewColumn {
        internal_name: "SyncKey".to_owned(),
        display_name: "Key".to_owned(),
        field_type: SiteFieldType::String,
        hidden: true,
        indexed: true,
        unique: true,
    };
    site.ensure_column(&computers(), &key)
        .await
        .expect("a column");
    site
}

/// Makes a fault of the request at that place. The list is looked up first, then comes what is
/// meant.
fn strike(server: &SiteServer, site: &Site, kind: Kind, skip: u32) {
    site.forget(&computers());
    server.fault(Rule::once(kind).after(skip));
}

/// Every fault struck at every place: none was waiting for a request that never came. Those that
/// hang are not looked for; the server writes them down when they end.
#[track_caller]
fn all_struck(server: &SiteServer) {
    let seen = server.requests();
    let struck = seen.iter().filter(|seen| seen.fault.is_some()).count();
    let kinds = Kind::all().filter(|(kind, ..)| !is_slow(*kind));
    let meant = kinds.map(|(kind, ..)| places(kind).count()).sum::<usize>();
    assert!(struck >= meant, "{struck} of {meant}");
}

/// Where a fault strikes: where the list is looked up, or at the request after it.
fn places(kind: Kind) -> std::ops::Range<u32> {
    if is_slow(kind) { 1..2 } else { 0..2 }
}

async fn titles(site: &Site) -> Vec<String> {
    let all = read_items(site, &computers()).await;
    all.iter()
        .filter_map(|item| item.standard.title.clone())
        .collect()
}

#[tokio::test]
async fn an_addition_with_a_key_is_made_once_whatever_happens() {
    tokio::join!(additions(Protocol::Rest), additions(Protocol::Graph));
}

async fn additions(protocol: Protocol) {
    let server = server();
    let site = hurried(&server, protocol).await;
    let calm = crate::place::site(&server, protocol);
    let mut meant = Vec::new();
    for (kind, name, _) in Kind::all() {
        for skip in places(kind) {
            let title = format!("{name} {skip}");
            let fields = [set("Title", title.as_str()), set("SyncKey", title.as_str())];
            strike(&server, &site, kind, skip);
            let mut tries = 0;
            let outcome = loop {
                tries += 1;
                match site.add(&computers(), &fields, Some("SyncKey")).await {
                    Err(error) if tries < TRIES => drop(error),
                    other => break other,
                }
            };
            server.clear_faults();
            outcome.unwrap_or_else(|error| panic!("{protocol:?}: {title}: {error:?}"));
            meant.push(title);
        }
    }
    assert_eq!(titles(&calm).await, meant, "{protocol:?}");
    all_struck(&server);
}

#[tokio::test]
async fn an_addition_with_a_key_whose_answers_are_all_lost_is_told_as_unclear_after_three_tries() {
    for protocol in [Protocol::Rest, Protocol::Graph] {
        let server = server();
        let site = hurried(&server, protocol).await;
        let before = server.requests().len();
        let lost = Rule::once(Kind::ResetBefore).of_method("POST").always();
        server.fault(lost.containing("/items"));
        let fields = [set("Title", "PC"), set("SyncKey", "7d0e")];
        let error = site.add(&computers(), &fields, Some("SyncKey")).await;
        let error = error.expect_err("lost");
        assert_eq!(
            error.kind(),
            ErrorKind::OutcomeUnknown,
            "{protocol:?}: {error:?}"
        );
        let seen = server.requests().split_off(before);
        let sent = seen.iter().filter(|seen| seen.fault.is_some()).count();
        assert_eq!(sent, 3, "{protocol:?}");
        server.clear_faults();
        assert!(titles(&site).await.is_empty(), "{protocol:?}");
    }
}

#[tokio::test]
async fn an_edit_is_made_whatever_happens() {
    tokio::join!(edits(Protocol::Rest), edits(Protocol::Graph));
}

async fn edits(protocol: Protocol) {
    let server = server();
    let site = hurried(&server, protocol).await;
    let calm = crate::place::site(&server, protocol);
    let id = calm
        .add(&computers(), &[set("Title", "edited")], None)
        .await
        .expect("an item")
        .id;
    for (kind, name, _) in Kind::all() {
        for skip in places(kind) {
            let text = format!("{name} {skip}");
            strike(&server, &site, kind, skip);
            let mut tries = 0;
            while let Err(error) = site
                .edit(&computers(), id, &[set("Model", text.as_str())], None)
                .await
            {
                tries += 1;
                assert!(tries < TRIES, "{protocol:?}: {text}: {error:?}");
            }
            server.clear_faults();
            let id = i32::try_from(id).expect("small");
            let item = read_item(&calm, &computers(), id).await;
            assert_eq!(
                item.field("Model").expect("a field").value,
                json!(text),
                "{protocol:?}"
            );
        }
    }
    all_struck(&server);
}

#[tokio::test]
async fn a_deletion_is_made_once_and_of_nothing_else() {
    tokio::join!(deletions(Protocol::Rest), deletions(Protocol::Graph));
}

async fn deletions(protocol: Protocol) {
    let server = server();
    let site = hurried(&server, protocol).await;
    let calm = crate::place::site(&server, protocol);
    calm.add(&computers(), &[set("Title", "stays")], None)
        .await
        .expect("an item");
    for (kind, name, _) in Kind::all() {
        for skip in places(kind) {
            let id = calm
                .add(&computers(), &[set("Title", "goes")], None)
                .await
                .expect("an item")
                .id;
            strike(&server, &site, kind, skip);
            let mut tries = 0;
            loop {
                tries += 1;
                match site.delete(&computers(), id, None).await {
                    Ok(_) => break,
                    Err(error) if error.kind() == ErrorKind::ItemNotFound => break,
                    Err(error) => assert!(tries < TRIES, "{protocol:?}: {name}: {error:?}"),
                }
            }
            server.clear_faults();
            assert_eq!(
                titles(&calm).await,
                ["stays"],
                "{protocol:?}: {name} {skip}"
            );
        }
    }
    all_struck(&server);
}

#[tokio::test]
async fn what_is_read_is_the_whole_list_or_says_that_it_is_not() {
    tokio::join!(readings(Protocol::Rest), readings(Protocol::Graph));
}

async fn readings(protocol: Protocol) {
    let server = server();
    let row = |number: u32| json!({"Title": format!("PC-{number}")});
    fill(&server, (0..30).map(row));
    let site = hurried(&server, protocol).await;
    for (kind, name, _) in Kind::all() {
        // Over Graph a list does not say how many items it has.
        let unseen =
            protocol == Protocol::Graph && matches!(kind, Kind::ShortPage | Kind::EmptyPage);
        for skip in places(kind) {
            strike(&server, &site, kind, skip);
            let read = get_site_items(&site, &computers(), "", &Value::Null).await;
            server.clear_faults();
            if let Ok(told) = read {
                let whole = told.result.len() == 30;
                assert!(
                    whole || unseen || !told.warnings.is_empty(),
                    "{protocol:?}: {name} {skip}: {} items",
                    told.result.len()
                );
            }
        }
    }
    all_struck(&server);
}
