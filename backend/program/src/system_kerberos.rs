//! Tickets that the system has for this program, by MIT Kerberos (`libgssapi`).
//!
//! Invariant: only the mechanism Kerberos, and only with the proof of both sides.

use libgssapi::context::{ClientCtx, CtxFlags, SecurityContext as _};
use libgssapi::credential::{Cred, CredUsage};
use libgssapi::error::{Error, MajorFlags};
use libgssapi::name::Name;
use libgssapi::oid::{GSS_MECH_KRB5, GSS_NT_HOSTBASED_SERVICE, OidSet};
use site_lists::{SystemKerberos, TicketContext, TicketError};

/// What Kerberos' own numbers for errors begin at, in the library's.
const KERBEROS_ERRORS: i32 = -1_765_328_384;
/// The bits of a GSS status that are its routine error.
const ROUTINE_ERRORS: u32 = 0x00ff_0000;

/// The library.
pub struct MitKerberos;

struct Context(ClientCtx);

impl SystemKerberos for MitKerberos {
    fn begin(&self, service: &str) -> Result<Box<dyn TicketContext>, TicketError> {
        let name = Name::new(service.as_bytes(), Some(GSS_NT_HOSTBASED_SERVICE));
        let name = name.map_err(ticket_error)?;
        let mechanisms = OidSet::singleton(GSS_MECH_KRB5).map_err(ticket_error)?;
        let own = Cred::acquire(None, None, CredUsage::Initiate, Some(&mechanisms));
        // Kerberos by name: with the system's own SPNEGO another mechanism might be agreed on.
        Ok(Box::new(Context(ClientCtx::new(
            Some(own.map_err(ticket_error)?),
            name,
            CtxFlags::GSS_C_MUTUAL_FLAG,
            Some(GSS_MECH_KRB5),
        ))))
    }
}

impl TicketContext for Context {
    fn step(&mut self, server_token: Option<&[u8]>) -> Result<Vec<u8>, TicketError> {
        let ours = self.0.step(server_token, None).map_err(ticket_error)?;
        Ok(ours.map(|token| token.to_vec()).unwrap_or_default())
    }

    fn is_proved(&self) -> bool {
        let flags = self.0.flags();
        self.0.is_complete() && flags.is_ok_and(|flags| flags.contains(CtxFlags::GSS_C_MUTUAL_FLAG))
    }
}

/// What an error of the library means. Called on the thread that met it, which alone knows the words
/// for it.
fn ticket_error(error: Error) -> TicketError {
    let said = error.to_string();
    // The number's own words stand behind those that only say what kind of number it is.
    let why = said.split_once(" (").map_or(said.as_str(), |(_, why)| {
        why.strip_suffix(')').unwrap_or(why)
    });
    let kind = error.major.bits() & ROUTINE_ERRORS;
    let none = [
        MajorFlags::GSS_S_NO_CRED,
        MajorFlags::GSS_S_CREDENTIALS_EXPIRED,
    ];
    TicketError {
        number: error.minor.cast_signed().wrapping_sub(KERBEROS_ERRORS),
        is_without_ticket: none.iter().any(|none| none.bits() == kind),
        why: why.to_owned(),
    }
}
