//! Items: every kind of value, ETags, and what is said when something is wrong.
//!
//! What real clients rely on, asked over a real connection.

use serde_json::{Value, json};

use crate::caller::{Caller, send, with_json};

const ALL: &str = "/_api/web/lists/getByTitle('All Types')/items";
const COMPUTERS: &str = "/_api/web/lists/getByTitle('Computers')/items";

#[test]
fn an_item_shows_what_the_service_shows_in_its_order() {
    let site = Caller::new();
    site.new_computer("PC");
    let item = site.get(&format!("{COMPUTERS}(1)")).expect(200);
    assert_eq!(item.header("etag"), "\"1\"");
    let names: Vec<_> = item
        .json()
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        names[..7],
        [
            "FileSystemObjectType",
            "Id",
            "ServerRedirectedEmbedUri",
            "ServerRedirectedEmbedUrl",
            "ContentTypeId",
            "Title",
            "ComplianceAssetId"
        ]
    );
    assert_eq!(
        names[names.len() - 8..],
        [
            "ID",
            "Modified",
            "Created",
            "AuthorId",
            "EditorId",
            "OData__UIVersionString",
            "Attachments",
            "GUID"
        ]
    );
}

#[test]
fn every_kind_of_value_is_read_in_the_shape_of_the_service() {
    let site = Caller::new();
    let item = site.get(&format!("{ALL}(1)")).expect(200).json();
    let expected = json!({"Text": "It's a / text", "Number": 42.5, "Integer": 7, "Bool": true,
        "DateTime": "2026-01-02T03:04:05Z", "DateOnly": "2026-02-01T08:00:00Z",
        "MultiChoice": ["First", "Third"], "UserId": 11, "UserStringId": "11",
        "UserMultiId": [11, 5], "UserMultiStringId": ["11", "5"], "LookupId": 1,
        "LookupMultiId": [2, 3], "Calculated": 85, "OData__SpecialField": "special",
        "Url": {"Description": "An example", "Url": "https://example.com/a?b=c"}});
    for (name, value) in expected.as_object().expect("an object") {
        assert_eq!(&item[name], value, "{name}");
    }
    assert_eq!(
        item["Term"]["Label"], "1",
        "the label is the number of the term here"
    );
    let empty = site.get(&format!("{ALL}(2)")).expect(200).json();
    assert_eq!(empty["UserMultiId"], Value::Null);
    assert_eq!(empty["LookupMultiId"], json!([]));
    assert_eq!(empty["Terms"], json!([]));
    assert!(item.get("User").is_none() && item.get("FileLeafRef").is_none());
}

#[test]
fn every_kind_of_value_is_written_and_cleared_again() {
    let site = Caller::new();
    let sent = json!({"Title": "New", "Text": "t", "Note": "n", "Number": 1.5, "Currency": 2,
        "Integer": 3, "Bool": true, "DateTime": "2026-05-06T07:08:09Z",
        "DateOnly": "2026-05-06T07:00:00Z", "Choice": "Second", "MultiChoice": ["First"],
        "UserId": 12, "UserMultiId": [12, 11], "LookupId": 2, "LookupMultiId": [1],
        "Url": {"Url": "https://example.com", "Description": "d"}, "OData__SpecialField": "s"});
    let made = site.post(ALL, &sent).expect(201);
    assert_eq!(made.header("etag"), "\"1\"");
    assert!(
        made.header("location").contains("/Items(4)"),
        "{:?}",
        made.headers
    );
    let read = site.get(&format!("{ALL}(4)")).expect(200).json();
    for (name, value) in sent.as_object().expect("an object") {
        assert_eq!(&read[name], value, "{name}");
    }
    assert_eq!(read["AuthorId"], 11);
    let cleared: serde_json::Map<_, _> = sent
        .as_object()
        .expect("an object")
        .keys()
        .map(|name| {
            (
                name.clone(),
                if name.ends_with("MultiId") {
                    json!([])
                } else {
                    Value::Null
                },
            )
        })
        .collect();
    site.patch(&format!("{ALL}(4)"), &Value::Object(cleared))
        .expect(204);
    let read = site.get(&format!("{ALL}(4)")).expect(200).json();
    for name in [
        "Text",
        "Number",
        "Bool",
        "DateTime",
        "MultiChoice",
        "UserId",
        "UserMultiId",
        "Url",
    ] {
        assert_eq!(read[name], Value::Null, "{name}");
    }
}

#[test]
fn a_verbose_body_names_its_type_and_the_others_must_not() {
    let site = Caller::new();
    let verbose = |body: &Value| {
        let request = site
            .request("POST", ALL)
            .header("content-type", "application/json;odata=verbose");
        send(request.body(body.to_string()))
    };
    let kind = json!({"type": "SP.Data.All_x0020_TypesListItem"});
    let body = json!({"__metadata": kind, "Title": "v", "MultiChoice": {"results": ["First"]},
        "UserMultiId": {"results": [11]}});
    let made = verbose(&body).expect(201).json();
    assert_eq!(made["MultiChoice"], json!(["First"]));
    verbose(&json!({"Title": "v"})).expect(400);
    let refused = site
        .post(ALL, &json!({"__metadata": kind, "Title": "v"}))
        .expect(400);
    assert_eq!(
        refused.error_message(),
        "The property '__metadata' does not exist on type 'SP.Data.All_x0020_TypesListItem'. Make sure to only use property names that are defined by the type."
    );
    site.post(ALL, &json!({"MultiChoice": {"results": ["First"]}}))
        .expect(400);
}

#[test]
fn what_is_wrong_with_a_value_is_said_and_nothing_is_written() {
    let site = Caller::new();
    let count = || {
        site.get("/_api/web/lists/getByTitle('All Types')/ItemCount")
            .json()["value"]
            .clone()
    };
    assert_eq!(count(), 3);
    for (body, status) in [
        (json!({"Nonsense": 1}), 400),
        (json!({"Number": "1"}), 400),
        (json!({"Bool": 1}), 400),
        (json!({"DateTime": "yesterday"}), 400),
        (json!({"MultiChoice": "First"}), 400),
        (json!({"User": 11}), 400),
        (json!({"UserId": 4711}), 500),
        (json!({"Calculated": 1}), 500),
        (json!({"Text": "x".repeat(256)}), 500),
        (json!([1]), 400),
    ] {
        let answer = site.post(ALL, &body);
        assert_eq!(answer.status, status, "{body} {}", answer.text);
    }
    assert_eq!(count(), 3);
}

#[test]
fn a_write_with_a_stale_etag_is_refused_with_412() {
    let site = Caller::new();
    let id = site.new_computer("PC");
    let path = format!("{COMPUTERS}({id})");
    let merge = |etag: &str, title: &str| {
        let request = site
            .request("POST", &path)
            .header("x-http-method", "MERGE")
            .header("if-match", etag);
        send(with_json(request, &json!({"Title": title})))
    };
    let first = merge("\"1\"", "One").expect(204);
    assert_eq!(first.header("etag"), "\"2\"");
    let stale = merge("\"1\"", "Two").expect(412);
    assert_eq!(stale.error_number(), "-1");
    assert!(
        stale
            .error_message()
            .starts_with("The request ETag value '\"1\"' does not match the object's ETag value")
    );
    merge("*", "Three").expect(204);
    assert_eq!(site.get(&path).json()["Title"], "Three");
    let gone = send(
        site.request("POST", &path)
            .header("x-http-method", "DELETE")
            .header("if-match", "\"1\""),
    );
    gone.expect(412);
    let gone = send(
        site.request("POST", &path)
            .header("x-http-method", "DELETE")
            .header("if-match", "*"),
    );
    assert_eq!(gone.expect(200).text, "");
    let missing = site.get(&path).expect(404);
    assert_eq!(
        missing.json()["odata.error"]["code"],
        "-2130575338, System.ArgumentException"
    );
}

#[test]
fn one_item_is_reached_by_every_address_that_clients_write() {
    let site = Caller::new();
    for path in [
        "items(1)",
        "items/GetById(1)",
        "getItemById(1)",
        "Items(1)/",
    ] {
        let path = format!("/_api/web/lists/getByTitle('All Types')/{path}");
        assert_eq!(
            site.get(&path).expect(200).json()["Title"],
            "Everything",
            "{path}"
        );
    }
    let parent =
        site.get("/_api/web/lists/getByTitle('All Types')/getItemById(1)/ParentList?$select=Title");
    assert_eq!(parent.expect(200).json(), json!({"Title": "All Types"}));
    let title = site.get(&format!("{ALL}(1)/Title")).expect(200).json();
    assert_eq!(title, json!({"value": "Everything"}));
    assert_eq!(
        site.get(&format!("{ALL}(1)/Title/$value")).expect(200).text,
        "Everything"
    );
    assert_eq!(site.get(&format!("{ALL}/$count")).expect(200).text, "3");
}

#[test]
fn a_recycled_item_can_be_put_back() {
    let site = Caller::new();
    let id = site.new_computer("PC");
    let path = format!("{COMPUTERS}({id})");
    let bin = site
        .post(&format!("{path}/recycle"), &json!({}))
        .expect(200)
        .json();
    let kept = bin["value"].as_str().expect("an id").to_owned();
    site.get(&path).expect(404);
    let listed = site.get("/_api/web/recyclebin").expect(200).json();
    assert_eq!(listed["value"][0]["Id"], kept);
    site.post(
        &format!("/_api/web/recyclebin('{kept}')/restore()"),
        &json!({}),
    )
    .expect(200);
    assert_eq!(site.get(&path).expect(200).json()["Title"], "PC");
}

#[test]
fn a_form_write_answers_200_and_tells_what_is_wrong_beside_the_value() {
    let site = Caller::new();
    let path = format!("{ALL}(1)/ValidateUpdateListItem");
    let write = |name: &str, value: &str| {
        let body = json!({"formValues": [{"FieldName": name, "FieldValue": value}], "bNewDocumentUpdate": false});
        site.post(&path, &body).expect(200).json()["value"][0].clone()
    };
    let bad = write("DateTime", "nonsense");
    assert_eq!(
        (bad["HasException"].clone(), bad["ErrorCode"].clone()),
        (json!(true), json!(-2_146_232_832))
    );
    assert_eq!(write("DateTime", "1/2/2026 3:04 PM")["HasException"], false);
    assert_eq!(write("Bool", "0")["HasException"], false);
    assert_eq!(
        write("MultiChoice", "First;#Second;#")["HasException"],
        false
    );
    assert_eq!(
        write("User", "[{\"Key\":\"i:0#.f|membership|bob@demo.test\"}]")["HasException"],
        false
    );
    let item = site.get(&format!("{ALL}(1)")).json();
    assert_eq!(item["DateTime"], "2026-01-02T23:04:00Z", "Pacific time");
    assert_eq!(item["Bool"], false);
    assert_eq!(item["MultiChoice"], json!(["First", "Second"]));
    assert_eq!(item["UserId"], 12);
}

#[test]
fn attachments_are_kept_and_given_back() {
    let site = Caller::new();
    let add = format!("{ALL}(1)/AttachmentFiles/add(FileName='I''m special.txt')");
    let added = send(site.request("POST", &add).body("content"));
    assert_eq!(added.expect(200).json()["FileName"], "I'm special.txt");
    let item = site.get(&format!(
        "{ALL}(1)?$select=Attachments,AttachmentFiles/FileName&$expand=AttachmentFiles"
    ));
    assert_eq!(
        item.json()["AttachmentFiles"][0]["FileName"],
        "I'm special.txt"
    );
    assert_eq!(item.json()["Attachments"], true);
    let file = format!("{ALL}(1)/AttachmentFiles('I''m special.txt')");
    assert_eq!(
        site.get(&format!("{file}/$value")).expect(200).text,
        "content"
    );
    site.delete(&file).expect(200);
    site.get(&format!("{file}/$value")).expect(404);
}
