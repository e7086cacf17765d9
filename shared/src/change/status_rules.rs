//! What the status of an item needs, whoever sets or proposes it: an answer that the item asks for, a
//! reason, and a wording that was on the screen.

use super::request::Session;
use crate::answer::Answer;
use crate::facts::FactValue;
use crate::item::{Item, Status};
use crate::problem::ItemProblemCode as Code;
use crate::text::is_blank;

/// The answer that comes with a status, if the item asks for it.
pub(super) fn given_answer(
    item: &Item,
    given: Option<&FactValue>,
    status: Status,
    session: &Session<'_>,
) -> Result<Option<Answer>, Code> {
    let Some(value) = given else { return Ok(None) };
    let format = item.answer_format.as_deref();
    let format = format.filter(|format| status == Status::Done && format.accepts(value));
    let format = format.ok_or(Code::InvalidAnswer)?;
    Ok(Some(format.answer(value.clone(), session.languages)))
}

/// Whether the item may have that status for that reason: "not applicable" where the template allows
/// it, and another one than its signal says only with a reason.
pub(super) fn check_reason(item: &Item, status: Status, reason: Option<&str>) -> Result<(), Code> {
    let is_not_applicable = status == Status::NotApplicable;
    let needs_reason =
        (is_not_applicable && item.not_applicable_needs_reason) || item.would_override(status);
    if is_not_applicable && !item.allow_not_applicable {
        Err(Code::NotApplicableNotAllowed)
    } else if needs_reason && reason.is_none_or(is_blank) {
        Err(Code::ReasonRequired)
    } else {
        Ok(())
    }
}

/// The wording that was on the screen. Without records it is unknown, and not needed.
pub(super) fn text_by_hash<'a>(item: &'a Item, hash: &str) -> Option<(Option<&'a str>, &'a str)> {
    #[cfg(feature = "records")]
    return item.text.by_hash(hash);
    #[cfg(not(feature = "records"))]
    {
        let _ = (item, hash);
        None
    }
}
