//! The binary `checklist-server`: passes the files that are inside it, and the command line, to the library.
//!
//! All code is in the library, where tests can reach it, except what needs a library of the system. Only
//! this crate is compiled again after the control.

#[cfg(feature = "system-kerberos")]
mod system_kerberos;

use std::process::ExitCode;

use checklist_server::http::embedded::{Embedded, File, Packed};

/// mimalloc needs a fifth less CPU time for a tick than the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

fn main() -> ExitCode {
    #[cfg(feature = "system-kerberos")]
    site_lists::use_system_kerberos(&system_kerberos::MitKerberos);
    checklist_server::cli::main(Embedded {
        control: CONTROL,
        pages: PAGES,
        demo: DEMO,
        docs: DOCS,
    })
}
