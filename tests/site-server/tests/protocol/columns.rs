//! Columns: read, made in three ways, changed, unique.
//!
//! What real clients rely on, asked over a real connection.

use serde_json::{Value, json};

use crate::caller::Caller;

const FIELDS: &str = "/_api/web/lists/getByTitle('Computers')/fields";
const ITEMS: &str = "/_api/web/lists/getByTitle('Computers')/items";

#[test]
fn a_column_says_what_it_is_by_name_and_number() {
    let site = Caller::new();
    let of = |name: &str| {
        let path = format!(
            "/_api/web/lists/getByTitle('All Types')/fields/getbyinternalnameortitle('{name}')"
        );
        site.get(&path).expect(200).json()
    };
    for (name, kind, number) in [
        ("Text", "Text", 2),
        ("Note", "Note", 3),
        ("DateTime", "DateTime", 4),
        ("MultiChoice", "MultiChoice", 15),
        ("UserMulti", "UserMulti", 20),
        ("LookupMulti", "LookupMulti", 7),
        ("Url", "URL", 11),
        ("Calculated", "Calculated", 17),
        ("Term", "TaxonomyFieldType", 0),
        ("FileRef", "Lookup", 7),
        ("EncodedAbsUrl", "Computed", 12),
    ] {
        let field = of(name);
        assert_eq!(
            (&field["TypeAsString"], &field["FieldTypeKind"]),
            (&json!(kind), &json!(number)),
            "{name}"
        );
    }
    assert_eq!(of("Rich Note")["InternalName"], "Rich_x0020_Note");
    assert_eq!(
        of("_SpecialField")["EntityPropertyName"],
        "OData__SpecialField"
    );
    assert_eq!(of("Choice")["Choices"], json!(["First", "Second", "Third"]));
    let all = site.get(FIELDS).expect(200).json();
    assert!(all["value"].as_array().map_or(0, Vec::len) > 80);
}

#[test]
fn a_column_is_made_by_post_and_by_xml_and_changed() {
    let site = Caller::new();
    let made = site
        .post(FIELDS, &json!({"Title": "With Space", "FieldTypeKind": 2}))
        .expect(201)
        .json();
    assert_eq!(made["InternalName"], "With_x0020_Space");
    let xml = "<Field Type='Text' Name='SyncKey' DisplayName='Sync key' Hidden='TRUE' Indexed='TRUE' EnforceUniqueValues='TRUE'/>";
    let body = json!({"parameters": {"SchemaXml": xml, "Options": 8}});
    let made = site
        .post(&format!("{FIELDS}/createfieldasxml"), &body)
        .expect(200)
        .json();
    assert_eq!(
        (
            &made["InternalName"],
            &made["EnforceUniqueValues"],
            &made["Hidden"]
        ),
        (&json!("SyncKey"), &json!(true), &json!(true))
    );
    let path = format!("{FIELDS}/getbyinternalnameortitle('With Space')");
    site.patch(&path, &json!({"Title": "Renamed", "Indexed": true}))
        .expect(204);
    let changed = site
        .get(&format!("{FIELDS}/getbytitle('Renamed')"))
        .expect(200)
        .json();
    assert_eq!(
        (&changed["InternalName"], &changed["Indexed"]),
        (&json!("With_x0020_Space"), &json!(true))
    );
    site.post(
        &format!("{FIELDS}/getbytitle('Model')/enableIndex"),
        &json!({}),
    )
    .expect(200);
    let indexed = site.get(&format!("{FIELDS}/getbytitle('Model')?$select=Indexed"));
    assert_eq!(indexed.expect(200).json(), json!({"Indexed": true}));
    site.delete(&format!("{FIELDS}/getbytitle('Renamed')"))
        .expect(200);
    site.get(&format!("{FIELDS}/getbytitle('Renamed')"))
        .expect(400);
    site.delete(&format!("{FIELDS}/getbytitle('Created')"))
        .expect(400);
    site.post(FIELDS, &json!({"Title": "x", "FieldTypeKind": 999}))
        .expect(500);
    site.post(
        FIELDS,
        &json!({"Title": "x", "FieldTypeKind": 2, "Nonsense": 1}),
    )
    .expect(400);
}

#[test]
fn a_unique_column_takes_no_value_twice() {
    let site = Caller::new();
    let made = site.post(
        FIELDS,
        &json!({"Title": "Key", "FieldTypeKind": 2, "EnforceUniqueValues": true}),
    );
    assert_eq!(made.expect(201).json()["Indexed"], true);
    site.post(ITEMS, &json!({"Key": "a"})).expect(201);
    let clash = site.post(ITEMS, &json!({"Key": "A"})).expect(500);
    assert_eq!(
        clash.json()["odata.error"]["code"],
        "-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException"
    );
    let second = site.post(ITEMS, &json!({"Key": "b"})).expect(201).json();
    let path = format!("{ITEMS}({})", second["Id"]);
    site.patch(&path, &json!({"Key": "a"})).expect(500);
    site.patch(&path, &json!({"Key": "b", "Title": "same key again"}))
        .expect(204);
    site.post(ITEMS, &json!({"Key": Value::Null})).expect(201);
    site.post(ITEMS, &json!({"Key": Value::Null})).expect(201);
    // A column that holds a value twice cannot be made unique.
    site.post(ITEMS, &json!({"Model": "m"})).expect(201);
    site.post(ITEMS, &json!({"Model": "m"})).expect(201);
    let model = format!("{FIELDS}/getbytitle('Model')");
    site.patch(&model, &json!({"EnforceUniqueValues": true}))
        .expect(500);
}

#[test]
fn people_are_found_by_login_mail_and_number() {
    let site = Caller::new();
    let post = |path: &str, body: &Value| site.post(path, body);
    let by_body = post(
        "/_api/web/ensureuser",
        &json!({"logonName": "i:0#.f|membership|bob@demo.test"}),
    );
    assert_eq!(by_body.expect(200).json()["Id"], 12);
    let by_address = post("/_api/web/EnsureUser('bob@demo.test')", &json!({}));
    assert_eq!(by_address.expect(200).json()["Title"], "Bob Baker");
    let unknown = post(
        "/_api/web/ensureuser",
        &json!({"logonName": "nobody@demo.test"}),
    );
    assert_eq!(unknown.expect(500).error_number(), "-2146232832");
    for path in [
        "siteusers(12)",
        "GetUserById(12)",
        "siteUsers/getByEmail('bob@demo.test')",
        "siteUsers(@v)?@v='i%3A0%23.f%7Cmembership%7Cbob%40demo.test'",
    ] {
        assert_eq!(
            site.get(&format!("/_api/web/{path}")).expect(200).json()["Id"],
            12,
            "{path}"
        );
    }
    let row = site.get("/_api/web/siteuserinfolist/items(12)?$select=Title,FirstName,LastName,EMail,Name,IsSiteAdmin");
    assert_eq!(row.expect(200).json()["LastName"], "Baker");
    assert_eq!(site.get("/_api/web/currentuser").json()["Id"], 11);
    let group = site
        .get("/_api/web/sitegroups/getbyname('Demo Members')/users")
        .expect(200)
        .json();
    assert_eq!(group["value"].as_array().map(Vec::len), Some(2));
    site.get("/_api/web/siteusers(4711)").expect(404);
}
