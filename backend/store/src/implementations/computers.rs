//! The inventory of computers.
//!
//! A page and its total are read in one snapshot.

use checklist_shared::administration::{Action, AdministrativeAct, FieldChange, Subject};
use checklist_shared::computer::Computer;

use crate::computers::{ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial};
use crate::postgres::PostgresStore;
use crate::sql::administration::record_act;
use crate::sql::{View, computers as rows};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp};

/// The act of an import: how many computers it has created and changed.
fn import_of(before: &[Option<Computer>], after: &[Computer]) -> AdministrativeAct {
    let pairs = || before.iter().zip(after);
    let created = pairs().filter(|(before, _)| before.is_none()).count();
    let updated = pairs()
        .filter(|(before, after)| before.as_ref().is_some_and(|before| before != *after))
        .count();
    let count = |field: &str, count: usize| FieldChange {
        field: field.to_owned(),
        before: None,
        after: Some(count.to_string()),
    };
    AdministrativeAct {
        subject: Subject::Inventory,
        id: String::new(),
        name: String::new(),
        action: Action::Imported,
        changes: vec![count("Created", created), count("Updated", updated)],
        secrets_changed: Vec::new(),
    }
}

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
                stamp: Stamp,
            ) -> Reply<'a, Vec<Option<Computer>>> {
                let of = tenant.to_owned();
                Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                    let before = rows::put(session, &of, &computers, stamp.at).await?;
                    let act = import_of(&before, &computers);
                    record_act(session, &of, &stamp, &act).await?;
                    Ok(before)
                }))
            }
        }
    };
}
computers!(SqliteStore);
computers!(PostgresStore);
