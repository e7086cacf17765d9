//! Building, checking, running and testing the project.
fn main() {}
