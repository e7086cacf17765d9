//! The options of `serve` that say how long rows are kept.

use std::time::Duration;

use checklist_services::retention::Retention;
use clap::Args;

const DAY: u64 = 24 * 60 * 60;

#[derive(Debug, Args)]
pub(super) struct RetentionOptions {
    /// For how many days deleted items can be restored, 1 to 3650; then they are removed.
    #[arg(long, value_name = "DAYS", env = "CHECKLIST_KEEP_DELETED_DAYS", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(1..=3_650))]
    keep_deleted_days: u64,
    /// How many days the log of webhooks goes back, 4 to 3650: a delivery is tried for three days.
    #[arg(long, value_name = "DAYS", env = "CHECKLIST_KEEP_DELIVERIES_DAYS", default_value_t = 30,
          value_parser = clap::value_parser!(u64).range(4..=3_650))]
    keep_deliveries_days: u64,
    /// How many days the journal goes back, at most 36500; 0 keeps it for ever. The host has to have
    /// read an entry by then. The audit trail is always kept.
    #[arg(long, value_name = "DAYS", env = "CHECKLIST_KEEP_JOURNAL_DAYS", default_value_t = 0,
          value_parser = clap::value_parser!(u64).range(..=36_500))]
    keep_journal_days: u64,
}

impl RetentionOptions {
    /// How long rows are kept.
    pub(super) fn retention(&self) -> Retention {
        let days = |days: u64| Duration::from_secs(days * DAY);
        Retention {
            deleted_items: days(self.keep_deleted_days),
            deliveries: days(self.keep_deliveries_days),
            journal: (self.keep_journal_days > 0).then(|| days(self.keep_journal_days)),
        }
    }
}
