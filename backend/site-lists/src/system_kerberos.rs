//! The system's Kerberos: what finds the ticket that the system has for this program.
//!
//! Its library is one of the system, with headers of its own, so not every program has it: whichever
//! does names it once, when it begins. Invariant: without it nobody signs in as this program.

use std::sync::OnceLock;

use thiserror::Error;

static OF_THIS_PROGRAM: OnceLock<&'static dyn SystemKerberos> = OnceLock::new();

/// A library that has tickets of the system.
pub trait SystemKerberos: Send + Sync {
    /// Begins to sign in at a service (`HTTP@intranet.example`) with the program's own ticket, from its
    /// ticket cache or its keytab. Called where it may wait.
    ///
    /// # Errors
    /// There is no ticket of the program's own, or the service has no name.
    fn begin(&self, service: &str) -> Result<Box<dyn TicketContext>, TicketError>;
}

/// One sign-in with such a ticket.
pub trait TicketContext: Send {
    /// The next token for the service, after the one that came from there; empty where there is nothing
    /// more to say. Called where it may wait.
    ///
    /// # Errors
    /// There is no ticket for the service, or its token is not what it has to be.
    fn step(&mut self, server_token: Option<&[u8]>) -> Result<Vec<u8>, TicketError>;

    /// Whether both sides have proved who they are, and nothing is left to be said.
    fn is_proved(&self) -> bool;
}

/// Why there is no ticket.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct TicketError {
    /// What Kerberos calls this error (RFC 4120, 7.5.9; MIT's own begin at 128).
    pub number: i32,
    /// Whether the program has no ticket, or an old one.
    pub is_without_ticket: bool,
    /// The words of the library for it.
    pub why: String,
}

/// Has this program sign in with tickets of the system, where a connection asks for that. The first call
/// counts.
pub fn use_system_kerberos(library: &'static dyn SystemKerberos) {
    // A second one would be the same library.
    let _ = OF_THIS_PROGRAM.set(library);
}

/// What this program has named.
pub(crate) fn of_this_program() -> Option<&'static dyn SystemKerberos> {
    OF_THIS_PROGRAM.get().copied()
}
