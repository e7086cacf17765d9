//! What decisions on lists need of a tenant's types, templates and webhooks, and the statements that
//! read it.
//!
//! Every change of it increments the tenant's epoch: a catalogue is valid while its epoch is the
//! stored one.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use checklist_shared::wire::admin::Type;
use tokio_postgres::Row;

use super::columns::{get, get_json, get_u32};
use super::error::PostgresError;
use super::webhook_rows;
use crate::outbox::Listener;
use crate::platform_types::TypesByName;
use crate::store::{StoreError, TemplateChoice};

/// The part of a tenant's data that decisions on lists depend on.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    /// Counts the changes; 0 before the first.
    pub(super) epoch: i64,
    /// Types by name.
    pub(super) types: TypesByName,
    /// The published versions of each template, which have no gap.
    published: HashMap<String, RangeInclusive<u32>>,
    /// The webhooks that are on.
    pub(super) listeners: Vec<Listener>,
}

impl Catalogue {
    /// The version that a choice means; `None` if it is not published, or no longer.
    pub(super) fn version(&self, choice: &TemplateChoice) -> Option<u32> {
        let published = self.published.get(&choice.id)?;
        let version = choice.version.unwrap_or(*published.end());
        published.contains(&version).then_some(version)
    }
}

/// Selects the present epoch; no row before the first change.
pub(super) const EPOCH: &str = "SELECT epoch FROM catalogue WHERE tenant = $1";

pub(super) const TYPES: &str = "SELECT name, classes, templates, always_journal \
     FROM platform_type WHERE tenant = $1";

/// Selects the oldest and newest published version of each template, and whether it is retired.
pub(super) const PUBLISHED: &str = "SELECT v.template_id, min(v.version), max(v.version), \
          bool_or(r.template_id IS NOT NULL) \
     FROM template_version v LEFT JOIN retired_template r \
          ON r.tenant = v.tenant AND r.template_id = v.template_id \
     WHERE v.tenant = $1 AND v.status = 'Published' GROUP BY v.template_id";

/// Selects published versions, given as two arrays (template, version).
pub(super) const TEMPLATES: &str = "SELECT v.document \
     FROM unnest($2::text[], $3::bigint[]) AS wanted (template_id, version) \
     JOIN template_version v ON v.tenant = $1 AND v.template_id = wanted.template_id \
          AND v.version = wanted.version \
     WHERE v.status = 'Published'";

/// The epoch in a result of [`EPOCH`].
pub(super) fn epoch(rows: &[Row]) -> Result<i64, PostgresError> {
    rows.first().map_or(Ok(0), |row| get(row, 0))
}

/// Builds the catalogue from results of [`TYPES`], [`PUBLISHED`] and `webhook_rows::LISTENERS`.
pub(super) fn read(
    epoch: i64,
    types: &[Row],
    published: &[Row],
    listeners: &[Row],
) -> Result<Catalogue, PostgresError> {
    let types = types
        .iter()
        .map(|row| Ok((get(row, 0)?, kind_of(row))))
        .collect::<Result<TypesByName, PostgresError>>()?;
    let mut retired = BTreeSet::new();
    for row in published {
        if get(row, 3)? {
            retired.insert(get(row, 0)?);
        }
    }
    Ok(Catalogue {
        epoch,
        types: types.with_retired(retired),
        published: published
            .iter()
            .map(|row| Ok((get(row, 0)?, get_u32(row, 1)?..=get_u32(row, 2)?)))
            .collect::<Result<_, PostgresError>>()?,
        listeners: webhook_rows::listeners(listeners)?,
    })
}

/// A type, or what is wrong with its row.
fn kind_of(row: &Row) -> Result<Type, String> {
    let read = || {
        Ok(Type {
            name: get(row, 0)?,
            classes: get_json(row, 1)?,
            templates: get_json(row, 2)?,
            always_journal: get(row, 3)?,
        })
    };
    read().map_err(|error: PostgresError| StoreError::from(error).to_string())
}
