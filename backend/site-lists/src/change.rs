//! One change over either protocol: what a repeat of it would do, how often it is sent again when it
//! met another one on the site, and what the answer to it says.

use crate::answer::Answer;
use crate::error::{ErrorKind, Result};
use crate::protocol::{Act, Change, Done};
use crate::wire::Effect;

/// How often a change is repeated that met another one on the site.
const CONFLICTS: u32 = 3;

impl Change {
    /// Whether it sets fields whatever the item's version: twice sets them once. With a version the
    /// second would be refused.
    const fn overwrites(&self) -> bool {
        matches!(self.act, Act::Edit { etag: None, .. })
    }

    /// What a repeat of its request would do.
    pub(crate) const fn effect(&self) -> Effect {
        if self.overwrites() {
            Effect::Harmless
        } else {
            Effect::Once
        }
    }
}

/// Sends a change by itself, and again where it met another one that it may overwrite; `attempt`
/// sends its request, `told` reads what an answer tells of the item.
///
/// # Errors
/// What the site refuses, or that nobody knows what has become of it.
pub(crate) async fn carried_out<Sent>(
    change: &Change,
    attempt: impl Fn() -> Sent,
    told: fn(&Answer) -> Done,
) -> Result<Done>
where
    Sent: Future<Output = Result<Answer>>,
{
    let mut conflicts = 0;
    loop {
        let answer = attempt().await?;
        if answer.is_save_conflict() && conflicts < CONFLICTS && change.overwrites() {
            conflicts += 1;
            continue;
        }
        return outcome(&answer, change, told);
    }
}

/// What the answer to a change says.
///
/// # Errors
/// The site refused it; or an item was made, and there is no telling which one it is.
pub(crate) fn outcome(answer: &Answer, change: &Change, told: fn(&Answer) -> Done) -> Result<Done> {
    if !answer.is_success() {
        let missing = if change.act == Act::Add {
            ErrorKind::ListNotFound
        } else {
            ErrorKind::ItemNotFound
        };
        return Err(answer.refusal(missing));
    }
    let Done { id, etag } = told(answer);
    let id = change.act.id().or(id).ok_or_else(|| {
        answer
            .unexpected("names no id of the new item")
            .of_kind(ErrorKind::OutcomeUnknown)
    })?;
    Ok(Done { id: Some(id), etag })
}
