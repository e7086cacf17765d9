//! Gauges for the database: availability, latency and file size.
//!
//! Measured when metrics are scraped.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use checklist_services::app::App;
use checklist_services::health;
use checklist_store::sqlite::DATABASE;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::figure::{Decimal, figure, figure_in};

/// The timeout of the query.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct DatabaseFigures {
    /// The folder of the database file, for SQLite.
    folder: Option<PathBuf>,
    up: Gauge,
    answers: Decimal,
    file: Gauge,
    log: Gauge,
}

impl DatabaseFigures {
    pub(super) fn register(registry: &mut Registry, folder: Option<&Path>) -> Self {
        let own = registry.sub_registry_with_prefix("database");
        let log = "The log beside the file, which is written back now and then; 0 with PostgreSQL.";
        Self {
            folder: folder.map(Path::to_owned),
            up: figure(own, "up", "Whether the database answers: 1 or 0."),
            answers: figure_in(
                own,
                Unit::Seconds,
                "answer_time",
                "How long its last answer to a small question took.",
            ),
            file: figure_in(
                own,
                Unit::Bytes,
                "file",
                "The database file; 0 with PostgreSQL.",
            ),
            log: figure_in(own, Unit::Bytes, "log", log),
        }
    }

    pub(super) async fn look(&self, app: &App) {
        let begun = Instant::now();
        let ready = tokio::time::timeout(PATIENCE, health::ready(app)).await;
        self.answers.set(begun.elapsed().as_secs_f64());
        self.up.set(i64::from(matches!(ready, Ok(Ok(())))));
        if let Some(folder) = &self.folder {
            self.file.set(size(folder.join(DATABASE)));
            self.log.set(size(folder.join(format!("{DATABASE}-wal"))));
        }
    }
}

fn size(file: PathBuf) -> i64 {
    std::fs::metadata(file).map_or(0, |found| i64::try_from(found.len()).unwrap_or(i64::MAX))
}
