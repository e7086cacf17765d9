//! The services that the workflow engine depends on: sites, opened on behalf of a run's initiator.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_store::Store;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::workflows::RunRecord;
use checklist_workflow::WorkflowServices;
use checklist_workflow::retry::RetryPolicy;
use site_lists::{Site, SiteError};

use crate::app::App;
use crate::initiator;
use crate::sites;

/// Wraps the app as the services of the engine.
#[must_use]
pub fn engine(app: App) -> Arc<dyn WorkflowServices> {
    Arc::new(Services(app))
}

struct Services(App);

impl WorkflowServices for Services {
    fn store(&self) -> &dyn Store {
        self.0.store()
    }

    fn now(&self) -> Timestamp {
        self.0.clock().now()
    }

    fn site<'a>(
        &'a self,
        run: &'a RunRecord,
    ) -> Pin<Box<dyn Future<Output = ServiceResult<Site>> + Send + 'a>> {
        Box::pin(async move {
            let principal =
                initiator::principal(&self.0, &run.tenant, (&run.plan.standing, &run.plan.actor))
                    .await?;
            let (site, _) = sites::of_connection(&self.0, &principal, &run.plan.connection).await?;
            Ok(site)
        })
    }

    fn retries(&self) -> RetryPolicy {
        self.0.run_retries()
    }

    fn site_refusal(&self, error: &SiteError) -> ServiceError {
        sites::site_refusal(error)
    }
}
