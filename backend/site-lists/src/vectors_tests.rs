//! The public vectors of field values, `shared/vectors/site-fields.json`, and properties that hold
//! for any value: what is written is read again as it was given, over both protocols.
//! Run with the crate's own tests; clients in other languages can take the vectors as they are.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::field::ObjectExpressionParameter;
use crate::field::{Column, FieldValue, Person, SiteFieldType, Zone, accept};
use crate::rest::values::ReadContext;
use crate::{graph, rest};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Vectors {
    people: Map<String, Value>,
    columns: Map<String, Value>,
    read: Vec<Read>,
    write: Vec<Write>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Read {
    name: String,
    protocol: Option<String>,
    column: String,
    zone: Option<i32>,
    item: Value,
    value: Option<Value>,
    titles: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Write {
    name: String,
    protocol: Option<String>,
    column: String,
    zone: Option<i32>,
    #[serde(default)]
    given: Value,
    sent: Option<Value>,
    refused: Option<String>,
}

/// A site that knows the people of the vectors.
struct World {
    people: Map<String, Value>,
    zone: Zone,
}

impl ReadContext for World {
    fn person(&self, id: i64) -> Value {
        self.people
            .get(&id.to_string())
            .cloned()
            .unwrap_or_default()
    }

    fn zone(&self) -> Zone {
        self.zone
    }
}

fn vectors() -> Vectors {
    let text = include_str!("../../../shared/vectors/site-fields.json");
    serde_json::from_str(text).expect("vectors")
}

fn protocols(named: Option<&String>) -> Vec<&str> {
    named.map_or_else(|| vec!["Rest", "Graph"], |one| vec![one.as_str()])
}

fn column(vectors: &Vectors, name: &str) -> (Column, SiteFieldType) {
    let column: Column = serde_json::from_value(vectors.columns[name].clone()).expect(name);
    let kind = column.field_type.expect("a type");
    (column, kind)
}

fn read(
    protocol: &str,
    column: &Column,
    kind: SiteFieldType,
    item: &Value,
    world: &World,
) -> Value {
    match protocol {
        "Graph" => graph::values::read(column, kind, item, world),
        _ => rest::values::read(column, kind, item, world),
    }
}

/// What is sent, with people and dates resolved as a site would.
fn sent(
    protocol: &str,
    column: &Column,
    given: &Value,
    world: &World,
) -> crate::Result<Map<String, Value>> {
    let parameter = ObjectExpressionParameter::new(column.internal_name.clone(), given.clone());
    let mut value = accept(column, &parameter)?;
    if let FieldValue::Date(date) = value {
        value = FieldValue::Time(world.zone.midnight(date).expect("in range"));
    }
    if let FieldValue::People(people) = &mut value {
        for person in people {
            if let Person::Named { name, .. } = person {
                let found = world.people.iter().find(|(_, known)| {
                    ["Name", "Email", "Title"]
                        .iter()
                        .any(|part| known[*part] == json!(name))
                });
                *person = Person::Id(found.expect("somebody").0.parse().expect("a number"));
            }
        }
    }
    let fields = [(column.clone(), value)];
    Ok(match protocol {
        "Graph" => graph::values::write(&fields),
        _ => rest::values::write(&fields),
    })
}

#[test]
fn values_are_read_as_the_vectors_say() {
    let vectors = vectors();
    for vector in &vectors.read {
        for protocol in protocols(vector.protocol.as_ref()) {
            let world = World {
                people: vectors.people.clone(),
                zone: Zone { bias: vector.zone },
            };
            let (mut column, kind) = column(&vectors, &vector.column);
            if protocol == "Graph" {
                // Graph knows internal names only.
                column.entity_name = None;
            }
            let value = read(protocol, &column, kind, &vector.item, &world);
            if let Some(wanted) = &vector.value {
                assert_eq!(&value, wanted, "{protocol}: {}", vector.name);
            }
            if let Some(titles) = &vector.titles {
                let read: Vec<&str> = value
                    .as_array()
                    .expect("an array")
                    .iter()
                    .filter_map(|person| person["Title"].as_str())
                    .collect();
                assert_eq!(&read, titles, "{protocol}: {}", vector.name);
            }
        }
    }
}

#[test]
fn values_are_written_as_the_vectors_say() {
    let vectors = vectors();
    for vector in &vectors.write {
        for protocol in protocols(vector.protocol.as_ref()) {
            let world = World {
                people: vectors.people.clone(),
                zone: Zone { bias: vector.zone },
            };
            let (column, _) = column(&vectors, &vector.column);
            match (
                sent(protocol, &column, &vector.given, &world),
                &vector.sent,
                &vector.refused,
            ) {
                (Ok(sent), Some(wanted), None) => {
                    assert_eq!(&Value::Object(sent), wanted, "{protocol}: {}", vector.name)
                }
                (Err(error), None, Some(part)) => {
                    assert!(
                        error.to_string().contains(part),
                        "{protocol}: {}: {error}",
                        vector.name
                    );
                    assert_eq!(
                        error.field(),
                        Some(column.internal_name.as_str()),
                        "{}",
                        vector.name
                    );
                }
                (other, ..) => panic!("{protocol}: {}: {other:?}", vector.name),
            }
        }
    }
}

#[test]
fn every_type_is_read_by_a_vector_and_written_by_another() {
    let vectors = vectors();
    for kind in SiteFieldType::ALL {
        let is = |name: &str| column(&vectors, name).1 == kind;
        assert!(
            vectors.read.iter().any(|vector| is(&vector.column)),
            "{kind} is never read"
        );
        let either = [SiteFieldType::Note, SiteFieldType::Currency].contains(&kind);
        assert!(
            either || vectors.write.iter().any(|vector| is(&vector.column)),
            "{kind} is never written"
        );
    }
}

/// A value that fits a type, in the form in which it is read.
fn value_of(kind: SiteFieldType) -> BoxedStrategy<Value> {
    use SiteFieldType as Kind;
    let text = "[\\PC]{0,60}".prop_map(Value::from);
    match kind {
        Kind::String | Kind::Note => text.boxed(),
        Kind::Choice => prop::sample::select(vec!["a", "b"]).prop_map(Value::from).boxed(),
        Kind::MultiChoice => prop::sample::subsequence(vec!["a", "b", "c"], 0..=3).prop_map(Value::from).boxed(),
        Kind::Number | Kind::Currency => prop_oneof![
            (-999_999_999_999_999_i64..=999_999_999_999_999).prop_map(Value::from),
            // Fifteen digits, anywhere around the point.
            (-999_999_999_i64..=999_999_999, 1_u32..=6).prop_map(|(whole, places)| {
                let number = whole as f64 / 10_f64.powi(places as i32);
                if number.fract() == 0.0 { Value::from(number as i64) } else { Value::from(number) }
            }),
        ]
        .boxed(),
        Kind::Integer => any::<i32>().prop_map(Value::from).boxed(),
        Kind::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Kind::DateTime => (0_i64..4_102_444_800)
            .prop_map(|seconds| json!(jiff::Timestamp::from_second(seconds).expect("in range").to_string()))
            .boxed(),
        Kind::User => prop::sample::select(vec!["11", "8"]).prop_map(Value::from).boxed(),
        Kind::UserMulti => prop::sample::subsequence(vec!["11", "8"], 0..=2).prop_map(Value::from).boxed(),
        Kind::Lookup => (1_i64..1_000_000).prop_map(|id| json!({"LookupId": id, "LookupValue": null})).boxed(),
        Kind::LookupMulti => prop::collection::vec(1_i64..1_000_000, 0..5)
            .prop_map(|ids| ids.into_iter().map(|id| json!({"LookupId": id, "LookupValue": null})).collect())
            .boxed(),
        Kind::Url => ("[a-z]{1,20}", "[\\PC]{1,40}")
            .prop_map(|(host, text)| json!({"Url": format!("https://{host}.example/"), "Description": text}))
            .boxed(),
        Kind::Guid | Kind::Counter | Kind::Calculated | Kind::Taxonomy => Just(Value::Null).boxed(),
    }
}

fn typed_value() -> impl Strategy<Value = (SiteFieldType, Value)> {
    let writable: Vec<SiteFieldType> = SiteFieldType::ALL
        .into_iter()
        .filter(|kind| kind.is_writable())
        .collect();
    prop::sample::select(writable).prop_flat_map(|kind| (Just(kind), value_of(kind)))
}

proptest! {
    #[test]
    fn what_is_written_is_read_again_as_it_was_given((kind, given) in typed_value()) {
        let vectors = vectors();
        let (column, _) = column(&vectors, kind.name());
        let world = World { people: vectors.people.clone(), zone: Zone { bias: Some(-60) } };
        // People are chosen by number here, and read as records.
        let people = |value: &Value| world.person(value.as_str().and_then(|id| id.parse().ok()).unwrap_or_default());
        let (given, wanted) = match kind {
            SiteFieldType::User => (people(&given), people(&given)),
            SiteFieldType::UserMulti => {
                let all: Value = given.as_array().into_iter().flatten().map(people).collect();
                (all.clone(), all)
            }
            _ => (given.clone(), given),
        };
        for protocol in ["Rest", "Graph"] {
            let body = sent(protocol, &column, &given, &world).expect("fits");
            let value = read(protocol, &column, kind, &Value::Object(body), &world);
            prop_assert_eq!(&value, &wanted, "{} over {}", kind, protocol);
        }
    }

    #[test]
    fn a_date_is_read_again_in_every_zone(days in 0_i32..40_000, quarters in -48_i32..=56) {
        let vectors = vectors();
        let (column, kind) = column(&vectors, "Date");
        let world = World { people: Map::new(), zone: Zone { bias: Some(-quarters * 15) } };
        let date = jiff::civil::date(1990, 1, 1).saturating_add(jiff::Span::new().days(days));
        let given = json!(date.to_string());
        for protocol in ["Rest", "Graph"] {
            let body = sent(protocol, &column, &given, &world).expect("fits");
            prop_assert_eq!(read(protocol, &column, kind, &Value::Object(body), &world), given.clone());
        }
    }

    #[test]
    fn no_value_whatever_makes_the_conversions_panic(name in prop::sample::select(vec!["String", "Number", "Integer", "Bool", "DateTime", "Date", "MultiChoice", "User", "UserMulti", "Lookup", "LookupMulti", "Url", "Guid", "Counter", "Taxonomy"]), text in "[\\PC]{0,20}", number in any::<f64>(), shape in 0..7) {
        let vectors = vectors();
        let (column, kind) = column(&vectors, name);
        let world = World { people: Map::new(), zone: Zone::default() };
        let value = match shape {
            0 => json!(text),
            1 => json!(number),
            2 => json!([text, number]),
            3 => json!({"Url": text, "LookupId": number}),
            4 => json!([{"LookupId": text}]),
            5 => json!(true),
            _ => Value::Null,
        };
        for protocol in ["Rest", "Graph"] {
            let _ = read(protocol, &column, kind, &json!({"F": value, "FId": value, "FLookupId": value, "ID": value}), &world);
        }
        let _ = accept(&column, &ObjectExpressionParameter::new("F", value));
    }
}
