//! The directory in the SQLite file: each method runs on a reader or on the writer.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use super::SqliteStore;
use super::administration::administer;
use super::sql::SqlSession;
use crate::administration::{Act, Target};
use crate::directory::{
    AdminLinkRecord, ApiKeyRecord, Directory, DirectoryChange, DirectoryOutcome, PendingSignIn,
    SecretHash, SessionRecord, Tenant, Trust, UserRecord,
};
use crate::keyset::Keyset;
use crate::sql::{directory, keys, people, run_inline, sessions, tenants};
use crate::store::{Reply, Stamp};

impl Directory for SqliteStore {
    fn directory_version(&self) -> Reply<'_, u64> {
        self.read(|connection, _| run_inline(directory::version(&mut SqlSession(connection))))
    }

    fn tenants(&self) -> Reply<'_, Vec<Tenant>> {
        self.read(|connection, _| run_inline(tenants::all(&mut SqlSession(connection))))
    }

    fn trust<'a>(&'a self, tenant: &'a str) -> Reply<'a, Trust> {
        let of = tenant.to_owned();
        Box::pin(self.read_moment(tenant, async move |session| {
            directory::trust(session, &of).await
        }))
    }

    fn api_keys<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(i64, String)>,
    ) -> Reply<'a, Vec<ApiKeyRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            run_inline(keys::api_keys(&mut SqlSession(connection), &tenant, &page))
        })
    }

    fn api_key(&self, secret: SecretHash) -> Reply<'_, Option<ApiKeyRecord>> {
        self.read(move |connection, _| {
            run_inline(keys::api_key_by_secret(
                &mut SqlSession(connection),
                &secret,
            ))
        })
    }

    fn users<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(String, String)>,
    ) -> Reply<'a, Vec<UserRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            run_inline(people::page(&mut SqlSession(connection), &tenant, &page))
        })
    }

    fn registrations<'a>(
        &'a self,
        issuer: &'a str,
        subject: &'a str,
    ) -> Reply<'a, Vec<UserRecord>> {
        let (issuer, subject) = (issuer.to_owned(), subject.to_owned());
        self.read(move |connection, _| {
            run_inline(people::registrations(
                &mut SqlSession(connection),
                &issuer,
                &subject,
            ))
        })
    }

    fn change_directory(
        &self,
        change: DirectoryChange,
        stamp: Stamp,
    ) -> Reply<'_, DirectoryOutcome> {
        let act = Act::of_directory(&change, stamp);
        self.write(move |work| {
            administer(work, change.tenant(), &act, |work| {
                run_inline(directory::change(&mut SqlSession(work.connection), &change))
            })
        })
    }

    fn begin_sign_in(&self, pending: PendingSignIn) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(sessions::begin_sign_in(
                &mut SqlSession(work.connection),
                &pending,
            ))
        })
    }

    fn finish_sign_in(&self, state: SecretHash) -> Reply<'_, Option<PendingSignIn>> {
        self.write(move |work| {
            run_inline(sessions::finish_sign_in(
                &mut SqlSession(work.connection),
                &state,
            ))
        })
    }

    fn begin_session(&self, session: SessionRecord, stamp: Stamp) -> Reply<'_, ()> {
        let act = Act::new(stamp, session.target(), Action::SignedIn);
        self.write(move |work| {
            administer(work, &session.tenant, &act, |work| {
                run_inline(sessions::begin(&mut SqlSession(work.connection), &session))
            })
        })
    }

    fn session(&self, secret: SecretHash) -> Reply<'_, Option<(SessionRecord, UserRecord)>> {
        self.read(move |connection, _| {
            run_inline(sessions::find(&mut SqlSession(connection), &secret))
        })
    }

    fn session_used(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(sessions::used(
                &mut SqlSession(work.connection),
                &secret,
                at,
            ))
        })
    }

    fn end_session(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
        self.write(move |work| {
            let found = run_inline(sessions::find(&mut SqlSession(work.connection), &secret))?;
            let Some((session, user)) = found else {
                return Ok(());
            };
            let stamp = Stamp {
                actor: user.actor(),
                at,
            };
            let act = Act::new(stamp, session.target(), Action::SignedOut);
            administer(work, &session.tenant, &act, |work| {
                run_inline(sessions::end(&mut SqlSession(work.connection), &secret))
            })?;
            Ok(())
        })
    }

    fn add_admin_link(&self, link: AdminLinkRecord, stamp: Stamp) -> Reply<'_, ()> {
        let act = Act::new(stamp, Target::AdminLink, Action::Created);
        self.write(move |work| {
            administer(work, &link.tenant, &act, |work| {
                run_inline(sessions::add_link(&mut SqlSession(work.connection), &link))
            })
        })
    }

    fn open_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
    ) -> Reply<'_, Option<AdminLinkRecord>> {
        self.write(move |work| {
            run_inline(sessions::open_link(
                &mut SqlSession(work.connection),
                &secret,
                &browser,
            ))
        })
    }

    fn use_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
        now: Timestamp,
    ) -> Reply<'_, bool> {
        self.write(move |work| {
            run_inline(sessions::use_link(
                &mut SqlSession(work.connection),
                &secret,
                &browser,
                now,
            ))
        })
    }

    fn purge_directory(&self, now: Timestamp) -> Reply<'_, ()> {
        self.write(move |work| run_inline(directory::purge(&mut SqlSession(work.connection), now)))
    }
}
