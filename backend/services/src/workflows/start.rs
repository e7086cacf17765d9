//! Accepts a run: checks the caller, the computers, and whether the list fits the export.
//!
//! The field map and the key column are checked against the list's columns here, so a run that
//! cannot succeed does not start. Nothing is written on the site.

use std::collections::{HashMap, HashSet};

use checklist_auth::Principal;
use checklist_runtime::clock;
use checklist_shared::computer::ComputerField;
use checklist_shared::export::default_map;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::wire::connections::ConnectionMethod;
use checklist_shared::wire::workflow::{
    ConnectionReference, FieldMapping, Run, SYNC_KEY, StartRun,
};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::workflows::{BeginRunOutcome, NewRun, RunPlan, RunProgress};
use checklist_workflow::map::{MapError, bind};
use checklist_workflow::{check_key_column, list_key};
use sha2::{Digest, Sha256};
use site_lists::{Column, SiteList};

use super::record::run_in_progress;
use super::view;
use crate::access::FieldErrors;
use crate::app::App;
use crate::initiator;
use crate::sites::contents::offered_columns;
use crate::sites::{self, need_sites, site_refusal};

/// The maximum number of computers of a run.
const MOST: usize = 10_000;
/// The maximum number of errors that are reported for ids.
const MOST_REPORTED: usize = 20;

/// Starts a run, or returns the one that the same operation has started before.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `ConnectionNotDurable`, `ConnectionNotFound`,
/// `ListNotFound` and other errors of the site, `KeyColumnMissing`, `RunInProgress`,
/// `OperationIdReused`.
pub async fn start(app: &App, principal: &Principal, request: StartRun) -> ServiceResult<Run> {
    need_sites(principal)?;
    let body = digest(&request);
    let connection = check(&request)?;
    let computers = computers(app, principal, &request.computer_ids).await?;
    let (site, opened) = sites::of_connection(app, principal, &connection).await?;
    if opened.method == ConnectionMethod::PassThrough {
        return Err(not_durable(
            "This connection hands on what each caller brings along, and a run goes on without one.",
        ));
    }
    let list = SiteList::from(request.list.trim());
    site.forget(&list);
    let facts = site
        .list(&list)
        .await
        .map_err(|error| site_refusal(&error))?;
    let columns = site
        .columns(&list)
        .await
        .map_err(|error| site_refusal(&error))?;
    let key_column = key_column(&request, &columns)?;
    let field_map = field_map(&request, &columns, &key_column)?;
    let now = app.clock().now();
    let id = clock::new_item_id(now)
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "No id could be made."))?;
    let run = NewRun {
        tenant: principal.tenant.clone(),
        id: id.to_string(),
        list_key: list_key(&site, &facts),
        operation: request
            .operation_id
            .map(|operation| (format!("{} {operation}", principal.idempotency_scope), body)),
        plan: RunPlan {
            connection,
            connection_name: opened.name,
            list: request.list.trim().to_owned(),
            key_column,
            key_column_named: request.key_column.is_some(),
            field_map,
            match_fields: request
                .match_fields
                .unwrap_or_else(|| vec![ComputerField::SerialNumber, ComputerField::Name]),
            dry_run: request.dry_run,
            actor: principal.actor.clone(),
            standing: initiator::of(app, principal).await?,
        },
        progress: RunProgress {
            list_id: facts.id,
            list_title: facts.title,
            list_url: facts.web_url,
            ..RunProgress::default()
        },
        computers,
        at: now,
    };
    match app.store().begin_run(run).await? {
        BeginRunOutcome::New(run) | BeginRunOutcome::Same(run) => Ok(view::run(*run)),
        BeginRunOutcome::OperationReused => Err(ServiceError::new(
            ProblemCode::OperationIdReused,
            "The operation id belongs to another run.",
        )),
        BeginRunOutcome::Busy(id) => Err(run_in_progress(id)),
    }
}

/// The hash of a request, to detect a reused operation id.
fn digest(request: &StartRun) -> [u8; 32] {
    let text = serde_json::to_vec(request).unwrap_or_default();
    Sha256::digest(text).into()
}

/// Validates the request without any query. Returns the id of the connection.
fn check(request: &StartRun) -> ServiceResult<String> {
    let id = match &request.service_connection {
        ConnectionReference::Id(id) if !id.starts_with("sh_") => id.trim().to_owned(),
        _ => {
            return Err(not_durable(
                "A run may last longer than credentials or a handle: name a service connection by its id.",
            ));
        }
    };
    let mut faults = FieldErrors::default();
    if uuid::Uuid::try_parse(&id).is_err() {
        let (code, why) = if id.is_empty() {
            (FieldErrorCode::Required, "Name a service connection.")
        } else {
            (
                FieldErrorCode::Invalid,
                "The id of a service connection is a Guid.",
            )
        };
        faults.say("/ServiceConnection", code, why);
    }
    faults.name("/List", &request.list);
    faults.batch("/ComputerIds", request.computer_ids.len(), MOST);
    let mut seen = HashSet::new();
    let twice = request.computer_ids.iter().enumerate();
    for (index, _) in twice
        .filter(|(_, id)| !seen.insert(id.as_str()))
        .take(MOST_REPORTED)
    {
        faults.say(
            format!("/ComputerIds/{index}"),
            FieldErrorCode::Duplicate,
            "This computer is named twice.",
        );
    }
    for (index, field) in request.match_fields.iter().flatten().enumerate() {
        if !matches!(field, ComputerField::SerialNumber | ComputerField::Name) {
            faults.say(
                format!("/MatchFields/{index}"),
                FieldErrorCode::Invalid,
                "Entries are found by SerialNumber or by Name.",
            );
        }
    }
    if request.field_map.as_ref().is_some_and(Vec::is_empty) {
        faults.say(
            "/FieldMap",
            FieldErrorCode::Required,
            "Name at least one field, or leave the map out.",
        );
    }
    faults.operation_id("/OperationId", request.operation_id.as_deref());
    faults.refuse()?;
    Ok(id)
}

/// The selected computers with their names, in the order of the request.
async fn computers(
    app: &App,
    principal: &Principal,
    ids: &[String],
) -> ServiceResult<Vec<(String, String)>> {
    let found = app.store().computers_by_id(&principal.tenant, ids.to_vec());
    let mut names: HashMap<String, String> = found
        .await?
        .into_iter()
        .map(|record| (record.computer.id, record.computer.name))
        .collect();
    let mut faults = FieldErrors::default();
    let mut reported = 0;
    let mut computers = Vec::with_capacity(ids.len());
    for (index, id) in ids.iter().enumerate() {
        match names.remove(id) {
            Some(name) => computers.push((id.clone(), name)),
            None if reported < MOST_REPORTED => {
                reported += 1;
                faults.say(
                    format!("/ComputerIds/{index}"),
                    FieldErrorCode::Invalid,
                    "The inventory has no such computer.",
                );
            }
            None => {}
        }
    }
    faults.refuse()?;
    Ok(computers)
}

/// The internal name of the key column.
fn key_column(request: &StartRun, columns: &[Column]) -> ServiceResult<String> {
    let name = request.key_column.as_deref().map_or(SYNC_KEY, str::trim);
    let found = check_key_column(columns, name)?;
    match (found, &request.key_column) {
        (Some(column), _) => Ok(column.internal_name.clone()),
        (None, None) => Ok(name.to_owned()),
        (None, Some(_)) => {
            let mut faults = FieldErrors::default();
            faults.say(
                "/KeyColumn",
                FieldErrorCode::Invalid,
                format!("The list has no column {name:?}. Leave it out to have SyncKey made."),
            );
            faults.refuse()?;
            Ok(name.to_owned())
        }
    }
}

/// Resolves the field map to internal names.
fn field_map(
    request: &StartRun,
    columns: &[Column],
    key_column: &str,
) -> ServiceResult<Vec<FieldMapping>> {
    let map = request
        .field_map
        .clone()
        .unwrap_or_else(|| default_map(&offered_columns(columns.to_vec())));
    let bound = bind(&map, columns, key_column)
        .map_err(|wrong| map_errors(&wrong, request.field_map.is_some()))?;
    Ok(bound
        .into_iter()
        .map(|bound| FieldMapping {
            field: bound.field,
            column: bound.column.internal_name,
        })
        .collect())
}

fn map_errors(wrong: &[MapError], is_given: bool) -> ServiceError {
    let mut faults = FieldErrors::default();
    for fault in wrong {
        // A default map is not in the request, so there is no line to point at.
        let pointer = if is_given {
            format!("/FieldMap/{}/Column", fault.line)
        } else {
            "/FieldMap".to_owned()
        };
        faults.say(pointer, fault.code, &fault.detail);
    }
    match faults.refuse() {
        Err(error) => error,
        Ok(()) => ServiceError::new(ProblemCode::Internal, "The map cannot be used."),
    }
}

fn not_durable(why: &str) -> ServiceError {
    ServiceError::fields(
        ProblemCode::ConnectionNotDurable,
        why,
        vec![FieldError::new(
            "/ServiceConnection",
            FieldErrorCode::Invalid,
            why,
        )],
    )
}
