//! The conformance suite: what every store has to do, tested through the services.
//!
//! A module opens a [`World`] on its database and calls `conformance!`; each case then is a
//! test with its own name. Nothing here contains SQL, except [`isolation`].

pub mod administration;
pub mod catalogue;
pub mod computers;
pub mod conflicting;
pub mod connections;
pub mod directory;
pub mod due_items;
pub mod erasing;
pub mod following;
pub mod isolation;
pub mod logs;
pub mod open_items;
pub mod operations;
pub mod proposing;
pub mod queue;
pub mod reading;
pub mod refreshing;
pub mod refusing;
pub mod restarting;
pub mod restoring;
pub mod signed;
pub mod starting_again;
pub mod tampering;
pub mod template_health;
pub mod wake_ups;
pub mod webhooks;
pub mod workflows;
pub mod writing;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use checklist_auth::{Credential, Principal};
use checklist_egress::Egress;
use checklist_runtime::clock::SettableClock;
use checklist_services::app::App;
use checklist_services::audit::{Break, Trusted};
use checklist_services::checklist::{self, GetItemsAnswer};
use checklist_services::{audit, journal, platform_type, template};
use checklist_shared::Context;
use checklist_shared::administration::{Action, AdministrativeAct, Category};
use checklist_shared::id::ItemId;
use checklist_shared::item::{Actor, Status};
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions, Role};
use checklist_shared::problem::ProblemCode;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{AuditRow, Class, JournalEntry, TokenContext, Type};
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::list::{GetItems, ListAnswer};
use checklist_shared::wire::write::{
    AddItem, AddItems, DeleteItems, RestoreItems, UpdateItem, UpdateItems, WriteAnswer,
};
use checklist_store::Store;
use checklist_store::administration::{Act, Target};
use checklist_store::error::{NotApplied, ServiceError, ServiceResult};
use checklist_store::expected::ExpectedState;
use checklist_store::scope::ContextScope;
use checklist_store::store::Stamp;
use checklist_vault::VaultKeys;

/// An empty store, a clock that the test controls, and whatever has to live as long.
pub struct World {
    pub app: App,
    pub clock: Arc<SettableClock>,
    pub _keep: Box<dyn std::any::Any + Send + Sync>,
}

/// Makes a test of each of these cases, with a world from `$open`.
#[macro_export]
macro_rules! cases {
    ($open:path; $($area:ident: $($case:ident),+ $(,)?;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                let world = $open().await;
                $crate::conformance::$area::$case(&world).await;
                world.app.close().await.expect("the store closes");
            })+
        })+
    };
}

/// Makes a test of every case, with a world from `$open`.
#[macro_export]
macro_rules! conformance {
    ($open:path) => {
        $crate::cases! {
            $open;
            administration:
                every_act_is_a_row_with_its_author_and_the_values_before_and_after,
                no_secret_is_in_the_trail,
                an_act_that_changes_nothing_or_is_refused_leaves_no_row,
                templates_tell_which_texts_went_live,
                signing_in_and_out_is_in_the_trail,
                acts_and_changes_of_lists_are_one_trail,
                acts_are_hidden_from_a_credential_for_some_lists,
                a_tenant_that_does_not_exist_is_not_verified,
                a_one_time_link_holds_for_ten_minutes_one_use_and_one_browser,
            ;
            reading:
                a_list_never_written_is_projected_and_reading_it_writes_nothing,
                a_purpose_without_a_template_is_empty_and_never_completed,
                a_summary_leaves_the_items_out,
                a_batch_answers_each_context_with_a_list_or_a_problem_in_order,
                a_batch_in_which_every_context_is_refused_answers_each_of_them,
                a_request_names_either_one_context_or_at_most_two_hundred,
                reading_needs_the_permission_and_a_covered_context,
                changes_since_a_revision_hold_what_changed_and_what_is_gone,
                who_reads_changes_alone_learns_of_places_that_were_rebalanced,
                texts_come_in_the_language_that_was_asked_for,
                a_due_date_does_not_slide_while_nobody_writes,
                the_template_is_the_contexts_else_the_credentials_else_the_types,
                an_unknown_template_is_not_found_while_nothing_is_written,
                an_answer_tells_permissions_and_limits,
            ;
            writing:
                the_first_write_stores_the_whole_list_under_the_projected_ids,
                two_first_writers_make_one_set_of_items,
                a_tick_in_a_list_of_one_is_completed_and_taking_it_back_is_not,
                a_status_that_is_set_already_stays_the_first_actors,
                items_without_a_place_follow_each_other_in_the_order_of_the_request,
                a_client_may_choose_the_id_and_send_the_item_again,
                deleting_a_section_takes_its_items_along,
                everything_about_an_item_comes_back_as_it_was_written,
            ;
            conflicting:
                a_tick_that_saw_another_wording_is_a_conflict_and_brings_the_present_item,
                text_and_place_without_a_base_version_refuse_the_whole_request,
                texts_conflict_when_the_text_has_changed_and_not_when_it_was_ticked,
                an_atomic_request_is_applied_whole_or_not_at_all,
                a_partly_refused_request_changes_the_rest,
            ;
            refusing:
                over_a_limit_nothing_changes_at_all,
                an_object_has_at_most_twenty_lists,
                a_locked_list_refuses_every_path_until_it_is_unlocked,
                an_unknown_and_a_foreign_item_are_told_alike,
                tenants_do_not_see_each_other,
                a_caller_without_the_calls_permission_is_refused_as_a_whole,
                taking_back_somebody_elses_tick_needs_its_own_permission,
                a_context_outside_the_credential_is_not_found,
            ;
            operations:
                a_repeat_gets_the_same_answer_and_has_no_second_effect,
                twenty_repeats_at_once_have_one_effect,
                another_body_under_the_same_id_is_refused,
                the_same_id_of_another_caller_call_or_list_is_another_operation,
                the_permission_is_asked_for_again_before_a_replay,
                a_part_of_the_permissions_is_not_enough_for_a_replay,
                an_operation_is_forgotten_after_a_day,
                every_kind_of_change_can_be_taken_back_and_that_again,
                what_others_have_built_on_cannot_be_taken_back,
                an_undo_is_refused_for_what_is_unknown_empty_or_somebody_elses,
                taking_back_needs_the_permission_for_each_effect,
                a_refresh_is_one_undo_step,
            ;
            proposing:
                an_agent_proposes_and_the_person_who_accepts_has_done_it,
                of_a_batch_with_one_item_that_needs_a_person_the_others_are_done_or_none,
                a_declined_proposal_is_gone_and_an_undo_brings_it_back,
            ;
            queue:
                a_panic_inside_a_transaction_takes_nothing_else_with_it,
                a_full_queue_says_busy_and_what_was_accepted_is_done,
                after_closing_nothing_is_accepted,
            ;
            refreshing:
                a_dry_run_tells_what_the_refresh_then_does_and_writes_nothing,
                a_refresh_of_another_revision_changes_nothing,
                a_list_never_written_is_made_at_the_version_asked_for,
                another_template_keeps_the_state_of_the_keys_that_both_have,
                a_list_without_a_template_has_nothing_to_follow,
                a_refresh_over_the_limit_changes_nothing,
                lists_follow_by_themselves_unless_locked_waived_or_complete,
                a_refresh_after_an_undone_one_brings_what_the_first_one_brought,
            ;
            restoring:
                what_was_deleted_comes_back_when_the_operation_is_long_forgotten,
                what_was_purged_does_not_come_back,
                a_restore_is_remembered_and_taken_back,
                a_restored_item_follows_the_version_of_its_list,
            ;
            catalogue:
                a_draft_is_seen_by_those_alone_who_write_templates,
                publishing_makes_the_draft_the_version_that_lists_are_made_from,
                without_a_draft_there_is_nothing_to_publish,
                everything_that_is_wrong_with_a_template_is_told_at_once,
                templates_and_types_are_written_by_their_admins_alone,
                a_type_names_published_templates_alone,
                the_impact_of_a_publication_is_counted_before_it,
                an_export_can_be_imported_as_drafts,
                a_preview_is_made_by_template_or_by_type,
                a_change_of_a_type_leaves_what_it_does_not_name,
                a_type_that_somebody_else_has_changed_is_not_overwritten,
                templates_are_read_page_by_page_in_the_order_of_their_ids,
                a_credential_for_some_lists_is_shown_their_types_and_templates_alone,
                a_number_of_a_deleted_template_stands_for_no_other_content,
                a_template_is_deleted_or_followed_and_never_both,
            ;
            logs:
                operations_of_one_actor_within_two_minutes_form_one_entry,
                somebody_elses_change_in_between_begins_a_new_entry,
                without_a_wish_there_is_neither_entry_nor_reason,
                request_credential_and_type_can_each_ask_for_the_journal,
                the_reason_names_the_class_that_is_missing_and_adding_it_works_at_once,
                the_journal_is_read_page_by_page_within_the_credentials_contexts,
                the_audit_trail_tells_each_change_with_text_actor_basis_and_operation,
                the_audit_trail_is_for_auditors_within_their_contexts,
                logs_are_read_in_either_order_and_within_a_time,
                logs_are_searched_for_words_an_actor_and_a_kind,
                a_refused_request_leaves_no_trace,
                what_is_deleted_is_gone_after_thirty_days_and_the_audit_trail_stays,
                remembered_operations_are_purged_after_a_day,
                old_entries_of_the_journal_go_where_they_are_not_kept_and_cursors_go_on,
            ;
            signed:
                an_honest_trail_is_unbroken_and_signed_to_its_end,
                a_rotated_key_signs_and_the_one_before_still_verifies,
                a_long_trail_is_proven_from_its_tiles,
                nothing_is_proven_before_something_was_signed,
            ;
            erasing:
                an_erased_person_is_named_nowhere_and_every_proof_holds,
                a_remembered_answer_is_repeated_without_the_erased_name,
                texts_stay_unless_the_tenant_names_them,
                whoever_has_the_same_id_elsewhere_keeps_the_name,
                what_was_written_during_an_erasure_goes_with_the_next_housekeeping,
                the_last_administrator_is_not_erased_and_nothing_half,
                old_names_go_once_a_day_and_their_rows_stay,
                retention_is_decided_by_administrators_within_bounds,
            ;
            directory:
                a_tenant_keeps_its_beginning_and_its_epoch_when_it_is_renamed,
                an_embed_key_is_the_tenants_own_and_never_comes_back_once_revoked,
                an_api_key_is_found_by_its_secret_and_revoked_by_its_own_tenant_alone,
                a_person_is_registered_once_a_tenant_and_found_by_identity,
                people_and_keys_are_read_page_by_page,
                a_new_name_moves_a_person_in_the_order_of_people,
                two_thousand_people_are_read_by_name_whatever_its_case_and_accents,
                every_change_and_nothing_else_makes_the_version_grow,
                a_session_shows_the_person_as_registered_now_and_ends,
                what_was_given_before_does_not_come_back_with_the_tenant_or_the_person,
                who_is_registered_again_does_not_get_back_what_they_were_given_before,
                the_last_administrator_stays_one_also_when_two_step_down_at_once,
                revoking_everything_ends_keys_and_sessions_of_that_tenant_alone,
                a_begun_sign_in_is_finished_once,
                what_has_ended_is_purged_and_the_rest_stays,
            ;
            connections:
                a_connection_is_kept_as_it_is_and_is_its_tenants_own,
                a_name_is_taken_once_a_tenant_whatever_its_case,
                a_change_of_an_older_revision_is_refused,
                one_refresh_at_a_time_and_a_claim_ends,
                a_begun_consent_is_finished_once,
                a_handle_is_its_tenants_own_and_ends,
            ;
            workflows:
                a_list_has_one_run_until_that_has_ended,
                an_operation_begins_one_run,
                a_run_is_held_by_one_worker_until_its_lease_ends,
                whoever_lost_a_run_writes_nothing,
                a_run_that_waits_is_due_when_somebody_answers_or_stops_it,
                runs_of_other_tenants_are_not_there,
            ;
            wake_ups:
                whatever_makes_a_run_due_wakes_the_worker_and_nothing_else_does,
            ;
            webhooks:
                a_webhook_is_kept_as_it_is_and_is_its_tenants_own,
                an_event_is_kept_with_its_change_for_each_webhook_that_asked,
                a_webhook_that_is_turned_off_on_or_deleted_counts_from_the_next_change_on,
                a_delivery_is_one_senders_until_its_lease_ends,
                what_was_not_taken_waits_and_begins_anew_when_it_is_replayed,
                a_webhook_that_takes_nothing_for_days_is_turned_off,
                deliveries_are_removed_after_thirty_days,
            ;
            due_items:
                an_item_is_announced_once_when_it_is_overdue,
                what_was_due_in_a_closed_run_is_not_announced,
                who_asked_for_overdue_items_alone_is_told_of_nothing_else,
                what_is_resolved_moved_or_deleted_before_is_not_announced,
                a_due_date_that_moves_is_announced_anew_and_one_that_was_announced_is_not,
                an_item_that_is_reopened_is_not_announced_again,
                a_day_is_over_for_everybody_when_it_has_ended_in_utc,
                an_item_is_announced_as_due_as_long_before_as_its_template_says,
                a_list_has_the_notice_of_the_version_that_it_follows,
                a_server_that_was_down_announces_what_became_due_meanwhile_in_batches,
                without_a_webhook_items_count_as_announced_and_purged_ones_leave_nothing,
            ;
            open_items:
                a_row_outlives_its_tick_until_it_is_swept_and_not_a_change_of_the_item,
                resolved_items_before_those_that_are_due_keep_nobody_from_being_announced,
                a_page_of_open_items_is_full_behind_resolved_ones_and_counts_none_of_them,
                a_sweep_that_was_interrupted_goes_on_and_takes_no_row_of_an_open_item,
                the_trail_is_swept_in_parts_and_each_part_by_one_node,
                items_that_are_ticked_and_opened_during_sweeps_of_two_nodes_are_found,
                after_any_sequence_what_is_found_and_announced_is_what_a_look_at_all_lists_tells,
            ;
            computers:
                a_new_computer_is_created_and_reads_back_as_it_was_imported,
                an_import_tells_what_changes_and_leaves_the_rest_as_it_was,
                one_wrong_row_and_nothing_is_imported,
                a_table_is_imported_like_json,
                a_dry_run_tells_what_the_import_then_does_and_writes_nothing,
                pages_follow_each_other_by_name_whatever_the_case_and_lose_nobody,
                a_search_finds_words_in_five_fields_and_takes_nothing_for_a_pattern,
                a_filter_by_status_counts_what_it_finds,
                computers_are_their_tenants_own,
                two_imports_at_once_leave_one_of_them,
                what_an_export_asks_for_is_found_by_id_and_by_name_and_serial,
                the_inventory_is_for_those_who_may_run_site_activities,
            ;
            template_health:
                each_figure_of_an_item_counts_what_it_says,
                a_list_counts_with_its_present_run,
                a_text_recurs_whatever_its_case_and_spaces,
                other_templates_and_tenants_are_not_counted,
                a_key_that_only_older_lists_have_is_told_with_its_text,
                what_nobody_has_to_do_any_more_is_not_open_and_a_key_of_no_version_is_not_told,
                what_people_change_of_the_definition_is_counted_as_changed,
                lists_of_many_pages_are_all_counted,
                a_page_has_no_more_lists_and_no_more_of_their_histories_than_was_asked_for,
                figures_are_for_authors_and_auditors_of_all_lists_and_texts_for_readers,
            ;
            starting_again:
                what_is_written_beside_a_start_is_in_the_run_that_it_saw,
                runs_are_read_page_by_page_and_each_has_its_items,
            ;
            isolation:
                what_was_done_for_two_people_makes_two_entries,
                many_moves_to_one_place_leave_room_everywhere,
            ;
            following:
                a_commit_is_told_when_it_can_be_read,
                nothing_is_told_of_what_changed_nothing,
                a_published_template_is_told,
                changes_since_an_id_name_the_revision_to_go_on_from,
                a_history_that_is_too_long_to_walk_counts_as_gone,
                a_stream_tells_what_others_do,
                what_was_purged_meanwhile_is_told_as_a_reset,
            ;
        }
    };
}

static BODIES: AtomicU64 = AtomicU64::new(1);

/// The hash of a body that no other request has.
pub fn body() -> [u8; 32] {
    let mut hash = [0; 32];
    hash[..8].copy_from_slice(&BODIES.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    hash
}

/// The list of most cases.
pub fn incident() -> Context {
    Context::new("incident", "INC-1", "")
}

/// A person with that role on every list of the tenant `acme`.
pub fn person(id: &str, role: Role) -> Principal {
    Principal {
        tenant: "acme".to_owned(),
        actor: Actor::person(id, &format!("{id} Example")),
        permissions: role.permissions(),
        contexts: ContextScope::Any,
        languages: vec!["en".to_owned()],
        sources: Vec::new(),
        journal: false,
        template: None,
        idempotency_scope: format!("tests/{id}"),
        expires_at: None,
        credential: Credential::Own,
    }
}

pub fn anna() -> Principal {
    person("anna", Role::Owner)
}

pub fn ben() -> Principal {
    person("ben", Role::Owner)
}

pub fn admin() -> Principal {
    person("admin", Role::Admin)
}

/// The same person with exactly these permissions.
pub fn only(mut principal: Principal, permissions: &[Permission]) -> Principal {
    principal.permissions = permissions.iter().copied().collect::<Permissions>();
    principal
}

/// The same person with a credential for that list only.
pub fn on(mut principal: Principal, context: &Context) -> Principal {
    principal.contexts = ContextScope::Listed(vec![TokenContext {
        object_type: context.object_type.clone(),
        object_id: context.object_id.clone(),
        purpose: context.purpose.clone(),
        template_id: None,
        facts: None,
    }]);
    principal
}

/// A template from JSON.
pub fn template_of(id: &str, items: serde_json::Value) -> Template {
    serde_json::from_value(serde_json::json!({
        "Id": id, "Key": id, "Name": {"en": format!("Template {id}"), "de": format!("Vorlage {id}")}, "Items": items,
    }))
    .expect("a template")
}

/// Five items: three at the top level, and a section with two.
pub fn five() -> Template {
    template_of(
        "five",
        serde_json::json!([
            {"Key": "a", "Text": {"en": "Call back", "de": "Zurückrufen"}, "Required": true},
            {"Key": "b", "Text": {"en": "Write it down", "de": "Aufschreiben"}, "AllowNotApplicable": true,
             "NotApplicableNeedsReason": true},
            {"Key": "c", "Text": {"en": "Tell the team", "de": "Dem Team sagen"}, "DueOffset": "P1D"},
            {"Key": "s", "Kind": "Section", "Text": {"en": "After", "de": "Danach"}},
            {"Key": "s1", "ParentKey": "s", "Text": {"en": "Tidy up", "de": "Aufräumen"}},
            {"Key": "s2", "ParentKey": "s", "Text": {"en": "Go home", "de": "Heimgehen"}},
        ]),
    )
}

/// The number of audit rows that [`World::with_incidents`] writes: a draft, its publication, a
/// type.
pub const SET_UP: u64 = 3;

/// An administrator at a fixed moment.
pub fn stamp() -> Stamp {
    Stamp {
        actor: admin().actor,
        at: Timestamp::from_millis(1_763_640_000_000),
    }
}

/// The same administrator at another moment.
pub fn stamp_at(at: Timestamp) -> Stamp {
    Stamp { at, ..stamp() }
}

/// An act for store methods that need one.
pub fn act(target: Target, action: Action) -> Act {
    Act::new(stamp(), target, action)
}

impl World {
    /// A server on that store, with a clock of its own.
    pub fn on(store: impl Store + 'static) -> Self {
        let nine = "2026-11-20T09:00:00Z".parse().expect("a time");
        let clock = Arc::new(SettableClock::new(nine));
        let egress = Arc::new(Egress::new([]).expect("TLS"));
        let app = App::with(Arc::new(store), clock.clone(), Limits::default(), egress);
        Self {
            app: app.with_vault(vault()),
            clock,
            _keep: Box::new(()),
        }
    }

    /// Creates the type `incident` with both classes and the template `five`.
    pub async fn with_incidents(&self) {
        self.publish(five()).await;
        self.put_type(
            "incident",
            &[Class::UnitOfWork, Class::ChecklistItem],
            &[("", "five")],
        )
        .await;
    }

    /// Saves a draft in place of what there is.
    pub async fn draft(&self, template: Template) -> Template {
        let id = template.id.clone();
        template::put_draft(&self.app, &admin(), &id, template, ExpectedState::Anything)
            .await
            .expect("a draft")
            .template
    }

    pub async fn publish(&self, template: Template) -> u32 {
        let id = template.id.clone();
        self.draft(template).await;
        template::publish(&self.app, &admin(), &id, ExpectedState::Anything)
            .await
            .expect("published")
            .template
            .version
    }

    pub async fn put_type(&self, name: &str, classes: &[Class], templates: &[(&str, &str)]) {
        let kind = Type {
            name: name.to_owned(),
            classes: classes.to_vec(),
            templates: templates
                .iter()
                .map(|(purpose, id)| ((*purpose).into(), (*id).into()))
                .collect(),
            always_journal: false,
        };
        platform_type::put(
            &self.app,
            &admin(),
            name,
            kind.into(),
            ExpectedState::Anything,
        )
        .await
        .expect("a type");
    }

    pub async fn ask(
        &self,
        principal: &Principal,
        request: GetItems,
    ) -> ServiceResult<GetItemsAnswer> {
        checklist::get_items(&self.app, principal, request).await
    }

    pub async fn try_read(
        &self,
        principal: &Principal,
        context: &Context,
    ) -> ServiceResult<ListAnswer> {
        self.read_since(principal, context, None).await
    }

    pub async fn read_since(
        &self,
        principal: &Principal,
        context: &Context,
        since_revision: Option<u64>,
    ) -> ServiceResult<ListAnswer> {
        let request = GetItems {
            context: Some(context.clone()),
            since_revision,
            ..GetItems::default()
        };
        match self.ask(principal, request).await? {
            GetItemsAnswer::One(list) => Ok(*list),
            GetItemsAnswer::Many(_) => panic!("one context was asked for"),
        }
    }

    pub async fn read(&self, principal: &Principal, context: &Context) -> ListAnswer {
        self.try_read(principal, context).await.expect("a list")
    }

    /// The item with that English text.
    pub async fn item(&self, context: &Context, text: &str) -> ItemView {
        let list = self.read(&anna(), context).await;
        let item = list
            .items
            .unwrap_or_default()
            .into_iter()
            .find(|item| item.text == text);
        item.unwrap_or_else(|| panic!("there is no item '{text}'"))
    }

    pub async fn update(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        items: Vec<UpdateItem>,
    ) -> ServiceResult<WriteAnswer> {
        let request = UpdateItems {
            operation_id: operation.map(str::to_owned),
            ..UpdateItems::new(context.clone(), false, items)
        };
        checklist::update_items(&self.app, principal, request, body()).await
    }

    /// Ticks the item with that English text.
    pub async fn tick(&self, principal: &Principal, context: &Context, text: &str) -> WriteAnswer {
        let id = self.item(context, text).await.id;
        self.update(principal, context, None, vec![status(id, Status::Done)])
            .await
            .expect("ticked")
    }

    pub async fn add(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        items: Vec<AddItem>,
    ) -> ServiceResult<WriteAnswer> {
        let request = AddItems {
            operation_id: operation.map(str::to_owned),
            ..AddItems::new(context.clone(), items)
        };
        checklist::add_items(&self.app, principal, request, body()).await
    }

    pub async fn delete(
        &self,
        principal: &Principal,
        context: &Context,
        operation: Option<&str>,
        ids: Vec<ItemId>,
    ) -> ServiceResult<WriteAnswer> {
        let request = DeleteItems {
            operation_id: operation.map(str::to_owned),
            ..DeleteItems::new(context.clone(), ids)
        };
        checklist::delete_items(&self.app, principal, request, body()).await
    }

    pub async fn restore(
        &self,
        principal: &Principal,
        context: &Context,
        ids: Vec<ItemId>,
    ) -> ServiceResult<WriteAnswer> {
        let request = RestoreItems::new(context.clone(), ids);
        checklist::restore_items(&self.app, principal, request, body()).await
    }

    /// The deleted items that are not purged yet.
    pub async fn deleted(&self, principal: &Principal, context: &Context) -> Vec<ItemView> {
        let request = GetItems {
            context: Some(context.clone()),
            include_deleted: true,
            ..GetItems::default()
        };
        match self.ask(principal, request).await.expect("a list") {
            GetItemsAnswer::One(list) => list.deleted.expect("deleted items"),
            GetItemsAnswer::Many(_) => panic!("one context was asked for"),
        }
    }

    /// What is broken first in the audit trail of any tenant.
    pub async fn broken(&self) -> Option<Break> {
        signed::broken(self, &Trusted::default()).await
    }

    /// The audit rows of lists.
    pub async fn audit(&self, principal: &Principal) -> Vec<AuditRow> {
        self.audit_of(principal, Category::Checklist).await
    }

    /// The audit rows of administration.
    pub async fn acts(&self, principal: &Principal) -> Vec<AdministrativeAct> {
        let mut rows = self.audit_of(principal, Category::Administration).await;
        rows.extend(self.audit_of(principal, Category::SignIn).await);
        rows.sort_by_key(|row| row.sequence);
        rows.into_iter().filter_map(|row| row.act).collect()
    }

    async fn audit_of(&self, principal: &Principal, category: Category) -> Vec<AuditRow> {
        let query = journal::LogQuery {
            limit: Some(500),
            category: Some(category),
            ..journal::LogQuery::default()
        };
        audit::page(&self.app, principal, query)
            .await
            .expect("the audit trail")
            .rows
    }

    /// Journal entries after a cursor.
    pub async fn journal(&self, principal: &Principal, after: u64) -> Vec<JournalEntry> {
        let query = journal::LogQuery {
            after,
            ..journal::LogQuery::default()
        };
        journal::page(&self.app, principal, query)
            .await
            .expect("the journal")
            .entries
    }
}

/// The keys of a vault, always the same.
pub fn vault() -> VaultKeys {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    VaultKeys::parse(&format!("test {key}")).expect("a key")
}

/// The results of the items of a request that was not applied.
pub fn not_applied(answer: ServiceResult<WriteAnswer>) -> NotApplied {
    let refused = answer.expect_err("nothing is applied");
    assert_eq!(refused.code(), ProblemCode::NotApplied);
    *refused.not_applied.expect("results")
}

/// The parts of a request that an error names.
pub fn pointers(refused: &ServiceError) -> Vec<&str> {
    let errors = refused.problem.errors.iter();
    errors.map(|error| error.pointer.as_str()).collect()
}

/// Sets a status.
pub fn status(id: ItemId, status: Status) -> UpdateItem {
    UpdateItem {
        status: Some(status),
        ..UpdateItem::of(id)
    }
}

/// Adds an item with that text; the server chooses its position.
pub fn new(text: &str) -> AddItem {
    AddItem::new(text)
}

/// The texts of a list in display order.
pub fn texts(list: &ListAnswer) -> Vec<&str> {
    list.items
        .iter()
        .flatten()
        .map(|item| item.text.as_str())
        .collect()
}
