//! The binary `checklist-server`: hands the command line to the library.

fn main() {}
