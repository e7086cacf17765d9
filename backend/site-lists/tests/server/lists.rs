//! What there is to choose from: the lists of a site, and what is told of each.
//!
//! On a server of the test's own, over both protocols.

use checklist_site_server::{Kind, Rule};
use site_lists::{ErrorKind, Protocol, SiteList};

use crate::place::{BOTH, all_types, computers, server, site};

#[tokio::test]
async fn the_lists_that_people_keep_items_in_are_told_by_title() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let lists = site.lists().await.expect("lists");
        let titles: Vec<&str> = lists.iter().map(|list| list.title.as_str()).collect();
        // Neither the site's library nor its hidden list of people.
        assert_eq!(
            titles,
            ["All Types", "Colours", "Computers"],
            "{protocol:?}"
        );
        let counts: Vec<Option<u64>> = lists.iter().map(|list| list.item_count).collect();
        match protocol {
            Protocol::Graph => assert_eq!(counts, [None; 3]),
            _ => assert_eq!(counts, [3, 3, 0].map(Some)),
        }
        let place = lists[0].web_url.as_deref().expect("an address");
        assert!(
            place.ends_with("/sites/demo/Lists/All%20Types"),
            "{protocol:?}: {place}"
        );
        assert!(place.starts_with(&server.origin()), "{protocol:?}: {place}");
    }
}

#[tokio::test]
async fn a_list_that_was_told_is_found_again_by_its_id_with_the_same_facts() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        for told in site.lists().await.expect("lists") {
            let again = site.list(&SiteList::from(told.id.as_str())).await;
            assert_eq!(again.expect("a list"), told, "{protocol:?}");
        }
    }
}

#[tokio::test]
async fn lists_are_asked_for_in_one_request() {
    let server = server();
    let site = site(&server, Protocol::Rest);
    site.current_user().await.expect("signed in");
    server.forget_requests();
    site.lists().await.expect("lists");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_site_that_does_not_tell_its_lists_is_an_error_and_not_an_empty_site() {
    for protocol in BOTH {
        let server = server();
        let site = site(&server, protocol);
        site.info().await.expect("a site");
        server.fault(Rule::once(Kind::WrongType).always());
        let error = site.lists().await.expect_err("a page of something else");
        assert_eq!(
            error.kind(),
            ErrorKind::UnexpectedResponse,
            "{protocol:?}: {error:?}"
        );
    }
}

#[tokio::test]
async fn what_is_offered_leaves_out_what_nobody_means_and_says_what_can_be_written() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let columns = site.columns(&all_types()).await.expect("columns");
        let offered: Vec<_> = columns
            .iter()
            .filter(|column| column.is_offered())
            .collect();
        let named = |name: &str| {
            let mut all = offered.iter().filter(|column| column.internal_name == name);
            all.next().unwrap_or_else(|| panic!("{protocol:?}: {name}"))
        };
        for name in ["Title", "Text", "Number", "User", "Choice", "_SpecialField"] {
            assert!(named(name).is_writable(), "{protocol:?}: {name}");
        }
        assert!(!named("Calculated").is_writable(), "{protocol:?}");
        for name in [
            "owshiddenversion",
            "LinkTitleNoMenu",
            "_ModerationStatus",
            "FileRef",
        ] {
            let there = offered.iter().any(|column| column.internal_name == name);
            assert!(!there, "{protocol:?}: {name}");
        }
        assert!(site.columns(&computers()).await.expect("columns").len() > offered.len() / 2);
    }
}
