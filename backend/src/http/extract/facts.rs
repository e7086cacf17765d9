//! Facts in a query parameter: a JSON object, for calls that only show a template and keep nothing.

use checklist_services::check_facts;
use checklist_shared::Facts;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};

use super::field_errors;
use crate::http::problem::ProblemResponse;

/// The facts of the parameter `Facts`, if it is there.
///
/// # Errors
/// They are no JSON object of facts that a list could have; the pointers begin with `/Facts`.
pub fn facts_parameter(text: Option<&str>) -> Result<Option<Facts>, ProblemResponse> {
    let Some(text) = text else { return Ok(None) };
    let errors = match serde_json::from_str::<Facts>(text) {
        Ok(facts) => {
            check_facts(&facts)?;
            return Ok(Some(facts));
        }
        Err(_) => errors_in(text),
    };
    // Whoever shows one sentence shows what is wrong.
    let detail = (errors.first()).map_or_else(String::new, |error| error.detail.clone());
    Err(ProblemResponse::fields(
        ProblemCode::InvalidRequest,
        detail,
        errors,
    ))
}

fn errors_in(text: &str) -> Vec<FieldError> {
    let Ok(value) = serde_json::from_str(text) else {
        let detail = "This is not a valid JSON object of facts such as {\"Priority\": 1}.";
        return vec![FieldError::new("/Facts", FieldErrorCode::Invalid, detail)];
    };
    let mut errors = field_errors::of::<Facts>(text.as_bytes(), &value);
    for error in &mut errors {
        error.pointer.insert_str(0, "/Facts");
    }
    errors
}
