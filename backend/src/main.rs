//! The binary `checklist-server`: hands the command line to the library.
//!
//! Everything is in the library, so that tests reach it; what can be asked of the binary is in
//! `cli`.

use std::process::ExitCode;

/// A fifth less work for a tick than with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    checklist_server::cli::main()
}
