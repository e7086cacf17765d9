//! One transaction for the queued writing calls of one tenant.
//!
//! It takes two round trips, whatever the number of calls. The first locks the lists, finds the
//! operations and locks the head of the tenant's logs; the second writes everything and commits.
//! All decisions are made in memory in between. Lists that were never written, and lists that
//! another node has changed, cost one more round trip.

use std::sync::Arc;

use tokio_postgres::Error;

use super::announcer::{Announcer, NOTIFY};
use super::arrays::{
    INSERT_AUDIT, INSERT_HEADERS, INSERT_ITEMS, INSERT_JOURNAL, MOVE_JOURNAL, UPDATE_HEADERS,
    UPDATE_ITEMS, UPDATE_STATES,
};
use super::batch_decision::{self, BatchDecision, DecideError, WriteReply};
use super::call::Call;
use super::catalogue;
use super::columns::{Parameter, int};
use super::error::PostgresError;
use super::list_rows::StoredList;
use super::lock::{self, HEAD, LockedLogs};
use super::memory::Memory;
use super::operation;
use super::save::{ListWrites, LogWrites};
use super::session::Session;
use super::webhook_rows::INSERT_DELIVERIES;
use crate::feed::Commit;
use crate::list_key::ListKey;

pub(super) const MOVE_HEAD: &str = "UPDATE log_head \
     SET audit_sequence = $2, audit_hash = $3, journal_cursor = $4 WHERE tenant = $1";

/// The statements of [`write`], in the order in which it sends them.
const STATEMENTS: [&str; 12] = [
    INSERT_HEADERS,
    INSERT_ITEMS,
    UPDATE_ITEMS,
    UPDATE_STATES,
    INSERT_AUDIT,
    INSERT_JOURNAL,
    MOVE_JOURNAL,
    UPDATE_HEADERS,
    operation::REMEMBER,
    MOVE_HEAD,
    NOTIFY,
    INSERT_DELIVERIES,
];

/// Creates the head of the logs at a tenant's first write.
const FIRST_HEAD: &str = "INSERT INTO log_head (tenant, audit_sequence, audit_hash, journal_cursor) \
     VALUES ($1, 0, $2, 0) ON CONFLICT DO NOTHING";
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
    /// The connection broke after everything was sent. The id of the transaction tells whether it
    /// was committed.
    Unclear {
        transaction: String,
        finished: BatchResult,
    },
}

impl<T: Into<PostgresError>> From<T> for BatchError {
    fn from(trouble: T) -> Self {
        Self::Undone(trouble.into())
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
    let decided = loop {
        match batch_decision::decide(calls, &read) {
            Ok(decided) => break decided,
            Err(DecideError::Failed(trouble)) => return Err(trouble.into()),
            Err(DecideError::Templates(missing)) => {
                catalogue::load_templates(session, memory, tenant, &missing).await?;
                read.in_vain.extend(missing);
            }
        }
    };
    store(session, announcer, tenant, decided, logs).await
}

/// Writes the decisions and commits.
async fn store(
    session: &mut Session,
    announcer: &Announcer,
    tenant: &str,
    decided: BatchDecision,
    logs: Option<LockedLogs>,
) -> Result<BatchResult, BatchError> {
    if decided.audit.is_empty() {
        remember(session, tenant, &decided).await?;
        return Ok(BatchResult::unchanged(decided.answers));
    }
    let LockedLogs { head, transaction } = match logs {
        Some(taken) => taken,
        None => take_logs(session, tenant).await?,
    };
    let first = ListWrites::of(&decided)?;
    let last = LogWrites::of(tenant, &decided, head)?;
    let messages = announcer.messages(&last.commits);
    let committed = write(session, tenant, &first, &last, &messages).await;
    let LogWrites { lists, commits, .. } = last;
    drop(first);
    let finished = BatchResult {
        answers: decided.answers,
        lists,
        commits,
        deliveries: !decided.deliveries.is_empty(),
    };
    match committed {
        Ok(()) => Ok(finished),
        Err(PostgresError::Unreachable(_)) => Err(BatchError::Unclear {
            transaction,
            finished,
        }),
        Err(trouble) => Err(trouble.into()),
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
pub(super) async fn take_logs(
    session: &mut Session,
    tenant: &str,
) -> Result<LockedLogs, PostgresError> {
    if let Some(taken) = LockedLogs::of(&session.query(HEAD, &[&tenant]).await?)? {
        return Ok(taken);
    }
    session.execute(FIRST_EPOCH, &[&tenant]).await?;
    session
        .execute(FIRST_HEAD, &[&tenant, &crate::audit::FIRST.as_slice()])
        .await?;
    LockedLogs::of(&session.query(HEAD, &[&tenant]).await?)?
        .ok_or_else(|| PostgresError::Broken("the tenant has no log".to_owned()))
}

/// Skips a statement without rows.
async fn unless_empty<T, A>(
    rows: &[T],
    statement: impl Future<Output = Result<A, Error>>,
) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    statement.await.map(|_| ())
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
    let mut statements = Vec::with_capacity(STATEMENTS.len());
    for statement in STATEMENTS {
        statements.push(session.statement(statement).await?);
    }
    let parameters = [
        first.headers.parameters(&tenant),
        first.new_items.parameters(&tenant),
        first.items.parameters(&tenant),
        first.states.parameters(&tenant),
        last.audit.parameters(&tenant),
        last.new_journal.parameters(&tenant),
        last.journal.parameters(&tenant),
        last.headers.parameters(&tenant),
        first.deliveries.parameters(&tenant),
    ];
    let cutoff = first.cutoff();
    let mut remembered = first.operations.parameters(&tenant);
    remembered.push(&cutoff);
    let (sequence, cursor) = (int(last.head.audit_sequence), int(last.head.journal_cursor));
    let hash = last.head.audit_hash.as_slice();
    let head: [Parameter<'_>; 4] = [&tenant, &sequence, &hash, &cursor];
    let messages: [Parameter<'_>; 1] = [&messages];
    let client = session.client();
    let run = |at: usize| client.query(&statements[at], &parameters[at]);
    let outcomes = tokio::join!(
        unless_empty(&first.headers.number, run(0)),
        unless_empty(&first.new_items.id, run(1)),
        unless_empty(&first.items.id, run(2)),
        unless_empty(&first.states.id, run(3)),
        unless_empty(&last.audit.sequence, run(4)),
        unless_empty(&last.new_journal.cursor, run(5)),
        unless_empty(&last.journal.cursor, run(6)),
        unless_empty(&last.headers.number, run(7)),
        unless_empty(
            &first.deliveries.id,
            client.query(&statements[11], &parameters[8])
        ),
        unless_empty(
            &first.operations.key,
            client.query(&statements[8], &remembered)
        ),
        client.execute(&statements[9], &head),
        client.execute(&statements[10], &messages),
        client.batch_execute("COMMIT"),
    );
    outcomes.0?;
    outcomes.1?;
    outcomes.2?;
    outcomes.3?;
    outcomes.4?;
    outcomes.5?;
    outcomes.6?;
    outcomes.7?;
    outcomes.8?;
    outcomes.9?;
    outcomes.10?;
    outcomes.11?;
    outcomes.12?;
    session.closed();
    Ok(())
}
