//! One transaction for the writing calls that were waiting on one tenant.
//!
//! Three trips to the database, whatever the number of calls: lock the lists and find the
//! operations; write the items and take the ends of the tenant's logs; write the logs and
//! commit. In between everything is decided in memory. Lists that were never written and lists
//! that another node has changed cost a trip more. Called by `writer`, which answers the callers
//! after the commit and tries again what is worth it.

use std::sync::Arc;

use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Statement};

use super::announcer::{Announcer, NOTIFY};
use super::arrays::{
    INSERT_AUDIT, INSERT_HEADERS, INSERT_ITEMS, INSERT_JOURNAL, MOVE_JOURNAL, UPDATE_HEADERS,
    UPDATE_ITEMS, UPDATE_STATES,
};
use super::call::Call;
use super::columns::{get, get_hash, get_u64, int};
use super::list_rows::Stored;
use super::memory::Memory;
use super::operation;
use super::save::{First, Head, Last};
use super::session::Session;
use super::trouble::Trouble;
use super::turn::{self, Answer, Decided, Undecided};
use super::{catalogue, lock};
use crate::storage::feed::Commit;
use crate::storage::list_key::ListKey;

/// Takes the ends of a tenant's logs until the transaction is over, and its number.
const HEAD: &str = "SELECT audit_sequence, audit_hash, journal_cursor, \
         pg_current_xact_id()::text \
     FROM log_head WHERE tenant = $1 FOR UPDATE";

const MOVE_HEAD: &str = "UPDATE log_head \
     SET audit_sequence = $2, audit_hash = $3, journal_cursor = $4 WHERE tenant = $1";

/// A tenant's first write.
const FIRST_HEAD: &str = "INSERT INTO log_head (tenant, audit_sequence, audit_hash, journal_cursor) \
     VALUES ($1, 0, $2, 0) ON CONFLICT DO NOTHING";
const FIRST_EPOCH: &str =
    "INSERT INTO catalogue (tenant, epoch) VALUES ($1, 0) ON CONFLICT DO NOTHING";

/// What a batch has come to.
pub(super) struct Finished {
    answers: Vec<Answer>,
    lists: Vec<(ListKey, Arc<Stored>)>,
    commits: Vec<Commit>,
}

impl Finished {
    /// Nothing has changed but what operations are remembered.
    const fn unchanged(answers: Vec<Answer>) -> Self {
        Self {
            answers,
            lists: Vec::new(),
            commits: Vec::new(),
        }
    }

    /// To be called when the commit is certain: memory learns what is stored now, those who
    /// follow are told, the callers get their answers.
    pub(super) fn publish(self, memory: &Memory, announcer: &Announcer) -> Vec<Answer> {
        for (key, stored) in self.lists {
            memory.keep_list(key, stored);
        }
        announcer.tell(self.commits);
        self.answers
    }
}

/// Why a batch has come to nothing, as far as is known.
pub(super) enum Failure {
    /// Nothing was stored.
    Undone(Trouble),
    /// The connection broke when everything was sent: the database knows by the number of the
    /// transaction what became of it.
    Unclear {
        transaction: String,
        finished: Finished,
    },
}

impl<T: Into<Trouble>> From<T> for Failure {
    fn from(trouble: T) -> Self {
        Self::Undone(trouble.into())
    }
}

type Parameter<'a> = &'a (dyn ToSql + Sync);

/// Runs the calls of one tenant in one transaction. After a failure the transaction may still be
/// open.
pub(super) async fn run(
    session: &mut Session,
    memory: &Memory,
    announcer: &Announcer,
    tenant: &str,
    calls: &[Call],
) -> Result<Finished, Failure> {
    let mut read = lock::read(session, memory, tenant, calls).await?;
    let decided = loop {
        match turn::decide(calls, &read) {
            Ok(decided) => break decided,
            Err(Undecided::Trouble(trouble)) => return Err(trouble.into()),
            Err(Undecided::Templates(missing)) => {
                catalogue::load_templates(session, memory, tenant, &missing).await?;
                read.in_vain.extend(missing);
            }
        }
    };
    store(session, announcer, tenant, decided).await
}

/// Writes what was decided and commits.
async fn store(
    session: &mut Session,
    announcer: &Announcer,
    tenant: &str,
    decided: Decided,
) -> Result<Finished, Failure> {
    if decided.lists.is_empty() && decided.operations.is_empty() {
        session.commit().await?;
        return Ok(Finished::unchanged(decided.answers));
    }
    let head = write_first(session, tenant, &decided).await?;
    let Some((head, transaction)) = head else {
        session.commit().await?;
        return Ok(Finished::unchanged(decided.answers));
    };
    let last = Last::of(tenant, &decided, head)?;
    let messages = announcer.messages(&last.commits);
    let committed = write_last(session, tenant, &last, &messages).await;
    let Last { lists, commits, .. } = last;
    let finished = Finished {
        answers: decided.answers,
        lists,
        commits,
    };
    match committed {
        Ok(()) => Ok(finished),
        Err(Trouble::Unreachable(_)) => Err(Failure::Unclear {
            transaction,
            finished,
        }),
        Err(trouble) => Err(trouble.into()),
    }
}

/// A statement that is left out when there is nothing for it.
async fn unless_empty<T>(
    rows: &[T],
    statement: impl Future<Output = Result<u64, Error>>,
) -> Result<u64, Error> {
    if rows.is_empty() {
        return Ok(0);
    }
    statement.await
}

/// The first half. Returns where the logs end and the transaction's number, if anything is to be
/// told in the logs.
async fn write_first(
    session: &mut Session,
    tenant: &str,
    decided: &Decided,
) -> Result<Option<(Head, String)>, Trouble> {
    let first = First::of(decided)?;
    let (headers, new_items, items, states, operations, head) = (
        session.statement(INSERT_HEADERS).await?,
        session.statement(INSERT_ITEMS).await?,
        session.statement(UPDATE_ITEMS).await?,
        session.statement(UPDATE_STATES).await?,
        session.statement(operation::REMEMBER).await?,
        session.statement(HEAD).await?,
    );
    // Of all clocks in the batch the slowest: what is old enough for it is for all.
    let now = first.operations.at.iter().min().copied().unwrap_or(0);
    let cutoff = operation::remembered_since(checklist_shared::Timestamp::from_millis(now));
    let parameters = (
        first.headers.parameters(&tenant),
        first.new_items.parameters(&tenant),
        first.items.parameters(&tenant),
        first.states.parameters(&tenant),
    );
    let mut remembered = first.operations.parameters(&tenant);
    remembered.push(&cutoff);
    let of_tenant: [Parameter<'_>; 1] = [&tenant];
    let logs = !decided.audit.is_empty();
    let client = session.client();
    let (headers, new_items, items, states, operations, head) = tokio::join!(
        unless_empty(
            &first.headers.number,
            client.execute(&headers, &parameters.0)
        ),
        unless_empty(
            &first.new_items.id,
            client.execute(&new_items, &parameters.1)
        ),
        unless_empty(&first.items.id, client.execute(&items, &parameters.2)),
        unless_empty(&first.states.id, client.execute(&states, &parameters.3)),
        unless_empty(
            &first.operations.key,
            client.execute(&operations, &remembered)
        ),
        async {
            match logs {
                true => client.query(&head, &of_tenant).await.map(Some),
                false => Ok(None),
            }
        },
    );
    expect(headers?, first.headers.number.len(), "lists")?;
    expect(new_items?, first.new_items.id.len(), "new items")?;
    expect(items?, first.items.id.len(), "items")?;
    expect(states?, first.states.id.len(), "states")?;
    if operations? != first.operations.key.len() as u64 {
        return Err(Trouble::Collided("an operation was just done".to_owned()));
    }
    let Some(rows) = head? else {
        return Ok(None);
    };
    let rows = match rows.is_empty() {
        false => rows,
        true => first_head(session, tenant).await?,
    };
    let row = rows
        .first()
        .ok_or_else(|| Trouble::Broken("the tenant has no log".to_owned()))?;
    let head = Head {
        audit_sequence: get_u64(row, 0)?,
        audit_hash: get_hash(row, 1)?,
        journal_cursor: get_u64(row, 2)?,
    };
    Ok(Some((head, get(row, 3)?)))
}

/// Makes the ends of a tenant's logs, and makes the tenant known.
async fn first_head(session: &mut Session, tenant: &str) -> Result<Vec<Row>, Trouble> {
    session.execute(FIRST_EPOCH, &[&tenant]).await?;
    session
        .execute(FIRST_HEAD, &[&tenant, &crate::audit::FIRST.as_slice()])
        .await?;
    session.query(HEAD, &[&tenant]).await
}

/// A statement that has met another number of rows than there are shows that somebody changes
/// the database behind the server's back.
fn expect(met: u64, rows: usize, what: &str) -> Result<(), Trouble> {
    if met == rows as u64 {
        return Ok(());
    }
    Err(Trouble::Broken(format!(
        "{met} of {rows} {what} were there"
    )))
}

/// The second half, and the commit in the same trip. A commit after a statement that failed
/// undoes everything.
async fn write_last(
    session: &mut Session,
    tenant: &str,
    last: &Last<'_>,
    messages: &[String],
) -> Result<(), Trouble> {
    let statements: [Statement; 6] = [
        session.statement(INSERT_AUDIT).await?,
        session.statement(INSERT_JOURNAL).await?,
        session.statement(MOVE_JOURNAL).await?,
        session.statement(UPDATE_HEADERS).await?,
        session.statement(MOVE_HEAD).await?,
        session.statement(NOTIFY).await?,
    ];
    let parameters = [
        last.audit.parameters(&tenant),
        last.new_journal.parameters(&tenant),
        last.journal.parameters(&tenant),
        last.headers.parameters(&tenant),
    ];
    let (sequence, cursor) = (int(last.head.audit_sequence), int(last.head.journal_cursor));
    let hash = last.head.audit_hash.as_slice();
    let head: [Parameter<'_>; 4] = [&tenant, &sequence, &hash, &cursor];
    let messages: [Parameter<'_>; 1] = [&messages];
    let client = session.client();
    let (audit, new_journal, journal, headers, head, notified, committed) = tokio::join!(
        client.execute(&statements[0], &parameters[0]),
        unless_empty(
            &last.new_journal.cursor,
            client.execute(&statements[1], &parameters[1])
        ),
        unless_empty(
            &last.journal.cursor,
            client.execute(&statements[2], &parameters[2])
        ),
        client.execute(&statements[3], &parameters[3]),
        client.execute(&statements[4], &head),
        client.execute(&statements[5], &messages),
        client.batch_execute("COMMIT"),
    );
    audit?;
    new_journal?;
    journal?;
    headers?;
    head?;
    notified?;
    committed?;
    session.closed();
    Ok(())
}
