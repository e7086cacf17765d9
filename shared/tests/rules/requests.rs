//! What requests mean to the rules, what stands for what is left out of them, and the names that
//! records of the wire have there.
//!
//! Run with the other tests of the rules.

use super::desk::new_item;
use checklist_shared::ItemId;
use checklist_shared::change::{Change, ItemPatch, NewItem};
use checklist_shared::facts::{FactNumber, FactValue};
use checklist_shared::item::{Kind, Origin, Status};
use checklist_shared::order::Place;
use checklist_shared::patch::Patch;
use checklist_shared::proposal::{Decision, Evidence};
use checklist_shared::wire::connections::{ConnectionMethod, PutServiceConnection};
use checklist_shared::wire::live::EventName;
use checklist_shared::wire::webhooks::PutWebhook;
use checklist_shared::wire::workflow::{Outcome, PlannedAction, RunState};
use checklist_shared::wire::write::{AddItem, UpdateItem};
use serde_json::{Value, json};

fn id(number: u8) -> ItemId {
    ItemId::from_bytes([number; 16])
}

/// What an update of the first item asks for.
fn patch(mut fields: Value) -> ItemPatch {
    fields["Id"] = json!(id(0));
    let update: UpdateItem = serde_json::from_value(fields).expect("an update");
    match update.into_change() {
        Change::Update(patch) => *patch,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_an_update_leaves_out_stays_and_what_is_null_goes() {
    assert_eq!(patch(json!({})), ItemPatch::of(id(0)));
    let due = "2026-11-20T09:14:00Z";
    let set = patch(
        json!({ "BaseVersion": 7, "Status": "Done", "Reason": "r", "SeenTextHash": "h", "Evidence": { "Name": "e", "Url": "u" }, "Answer": 4.5, "Proposal": "Accept", "Text": "t",
        "Note": "n", "Assignee": "a", "Due": due, "Help": "h", "Required": true, "Kind": "Info", "ParentId": id(3) }),
    );
    let wanted = ItemPatch {
        id: id(0),
        base_version: Some(7),
        status: Some(Status::Done),
        reason: Patch::Set("r".to_owned()),
        seen_text_hash: Some("h".to_owned()),
        evidence: Some(Evidence::new("e".to_owned(), "u".to_owned())),
        answer: FactNumber::new(4.5).map(FactValue::Number),
        proposal: Some(Decision::Accept),
        text: Patch::Set("t".to_owned()),
        note: Patch::Set("n".to_owned()),
        assignee: Patch::Set("a".into()),
        due: Patch::Set(due.parse().expect("a time")),
        help: Patch::Set("h".to_owned()),
        required: Some(true),
        kind: Some(Kind::Info),
        parent: Patch::Set(id(3)),
        place: None,
    };
    assert_eq!(set, wanted);
    let cleared = patch(
        json!({ "Text": null, "Note": null, "Assignee": null, "Due": null, "Help": null, "ParentId": null }),
    );
    let wanted = ItemPatch {
        text: Patch::Clear,
        note: Patch::Clear,
        assignee: Patch::Clear,
        due: Patch::Clear,
        help: Patch::Clear,
        parent: Patch::Clear,
        ..ItemPatch::of(id(0))
    };
    assert_eq!(cleared, wanted);
    assert_eq!(json!([Patch::Set(1), Patch::<u8>::Clear]), json!([1, null]));
}

#[test]
fn a_neighbour_says_where_an_item_goes_and_the_one_to_stand_after_wins() {
    let (one, other) = (json!(id(1)), json!(id(2)));
    for (fields, place) in [
        (json!({ "AfterId": one }), Place::After(id(1))),
        (json!({ "BeforeId": other }), Place::Before(id(2))),
        (
            json!({ "AfterId": one, "BeforeId": other }),
            Place::After(id(1)),
        ),
        (
            json!({ "AfterId": null, "BeforeId": other }),
            Place::Before(id(2)),
        ),
        (
            json!({ "AfterId": one, "BeforeId": null }),
            Place::After(id(1)),
        ),
        (json!({ "AfterId": null }), Place::First),
        (json!({ "BeforeId": null }), Place::Last),
    ] {
        assert_eq!(patch(fields.clone()).place, Some(place), "{fields}");
        assert!(patch(fields).moves());
    }
    assert!(!patch(json!({ "Text": "t" })).moves());
    assert!(patch(json!({ "ParentId": null })).moves());
}

#[test]
fn changing_text_or_place_needs_the_version_that_was_looked_at() {
    let needs = |fields: Value| {
        let mut fields = fields;
        fields["Id"] = json!(id(0));
        let update: UpdateItem = serde_json::from_value(fields).expect("an update");
        update.needs_base_version()
    };
    for fields in [
        json!({ "Text": "t" }),
        json!({ "Text": null }),
        json!({ "ParentId": id(3) }),
        json!({ "AfterId": null }),
        json!({ "BeforeId": id(1) }),
    ] {
        assert!(needs(fields.clone()), "{fields}");
    }
    for fields in [
        json!({}),
        json!({ "Status": "Done", "Note": "n", "Assignee": "a" }),
    ] {
        assert!(!needs(fields.clone()), "{fields}");
    }
}

#[test]
fn an_item_is_added_as_it_was_asked_for() {
    let adding = |fields: Value| {
        let item: AddItem = serde_json::from_value(fields).expect("an item");
        match item.into_change(id(7), Origin::Api) {
            Change::Add(item) => item,
            other => panic!("{other:?}"),
        }
    };
    let plain = adding(json!({ "Text": "Call" }));
    let wanted = NewItem {
        id: id(7),
        origin: Origin::Api,
        text: "Call".to_owned(),
        ..new_item(7)
    };
    assert_eq!(plain, wanted);
    let due = "2026-11-20T09:14:00Z";
    let whole = adding(
        json!({ "Text": "Call", "Kind": "Info", "ParentId": id(3), "BeforeId": id(2), "Required": true,
        "Help": "h", "Note": "n", "Assignee": "a", "Due": due }),
    );
    let wanted = NewItem {
        kind: Kind::Info,
        parent: Some(id(3)),
        place: Place::Before(id(2)),
        required: true,
        help: Some("h".to_owned()),
        note: Some("n".to_owned()),
        assignee: Some("a".into()),
        due: due.parse().ok(),
        ..plain
    };
    assert_eq!(whole, wanted);
    let both = adding(json!({ "Text": "Call", "AfterId": id(1), "BeforeId": id(2) }));
    assert_eq!(both.place, Place::After(id(1)));
}

#[test]
fn a_way_to_sign_in_takes_a_password_or_an_authorization_server_or_nothing() {
    let of = |takes: fn(ConnectionMethod) -> bool| -> Vec<&str> {
        let all = ConnectionMethod::ALL.into_iter();
        all.filter(|method| takes(*method))
            .map(ConnectionMethod::name)
            .collect()
    };
    assert_eq!(of(ConnectionMethod::is_oauth), ["Delegated", "Application"]);
    assert_eq!(
        of(ConnectionMethod::has_password),
        [
            "Negotiate",
            "Kerberos",
            "NTLM",
            "Digest",
            "Forms",
            "SiteOnline"
        ]
    );
}

#[test]
fn what_a_connection_is_not_asked_to_forget_is_not_mentioned() {
    let asked = |secret, certificate| {
        let put = PutServiceConnection {
            remove_client_secret: secret,
            remove_client_certificate: certificate,
            ..PutServiceConnection::default()
        };
        let put = serde_json::to_value(put).expect("JSON");
        [&put["RemoveClientSecret"], &put["RemoveClientCertificate"]].map(Value::is_null)
    };
    assert_eq!(asked(false, false), [true, true]);
    assert_eq!(asked(true, false), [false, true]);
    assert_eq!(asked(false, true), [true, false]);
}

#[test]
fn a_webhook_stays_on_or_off_unless_somebody_says_otherwise() {
    let put = |fields: Value| serde_json::from_value::<PutWebhook>(fields).map(|put| put.enabled);
    let plain =
        json!({ "Name": "n", "Url": "https://desk.example/", "Events": ["checklist.completed"] });
    assert_eq!(put(plain.clone()).expect("a webhook"), Patch::Keep);
    let mut off = plain;
    off["Enabled"] = json!(false);
    assert_eq!(put(off).expect("a webhook"), Patch::Set(false));
}

#[test]
fn a_run_is_over_when_nothing_more_can_happen_and_a_plan_says_what_it_comes_to() {
    let over = RunState::ALL.into_iter().filter(|state| state.is_final());
    assert_eq!(
        over.collect::<Vec<_>>(),
        [RunState::Completed, RunState::Cancelled, RunState::Failed]
    );
    assert_eq!(
        PlannedAction::ALL.map(PlannedAction::outcome),
        [
            Outcome::Created,
            Outcome::Updated,
            Outcome::Adopted,
            Outcome::Deleted
        ]
    );
}

#[test]
fn events_of_the_stream_have_names_of_their_own() {
    let names = [
        (EventName::List, "list"),
        (EventName::Items, "items"),
        (EventName::Removed, "removed"),
        (EventName::Template, "template"),
        (EventName::Locked, "locked"),
        (EventName::Waived, "waived"),
        (EventName::Presence, "presence"),
        (EventName::Reset, "reset"),
        (EventName::Problem, "problem"),
        (EventName::Reauth, "reauth"),
    ];
    for (event, name) in names {
        assert_eq!(event.name(), name);
    }
}
