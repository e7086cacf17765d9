//! Sends a change over either protocol: whether it may be sent twice, how often it is repeated after a
//! save conflict, and what its response says.

use crate::client::Idempotency;
use crate::error::{ErrorKind, Result, SiteError};
use crate::protocol::{PreparedChange, WriteAction, WriteResult};
use crate::response::SiteResponse;

/// How often a change is repeated that met another one on the site.
const MAX_CONFLICTS: u32 = 3;

impl PreparedChange {
    /// Whether it sets fields whatever the item's version: twice sets them once. With a version the
    /// second would be refused.
    const fn is_overwrite(&self) -> bool {
        matches!(self.action, WriteAction::Edit { etag: None, .. })
    }

    /// What a repeat of its request would do.
    pub(crate) const fn idempotency(&self) -> Idempotency {
        if self.is_overwrite() {
            Idempotency::Idempotent
        } else {
            Idempotency::NonIdempotent
        }
    }
}

/// Sends a change by itself, and again where it met another one that it may overwrite; `attempt`
/// sends its request, `parse` reads the id and version in a response.
///
/// # Errors
/// What the site refuses, or that nobody knows what has become of it.
pub(crate) async fn send_change<Sending>(
    change: &PreparedChange,
    attempt: impl Fn() -> Sending,
    parse: fn(&SiteResponse) -> WriteResult,
) -> Result<WriteResult>
where
    Sending: Future<Output = Result<SiteResponse>>,
{
    let mut conflicts = 0;
    loop {
        let response = attempt().await?;
        if response.is_save_conflict() && conflicts < MAX_CONFLICTS && change.is_overwrite() {
            conflicts += 1;
            continue;
        }
        return parse_outcome(&response, change, parse);
    }
}

/// The outcomes of changes; unknown where nothing was said.
pub(crate) fn or_unknown(outcomes: Vec<Option<Result<WriteResult>>>) -> Vec<Result<WriteResult>> {
    let unknown = || {
        Err(SiteError::new(
            ErrorKind::OutcomeUnknown,
            "The site said nothing about this change.",
        ))
    };
    let outcomes = outcomes.into_iter();
    outcomes
        .map(|outcome| outcome.unwrap_or_else(unknown))
        .collect()
}

/// The error of a change that an answer to several has nothing about.
pub(crate) fn no_response_error() -> SiteError {
    SiteError::new(
        ErrorKind::OutcomeUnknown,
        "The site's answer has no part for this change; it may or may not have been made.",
    )
}

/// What the response to a change says.
///
/// # Errors
/// The site refused it; or an item was made, and there is no telling which one it is.
pub(crate) fn parse_outcome(
    response: &SiteResponse,
    change: &PreparedChange,
    parse: fn(&SiteResponse) -> WriteResult,
) -> Result<WriteResult> {
    if !response.is_success() {
        let missing = if change.action == WriteAction::Add {
            ErrorKind::ListNotFound
        } else {
            ErrorKind::ItemNotFound
        };
        return Err(response.to_error(missing));
    }
    let WriteResult { id, etag } = parse(response);
    let id = change.action.id().or(id).ok_or_else(|| {
        response
            .unexpected_error("names no id of the new item")
            .of_kind(ErrorKind::OutcomeUnknown)
    })?;
    Ok(WriteResult { id: Some(id), etag })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    /// Sends a change to a site that answers with these statuses, the last one for ever; returns how
    /// often, and the outcome.
    async fn sent(action: WriteAction, statuses: &[u16]) -> (usize, Result<WriteResult>) {
        let change = PreparedChange {
            action,
            fields: Vec::new(),
        };
        let times = Cell::new(0);
        let attempt = || {
            let status = *statuses.get(times.get()).or(statuses.last()).expect("one");
            times.set(times.get() + 1);
            let response = SiteResponse {
                status,
                headers: HeaderMap::new(),
                body: Bytes::new(),
            };
            std::future::ready(Ok(response))
        };
        let outcome = send_change(&change, attempt, |_| WriteResult::default()).await;
        (times.get(), outcome)
    }

    fn edit(etag: Option<&str>) -> WriteAction {
        WriteAction::Edit {
            id: 7,
            etag: etag.map(str::to_owned),
        }
    }

    #[tokio::test]
    async fn a_change_that_was_made_is_sent_once() {
        for action in [edit(None), edit(Some("1")), WriteAction::Recycle { id: 7 }] {
            let (times, outcome) = sent(action, &[204]).await;
            assert_eq!((times, outcome.expect("made").id), (1, Some(7)));
        }
    }

    #[tokio::test]
    async fn only_what_may_overwrite_is_sent_again_where_two_writers_met() {
        let (times, outcome) = sent(edit(None), &[409, 409, 204]).await;
        assert_eq!((times, outcome.is_ok()), (3, true));
        let (times, outcome) = sent(edit(None), &[409]).await;
        assert_eq!((times, outcome.is_ok()), (4, false));
        for action in [
            edit(Some("1")),
            WriteAction::Add,
            WriteAction::Delete { id: 7, etag: None },
        ] {
            let (times, outcome) = sent(action, &[409, 204]).await;
            assert_eq!((times, outcome.is_ok()), (1, false));
        }
    }

    #[tokio::test]
    async fn an_item_that_nobody_can_name_is_unclear() {
        let (times, outcome) = sent(WriteAction::Add, &[201]).await;
        let error = outcome.expect_err("no id");
        assert_eq!((times, error.kind()), (1, ErrorKind::OutcomeUnknown));
    }
}
