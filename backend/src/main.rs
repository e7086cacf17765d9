//! The binary `checklist-server`: hands the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    checklist_server::cli::main()
}
