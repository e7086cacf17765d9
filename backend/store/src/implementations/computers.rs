//! The inventory of computers.
//!
//! A page and its total are read in one snapshot.

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;

use crate::computers::{ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial};
use crate::postgres::PostgresStore;
use crate::sql::{View, computers as rows};
use crate::sqlite::SqliteStore;
use crate::store::Reply;

/// Implements the trait for a store.
macro_rules! computers {
    ($store:ty) => {
        impl Computers for $store {
            fn computers<'a>(
                &'a self,
                tenant: &'a str,
                filter: ComputerFilter,
            ) -> Reply<'a, ComputerRows> {
                let of = tenant.to_owned();
                Box::pin(
                    self.read_moment(View::Tenant(tenant), async move |session| {
                        rows::page(session, &of, &filter).await
                    }),
                )
            }

            fn computers_by_id<'a>(
                &'a self,
                tenant: &'a str,
                ids: Vec<String>,
            ) -> Reply<'a, Vec<ComputerRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::by_id(session, &of, &ids).await
                }))
            }

            fn names_and_serials<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<NameAndSerial>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    rows::names_and_serials(session, &of).await
                }))
            }

            fn put_computers<'a>(
                &'a self,
                tenant: &'a str,
                computers: Vec<Computer>,
                at: Timestamp,
            ) -> Reply<'a, Vec<Option<Computer>>> {
                let of = tenant.to_owned();
                Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                    rows::put(session, &of, &computers, at).await
                }))
            }
        }
    };
}
computers!(SqliteStore);
computers!(PostgresStore);
