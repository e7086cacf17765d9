//! The directory in PostgreSQL: each method runs in a session for sign-ins, which sees no lists.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use super::session::Session;
use super::{ONE_MOMENT, PostgresStore, in_transaction};
use crate::administration::{Act, Target};
use crate::directory::{
    AdminLinkRecord, ApiKeyRecord, Directory, DirectoryChange, DirectoryOutcome, PendingSignIn,
    SecretHash, SessionRecord, Tenant, Trust, UserRecord,
};
use crate::keyset::Keyset;
use crate::sql::{directory, keys, people, sessions, tenants};
use crate::store::{Reply, Stamp, StoreError};

impl PostgresStore {
    async fn signing_in<T>(
        &self,
        work: impl AsyncFnOnce(&mut Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut session = self.pool.sign_in().await?;
        work(&mut session).await
    }
}

impl Directory for PostgresStore {
    fn directory_version(&self) -> Reply<'_, u64> {
        Box::pin(self.signing_in(async |session| directory::version(session).await))
    }

    fn tenants(&self) -> Reply<'_, Vec<Tenant>> {
        Box::pin(self.signing_in(async |session| tenants::all(session).await))
    }

    fn trust<'a>(&'a self, tenant: &'a str) -> Reply<'a, Trust> {
        Box::pin(self.signing_in(async move |session| {
            let read = async |session: &mut Session| Ok(directory::trust(session, tenant).await?);
            Ok(in_transaction(session, ONE_MOMENT, read).await?)
        }))
    }

    fn api_keys<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(i64, String)>,
    ) -> Reply<'a, Vec<ApiKeyRecord>> {
        Box::pin(self.signing_in(async move |session| keys::api_keys(session, tenant, &page).await))
    }

    fn api_key(&self, secret: SecretHash) -> Reply<'_, Option<ApiKeyRecord>> {
        Box::pin(
            self.signing_in(async move |session| keys::api_key_by_secret(session, &secret).await),
        )
    }

    fn users<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<(String, String)>,
    ) -> Reply<'a, Vec<UserRecord>> {
        Box::pin(self.signing_in(async move |session| people::page(session, tenant, &page).await))
    }

    fn registrations<'a>(
        &'a self,
        issuer: &'a str,
        subject: &'a str,
    ) -> Reply<'a, Vec<UserRecord>> {
        Box::pin(
            self.signing_in(async move |session| {
                people::registrations(session, issuer, subject).await
            }),
        )
    }

    fn change_directory(
        &self,
        change: DirectoryChange,
        stamp: Stamp,
    ) -> Reply<'_, DirectoryOutcome> {
        Box::pin(async move {
            // In the tenant's session, which also sees the audit trail.
            let act = Act::of_directory(&change, stamp);
            Ok(self
                .administer(change.tenant(), &act, async |session| {
                    Ok(directory::change(session, &change).await?)
                })
                .await?)
        })
    }

    fn begin_sign_in(&self, pending: PendingSignIn) -> Reply<'_, ()> {
        Box::pin(
            self.signing_in(async move |session| sessions::begin_sign_in(session, &pending).await),
        )
    }

    fn finish_sign_in(&self, state: SecretHash) -> Reply<'_, Option<PendingSignIn>> {
        Box::pin(
            self.signing_in(async move |session| sessions::finish_sign_in(session, &state).await),
        )
    }

    fn begin_session(&self, record: SessionRecord, stamp: Stamp) -> Reply<'_, ()> {
        Box::pin(async move {
            let act = Act::new(stamp, record.target(), Action::SignedIn);
            Ok(self
                .administer(&record.tenant, &act, async |session| {
                    Ok(sessions::begin(session, &record).await?)
                })
                .await?)
        })
    }

    fn session(&self, secret: SecretHash) -> Reply<'_, Option<(SessionRecord, UserRecord)>> {
        Box::pin(self.signing_in(async move |session| sessions::find(session, &secret).await))
    }

    fn session_used(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
        Box::pin(self.signing_in(async move |session| sessions::used(session, &secret, at).await))
    }

    fn end_session(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
        Box::pin(async move {
            let found = self
                .signing_in(async |session| sessions::find(session, &secret).await)
                .await?;
            let Some((record, user)) = found else {
                return Ok(());
            };
            let stamp = Stamp {
                actor: user.actor(),
                at,
            };
            let act = Act::new(stamp, record.target(), Action::SignedOut);
            self.administer(&record.tenant, &act, async |session| {
                Ok(sessions::end(session, &secret).await?)
            })
            .await?;
            Ok(())
        })
    }

    fn add_admin_link(&self, link: AdminLinkRecord, stamp: Stamp) -> Reply<'_, ()> {
        Box::pin(async move {
            let act = Act::new(stamp, Target::AdminLink, Action::Created);
            Ok(self
                .administer(&link.tenant, &act, async |session| {
                    Ok(sessions::add_link(session, &link).await?)
                })
                .await?)
        })
    }

    fn open_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
    ) -> Reply<'_, Option<AdminLinkRecord>> {
        Box::pin(
            self.signing_in(async move |session| {
                sessions::open_link(session, &secret, &browser).await
            }),
        )
    }

    fn use_admin_link(
        &self,
        secret: SecretHash,
        browser: SecretHash,
        now: Timestamp,
    ) -> Reply<'_, bool> {
        Box::pin(self.signing_in(async move |session| {
            sessions::use_link(session, &secret, &browser, now).await
        }))
    }

    fn purge_directory(&self, now: Timestamp) -> Reply<'_, ()> {
        Box::pin(self.signing_in(async move |session| {
            let purge = async |session: &mut Session| Ok(directory::purge(session, now).await?);
            Ok(in_transaction(session, "BEGIN", purge).await?)
        }))
    }
}
