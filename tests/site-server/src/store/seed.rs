//! What a new site holds: the list that the example workflow fills, and one with a column of each
//! kind and a few rows.
//!
//! Called when the server starts without a data file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Field, FieldKind as K, List, Site, list, person};

/// The name of the list of computers.
pub const COMPUTERS: &str = "Computers";
/// The name of the list with a column of each kind.
pub const ALL_KINDS: &str = "All Types";

/// The demo's site.
#[must_use]
pub fn demo(path: &str, zone: &str) -> Site {
    let mut site = Site::new(path, zone);
    site.title = "Demo".to_owned();
    computers(&mut site);
    all_kinds(&mut site);
    site
}

fn add(list: &mut List, name: &str, kind: K, own: Value) {
    let mut field = Field::new("", name, kind);
    if let Value::Object(own) = own {
        for (name, value) in own {
            match name.as_str() {
                "Indexed" => field.indexed = true,
                "Default" => field.default = value.as_str().map(str::to_owned),
                _ => {
                    field.own.insert(name, value);
                }
            }
        }
    }
    list.add_field(field).expect("a column of the demo's own");
}

fn fill(list: &mut List, rows: Vec<Value>, by: u32) {
    for row in rows {
        let values: BTreeMap<String, Value> = match row {
            Value::Object(row) => row.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        list.add(values, by).expect("a row of the demo's own");
    }
}

fn new_list<'a>(site: &'a mut Site, title: &str, description: &str) -> &'a mut List {
    let id = site.add_list(title, description, list::GENERIC);
    let id = id.expect("the site is new");
    site.list_mut(id).expect("it was just added")
}

fn computers(site: &mut Site) {
    let list = new_list(site, COMPUTERS, "Filled by the computer export");
    add(list, "SerialNumber", K::Text, json!({"Indexed": true}));
    add(list, "Model", K::Text, json!({}));
    add(list, "OperatingSystem", K::Text, json!({}));
    let statuses = json!([
        "Ordered",
        "In stock",
        "In use",
        "In repair",
        "Missing",
        "Scrapped"
    ]);
    add(
        list,
        "Status",
        K::Choice,
        json!({"Choices": statuses, "Indexed": true}),
    );
    add(list, "AssignedTo", K::User, json!({"SelectionMode": 0}));
    add(list, "MemoryGB", K::Number, json!({}));
    add(
        list,
        "PurchaseDate",
        K::DateTime,
        json!({"DisplayFormat": 0}),
    );
    add(list, "Price", K::Currency, json!({}));
    add(list, "InventoryLink", K::Url, json!({}));
    add(list, "Notes", K::Note, json!({}));
}

fn all_kinds(site: &mut Site) {
    let colours = new_list(site, "Colours", "What the look-up columns look up");
    fill(
        colours,
        ["Red", "Green", "Blue"]
            .map(|name| json!({"Title": name}))
            .into(),
        person::ADMIN,
    );
    let colours = colours.id;
    let target = json!({"LookupList": format!("{{{colours}}}"), "LookupField": "Title"});
    let list = new_list(site, ALL_KINDS, "A column of each kind");
    add(list, "Text", K::Text, json!({"Indexed": true}));
    add(list, "Note", K::Note, json!({}));
    add(list, "Rich Note", K::Note, json!({"RichText": true}));
    add(list, "Number", K::Number, json!({"Indexed": true}));
    add(list, "Currency", K::Currency, json!({}));
    add(list, "Integer", K::Integer, json!({}));
    add(list, "Bool", K::Boolean, json!({"Default": "0"}));
    add(list, "DateTime", K::DateTime, json!({"Indexed": true}));
    add(list, "DateOnly", K::DateTime, json!({"DisplayFormat": 0}));
    let choices = json!({"Choices": ["First", "Second", "Third"], "FillInChoice": true});
    add(list, "Choice", K::Choice, choices.clone());
    add(list, "MultiChoice", K::MultiChoice, choices);
    add(list, "User", K::User, json!({}));
    add(list, "UserMulti", K::UserMulti, json!({}));
    add(list, "Lookup", K::Lookup, target.clone());
    add(list, "LookupMulti", K::LookupMulti, target);
    add(list, "Url", K::Url, json!({}));
    add(list, "Guid", K::Guid, json!({}));
    add(
        list,
        "Calculated",
        K::Calculated,
        json!({"Formula": "=[Number]*2", "OutputType": 9}),
    );
    add(list, "Term", K::TaxonomyFieldType, json!({}));
    add(list, "Terms", K::TaxonomyFieldTypeMulti, json!({}));
    add(list, "_SpecialField", K::Text, json!({}));
    let english =
        json!({"Label": "English", "TermGuid": "8246e3c1-19ea-4b22-8ae3-df9cbc150a74", "WssId": 1});
    let rows = vec![
        json!({"Title": "Everything", "Text": "It's a / text", "Note": "One\nTwo",
            "Rich_x0020_Note": "<div>Rich <b>text</b></div>", "Number": 42.5, "Currency": 19.99,
            "Integer": 7, "Bool": true, "DateTime": "2026-01-02T03:04:05Z",
            "DateOnly": "2026-02-01T08:00:00Z", "Choice": "First",
            "MultiChoice": ["First", "Third"], "User": person::ALICE,
            "UserMulti": [person::ALICE, person::MEMBERS], "Lookup": 1, "LookupMulti": [2, 3],
            "Url": {"Description": "An example", "Url": "https://example.com/a?b=c"},
            "Guid": Uuid::from_u128(7), "Term": english,
            "Terms": [{"Label": "English", "TermGuid": "8246e3c1-19ea-4b22-8ae3-df9cbc150a74", "WssId": 1}],
            "_SpecialField": "special"}),
        json!({"Title": "Nothing"}),
        json!({"Title": "Zero", "Text": "", "Number": 0, "Bool": false, "User": person::BOB}),
    ];
    fill(list, rows, person::ALICE);
}
