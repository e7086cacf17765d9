//! Columns that are made where they are missing: the hidden key of an export.
//!
//! On a server of the test's own, over both protocols.

use serde_json::json;
use site_lists::{ErrorKind, NewColumn, SiteFieldType, add_site_item, get_site_items};

use crate::place::{BOTH, computers, server, set, site};

fn key() -> NewColumn {
    NewColumn {
        internal_name: "SyncKey".to_owned(),
        display_name: "Sync key".to_owned(),
        field_type: SiteFieldType::String,
        hidden: true,
        indexed: true,
        unique: true,
    }
}

#[tokio::test]
async fn a_hidden_unique_key_is_made_once_and_found_by() {
    for protocol in BOTH {
        let server = server();
        let site = site(&server, protocol);
        let made = site
            .ensure_column(&computers(), &key())
            .await
            .unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        assert!(
            made.hidden && made.indexed && made.unique,
            "{protocol:?}: {made:?}"
        );
        assert_eq!(made.field_type, Some(SiteFieldType::String));
        let again = site
            .ensure_column(&computers(), &key())
            .await
            .expect("the same");
        assert_eq!(made, again);
        let id = add_site_item(
            &site,
            &computers(),
            &[set("Title", "PC"), set("SyncKey", "k-1")],
        )
        .await
        .expect("an item");
        let found = get_site_items(&site, &computers(), "SyncKey", &json!("k-1"))
            .await
            .expect("items")
            .result;
        assert_eq!(
            found
                .iter()
                .map(site_lists::SiteItem::id)
                .collect::<Vec<_>>(),
            [i64::from(id)],
            "{protocol:?}"
        );
        assert_eq!(
            found[0].field("SyncKey").expect("a field").value,
            json!("k-1"),
            "{protocol:?}"
        );
        let error = add_site_item(&site, &computers(), &[set("SyncKey", "k-1")])
            .await
            .expect_err("twice");
        assert_eq!(
            error.kind(),
            ErrorKind::Duplicate,
            "{protocol:?}: {error:?}"
        );
        // Whoever names the key as such is told which item holds it.
        let outcome = site
            .add(&computers(), &[set("SyncKey", "k-1")], Some("SyncKey"))
            .await
            .expect("there already");
        assert_eq!(
            (outcome.id, outcome.existed),
            (i64::from(id), true),
            "{protocol:?}"
        );
    }
}

#[tokio::test]
async fn a_column_that_somebody_made_meanwhile_is_found() {
    for protocol in BOTH {
        let server = server();
        let (mine, theirs) = (site(&server, protocol), site(&server, protocol));
        mine.columns(&computers()).await.expect("columns");
        theirs
            .ensure_column(&computers(), &key())
            .await
            .expect("a column");
        let id = add_site_item(&mine, &computers(), &[set("SyncKey", "k")]).await;
        id.unwrap_or_else(|error| panic!("{protocol:?}: {error:?}"));
        let later = site(&server, protocol);
        later.columns(&computers()).await.expect("columns");
        let column = NewColumn {
            internal_name: "Later".to_owned(),
            display_name: "Later".to_owned(),
            unique: false,
            ..key()
        };
        theirs
            .ensure_column(&computers(), &column)
            .await
            .expect("a column");
        let found = get_site_items(&later, &computers(), "Later", &json!("x")).await;
        assert_eq!(found.expect("a search").result.len(), 0, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_name_that_is_none_makes_no_column() {
    let server = server();
    for protocol in BOTH {
        let site = site(&server, protocol);
        let bad = NewColumn {
            internal_name: "x\" Hidden=\"FALSE".to_owned(),
            ..key()
        };
        assert_eq!(
            site.ensure_column(&computers(), &bad)
                .await
                .expect_err("no name")
                .kind(),
            ErrorKind::InvalidValue
        );
        let bad = NewColumn {
            internal_name: "Who".to_owned(),
            field_type: SiteFieldType::User,
            ..key()
        };
        assert_eq!(
            site.ensure_column(&computers(), &bad)
                .await
                .expect_err("a user")
                .kind(),
            ErrorKind::UnsupportedFieldType
        );
    }
}
