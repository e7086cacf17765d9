//! What the parts of the export's form share.

use checklist_shared::wire::site_lists::SiteColumns;
use checklist_shared::wire::workflow::StartRun;

use crate::kit::*;

/// The form of an export.
#[derive(Clone, Copy)]
pub struct Export {
    /// What all pages share.
    pub app: App,
    /// The draft: a [`StartRun`].
    pub form: Form,
    /// The list that is chosen, once its columns are loaded.
    pub columns: RwSignal<Option<SiteColumns>>,
    /// What is in the way; none while nothing is.
    pub obstacle: RwSignal<Option<Obstacle>>,
    /// The last request with its operation id: sent again, it is the same run.
    pub last_request: StoredValue<Option<(StartRun, String)>>,
}

/// What is in the way of the export and is not an error of a field.
#[derive(Clone)]
pub enum Obstacle {
    /// The list has a run that has not ended.
    Run(String),
    /// Ids of computers that are not in the inventory any more.
    MissingComputers(Vec<String>),
}
