//! The interface between runs and the rest of the server: the store, the time, sites and their
//! errors. Implemented by the services, and by tests.

use std::future::Future;
use std::pin::Pin;

use checklist_shared::time::Timestamp;
use site_lists::{Site, SiteError};

use checklist_store::Store;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::workflows::RunRecord;

use crate::retry::RetryPolicy;

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
