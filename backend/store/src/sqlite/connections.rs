//! Service connections, consents and handles in the SQLite file.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use rusqlite::params;

use super::SqliteStore;
use super::administration::{administer, administer_if};
use super::columns::int;
use super::sql::SqlSession;
use crate::administration::{Act, Cause, Target};
use crate::connections::{
    ConnectionRecord, Connections, HandleRecord, PendingConsent, SaveOutcome,
};
use crate::directory::SecretHash;
use crate::sql::{connections as rows, consents, run_inline};
use crate::store::{Reply, Stamp};

impl Connections for SqliteStore {
    fn connections<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ConnectionRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| run_inline(rows::all(&mut SqlSession(connection), &tenant)))
    }

    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| {
            run_inline(rows::one(&mut SqlSession(connection), &tenant, &id))
        })
    }

    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome> {
        self.write(move |work| {
            administer(work, &record.tenant, &act, |work| {
                run_inline(rows::add(&mut SqlSession(work.connection), &record))
            })
        })
    }

    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        self.write(move |work| {
            administer_if(work, &record.tenant, &cause, |work| {
                run_inline(rows::save(&mut SqlSession(work.connection), &record))
            })
        })
    }

    fn delete_connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let act = Act::new(stamp, Target::Connection(id.clone()), Action::Deleted);
        self.write(move |work| {
            administer(work, &tenant, &act, |work| {
                let deleted = work
                    .connection
                    .prepare_cached("DELETE FROM service_connection WHERE tenant = ?1 AND id = ?2")?
                    .execute([&tenant, &id])?;
                Ok(deleted > 0)
            })
        })
    }

    fn claim_refresh<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        revision: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, bool> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.write(move |work| {
            let claimed = work
                .connection
                .prepare_cached(
                    "UPDATE service_connection SET refreshing_until = ?5
                     WHERE tenant = ?1 AND id = ?2 AND revision = ?3 AND refreshing_until <= ?4",
                )?
                .execute(params![
                    tenant,
                    id,
                    int(revision),
                    now.as_millis(),
                    until.as_millis()
                ])?;
            Ok(claimed > 0)
        })
    }

    fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(consents::begin_consent(
                &mut SqlSession(work.connection),
                &pending,
            ))
        })
    }

    fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>> {
        self.write(move |work| {
            run_inline(consents::finish_consent(
                &mut SqlSession(work.connection),
                &state,
            ))
        })
    }

    fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(consents::keep_handle(
                &mut SqlSession(work.connection),
                &record,
            ))
        })
    }

    fn handle<'a>(
        &'a self,
        tenant: &'a str,
        handle: SecretHash,
    ) -> Reply<'a, Option<HandleRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            run_inline(consents::handle(
                &mut SqlSession(connection),
                &tenant,
                handle,
            ))
        })
    }

    fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()> {
        self.write(move |work| run_inline(consents::purge(&mut SqlSession(work.connection), now)))
    }
}
