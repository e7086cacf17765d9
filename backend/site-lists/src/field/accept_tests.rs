//! What may be written into a column, and how a refusal reads.
//!
//! Tests of `accept`; the vectors hold the same for each type.

use serde_json::json;

use super::*;

fn column(kind: SiteFieldType, more: Value) -> Column {
    let mut all = json!({"InternalName": "F", "DisplayName": "F", "Type": kind});
    let more = more.as_object().cloned().unwrap_or_default();
    all.as_object_mut().expect("an object").extend(more);
    serde_json::from_value(all).expect("a column")
}

fn taken(
    kind: SiteFieldType,
    more: Value,
    given: Value,
) -> std::result::Result<FieldValue, String> {
    let parameter = ObjectExpressionParameter::new("F", given);
    accept(&column(kind, more), &parameter).map_err(|error| error.to_string())
}

#[test]
fn numbers_keep_fifteen_digits_and_more_are_refused() {
    use SiteFieldType::Number;
    for (given, kept) in [
        (
            json!(999_999_999_999_999_i64),
            json!(999_999_999_999_999_i64),
        ),
        (
            json!("0.000123456789012345"),
            json!(0.000_123_456_789_012_345),
        ),
        (json!(1e18), json!(1e18)),
        (json!(" 12.5 "), json!(12.5)),
        (json!(-3), json!(-3)),
    ] {
        let taken = taken(Number, json!({}), given.clone()).expect("fits");
        let FieldValue::Number(number) = taken else {
            panic!("{taken:?}")
        };
        assert_eq!(number.as_f64(), kept.as_f64(), "{given}");
    }
    for given in [
        json!(1_234_567_890_123_456_i64),
        json!("9999999999999999"),
        json!("12,5"),
        json!("NaN"),
        json!("inf"),
        json!(true),
    ] {
        assert!(taken(Number, json!({}), given.clone()).is_err(), "{given}");
    }
    let told = taken(Number, json!({}), json!("1234567890123456")).expect_err("16 digits");
    assert!(told.contains("text column"), "{told}");
}

#[test]
fn a_text_that_is_too_long_is_refused_with_both_lengths() {
    let more = json!({"MaxLength": 3});
    assert_eq!(
        taken(SiteFieldType::String, more.clone(), json!("abc")),
        Ok(FieldValue::Text("abc".to_owned()))
    );
    let told = taken(SiteFieldType::String, more, json!("ab😀")).expect_err("4 units");
    assert_eq!(told, "The field F holds 3 characters, not 4.");
}

#[test]
fn null_and_blank_clear_but_an_empty_text_is_a_text() {
    assert_eq!(
        taken(SiteFieldType::Number, json!({}), json!(null)),
        Ok(FieldValue::Empty)
    );
    assert_eq!(
        taken(SiteFieldType::DateTime, json!({}), json!("")),
        Ok(FieldValue::Empty)
    );
    assert_eq!(
        taken(SiteFieldType::String, json!({}), json!("")),
        Ok(FieldValue::Text(String::new()))
    );
    assert_eq!(
        taken(SiteFieldType::UserMulti, json!({}), json!([])),
        Ok(FieldValue::People(Vec::new()))
    );
}

#[test]
fn choices_are_the_columns_unless_it_takes_others() {
    let more = json!({"Choices": ["In use", "Scrapped"]});
    assert!(taken(SiteFieldType::Choice, more.clone(), json!("Scrapped")).is_ok());
    let told =
        taken(SiteFieldType::MultiChoice, more, json!(["In use", "Lost"])).expect_err("unknown");
    assert!(
        told.contains("\"Lost\"") && told.contains("In use, Scrapped"),
        "{told}"
    );
    let more = json!({"Choices": ["a"], "FillIn": true});
    assert!(taken(SiteFieldType::Choice, more, json!("b")).is_ok());
}

#[test]
fn people_are_named_by_text_id_or_record() {
    let named = |name: &str, is_group| Person::Named {
        name: name.to_owned(),
        is_group,
    };
    for (given, person) in [
        (json!("ada@corp.example"), named("ada@corp.example", None)),
        (json!(11), Person::Id(11)),
        (
            json!({"IsGroup": true, "Title": "Operators"}),
            named("Operators", Some(true)),
        ),
    ] {
        assert_eq!(
            taken(SiteFieldType::User, json!({}), given),
            Ok(FieldValue::People(vec![person]))
        );
    }
    assert!(taken(SiteFieldType::User, json!({}), json!(["a", "b"])).is_err());
    assert!(taken(SiteFieldType::User, json!({}), json!({"IsGroup": false})).is_err());
    assert!(
        taken(
            SiteFieldType::User,
            json!({}),
            json!({"isGroup": false, "Name": "x"})
        )
        .is_err()
    );
}

#[test]
fn a_column_of_another_type_than_the_caller_takes_it_for_is_refused() {
    let mut parameter = ObjectExpressionParameter::new("F", "2026-01-02");
    parameter.field_type = Some(SiteFieldType::DateTime);
    let error = accept(&column(SiteFieldType::String, json!({})), &parameter).expect_err("a text");
    assert_eq!(error.kind(), ErrorKind::InvalidValue);
    parameter.field_type = Some(SiteFieldType::Note);
    assert!(accept(&column(SiteFieldType::String, json!({})), &parameter).is_ok());
}

#[test]
fn types_that_cannot_be_written_are_refused_by_name() {
    for kind in SiteFieldType::ALL
        .into_iter()
        .filter(|kind| !kind.is_writable())
    {
        let parameter = ObjectExpressionParameter::new("F", "x");
        let error = accept(&column(kind, json!({})), &parameter).expect_err("read-only");
        assert_eq!(error.kind(), ErrorKind::UnsupportedFieldType);
        assert_eq!(error.field(), Some("F"));
    }
}

#[test]
fn links_are_links() {
    assert!(
        taken(
            SiteFieldType::Url,
            json!({}),
            json!("https://a.example/?q=1, x")
        )
        .is_ok()
    );
    assert!(
        taken(
            SiteFieldType::Url,
            json!({}),
            json!({"Url": "/sites/it", "Description": "IT"})
        )
        .is_ok()
    );
    for bad in [
        json!("javascript:alert(1)"),
        json!("no link"),
        json!({"Link": "x"}),
        json!(3),
    ] {
        assert!(
            taken(SiteFieldType::Url, json!({}), bad.clone()).is_err(),
            "{bad}"
        );
    }
}
