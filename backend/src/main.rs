//! The binary `checklist-server`: hands the command line to the library.
//!
//! Everything is in the library, so that tests reach it; what can be asked of the binary is in
//! `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    checklist_server::cli::main()
}
