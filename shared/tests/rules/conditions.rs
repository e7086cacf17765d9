//! Properties of conditions over arbitrary facts.
//!
//! Which condition holds for which facts is told by `conditions.json` of the vectors.

use checklist_shared::Facts;
use checklist_shared::condition::{Condition, Test};
use checklist_shared::facts::{FactNumber, FactValue};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const NAMES: [&str; 3] = ["a", "b", "c"];

fn value() -> impl Strategy<Value = FactValue> {
    prop_oneof![
        "[ab]?".prop_map(FactValue::Text),
        any::<bool>().prop_map(FactValue::Boolean),
        number().prop_map(FactValue::Number),
    ]
}

fn number() -> impl Strategy<Value = FactNumber> {
    prop_oneof![(-2_i8..3).prop_map(f64::from), any::<f64>()]
        .prop_filter_map("not finite", FactNumber::new)
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned)
}

fn named_facts() -> impl Strategy<Value = Vec<(String, FactValue)>> {
    prop::collection::vec((name(), value()), 0..4).prop_map(|mut facts| {
        let mut seen = Vec::new();
        facts.retain(|(name, _)| {
            !seen.contains(name) && {
                seen.push(name.clone());
                true
            }
        });
        facts
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let test = prop_oneof![
        value().prop_map(Test::Is),
        prop::collection::vec(value(), 1..4).prop_map(Test::In),
        number().prop_map(Test::AtLeast),
        number().prop_map(Test::AtMost),
        any::<bool>().prop_map(Test::Present),
    ];
    let fact = (name(), test).prop_map(|(name, test)| Condition::Fact { name, test });
    fact.prop_recursive(4, 20, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            several.clone().prop_map(Condition::All),
            several.prop_map(Condition::Any),
            inner.prop_map(|part| Condition::Not(Box::new(part))),
        ]
    })
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct("tests/rules/conditions.proptest-regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn not_all_is_any_not_and_not_any_is_all_not(parts in prop::collection::vec(condition(), 1..4), facts in named_facts()) {
        let facts: Facts = facts.into_iter().collect();
        let turned: Vec<Condition> = parts.iter().cloned().map(not).collect();
        prop_assert_eq!(not(Condition::All(parts.clone())).holds(&facts), Condition::Any(turned.clone()).holds(&facts));
        prop_assert_eq!(not(Condition::Any(parts)).holds(&facts), Condition::All(turned).holds(&facts));
    }

    #[test]
    fn the_order_of_facts_makes_no_difference(condition in condition(), facts in named_facts()) {
        let turned: Facts = facts.iter().rev().cloned().collect();
        let facts: Facts = facts.into_iter().collect();
        prop_assert_eq!(&facts, &turned);
        prop_assert_eq!(serde_json::to_string(&facts).expect("JSON"), serde_json::to_string(&turned).expect("JSON"));
        prop_assert_eq!(condition.holds(&facts), condition.holds(&turned));
    }

    #[test]
    fn facts_and_conditions_are_read_as_they_were_written(condition in condition(), facts in named_facts()) {
        let facts: Facts = facts.into_iter().collect();
        let json = serde_json::to_string(&(&condition, &facts)).expect("JSON");
        let read: (Condition, Facts) = serde_json::from_str(&json).expect("what was written");
        prop_assert_eq!(read, (condition, facts));
    }

    #[test]
    fn a_fact_of_another_type_is_no_fact(name in name(), least in number(), text in "[a-z]{0,3}") {
        let facts: Facts = [(name.clone(), FactValue::Text(text))].into_iter().collect();
        for test in [Test::AtLeast(least), Test::AtMost(least), Test::Is(FactValue::Number(least))] {
            let condition = Condition::Fact { name: name.clone(), test };
            prop_assert!(!condition.holds(&facts) && !condition.holds(&Facts::default()));
        }
    }
}

#[test]
fn facts_have_a_limit_in_number_name_and_text() {
    let text = |length: usize| FactValue::Text("x".repeat(length));
    let of = |count: usize| -> Facts { (0..count).map(|n| (format!("{n}"), text(1000))).collect() };
    assert_eq!(of(50).faults(), []);
    assert_eq!(of(51).faults().len(), 1);
    for (name, value) in [
        ("n".repeat(201), text(1)),
        (" ".to_owned(), text(1)),
        ("a\nb".to_owned(), text(1)),
        ("a".to_owned(), text(1001)),
    ] {
        let facts: Facts = [(name.clone(), value)].into_iter().collect();
        let names: Vec<Option<&str>> = facts.faults().iter().map(|fault| fault.0).collect();
        assert_eq!(names, [Some(name.as_str())]);
    }
}

#[test]
fn a_fact_that_is_there_twice_or_has_no_value_is_refused() {
    for json in [
        r#"{"a": 1, "a": 2}"#,
        r#"{"a": null}"#,
        r#"{"a": []}"#,
        r#"{"a": {"b": 1}}"#,
        r#"[["a", 1]]"#,
    ] {
        assert!(serde_json::from_str::<Facts>(json).is_err(), "{json}");
    }
}
