//! What the parts of a connection's page share.

use checklist_shared::wire::connections::{ConnectionTest, ServiceConnection};

use super::draft;
use crate::kit::*;

/// A connection, its form and the outcome of its last test.
#[derive(Clone, Copy)]
pub struct Page {
    pub app: App,
    pub form: Form,
    /// The connection as the server has it; none while it is a new one.
    pub connection: RwSignal<Option<ServiceConnection>>,
    /// The outcome of the last test.
    pub test: RwSignal<Option<ConnectionTest>>,
}

impl Page {
    /// Its id; none while it is a new one.
    pub fn id(self) -> Option<String> {
        self.connection
            .with_untracked(|connection| Some(connection.as_ref()?.id.clone()))
    }

    /// Whether the server has a secret of the connection.
    pub fn has_stored(self, secret: fn(&ServiceConnection) -> bool) -> bool {
        self.connection
            .with_untracked(|connection| connection.as_ref().is_some_and(secret))
    }

    /// Shows the connection as the server has it now; what is not saved is gone.
    pub fn show(self, connection: ServiceConnection) {
        self.form.reset(&draft::of(&connection));
        self.connection.set(Some(connection));
    }
}
