//! One transaction for the queued writing calls of one tenant.
//!
//! It takes two round trips, whatever the number of calls. The first locks the lists, finds the
//! operations and locks the head of the tenant's logs; the second writes everything and commits.
//! All decisions are made in memory in between. Lists that are not cached, or that another node has
//! changed, cost one more round trip, one that was never written three; one that begins to follow a
//! template one more, to see that the template is still there.

use std::sync::Arc;

use futures_util::future::join_all;

use super::announcer::{Announcer, NOTIFY};
use super::arrays::{
    INSERT_AUDIT, INSERT_CLOSED_RUNS, INSERT_HEADERS, INSERT_JOURNAL, MOVE_JOURNAL, START_RUNS,
    UPDATE_HEADERS,
};
use super::batch_decision::{self, BatchDecision, ChangedList, DecideError, WriteReply};
use super::call::Call;
use super::catalogue_queries;
use super::columns::{Parameter, int};
use super::error::PostgresError;
use super::item_rows::{INSERT_ITEMS, UPDATE_ITEMS, UPDATE_STATES};
use super::list_rows::StoredList;
use super::lock::{self, HEAD, head_of};
use super::memory::Memory;
use super::operation;
use super::save::{Head, ListWrites, LogWrites};
use super::session::Session;
use super::webhook_rows::INSERT_DELIVERIES;
use crate::feed::Commit;
use crate::list_key::ListKey;

pub(super) const MOVE_HEAD: &str = "UPDATE log_head \
     SET audit_sequence = $2, journal_cursor = $3 WHERE tenant = $1";

/// Creates the head of the logs at a tenant's first write.
const FIRST_HEAD: &str = "INSERT INTO log_head (tenant, audit_sequence, journal_cursor) \
     VALUES ($1, 0, 0) ON CONFLICT DO NOTHING";
const FIRST_EPOCH: &str =
    "INSERT INTO catalogue (tenant, epoch) VALUES ($1, 0) ON CONFLICT DO NOTHING";

/// The result of a batch.
pub(super) struct BatchResult {
    answers: Vec<WriteReply>,
    lists: Vec<(ListKey, Arc<StoredList>)>,
    commits: Vec<Commit>,
    /// Whether it created deliveries of webhooks.
    deliveries: bool,
}

impl BatchResult {
    /// The result of a batch that wrote nothing but idempotency records.
    const fn unchanged(answers: Vec<WriteReply>) -> Self {
        Self {
            answers,
            lists: Vec::new(),
            commits: Vec::new(),
            deliveries: false,
        }
    }

    /// Updates the cache, announces the commits and returns the callers' answers. Has to be called
    /// once the commit is certain.
    pub(super) fn publish(self, memory: &Memory, announcer: &Announcer) -> Vec<WriteReply> {
        for (key, stored) in self.lists {
            memory.keep_list(key, stored);
        }
        announcer.tell(self.commits);
        if self.deliveries {
            announcer.has_deliveries();
        }
        self.answers
    }
}

/// Why a batch failed, as far as is known.
pub(super) enum BatchError {
    /// The transaction was rolled back.
    Undone(PostgresError),
    /// The connection broke after everything was sent.
    Unclear(Box<UnclearCommit>),
}

/// A transaction that may be committed. It is if its last row of the audit trail is there: no other one
/// has its hash. A number of the transaction would not tell: after a crash or on another server it may
/// be given again.
pub(super) struct UnclearCommit {
    pub(super) sequence: i64,
    pub(super) hash: Vec<u8>,
    /// What is true if it is.
    pub(super) finished: BatchResult,
}

impl<T: Into<PostgresError>> From<T> for BatchError {
    fn from(error: T) -> Self {
        Self::Undone(error.into())
    }
}

/// Runs the calls of one tenant in one transaction. On an error, the transaction may still be open.
pub(super) async fn run(
    session: &mut Session,
    memory: &Memory,
    announcer: &Announcer,
    tenant: &str,
    calls: &[Call],
) -> Result<BatchResult, BatchError> {
    let (mut read, logs) = lock::read(session, memory, tenant, calls).await?;
    let epoch = read.catalogue.epoch;
    let decided = loop {
        match batch_decision::decide(calls, &read) {
            Ok(decided) => break decided,
            Err(DecideError::Failed(error)) => return Err(error.into()),
            Err(DecideError::Templates(missing)) => {
                catalogue_queries::load_templates(session, memory, tenant, &missing).await?;
                read.in_vain.extend(missing);
            }
        }
    };
    store(session, announcer, tenant, decided, epoch, logs).await
}

/// Writes the decisions and commits.
async fn store(
    session: &mut Session,
    announcer: &Announcer,
    tenant: &str,
    decided: BatchDecision,
    epoch: i64,
    logs: Option<Head>,
) -> Result<BatchResult, BatchError> {
    if decided.audit.is_empty() {
        remember(session, tenant, &decided).await?;
        return Ok(BatchResult::unchanged(decided.answers));
    }
    let head = match logs {
        Some(taken) => taken,
        None => take_logs(session, tenant).await?,
    };
    // A template may have been deleted since the catalogue was read. Whoever deletes one holds the head
    // before looking for lists that follow it.
    if decided.lists.iter().any(ChangedList::follows_anew)
        && catalogue_queries::present_epoch(session, tenant).await? != epoch
    {
        let collided = PostgresError::Collided("types or templates have changed".to_owned());
        return Err(collided.into());
    }
    let first = ListWrites::of(&decided)?;
    let last = LogWrites::of(tenant, &decided, head)?;
    let messages = announcer.messages(&last.commits);
    let committed = write(session, tenant, &first, &last, &messages).await;
    let LogWrites {
        lists,
        commits,
        mut audit,
        ..
    } = last;
    let (sequence, hash) = (audit.sequence.pop(), audit.hash.pop());
    drop(first);
    let finished = BatchResult {
        answers: decided.answers,
        lists,
        commits,
        deliveries: !decided.deliveries.is_empty(),
    };
    match committed {
        Ok(()) => Ok(finished),
        Err(PostgresError::Unreachable(_)) => Err(BatchError::Unclear(Box::new(UnclearCommit {
            sequence: sequence.unwrap_or_default(),
            hash: hash.unwrap_or_default(),
            finished,
        }))),
        Err(error) => Err(error.into()),
    }
}

/// Commits a batch that changed no list.
async fn remember(
    session: &mut Session,
    tenant: &str,
    decided: &BatchDecision,
) -> Result<(), PostgresError> {
    if !decided.operations.is_empty() {
        let first = ListWrites::of(decided)?;
        let cutoff = first.cutoff();
        let mut parameters = first.operations.parameters(&tenant);
        parameters.push(&cutoff);
        session.query(operation::REMEMBER, &parameters).await?;
    }
    session.commit().await
}

/// Locks the head of the logs, if it was not locked with the lists. Creates it at a tenant's first
/// write, which also registers the tenant.
pub(super) async fn take_logs(session: &mut Session, tenant: &str) -> Result<Head, PostgresError> {
    if let Some(taken) = head_of(&session.query(HEAD, &[&tenant]).await?)? {
        return Ok(taken);
    }
    session.execute(FIRST_EPOCH, &[&tenant]).await?;
    session.execute(FIRST_HEAD, &[&tenant]).await?;
    head_of(&session.query(HEAD, &[&tenant]).await?)?
        .ok_or_else(|| PostgresError::Broken("the tenant has no log".to_owned()))
}

/// One statement of a batch with its parameters.
struct BatchStatement<'a> {
    text: &'static str,
    parameters: Vec<Parameter<'a>>,
}

/// Writes everything and commits in the same round trip. A commit after a failed statement rolls
/// back.
async fn write(
    session: &mut Session,
    tenant: &str,
    first: &ListWrites<'_>,
    last: &LogWrites<'_>,
    messages: &[String],
) -> Result<(), PostgresError> {
    let cutoff = first.cutoff();
    let (sequence, cursor) = (int(last.head.audit_sequence), int(last.head.journal_cursor));
    let mut statements = Vec::new();
    let mut add = |text, rows: usize, parameters| {
        // A tick has nothing to write by most of them.
        if rows > 0 {
            statements.push(BatchStatement { text, parameters });
        }
    };
    macro_rules! add_rows {
        ($($text:path: $count:expr, $rows:expr;)+) => {
            $(add(&$text[..], $count, $rows.parameters(&tenant));)+
        };
    }
    add_rows! {
        INSERT_HEADERS: first.headers.number.len(), first.headers;
        INSERT_CLOSED_RUNS: first.closed_runs.checklist.len(), first.closed_runs;
        START_RUNS: first.runs.number.len(), first.runs;
        INSERT_ITEMS: first.new_items.len(), first.new_items;
        UPDATE_ITEMS: first.items.len(), first.items;
        UPDATE_STATES: first.states.len(), first.states;
        INSERT_AUDIT: last.audit.sequence.len(), last.audit;
        INSERT_JOURNAL: last.new_journal.cursor.len(), last.new_journal;
        MOVE_JOURNAL: last.journal.cursor.len(), last.journal;
        UPDATE_HEADERS: last.headers.number.len(), last.headers;
        INSERT_DELIVERIES: first.deliveries.id.len(), first.deliveries;
    }
    let mut remembered = first.operations.parameters(&tenant);
    remembered.push(&cutoff);
    add(operation::REMEMBER, first.operations.key.len(), remembered);
    add(MOVE_HEAD, 1, vec![&tenant, &sequence, &cursor]);
    add(NOTIFY, 1, vec![&messages]);
    let mut prepared = Vec::with_capacity(statements.len());
    for statement in &statements {
        prepared.push(session.statement(statement.text).await?);
    }
    let client = session.client();
    let sent = statements
        .iter()
        .zip(&prepared)
        .map(|(statement, prepared)| client.query(prepared, &statement.parameters));
    // All are sent at the first poll, one after the other, and the commit after them.
    let (written, committed) = tokio::join!(join_all(sent), client.batch_execute("COMMIT"));
    written.into_iter().try_for_each(|rows| rows.map(drop))?;
    committed?;
    session.closed();
    Ok(())
}
