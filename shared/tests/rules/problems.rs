//! Problems as people and programs get them: every code has a sentence of its own, and what is said
//! travels in both forms.
//!
//! Run with the other tests of the rules.

use std::collections::HashSet;

use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::{
    AboutBlank, FieldError, FieldErrorCode, ItemProblem, ItemProblemCode, ProblemCode,
};
use serde_json::json;

const ITEM_CODES: [ItemProblemCode; 17] = [
    ItemProblemCode::ItemNotFound,
    ItemProblemCode::IdTaken,
    ItemProblemCode::PermissionDenied,
    ItemProblemCode::StatusConflict,
    ItemProblemCode::TextConflict,
    ItemProblemCode::WordingConflict,
    ItemProblemCode::FieldConflict,
    ItemProblemCode::PlaceConflict,
    ItemProblemCode::NotApplicableNotAllowed,
    ItemProblemCode::ReasonRequired,
    ItemProblemCode::NoStatus,
    ItemProblemCode::ItemRetired,
    ItemProblemCode::InvalidPlace,
    ItemProblemCode::InvalidParent,
    ItemProblemCode::TextRequired,
    ItemProblemCode::BaseVersionRequired,
    ItemProblemCode::LimitExceeded,
];

#[test]
fn every_problem_of_an_item_has_a_sentence_of_its_own() {
    let mut sentences = HashSet::new();
    for code in ITEM_CODES {
        let problem = ItemProblem::from(code);
        assert_eq!(
            (problem.code, problem.detail.as_str()),
            (code, code.detail())
        );
        assert!(problem.detail.ends_with('.') && problem.detail.contains(' '));
        assert!(sentences.insert(problem.detail), "{code:?}");
    }
}

#[test]
fn what_is_wrong_with_a_field_is_said_in_english_and_by_its_code() {
    let phrase = Phrase::of(PhraseCode::SecretAndRemoval).with("field", "Secret");
    let error = FieldError::said("/Secret", FieldErrorCode::Invalid, phrase.clone());
    assert_eq!(error.detail, PhraseCode::SecretAndRemoval.english());
    assert_eq!(error.detail, phrase.sentence());
    assert_eq!(error.phrase.as_deref(), Some(&phrase));
    let plain = FieldError::new("/Secret", FieldErrorCode::Invalid, "No.");
    assert_eq!(plain.phrase, None);
}

#[test]
fn a_kind_of_problem_is_a_text_and_always_the_same_one() {
    assert_eq!(json!(AboutBlank), json!("about:blank"));
    let read = |kind| serde_json::from_value::<AboutBlank>(kind).is_ok();
    assert!(read(json!("about:blank")) && read(json!("https://example.org/full")));
    assert!(!read(json!(7)) && !read(json!(null)));
}

#[test]
fn the_names_of_problem_codes_are_those_on_the_wire() {
    for code in ProblemCode::ALL {
        assert_eq!(json!(code), json!(code.name()));
        assert_eq!(ProblemCode::from_name(code.name()), Some(code));
    }
}
