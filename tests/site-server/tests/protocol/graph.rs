//! Microsoft Graph: the same lists and items, in its words.
//!
//! What real clients rely on, asked over a real connection.

use checklist_site_server::Options;
use serde_json::{Value, json};

use crate::caller::{Caller, send, with_json};

fn lists(site: &Caller) -> String {
    format!("{}/lists", site.graph_site())
}

#[test]
fn a_site_is_found_by_path_and_by_its_three_part_id() {
    let site = Caller::new();
    let by_path = site.get(&site.graph_site()).expect(200).json();
    let id = by_path["id"].as_str().expect("an id").to_owned();
    assert_eq!(id.split(',').count(), 3);
    for path in [
        format!("/v1.0/sites/{id}"),
        format!("/v1.0/sites/{}", id.replace(',', "%2C")),
        format!(
            "/v1.0/sites/{}",
            site.graph_site()
                .replace("/v1.0/sites/", "")
                .trim_end_matches(':')
        ),
        "/v1.0/sites/127.0.0.1%3A%2Fsites%2Fdemo".to_owned(),
        "/v1.0/sites/root".to_owned(),
    ] {
        assert_eq!(site.get(&path).expect(200).json()["id"], id, "{path}");
    }
    let missing = site
        .get("/v1.0/sites/localhost:/sites/nowhere")
        .expect(404)
        .json();
    assert_eq!(missing["error"]["code"], "itemNotFound");
    assert!(missing["error"]["innerError"]["request-id"].is_string());
    let list = site
        .get(&format!("/v1.0/sites/{id}/lists/All%20Types"))
        .expect(200)
        .json();
    assert_eq!(list["list"]["template"], "genericList");
}

#[test]
fn columns_have_one_facet_and_hidden_ones_are_shown_only_when_asked_for() {
    let site = Caller::new();
    let columns = format!("{}/All Types/columns", lists(&site));
    let all = site.get(&columns).expect(200).json();
    let named = |all: &Value, name: &str| {
        let columns = all["value"].as_array().cloned().unwrap_or_default();
        columns.into_iter().find(|column| column["name"] == name)
    };
    for (name, facet) in [
        ("Text", "text"),
        ("Number", "number"),
        ("Currency", "currency"),
        ("Bool", "boolean"),
        ("DateTime", "dateTime"),
        ("Choice", "choice"),
        ("User", "personOrGroup"),
        ("LookupMulti", "lookup"),
        ("Calculated", "calculated"),
        ("Url", "hyperlinkOrPicture"),
        ("Term", "term"),
    ] {
        let column = named(&all, name).unwrap_or_default();
        assert!(column[facet].is_object(), "{name} {column}");
    }
    assert!(named(&all, "GUID").is_none());
    let with_hidden = site
        .get(&format!("{columns}?$select=name,hidden"))
        .expect(200)
        .json();
    assert!(named(&with_hidden, "GUID").is_some());
    let body = json!({"name": "SyncKey", "displayName": "Sync key", "hidden": true, "indexed": true,
        "enforceUniqueValues": true, "text": {"maxLength": 50}});
    let made = site.post(&columns, &body).expect(201).json();
    assert_eq!(
        (&made["name"], &made["enforceUniqueValues"]),
        (&json!("SyncKey"), &json!(true))
    );
    assert_eq!(
        site.post(&columns, &body).expect(409).json()["error"]["code"],
        "nameAlreadyExists"
    );
    site.post(&columns, &json!({"name": "Nothing"})).expect(400);
}

#[test]
fn an_item_is_made_read_changed_and_taken_away() {
    let site = Caller::new();
    let items = format!("{}/All Types/items", lists(&site));
    let fields = json!({"Title": "New", "Number": 2, "Bool": false, "DateTime": "2026-05-06T07:08:09Z",
        "MultiChoice@odata.type": "Collection(Edm.String)", "MultiChoice": ["First"],
        "UserLookupId": "12", "UserMultiLookupId@odata.type": "Collection(Edm.Int32)", "UserMultiLookupId": [12, 11],
        "LookupMultiLookupId@odata.type": "Collection(Edm.String)", "LookupMultiLookupId": ["1", "2"]});
    let made = site.post(&items, &json!({"fields": fields})).expect(201);
    let body = made.json();
    assert_eq!(body["id"], "4");
    assert_eq!(body["fields"]["UserLookupId"], "12");
    assert_eq!(body["fields"]["UserMulti"][0]["LookupValue"], "Bob Baker");
    assert_eq!(body["createdBy"]["user"]["email"], "alice@demo.test");
    assert!(
        body["webUrl"]
            .as_str()
            .unwrap_or_default()
            .ends_with("/Lists/All%20Types/4_.000")
    );
    assert!(body.get("name").is_none());
    let etag = made.header("etag").to_owned();
    let path = format!("{items}/4/fields");
    let patch = |etag: &str, body: &Value| {
        send(with_json(
            site.request("PATCH", &path).header("if-match", etag),
            body,
        ))
    };
    let changed = patch(&etag, &json!({"Title": "Changed", "UserLookupId": null}))
        .expect(200)
        .json();
    assert_eq!(changed["Title"], "Changed");
    assert!(changed.get("UserLookupId").is_none());
    assert_eq!(
        patch(&etag, &json!({"Title": "Again"})).expect(412).json()["error"]["code"],
        "resourceModified"
    );
    site.delete(&format!("{items}/4")).expect(204);
    assert_eq!(
        site.get(&format!("{items}/4")).expect(404).json()["error"]["code"],
        "itemNotFound"
    );
}

#[test]
fn what_graph_cannot_write_is_refused() {
    let site = Caller::new();
    let items = format!("{}/All Types/items", lists(&site));
    for fields in [
        json!({"MultiChoice": ["First"]}),
        json!({"User": "12"}),
        json!({"UserLookupId": "4711"}),
        json!({"Url": {"Url": "https://example.com", "Description": "d"}}),
        json!({"Term": {"TermGuid": "8246e3c1-19ea-4b22-8ae3-df9cbc150a74"}}),
        json!({"Calculated": 1}),
        json!({"Nonsense": 1}),
    ] {
        let answer = site.post(&items, &json!({"fields": fields}));
        assert_eq!(answer.status, 400, "{fields} {}", answer.text);
    }
    assert_eq!(site.get(&format!("{items}/$count")).expect(200).text, "3");
}

#[test]
fn a_query_without_an_index_needs_the_callers_word() {
    let site = Caller::new();
    let items = format!("{}/All Types/items", lists(&site));
    let indexed = site.get(&format!(
        "{items}?expand=fields(select=Title,User)&$filter=fields/Text eq 'It''s a / text'"
    ));
    let found = indexed.expect(200).json();
    assert_eq!(found["value"][0]["fields"]["Title"], "Everything");
    assert_eq!(found["value"][0]["fields"]["User"], "Alice Archer");
    let path = format!("{items}?$expand=fields&$filter=fields/Title eq 'Zero'");
    let refused = site.get(&path).expect(400);
    assert!(refused.error_message().starts_with(
        "Field 'Title' cannot be referenced in filter or orderby as it is not indexed."
    ));
    let prefer = "HonorNonIndexedQueriesWarningMayFailRandomly";
    let found = send(site.request("GET", &path).header("prefer", prefer))
        .expect(200)
        .json();
    assert_eq!(found["value"][0]["id"], "3");
    site.get(&format!(
        "{items}?$filter=createdDateTime gt 2026-01-01T00:00:00Z"
    ))
    .expect(400);
}

#[test]
fn pages_carry_an_opaque_link() {
    let site = Caller::of(Options::default());
    for number in 0..5 {
        site.new_computer(&format!("PC {number}"));
    }
    let mut next = Some(format!(
        "{}/Computers/items?$top=2&$expand=fields($select=Title)",
        lists(&site)
    ));
    let mut titles = Vec::new();
    while let Some(path) = next {
        let page = site.get(&path).expect(200).json();
        let rows = page["value"].as_array().cloned().unwrap_or_default();
        titles.extend(rows.iter().map(|row| {
            row["fields"]["Title"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        }));
        next = page["@odata.nextLink"].as_str().map(str::to_owned);
    }
    assert_eq!(titles, ["PC 0", "PC 1", "PC 2", "PC 3", "PC 4"]);
}

#[test]
fn a_list_is_made_with_its_columns() {
    let site = Caller::new();
    let body = json!({"displayName": "Made", "columns": [{"name": "Author1", "text": {}},
        {"name": "Pages", "number": {}}], "list": {"template": "genericList"}});
    let made = site.post(&lists(&site), &body).expect(201).json();
    assert_eq!(made["displayName"], "Made");
    let rest = site
        .get("/_api/web/lists/getByTitle('Made')/fields/getbytitle('Pages')")
        .expect(200)
        .json();
    assert_eq!(rest["TypeAsString"], "Number");
    site.post(&lists(&site), &body).expect(409);
    let bad = json!({"displayName": "Half", "columns": [{"name": "x"}]});
    site.post(&lists(&site), &bad).expect(400);
    site.get(&format!("{}/Half", lists(&site))).expect(404);
}
