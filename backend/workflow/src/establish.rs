//! Establish: opens the site, the list, its columns and the key column.
//!
//! Creates the key column if it is missing and may be created. Otherwise the run is rejected before
//! anything was written. Runs at the start of every pass; its checks also run before a run is
//! accepted.

use checklist_runtime::failpoint;
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::workflow::SYNC_KEY;
use checklist_store::error::ServiceError;
use site_lists::{Column, ListInfo, ListPermissions, NewColumn, Site, SiteFieldType, SiteList};

use super::leased_run::{LeasedRun, PassError};
use super::map::{self, FieldBinding};
use super::retry::is_temporary;

/// A list that is ready for a pass.
pub(super) struct PreparedList {
    pub(super) site: Site,
    pub(super) list: SiteList,
    /// The field map, bound to the columns.
    pub(super) bound: Vec<FieldBinding>,
    /// The key column's internal name; `None` in a dry run on a list that does not have one yet.
    pub(super) key_column: Option<String>,
    /// Whether nothing is written.
    pub(super) is_dry_run: bool,
    /// The permissions of the connection's user; only in a dry run, and if the site reports them.
    pub(super) rights: Option<ListPermissions>,
}

/// Identifies a list: the server's host and the list's id on it.
#[must_use]
pub fn list_key(site: &Site, facts: &ListInfo) -> String {
    let origin = site.url().origin().ascii_serialization();
    let id = facts.id.trim_matches(['{', '}']).to_lowercase();
    format!("{origin} {id}")
}

/// The column for the keys; `None` if the list has no column with that name.
///
/// # Errors
/// `KeyColumnMissing` if the column cannot hold keys, with the reason as a sentence.
pub fn check_key_column<'a>(
    columns: &'a [Column],
    name: &str,
) -> Result<Option<&'a Column>, ServiceError> {
    let Some(column) = columns.iter().find(|column| column.internal_name == name) else {
        let shown = Column::by_name(columns, name).ok();
        // `SyncKey` is created by its internal name. A column with only that display name is
        // another one.
        return match shown.filter(|_| name != SYNC_KEY) {
            Some(column) => fit(column).map(Some),
            None => Ok(None),
        };
    };
    fit(column).map(Some)
}

fn fit(column: &Column) -> Result<&Column, ServiceError> {
    let name = &column.internal_name;
    let lacks = match () {
        () if column.field_type != Some(SiteFieldType::String) => "holds no plain text",
        () if !column.is_writable() => "cannot be written",
        () if !column.indexed => "is not indexed",
        () if !column.unique => "allows the same value twice",
        () => return Ok(column),
    };
    Err(ServiceError::new(
        ProblemCode::KeyColumnMissing,
        format!(
            "The column {name} {lacks}, so it cannot hold the keys of entries. Let an administrator of the site \
             change that, or name another text column that is indexed and enforces unique values as KeyColumn."
        ),
    ))
}

pub(super) async fn establish(held: &mut LeasedRun) -> Result<PreparedList, PassError> {
    let plan = held.run.plan.clone();
    let opening = Phrase::of(PhraseCode::StepOpening).with("connection", &plan.connection_name);
    held.begin_again("Establish", opening.sentence()).await?;
    failpoint::reach("establish.begun").await;
    let site = held.outside.site(&held.run).await?;
    held.still_ours()?;
    let list = SiteList::from(plan.list.as_str());
    // The cached columns may be older than the run.
    site.forget(&list);
    let facts = held.asking(&site, site.list(&list)).await?;
    let facts = facts.map_err(|error| held.pass_error(&error))?;
    held.site_answered();
    if list_key(&site, &facts) != held.run.list_key {
        return Err(ServiceError::new(
            ProblemCode::ListNotFound,
            format!(
                "{:?} is another list than the one the run began with.",
                plan.list
            ),
        )
        .into());
    }
    failpoint::reach("establish.opened").await;
    let columns = held.asking(&site, site.columns(&list)).await?;
    let columns = columns.map_err(|error| held.pass_error(&error))?;
    let bound = map::bind(&plan.field_map, &columns, &plan.key_column).map_err(|faults| {
        let detail: Vec<&str> = faults.iter().map(|fault| fault.detail.as_str()).collect();
        ServiceError::new(ProblemCode::FieldNotFound, detail.join(" "))
    })?;
    failpoint::reach("establish.checked").await;
    let known = check_key_column(&columns, &plan.key_column)?;
    let rights = if plan.dry_run {
        rights(held, &site, &list).await?
    } else {
        None
    };
    let key_column = match known {
        Some(column) => Some(column.internal_name.clone()),
        None if plan.dry_run && rights.is_some_and(|rights| !rights.can_add_columns) => {
            let why = format!(
                "The column {} is missing, and the connection's account may not make columns.",
                plan.key_column
            );
            return Err(key_column_missing(why).into());
        }
        None if plan.dry_run => None,
        None => Some(make_key_column(held, &site, &list).await?),
    };
    held.run.progress.list_id = facts.id;
    held.run.progress.list_title.clone_from(&facts.title);
    held.run.progress.list_url = facts.web_url.or(held.run.progress.list_url.take());
    let opened = match key_column {
        Some(_) => PhraseCode::StepOpened,
        None => PhraseCode::StepOpenedWithoutKey,
    };
    let opened = Phrase::of(opened)
        .with("list", &facts.title)
        .with("connection", &plan.connection_name);
    held.end(Some(opened.sentence())).await?;
    failpoint::reach("establish.done").await;
    Ok(PreparedList {
        site,
        list,
        bound,
        key_column,
        is_dry_run: plan.dry_run,
        rights,
    })
}

/// The permissions of the connection's user. Does not fail if the user may not read them.
async fn rights(
    held: &LeasedRun,
    site: &Site,
    list: &SiteList,
) -> Result<Option<ListPermissions>, PassError> {
    match held.asking(site, site.permissions(list)).await? {
        Ok(rights) => Ok(rights),
        Err(error) if error.is_site_away() => Err(held.pass_error(&error)),
        Err(_) => Ok(None),
    }
}

fn key_column_missing(why: String) -> ServiceError {
    ServiceError::new(
        ProblemCode::KeyColumnMissing,
        format!(
            "{why} Let an administrator of the site make a text column that is indexed and enforces unique \
             values, and name it as KeyColumn."
        ),
    )
}

async fn make_key_column(
    held: &LeasedRun,
    site: &Site,
    list: &SiteList,
) -> Result<String, PassError> {
    let plan = &held.run.plan;
    if plan.key_column_named {
        let why = format!("The list has no column {}.", plan.key_column);
        return Err(key_column_missing(why).into());
    }
    let column = NewColumn {
        internal_name: plan.key_column.clone(),
        display_name: "Sync key".to_owned(),
        field_type: SiteFieldType::String,
        hidden: true,
        indexed: true,
        unique: true,
    };
    let made = site.ensure_column(list, &column);
    let made = held.unless_lost(site, made).await?;
    let made = made.map_err(|error| {
        if error.is_site_away() {
            return held.pass_error(&error);
        }
        let refused = held.outside.site_refusal(&error);
        if is_temporary(refused.code()) && refused.code() != ProblemCode::SiteRejected {
            return refused.into();
        }
        let mut missing = key_column_missing(format!(
            "The column {} is missing, and cannot be made: {error}",
            plan.key_column
        ));
        missing.problem.site = refused.problem.site;
        missing.into()
    })?;
    failpoint::reach("establish.key-column").await;
    fit(&made)?;
    Ok(made.internal_name)
}
