//! Carries out runs of the example workflow `VENDOR_SITE_Example_ComputerExport`.
//!
//! A run is a loop of passes over the computers that have no outcome yet: `establish` opens the
//! list and its key column, `read` reads it to its end, `decide` asks the rules what each computer
//! needs, `write` writes in chunks; in a dry run `check` says instead which writes would fail.
//! `retry` says how long a site may be away. Whatever stays unclear is decided afresh by the next pass, so
//! a run that was killed anywhere simply begins one. `worker` claims runs, `leased_run` is a run in the
//! hands of a worker, `pass` is one pass. Started by `cli::serve` and `cli::workflow`; knows the
//! store and the client of site lists, and the rest through [`WorkflowServices`].

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

use crate::error::{ServiceError, ServiceResult};
use crate::storage::Store;
use crate::storage::workflows::RunRecord;
use retry::RetryPolicy;

pub use establish::{check_key_column, list_key};

/// What runs need from the rest of the server.
pub trait WorkflowServices: Send + Sync {
    /// The store.
    fn store(&self) -> &dyn Store;

    /// The time.
    fn now(&self) -> Timestamp;

    /// The site of a run's connection, for whoever began the run, if they may still use it.
    fn site<'a>(
        &'a self,
        run: &'a RunRecord,
    ) -> Pin<Box<dyn Future<Output = ServiceResult<Site>> + Send + 'a>>;

    /// How long a run tries to reach a site that is away.
    fn retries(&self) -> RetryPolicy;

    /// What a site has refused, as people are told.
    fn refused(&self, error: &SiteError) -> ServiceError;
}

/// Whether the same may well succeed a little later.
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
