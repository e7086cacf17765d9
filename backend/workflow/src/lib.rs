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
mod write;

use std::future::Future;
use std::pin::Pin;

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use site_lists::{Site, SiteError};

use checklist_store::Store;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::workflows::RunRecord;
use retry::RetryPolicy;

pub use establish::{check_key_column, list_key};

/// What runs need from the rest of the server.
pub trait WorkflowServices: Send + Sync {
    /// The store.
    fn store(&self) -> &dyn Store;

    /// The current time.
    fn now(&self) -> Timestamp;

    /// The site of a run's connection, if the person or program that began the run may still use
    /// it.
    fn site<'a>(
        &'a self,
        run: &'a RunRecord,
    ) -> Pin<Box<dyn Future<Output = ServiceResult<Site>> + Send + 'a>>;

    /// How long a run retries while a site is away.
    fn retries(&self) -> RetryPolicy;

    /// Maps an error of a site to the error for people.
    fn site_refusal(&self, error: &SiteError) -> ServiceError;
}

/// Whether the error is temporary, so that a retry may succeed.
const fn passes(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::Throttled
            | ProblemCode::SiteTimedOut
            | ProblemCode::OutcomeUnknown
            | ProblemCode::SiteFailed
            | ProblemCode::SiteConflict
            | ProblemCode::SiteRejected
            | ProblemCode::Busy
            | ProblemCode::StorageFull
            | ProblemCode::Internal
            | ProblemCode::TypeUnreadable
    )
}
