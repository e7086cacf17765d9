//! The directory: tenants, keys, people, sessions and sign-ins.
//!
//! On PostgreSQL the view for sign-ins sees no lists. An audited write runs in the view of its
//! tenant, which sees the audit trail.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use crate::administration::{Act, Target};
use crate::directory::{
    AdminLinkRecord, ApiKeyRecord, Directory, DirectoryChange, DirectoryOutcome, PasskeyRecord,
    PendingPasskey, PendingSignIn, SecretHash, SessionRecord, Tenant, Trust, UsedKey, UserRecord,
};
use crate::keyset::Keyset;
use crate::postgres::PostgresStore;
use crate::sql::{View, directory as rows, keys, passkeys, people, sessions, tenants};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};

/// Implements the trait for a store.
macro_rules! directory {
    ($store:ty) => {
        impl Directory for $store {
            fn directory_version(&self) -> Reply<'_, u64> {
                Box::pin(self.read_once(View::SignIn, async |session| rows::version(session).await))
            }

            fn tenants(&self) -> Reply<'_, Vec<Tenant>> {
                Box::pin(self.read_once(View::SignIn, async |session| tenants::all(session).await))
            }

            fn trust<'a>(&'a self, tenant: &'a str) -> Reply<'a, Trust> {
                let of = tenant.to_owned();
                Box::pin(self.read_moment(View::SignIn, async move |session| {
                    rows::trust(session, &of).await
                }))
            }

            fn api_keys<'a>(
                &'a self,
                tenant: &'a str,
                page: Keyset<(i64, String)>,
            ) -> Reply<'a, Vec<ApiKeyRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    keys::api_keys(session, &of, &page).await
                }))
            }

            fn api_key(&self, secret: SecretHash) -> Reply<'_, Option<ApiKeyRecord>> {
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    keys::api_key_by_secret(session, &secret).await
                }))
            }

            fn users<'a>(
                &'a self,
                tenant: &'a str,
                page: Keyset<(String, String, String)>,
            ) -> Reply<'a, Vec<UserRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    people::page(session, &of, &page).await
                }))
            }

            fn key_used(&self, key: UsedKey, at: Timestamp) -> Reply<'_, ()> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    keys::used(session, &key, at).await
                }))
            }

            fn registrations<'a>(
                &'a self,
                issuer: &'a str,
                subject: &'a str,
            ) -> Reply<'a, Vec<UserRecord>> {
                let (issuer, subject) = (issuer.to_owned(), subject.to_owned());
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    people::registrations(session, &issuer, &subject).await
                }))
            }

            fn change_directory(
                &self,
                change: DirectoryChange,
                stamp: Stamp,
            ) -> Reply<'_, DirectoryOutcome> {
                let tenant = change.tenant().to_owned();
                let act = Act::of_directory(&change, stamp);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        rows::change(session, &change).await
                    })
                    .await
                })
            }

            fn begin_sign_in(&self, pending: PendingSignIn) -> Reply<'_, ()> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    sessions::begin_sign_in(session, &pending).await
                }))
            }

            fn finish_sign_in(&self, state: SecretHash) -> Reply<'_, Option<PendingSignIn>> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    sessions::finish_sign_in(session, &state).await
                }))
            }

            fn begin_session(&self, record: SessionRecord, stamp: Stamp) -> Reply<'_, ()> {
                let tenant = record.tenant.clone();
                let act = Act::new(stamp, record.target(), Action::SignedIn);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        sessions::begin(session, &record).await
                    })
                    .await
                })
            }

            fn session(
                &self,
                secret: SecretHash,
            ) -> Reply<'_, Option<(SessionRecord, UserRecord)>> {
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    sessions::find(session, &secret).await
                }))
            }

            fn session_used(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    sessions::used(session, &secret, at).await
                }))
            }

            fn end_session(&self, secret: SecretHash, at: Timestamp) -> Reply<'_, ()> {
                Box::pin(async move {
                    let Some((record, user)) = self.session(secret).await? else {
                        return Ok(());
                    };
                    let stamp = Stamp {
                        actor: user.actor(),
                        at,
                    };
                    let act = Act::new(stamp, record.target(), Action::SignedOut);
                    self.administer(&record.tenant, act, async move |session| {
                        sessions::end(session, &secret).await
                    })
                    .await?;
                    Ok(())
                })
            }

            fn add_admin_link(&self, link: AdminLinkRecord, stamp: Stamp) -> Reply<'_, ()> {
                let tenant = link.tenant.clone();
                let act = Act::new(stamp, Target::AdminLink, Action::Created);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        sessions::add_link(session, &link).await
                    })
                    .await
                })
            }

            fn open_admin_link(
                &self,
                secret: SecretHash,
                browser: SecretHash,
            ) -> Reply<'_, Option<AdminLinkRecord>> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    sessions::open_link(session, &secret, &browser).await
                }))
            }

            fn use_admin_link(
                &self,
                secret: SecretHash,
                browser: SecretHash,
                now: Timestamp,
            ) -> Reply<'_, bool> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    sessions::use_link(session, &secret, &browser, now).await
                }))
            }

            fn passkeys<'a>(
                &'a self,
                tenant: &'a str,
                issuer: &'a str,
                subject: &'a str,
            ) -> Reply<'a, Vec<PasskeyRecord>> {
                let (tenant, issuer, subject) =
                    (tenant.to_owned(), issuer.to_owned(), subject.to_owned());
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    passkeys::of_person(session, &tenant, &issuer, &subject).await
                }))
            }

            fn passkey<'a>(
                &'a self,
                id: &'a str,
            ) -> Reply<'a, Option<(PasskeyRecord, UserRecord)>> {
                let id = id.to_owned();
                Box::pin(self.read_once(View::SignIn, async move |session| {
                    passkeys::find(session, &id).await
                }))
            }

            fn has_passkeys(&self) -> Reply<'_, bool> {
                Box::pin(self.read_once(View::SignIn, async |session| {
                    passkeys::is_any(session).await
                }))
            }

            fn add_passkey(&self, passkey: PasskeyRecord, stamp: Stamp) -> Reply<'_, bool> {
                let tenant = passkey.tenant.clone();
                let act = Act::new(stamp, Target::Passkey(passkey.id.clone()), Action::Created);
                Box::pin(async move {
                    self.administer(&tenant, act, async move |session| {
                        passkeys::add(session, &passkey).await
                    })
                    .await
                })
            }

            fn rename_passkey<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                name: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, bool> {
                let act = Act::new(stamp, Target::Passkey(id.to_owned()), Action::Changed);
                let (of, id, name) = (tenant.to_owned(), id.to_owned(), name.to_owned());
                Box::pin(async move {
                    self.administer(tenant, act, async move |session| {
                        passkeys::rename(session, &of, &id, &name).await
                    })
                    .await
                })
            }

            fn remove_passkey<'a>(
                &'a self,
                tenant: &'a str,
                id: &'a str,
                stamp: Stamp,
            ) -> Reply<'a, bool> {
                let act = Act::new(stamp, Target::Passkey(id.to_owned()), Action::Deleted);
                let (of, id) = (tenant.to_owned(), id.to_owned());
                Box::pin(async move {
                    self.administer(tenant, act, async move |session| {
                        passkeys::remove(session, &of, &id).await
                    })
                    .await
                })
            }

            fn passkey_used<'a>(
                &'a self,
                before: &'a PasskeyRecord,
                state: &'a str,
                at: Timestamp,
            ) -> Reply<'a, bool> {
                let (before, state) = (before.clone(), state.to_owned());
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    passkeys::used(session, &before, &state, at).await
                }))
            }

            fn begin_passkey(&self, pending: PendingPasskey) -> Reply<'_, ()> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    passkeys::begin(session, &pending).await
                }))
            }

            fn finish_passkey(&self, challenge: SecretHash) -> Reply<'_, Option<PendingPasskey>> {
                Box::pin(self.write_once(View::SignIn, async move |session| {
                    passkeys::finish(session, &challenge).await
                }))
            }

            fn purge_directory(&self, now: Timestamp) -> Reply<'_, ()> {
                Box::pin(self.write_rows(View::SignIn, async move |session| {
                    rows::purge(session, now).await
                }))
            }
        }
    };
}

directory!(SqliteStore);
directory!(PostgresStore);
