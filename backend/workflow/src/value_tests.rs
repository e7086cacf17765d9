//! Values in columns: what is written, and that the value a site returns for it compares equal.
//!
//! Otherwise every run would update the entry again.

use super::*;

fn column(kind: SiteFieldType) -> Column {
    serde_json::from_value(json!({
        "InternalName": "X", "DisplayName": "X", "Type": kind.name(),
    }))
    .expect("a column")
}

#[test]
fn what_a_site_gives_back_for_a_value_is_the_same_value() {
    use SiteFieldType as Kind;
    let ada = json!({"IsGroup": false, "Name": "i:0#.f|membership|ada@corp.example", "Title": "Ada L.",
        "Email": "Ada@corp.example"});
    for (kind, written, held) in [
        (Kind::String, json!("PC-1"), json!("PC-1 ")),
        (
            Kind::Note,
            json!("a\nb & c"),
            json!("<div class=\"x\">a<br>b &amp; c</div>"),
        ),
        (Kind::Note, json!("a\nb"), json!("a\r\nb")),
        (Kind::Number, json!(16), json!(16.0)),
        (Kind::Number, json!("16"), json!(16)),
        (Kind::Bool, json!(true), json!(true)),
        (
            Kind::DateTime,
            json!("2026-01-02T00:00:00Z"),
            json!("2026-01-02T00:00:00Z"),
        ),
        (
            Kind::DateTime,
            json!("2026-01-02T01:00:00+01:00"),
            json!("2026-01-02T00:00:00.000Z"),
        ),
        (Kind::MultiChoice, json!(["b", "a"]), json!(["a", "b"])),
        (Kind::User, json!("ada@CORP.example"), ada.clone()),
        (Kind::User, json!("Ada L."), ada.clone()),
        (
            Kind::UserMulti,
            json!(["i:0#.f|membership|ada@corp.example"]),
            json!([ada]),
        ),
        (
            Kind::Lookup,
            json!("3"),
            json!({"LookupId": 3, "LookupValue": "Red"}),
        ),
        (
            Kind::LookupMulti,
            json!(["3"]),
            json!([{"LookupId": 3, "LookupValue": "Red"}]),
        ),
        (
            Kind::Url,
            json!("https://example.org"),
            json!({"Url": "https://example.org/", "Description": "x"}),
        ),
        (Kind::String, Value::Null, json!("")),
        (Kind::MultiChoice, Value::Null, json!([])),
    ] {
        assert!(
            is_same(&column(kind), &written, &held),
            "{kind}: {written} and {held}"
        );
    }
}

#[test]
fn another_value_is_another() {
    use SiteFieldType as Kind;
    for (kind, written, held) in [
        (Kind::String, json!("PC-1"), json!("pc-1")),
        (Kind::Note, json!("a b"), json!("<div>a</div>")),
        (Kind::Number, json!(16), json!(17)),
        (Kind::Number, json!("many"), json!(17)),
        (Kind::Bool, json!(true), json!(false)),
        (
            Kind::DateTime,
            json!("2026-01-02T00:00:00Z"),
            json!("2026-01-02T00:00:01Z"),
        ),
        (Kind::MultiChoice, json!(["a"]), json!(["a", "b"])),
        (
            Kind::User,
            json!("ada"),
            json!({"IsGroup": false, "Name": "bob"}),
        ),
        (Kind::UserMulti, json!(["ada"]), json!([])),
        (
            Kind::Lookup,
            json!("3"),
            json!({"LookupId": 4, "LookupValue": "Red"}),
        ),
        (Kind::String, json!("x"), Value::Null),
        (Kind::Number, json!(0), Value::Null),
    ] {
        assert!(
            !is_same(&column(kind), &written, &held),
            "{kind}: {written} and {held}"
        );
    }
}

#[test]
fn a_day_is_a_day_in_a_column_of_days_and_a_midnight_in_one_of_times() {
    let day = ComputerValue::Day("2026-11-20".parse().expect("a day"));
    let mut dates = column(SiteFieldType::DateTime);
    assert_eq!(
        column_value(Some(day), &dates),
        json!("2026-11-20T00:00:00Z")
    );
    dates.date_only = true;
    assert_eq!(column_value(Some(day), &dates), json!("2026-11-20"));
    assert!(is_same(&dates, &json!("2026-11-20"), &json!("2026-11-20")));
    assert!(!is_same(&dates, &json!("2026-11-20"), &json!("2026-11-21")));
}
