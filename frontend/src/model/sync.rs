//! The state of sending and of the connection.

/// The state of sending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sync {
    /// Nothing is on its way.
    #[default]
    Idle,
    /// An operation is on its way.
    Sending(Attempt),
    /// It brought no answer and is sent again when the timer is over, or earlier.
    WaitingToRetry(Attempt, u32),
    /// There is no token that the server takes; asked for again when the timer is over, or earlier.
    WaitingForToken(Attempt, u32),
}

/// The attempts to send an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The operation's id.
    pub id: String,
    /// The number of failed attempts.
    pub failed: u32,
    /// Whether its token was renewed.
    pub renewed: bool,
    /// Whether the server may have executed it although there was no answer.
    pub maybe_done: bool,
}

/// Why the server cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncProblem {
    /// It does not answer, or asks to come back later.
    Unreachable,
    /// There is no token that it takes.
    NoToken,
}

/// The state of the connection that a person sees: one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Nothing is wrong.
    Online,
    /// The server cannot be reached.
    Offline,
    /// The user has to sign in.
    NoToken,
}
