//! Erasure of people, and of what is older than a tenant's retention.
//!
//! Small transactions, so that other writes run in between. What is found first is erased last: the audit
//! trail says where else to look.

use checklist_shared::administration::Action;
use checklist_shared::item::Actor;
use checklist_shared::run::ClosedRun;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::erasure::{Erasure, Retention};

use crate::administration::{Act, Target};
use crate::directory::ErasedPerson;
use crate::encoding::{pack, unpack};
use crate::erasure::{Erasures, RetentionRecord, TrailSearch, outdated, replace_everybody_in};
use crate::postgres::PostgresStore;
use crate::sql::erasure_records::{
    DELIVERIES, Documents, JOURNAL, OPERATIONS, PUBLISHERS, RUNS, TEMPLATE_RUNS,
};
use crate::sql::row::Column;
use crate::sql::{
    Row, View, audit_rows, closed_runs, erasure_lists as lists, erasure_records as records,
    retention,
};
use crate::sqlite::SqliteStore;
use crate::store::{Reply, Stamp, StoreError};

/// The number of rows that are read at a time.
const PAGE: u32 = 1_000;
/// The number of rows or lists that one transaction changes.
const AT_ONCE: usize = 200;
/// Later than anything was done.
const EVER: Timestamp = Timestamp::from_millis(i64::MAX);
/// Everybody.
const ANYBODY: &str = "%";

/// The actors that say anything about a person.
fn is_personal(json: &str) -> bool {
    serde_json::from_str(json).is_ok_and(|actor: Actor| actor.is_personal())
}

/// A run that was closed before a moment without anybody, if it names one.
fn without_anybody(json: &str, before: Timestamp) -> Option<String> {
    let run: ClosedRun = serde_json::from_str(json).ok()?;
    if run.closed.at >= before {
        return None;
    }
    let mut value = serde_json::from_str(json).ok()?;
    replace_everybody_in(&mut value).then(|| value.to_string())
}

/// The document of a row without the person, if it names them.
fn without_person(search: &TrailSearch, row: &Row) -> Result<Option<(Column, Column)>, StoreError> {
    let broken = |error: String| StoreError::Broken(error);
    let replace = |text: &str| {
        let mut value = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
        let replaced = search.replace_in(&mut value);
        Ok::<_, StoreError>(replaced.then(|| value.to_string()))
    };
    let document = match &row.0[..] {
        [_, Column::Text(text)] => replace(text)?.map(Column::Text),
        [_, Column::Bytes(packed)] => {
            let (answer, undo) = unpack(packed).map_err(broken)?;
            match (replace(&answer)?, replace(&undo)?) {
                (None, None) => None,
                (new_answer, new_undo) => Some(Column::Bytes(pack(
                    &new_answer.unwrap_or(answer),
                    &new_undo.unwrap_or(undo),
                ))),
            }
        }
        _ => None,
    };
    Ok(document.map(|document| (row.0[0].clone(), document)))
}

/// Implements the trait for a store.
macro_rules! erasures {
    ($store:ty) => {
        impl $store {
            /// Everything of the audit trail that names the person, or repeats what they wrote.
            async fn search_trail(
                &self,
                search: &mut TrailSearch,
                tenant: &str,
            ) -> Result<(), StoreError> {
                let mut after = 0;
                loop {
                    let (of, pattern) = (tenant.to_owned(), search.pattern());
                    let rows = self.read_once(View::Tenant(tenant), async move |session| {
                        audit_rows::matching(session, &of, after, &pattern, PAGE).await
                    });
                    let rows = rows.await?;
                    let Some(last) = rows.last() else { break };
                    after = last.sequence;
                    rows.iter().for_each(|row| search.take(row));
                }
                if search.written.is_empty() {
                    return Ok(());
                }
                let mut after = 0;
                loop {
                    let of = tenant.to_owned();
                    let rows = self.read_once(View::Tenant(tenant), async move |session| {
                        audit_rows::page(session, &of, Some(after), PAGE).await
                    });
                    let rows = rows.await?;
                    let Some(last) = rows.last() else {
                        return Ok(());
                    };
                    after = last.sequence;
                    rows.iter().for_each(|row| search.take_repeated(row));
                }
            }

            /// Erases actors of items; returns how many lists have lost one.
            async fn erase_in_items(
                &self,
                tenant: &str,
                pattern: &str,
                before: Timestamp,
                is_erased: impl Fn(&str) -> bool,
            ) -> Result<u64, StoreError> {
                let of = tenant.to_owned();
                let newest = self.read_once(View::Tenant(tenant), async move |session| {
                    lists::newest(session, &of).await
                });
                let newest = newest.await?;
                let mut erased = std::collections::BTreeSet::new();
                for window in 0..=newest / lists::WINDOW {
                    let after = window * lists::WINDOW;
                    let (of, like) = (tenant.to_owned(), pattern.to_owned());
                    let found = self.read_once(View::Tenant(tenant), async move |session| {
                        lists::actors(session, &of, after, &like, before).await
                    });
                    let mut found = found.await?;
                    found.retain(|(_, actor)| is_erased(actor));
                    erased.extend(found.iter().map(|(list, _)| *list));
                    for some in found.chunks(AT_ONCE) {
                        let (of, some) = (tenant.to_owned(), some.to_vec());
                        self.write_rows(View::Tenant(tenant), async move |session| {
                            lists::erase_actors(session, &of, &some, before).await
                        })
                        .await?;
                    }
                }
                Ok(erased.len() as u64)
            }

            /// Erases the assignee with that id; returns of how many lists.
            async fn erase_assignee(&self, tenant: &str, id: &str) -> Result<u64, StoreError> {
                let of = tenant.to_owned();
                let newest = self.read_once(View::Tenant(tenant), async move |session| {
                    lists::newest(session, &of).await
                });
                let newest = newest.await?;
                let mut erased = 0;
                for window in 0..=newest / lists::WINDOW {
                    let after = window * lists::WINDOW;
                    let (of, who) = (tenant.to_owned(), id.to_owned());
                    let found = self.read_once(View::Tenant(tenant), async move |session| {
                        lists::assigned(session, &of, after, &who).await
                    });
                    let found = found.await?;
                    erased += found.len() as u64;
                    for some in found.chunks(AT_ONCE) {
                        let (of, who, some) = (tenant.to_owned(), id.to_owned(), some.to_vec());
                        self.write_rows(View::Tenant(tenant), async move |session| {
                            lists::unassign(session, &of, &some, &who).await
                        })
                        .await?;
                    }
                }
                Ok(erased)
            }

            /// Erases locks and waivers by what `replace` makes of their JSON; returns how many.
            async fn erase_in_marks(
                &self,
                tenant: &str,
                pattern: &str,
                replace: impl Fn(&str) -> Option<String>,
            ) -> Result<u64, StoreError> {
                let mut erased = 0;
                for column in lists::MarkColumn::ALL {
                    let (of, like) = (tenant.to_owned(), pattern.to_owned());
                    let found = self.read_once(View::Tenant(tenant), async move |session| {
                        lists::marks(session, column, &of, &like).await
                    });
                    let found = found.await?.into_iter();
                    let replaced: Vec<_> = found
                        .filter_map(|(list, mark)| replace(&mark).map(|new| (list, mark, new)))
                        .collect();
                    for some in replaced.chunks(AT_ONCE) {
                        let (of, some) = (tenant.to_owned(), some.to_vec());
                        self.write_rows(View::Tenant(tenant), async move |session| {
                            lists::replace_marks(session, column, &of, &some).await
                        })
                        .await?;
                    }
                    erased += replaced.len() as u64;
                }
                Ok(erased)
            }

            /// Erases in closed runs by what `replace` makes of their JSON; returns in how many.
            async fn erase_in_closed_runs(
                &self,
                tenant: &str,
                pattern: &str,
                replace: impl Fn(&str) -> Option<String>,
            ) -> Result<u64, StoreError> {
                let (mut erased, mut after) = (0, (0, 0));
                loop {
                    let (of, like) = (tenant.to_owned(), pattern.to_owned());
                    let found = self.read_once(View::Tenant(tenant), async move |session| {
                        closed_runs::matching(session, &of, after, &like, records::PAGE).await
                    });
                    let found = found.await?;
                    let Some((list, number, _)) = found.last() else {
                        return Ok(erased);
                    };
                    after = (*list, *number);
                    let replaced = found.into_iter().filter_map(|(list, number, document)| {
                        replace(&document).map(|new| (list, number, new))
                    });
                    let replaced: Vec<_> = replaced.collect();
                    let of = tenant.to_owned();
                    let write = self.write_rows(View::Tenant(tenant), async move |session| {
                        closed_runs::replace(session, &of, &replaced).await
                    });
                    erased += write.await?;
                }
            }

            /// Erases actors of journal or templates; returns how many records have lost one.
            async fn erase_in_column(
                &self,
                column: records::ActorColumn,
                tenant: &str,
                pattern: &str,
                before: Timestamp,
                is_erased: impl Fn(&str) -> bool,
            ) -> Result<u64, StoreError> {
                let (of, like) = (tenant.to_owned(), pattern.to_owned());
                let found = self.read_once(View::Tenant(tenant), async move |session| {
                    records::actors(session, column, &of, &like, before).await
                });
                let mut found = found.await?;
                found.retain(|actor| is_erased(actor));
                let of = tenant.to_owned();
                self.write_rows(View::Tenant(tenant), async move |session| {
                    records::erase_actors(session, column, &of, &found, before).await
                })
                .await
            }

            /// Replaces the person in documents; returns in how many.
            async fn erase_in_documents(
                &self,
                documents: Documents,
                search: &TrailSearch,
                tenant: &str,
            ) -> Result<u64, StoreError> {
                let mut erased = 0;
                let mut after: Option<Column> = None;
                loop {
                    let of = tenant.to_owned();
                    let page = self.read_once(View::Tenant(tenant), async move |session| {
                        records::documents(session, documents, &of, after.as_ref()).await
                    });
                    let page = page.await?;
                    let Some(last) = page.last() else {
                        return Ok(erased);
                    };
                    after = last.0.first().cloned();
                    let replaced = page.iter().map(|row| without_person(search, row));
                    let replaced: Vec<Option<_>> = replaced.collect::<Result<_, _>>()?;
                    let replaced: Vec<_> = replaced.into_iter().flatten().collect();
                    if replaced.is_empty() {
                        continue;
                    }
                    let of = tenant.to_owned();
                    erased += self
                        .write_rows(View::Tenant(tenant), async move |session| {
                            records::replace(session, documents, &of, &replaced).await
                        })
                        .await?;
                }
            }

            /// Deletes values and salts of rows of the audit trail.
            async fn erase_rows(
                &self,
                tenant: &str,
                rows: &[audit_rows::RowErasure],
            ) -> Result<(), StoreError> {
                for some in rows.chunks(AT_ONCE) {
                    let (of, some) = (tenant.to_owned(), some.to_vec());
                    self.write_rows(View::Tenant(tenant), async move |session| {
                        audit_rows::erase(session, &of, &some).await
                    })
                    .await?;
                }
                Ok(())
            }

            async fn erase_everywhere(&self, person: ErasedPerson) -> Result<Erasure, StoreError> {
                let tenant = person.tenant.clone();
                let tenant = tenant.as_str();
                let texts = self.retention(tenant).await?.unwrap_or_default().texts;
                let mut search = TrailSearch::new(person.clone(), texts);
                self.search_trail(&mut search, tenant).await?;
                let search = search;
                let pattern = search.pattern();
                let is_erased = |json: &str| {
                    serde_json::from_str(json).is_ok_and(|actor: Actor| search.is_about(&actor))
                };
                let without = |json: &str| {
                    let mut value = serde_json::from_str(json).ok()?;
                    search.replace_in(&mut value).then(|| value.to_string())
                };
                let mut erasure = Erasure::default();
                for (place, written) in &search.written {
                    let (of, place, written) = (tenant.to_owned(), place.clone(), written.clone());
                    let is_changed = self.write_rows(View::Tenant(tenant), async move |session| {
                        lists::erase_texts(session, &of, &place, &written).await
                    });
                    erasure.lists += u64::from(is_changed.await?);
                }
                erasure.lists += self
                    .erase_in_items(tenant, &pattern, EVER, is_erased)
                    .await?;
                erasure.lists += self.erase_assignee(tenant, &person.subject).await?;
                erasure.lists += self.erase_in_marks(tenant, &pattern, without).await?;
                erasure.lists += self.erase_in_closed_runs(tenant, ANYBODY, without).await?;
                erasure.journal_entries = self
                    .erase_in_column(JOURNAL, tenant, &pattern, EVER, is_erased)
                    .await?;
                erasure.records = self
                    .erase_in_column(PUBLISHERS, tenant, &pattern, EVER, is_erased)
                    .await?;
                for documents in [OPERATIONS, DELIVERIES, RUNS, TEMPLATE_RUNS] {
                    erasure.records += self.erase_in_documents(documents, &search, tenant).await?;
                }
                let names: Vec<String> = search.names.iter().cloned().collect();
                let forgotten = self.write_rows(View::Tenant(tenant), async move |session| {
                    records::forget_person(session, &person, &names).await
                });
                erasure.records += forgotten.await?;
                self.erase_rows(tenant, &search.rows).await?;
                erasure.audit_rows = search.rows.len() as u64;
                Ok(erasure)
            }

            async fn erase_before(
                &self,
                tenant: &str,
                before: Timestamp,
                stamp: Stamp,
            ) -> Result<Erasure, StoreError> {
                let Some(decided) = self.retention(tenant).await? else {
                    return Ok(Erasure::default());
                };
                let (mut to, mut rows) = (decided.erased_to, 0);
                loop {
                    let of = tenant.to_owned();
                    let page = self.read_once(View::Tenant(tenant), async move |session| {
                        audit_rows::page(session, &of, Some(to), PAGE).await
                    });
                    let page = page.await?;
                    let old = page.iter().take_while(|row| row.at < before.as_millis());
                    let erased: Vec<_> = old
                        .clone()
                        .filter_map(|row| outdated(row, &decided.texts))
                        .collect();
                    let looked_at = old.count();
                    self.erase_rows(tenant, &erased).await?;
                    rows += erased.len() as u64;
                    if let Some(last) = looked_at.checked_sub(1).and_then(|last| page.get(last)) {
                        to = last.sequence;
                    }
                    if looked_at < page.len() || page.is_empty() {
                        break;
                    }
                }
                let lists = self
                    .erase_in_items(tenant, ANYBODY, before, is_personal)
                    .await?;
                let without = |json: &str| {
                    let mut mark: checklist_shared::checklist::ListMark =
                        serde_json::from_str(json).ok()?;
                    if mark.at >= before || !mark.by.is_personal() {
                        return None;
                    }
                    mark.by = Actor::erased();
                    serde_json::to_string(&mark).ok()
                };
                let marks = self.erase_in_marks(tenant, ANYBODY, without).await?;
                let runs = self
                    .erase_in_closed_runs(tenant, ANYBODY, |json| without_anybody(json, before))
                    .await?;
                let journal_entries = self
                    .erase_in_column(JOURNAL, tenant, ANYBODY, before, is_personal)
                    .await?;
                let records = self
                    .erase_in_column(PUBLISHERS, tenant, ANYBODY, before, is_personal)
                    .await?;
                let erasure = Erasure {
                    audit_rows: rows,
                    journal_entries,
                    lists: lists + marks + runs,
                    records,
                };
                let (of, at) = (tenant.to_owned(), stamp.at);
                if erasure == Erasure::default() {
                    let write = self.write_rows(View::Tenant(tenant), async move |session| {
                        retention::note_run(session, &of, to, at).await
                    });
                    write.await?;
                    return Ok(erasure);
                }
                let act = Act::new(stamp, Target::Retention, Action::Erased);
                self.administer(tenant, act, async move |session| {
                    retention::note_run(session, &of, to, at).await
                })
                .await?;
                Ok(erasure)
            }
        }

        impl Erasures for $store {
            fn retention<'a>(&'a self, tenant: &'a str) -> Reply<'a, Option<RetentionRecord>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    retention::one(session, &of).await
                }))
            }

            fn put_retention<'a>(
                &'a self,
                tenant: &'a str,
                new: Retention,
                stamp: Stamp,
            ) -> Reply<'a, ()> {
                let of = tenant.to_owned();
                let act = Act::new(stamp, Target::Retention, Action::Changed);
                Box::pin(self.administer(tenant, act, async move |session| {
                    retention::put(session, &of, &new).await
                }))
            }

            fn erased_people<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ErasedPerson>> {
                let of = tenant.to_owned();
                Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                    retention::erased_people(session, &of).await
                }))
            }

            fn erase_person(&self, person: ErasedPerson) -> Reply<'_, Erasure> {
                Box::pin(self.erase_everywhere(person))
            }

            fn erase_outdated<'a>(
                &'a self,
                tenant: &'a str,
                before: Timestamp,
                stamp: Stamp,
            ) -> Reply<'a, Erasure> {
                Box::pin(self.erase_before(tenant, before, stamp))
            }
        }
    };
}
erasures!(SqliteStore);
erasures!(PostgresStore);
