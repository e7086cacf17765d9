//! What an answer means for the queue: done, retry, sign in, or give up.
//!
//! Retries only where they can help: no network, 408, 429, 5xx. A 401 renews the token once for each
//! operation. Everything else is final, so that a request that cannot succeed never blocks the queue.

/// The reply of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nothing: the network failed.
    Silence,
    /// The server answered.
    Status {
        /// The HTTP status.
        code: u16,
        /// `Retry-After`, in seconds.
        retry_after: Option<u32>,
    },
}

/// The consequence of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryDecision {
    /// The operation was answered; read the answer.
    Done,
    /// Send the same operation again, with the same id, after so many milliseconds.
    Again(u32),
    /// Ask for a new token, then send the same operation again.
    RenewToken,
    /// A new token did not help: wait until a person asks to try again.
    Pause,
    /// It will never succeed: take it back and say why.
    Refused,
}

/// The longest wait between two attempts, in milliseconds.
const LONGEST: u32 = 30_000;

/// Judges the reply to attempt number `attempt` (from 0) of an operation.
///
/// `renewed`: whether the token was renewed for this operation already. `chance` is a number
/// from 0 to 255 that keeps a crowd of clients from coming back all at once.
#[must_use]
pub fn judge(reply: Reply, attempt: u32, renewed: bool, chance: u8) -> RetryDecision {
    match reply {
        Reply::Silence => RetryDecision::Again(backoff(attempt, chance)),
        Reply::Status { code, retry_after } => match code {
            200..=299 => RetryDecision::Done,
            401 if renewed => RetryDecision::Pause,
            401 => RetryDecision::RenewToken,
            408 | 429 | 500..=599 => {
                // The server knows best when it will be ready, but a day is no retry.
                let asked =
                    retry_after.map(|seconds| seconds.saturating_mul(1_000).min(10 * LONGEST));
                RetryDecision::Again(asked.unwrap_or_else(|| backoff(attempt, chance)))
            }
            _ => RetryDecision::Refused,
        },
    }
}

/// Half a second, doubled with each attempt, up to half a minute; the last half of it by chance.
#[must_use]
pub fn backoff(attempt: u32, chance: u8) -> u32 {
    let full = 500_u32.saturating_mul(1 << attempt.min(6)).min(LONGEST);
    full / 2 + full / 2 * u32::from(chance) / 255
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: u16) -> Reply {
        Reply::Status {
            code,
            retry_after: None,
        }
    }

    #[test]
    fn only_what_can_pass_by_itself_is_tried_again() {
        for code in [408, 429, 500, 502, 503, 507] {
            assert!(
                matches!(judge(status(code), 0, false, 0), RetryDecision::Again(_)),
                "{code}"
            );
        }
        for code in [400, 403, 404, 409, 413, 422] {
            assert_eq!(
                judge(status(code), 0, false, 0),
                RetryDecision::Refused,
                "{code}"
            );
        }
        assert!(matches!(
            judge(Reply::Silence, 0, false, 0),
            RetryDecision::Again(_)
        ));
        assert_eq!(judge(status(200), 0, false, 0), RetryDecision::Done);
    }

    #[test]
    fn a_token_is_renewed_once_for_an_operation() {
        assert_eq!(judge(status(401), 0, false, 0), RetryDecision::RenewToken);
        assert_eq!(judge(status(401), 0, true, 0), RetryDecision::Pause);
    }

    #[test]
    fn waiting_grows_but_not_beyond_half_a_minute() {
        let wait = |attempt| match judge(Reply::Silence, attempt, false, 255) {
            RetryDecision::Again(millis) => millis,
            other => panic!("{other:?}"),
        };
        assert_eq!(wait(0), 500);
        assert_eq!(wait(1), 1_000);
        assert_eq!(wait(40), 30_000);
    }

    #[test]
    fn the_server_says_how_long_to_wait() {
        let busy = Reply::Status {
            code: 503,
            retry_after: Some(7),
        };
        assert_eq!(judge(busy, 3, false, 9), RetryDecision::Again(7_000));
    }
}
