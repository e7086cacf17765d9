//! The methods of the trait `Store` over cold tables, for both stores.
//!
//! A macro, because only with a concrete store can the compiler prove that the futures are `Send`.
//! It expands within the implementation of the trait, next to the methods for lists.

/// Implements the methods for types, templates, logs and administrators' acts.
macro_rules! cold_methods {
    () => {
        fn put_type<'a>(
            &'a self,
            tenant: &'a str,
            name: &'a str,
            change: PutType,
            expected: ExpectedState,
            stamp: Stamp,
        ) -> Reply<'a, Result<Type, PreconditionError>> {
            let (of, name) = (tenant.to_owned(), name.to_owned());
            let act = Act::new(stamp, Target::Type(name.clone()), Action::Changed);
            Box::pin(self.administer(tenant, act, async move |session| {
                $crate::sql::platform_types::put(session, &of, &name, &change, &expected).await
            }))
        }

        fn delete_type<'a>(
            &'a self,
            tenant: &'a str,
            name: &'a str,
            expected: ExpectedState,
            stamp: Stamp,
        ) -> Reply<'a, DeleteOutcome> {
            let (of, name) = (tenant.to_owned(), name.to_owned());
            let act = Act::new(stamp, Target::Type(name.clone()), Action::Deleted);
            Box::pin(self.administer(tenant, act, async move |session| {
                $crate::sql::platform_types::delete(session, &of, &name, &expected).await
            }))
        }

        fn lists<'a>(&'a self, tenant: &'a str, filter: ListFilter) -> Reply<'a, Vec<ListRecord>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                $crate::sql::lists::page(session, &of, &filter).await
            }))
        }

        fn closed_runs<'a>(
            &'a self,
            tenant: &'a str,
            list: &'a Context,
            below: u32,
            limit: u32,
        ) -> Reply<'a, Vec<checklist_shared::run::ClosedRun>> {
            let (of, list) = (tenant.to_owned(), list.clone());
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                $crate::sql::closed_runs::page(session, &of, &list, below, limit).await
            }))
        }

        fn find_items<'a>(
            &'a self,
            tenant: &'a str,
            search: ItemSearch,
        ) -> Reply<'a, Vec<ItemHit>> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    $crate::sql::found_items::items(session, &of, &search).await
                }),
            )
        }

        fn find_lists<'a>(
            &'a self,
            tenant: &'a str,
            search: ListSearch,
        ) -> Reply<'a, Vec<Context>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                $crate::sql::found_items::lists(session, &of, &search).await
            }))
        }

        fn template_health<'a>(
            &'a self,
            tenant: &'a str,
            search: $crate::template_health::HealthSearch,
        ) -> Reply<'a, $crate::template_health::HealthRows> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    $crate::sql::template_health::rows(session, &of, &search).await
                }),
            )
        }

        fn overview<'a>(&'a self, tenant: &'a str, now: Timestamp) -> Reply<'a, OverviewRecord> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    $crate::sql::lists::overview(session, &of, now).await
                }),
            )
        }

        fn templates<'a>(
            &'a self,
            tenant: &'a str,
            page: Keyset<String>,
        ) -> Reply<'a, Vec<TemplateRow>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                templates::page(session, &of, &page).await
            }))
        }

        fn template_history<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
        ) -> Reply<'a, Option<TemplateHistory>> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                templates::history(session, &of, &id).await
            }))
        }

        fn put_draft<'a>(
            &'a self,
            tenant: &'a str,
            template: Template,
            expected: ExpectedState,
            stamp: Stamp,
            action: Action,
        ) -> Reply<'a, Result<TemplateHistory, PreconditionError>> {
            let of = tenant.to_owned();
            let act = Act::new(stamp, Target::Draft(template.id.clone()), action);
            Box::pin(self.administer(tenant, act, async move |session| {
                templates::put_draft(session, &of, template.clone(), &expected).await
            }))
        }

        fn discard_draft<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
            expected: ExpectedState,
            stamp: Stamp,
        ) -> Reply<'a, Result<(), PreconditionError>> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            let act = Act::new(stamp, Target::Draft(id.clone()), Action::DraftDiscarded);
            Box::pin(self.administer(tenant, act, async move |session| {
                templates::discard_draft(session, &of, &id, &expected).await
            }))
        }

        fn delete_template<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
            expected: ExpectedState,
            stamp: Stamp,
        ) -> Reply<'a, DeleteOutcome> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            let act = Act::new(stamp, Target::Draft(id.clone()), Action::Deleted);
            Box::pin(self.administer(tenant, act, async move |session| {
                templates::delete(session, &of, &id, &expected).await
            }))
        }

        fn retire_template<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
            is_retired: bool,
            expected: ExpectedState,
            stamp: Stamp,
        ) -> Reply<'a, Result<TemplateHistory, PreconditionError>> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            let (action, at) = if is_retired {
                (Action::Retired, Some(stamp.at))
            } else {
                (Action::OfferedAgain, None)
            };
            let act = Act::new(stamp, Target::Offer(id.clone()), action);
            Box::pin(self.administer(tenant, act, async move |session| {
                templates::retire(session, &of, &id, at, &expected).await
            }))
        }

        fn publish<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
            stamp: Stamp,
            expected: ExpectedState,
        ) -> Reply<'a, Result<Arc<Template>, PreconditionError>> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            let target = Target::Published(id.clone());
            let act = Act::new(stamp.clone(), target, Action::Published);
            Box::pin(self.administer(tenant, act, async move |session| {
                templates::publish(session, &of, &id, &stamp, &expected).await
            }))
        }

        fn lists_behind<'a>(
            &'a self,
            tenant: &'a str,
            id: &'a str,
            version: u32,
            after: u64,
            limit: u32,
        ) -> Reply<'a, OutdatedLists> {
            let (of, id) = (tenant.to_owned(), id.to_owned());
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                templates::outdated_lists(session, &of, &id, version, after, limit).await
            }))
        }

        fn refresh_finished(&self, pending: PendingRefresh) -> Reply<'_, ()> {
            let tenant = pending.tenant.clone();
            Box::pin(async move {
                self.write_once(View::Tenant(&tenant), async move |session| {
                    templates::refresh_finished(session, &pending).await
                })
                .await
            })
        }

        fn due_tenants(&self) -> Reply<'_, Vec<$crate::due_items::DueTenant>> {
            Box::pin(self.read_once(View::SignIn, async |session| {
                $crate::sql::due_items::tenants(session).await
            }))
        }

        fn announce_due_items<'a>(
            &'a self,
            tenant: &'a str,
            now: Timestamp,
            limit: u32,
        ) -> Reply<'a, u32> {
            let of = tenant.to_owned();
            Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                $crate::sql::due_items::announce(session, &of, now, limit).await
            }))
        }

        fn open_item_sweep<'a>(
            &'a self,
            tenant: &'a str,
            limit: u32,
        ) -> Reply<'a, $crate::open_item_sweep::SweepBatch> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    $crate::sql::open_item_sweep::batch(session, &of, limit).await
                }),
            )
        }

        fn remove_open_items<'a>(
            &'a self,
            tenant: &'a str,
            rows: Vec<$crate::open_item_sweep::OpenItemKey>,
        ) -> Reply<'a, usize> {
            let of = tenant.to_owned();
            Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                $crate::sql::open_item_sweep::remove(session, &of, &rows).await
            }))
        }

        fn open_items_swept<'a>(
            &'a self,
            tenant: &'a str,
            after: u64,
            until: u64,
        ) -> Reply<'a, bool> {
            let of = tenant.to_owned();
            Box::pin(self.write_once(View::Tenant(tenant), async move |session| {
                $crate::sql::open_item_sweep::moved(session, &of, after, until).await
            }))
        }

        fn journal<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, JournalPage> {
            let of = tenant.to_owned();
            // Entries and their events from one snapshot, as an entry may be continued meanwhile.
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    journal_pages::page(session, &of, &filter).await
                }),
            )
        }

        fn audit<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, AuditPage> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                audit_pages::page(session, &of, &filter).await
            }))
        }

        fn audited_tenants(&self) -> Reply<'_, Vec<String>> {
            Box::pin(self.tenants_with_trail())
        }

        fn audit_tree<'a>(&'a self, tenant: &'a str) -> Reply<'a, TreeState> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    audit_tree::state(session, &of).await
                }),
            )
        }

        fn audit_tiles<'a>(
            &'a self,
            tenant: &'a str,
            tiles: Vec<Tile>,
        ) -> Reply<'a, Vec<Vec<Hash>>> {
            let of = tenant.to_owned();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    let mut hashes = Vec::with_capacity(tiles.len());
                    for tile in tiles {
                        hashes.push(audit_tree::tile(session, &of, tile).await?);
                    }
                    Ok(hashes)
                }),
            )
        }

        fn save_audit_tiles<'a>(
            &'a self,
            tenant: &'a str,
            tiles: Vec<StoredTile>,
        ) -> Reply<'a, ()> {
            let of = tenant.to_owned();
            Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                audit_tree::insert_tiles(session, &of, &tiles).await
            }))
        }

        fn add_checkpoint<'a>(
            &'a self,
            tenant: &'a str,
            checkpoint: Checkpoint,
        ) -> Reply<'a, bool> {
            let of = tenant.to_owned();
            Box::pin(self.write_rows(View::Tenant(tenant), async move |session| {
                audit_tree::insert_checkpoint(session, &of, &checkpoint).await
            }))
        }

        fn audit_checkpoints<'a>(
            &'a self,
            tenant: &'a str,
            after: u64,
            limit: u32,
        ) -> Reply<'a, Vec<Checkpoint>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                audit_tree::checkpoints(session, &of, after, limit).await
            }))
        }

        fn audit_keys<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<AuditKey>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                audit_keys::all(session, &of).await
            }))
        }

        fn add_audit_key(&self, key: AuditKey, act: Act) -> Reply<'_, bool> {
            let tenant = key.tenant.clone();
            Box::pin(async move {
                self.administer(&tenant, act, async move |session| {
                    audit_keys::insert(session, &key).await
                })
                .await
            })
        }

        fn reseal_audit_key(&self, key: AuditKey) -> Reply<'_, ()> {
            let tenant = key.tenant.clone();
            Box::pin(async move {
                self.write_once(View::Tenant(&tenant), async move |session| {
                    audit_keys::reseal(session, &key).await
                })
                .await
            })
        }

        fn audit_rows<'a>(
            &'a self,
            tenant: &'a str,
            after: Option<u64>,
            limit: u32,
        ) -> Reply<'a, Vec<StoredRow>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                audit_rows::page(session, &of, after, limit).await
            }))
        }

        fn missing_audit_row<'a>(&'a self, tenant: &'a str) -> Reply<'a, Option<(Context, u64)>> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                audit_rows::missing_row(session, &of).await
            }))
        }

        fn changes_since<'a>(
            &'a self,
            tenant: &'a str,
            lists: Vec<Context>,
            after: u64,
        ) -> Reply<'a, ChangesSince> {
            let of = tenant.to_owned();
            let keys: Vec<_> = lists.iter().map(|list| ListKey::of(tenant, list)).collect();
            Box::pin(
                self.read_moment(View::Tenant(tenant), async move |session| {
                    changes::since(session, &of, &keys, after).await
                }),
            )
        }

        fn purge_journal(&self, before: Timestamp) -> Reply<'_, u64> {
            Box::pin(async move {
                let mut purged = 0;
                for tenant in self.tenants_with_trail().await? {
                    loop {
                        let of = tenant.clone();
                        let some = self.write_once(View::Tenant(&tenant), async move |session| {
                            journal_purge::some(session, &of, before).await
                        });
                        let some = some.await?;
                        purged += some;
                        if some < u64::from(journal_purge::AT_ONCE) {
                            break;
                        }
                    }
                }
                Ok(purged)
            })
        }

        fn backlog(&self, now: Timestamp) -> Reply<'_, Backlog> {
            Box::pin(self.read_moment(View::SignIn, async move |session| {
                backlog::read(session, now).await
            }))
        }

        fn has_tenant<'a>(&'a self, tenant: &'a str) -> Reply<'a, bool> {
            let of = tenant.to_owned();
            Box::pin(self.read_once(View::Tenant(tenant), async move |session| {
                tenants::has_data(session, &of).await
            }))
        }

        fn record_act<'a>(&'a self, tenant: &'a str, act: Act) -> Reply<'a, ()> {
            Box::pin(self.administer(tenant, act, async |_| Ok(())))
        }
    };
}
pub(crate) use cold_methods;
