//! Executes runs of the example workflow `VENDOR_SITE_Example_ComputerExport`.
//!
//! A run is a loop of passes over the computers without an outcome. `establish` opens the list and
//! its key column, `read` reads it to its end, `decide` applies the rules to each computer, `write`
//! writes in chunks. In a dry run, `check` predicts which writes would fail. `retry` limits how
//! long a site may be away. The next pass decides again on whatever is unclear, so a run that was
//! killed at any point just begins a new pass. `worker` claims runs, `leased_run` holds a lease,
//! `pass` is one pass. The module depends on the store and on the client of site lists; everything
//! else comes through [`WorkflowServices`].

mod check;
mod decide;
mod establish;
mod leased_run;
pub mod map;
mod pass;
mod read;
pub mod retry;
mod value;
pub mod worker;
mod workflow_services;
mod write;

pub use establish::{check_key_column, list_key};
pub use workflow_services::WorkflowServices;
