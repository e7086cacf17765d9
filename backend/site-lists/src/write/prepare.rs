//! A change before it is sent: columns found, values checked, users resolved, all of them or none.

use super::change::ItemChange;
use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, FieldValue, Person, accept, find_column};
use crate::protocol::{ListSchema, PreparedChange, Prerequisites, WriteAction};
use crate::site::Site;

impl Site {
    /// A change that was accepted, with its users and dates as the site knows them.
    pub(super) async fn resolve(
        &self,
        deadline: Deadline,
        accepted: PreparedChange,
    ) -> Result<PreparedChange> {
        let PreparedChange { action, mut fields } = accepted;
        self.resolve_people(deadline, &mut fields).await?;
        for (_, value) in &mut fields {
            if let FieldValue::Date(date) = value {
                *value = FieldValue::Time(self.0.protocol.midnight(deadline, *date).await?);
            }
        }
        Ok(PreparedChange { action, fields })
    }

    /// The same checks for a change that is not sent: nothing is changed on the site by them.
    pub(super) async fn check_change(
        &self,
        deadline: Deadline,
        open: &ListSchema,
        change: &ItemChange,
    ) -> Result<()> {
        let prepared = prepare(open, change)?;
        let (mut unknown, mut first) = (Vec::new(), None);
        for (column, value) in &prepared.fields {
            let FieldValue::People(people) = value else {
                continue;
            };
            for person in people {
                if let Person::Named { name, is_group } = person
                    && !self
                        .0
                        .protocol
                        .can_resolve_user(deadline, name, *is_group)
                        .await?
                {
                    first.get_or_insert(&column.internal_name);
                    unknown.push(name.clone());
                }
            }
        }
        match first {
            Some(field) => Err(unknown_user_error(field, unknown)),
            None => Ok(()),
        }
    }

    /// Resolves names to ids, all of them or none: the error has the names of all unknown users.
    async fn resolve_people(
        &self,
        deadline: Deadline,
        fields: &mut [(Column, FieldValue)],
    ) -> Result<()> {
        let mut unknown = Vec::new();
        let mut first = None;
        for (column, value) in fields.iter_mut() {
            let FieldValue::People(people) = value else {
                continue;
            };
            for person in people {
                let Person::Named { name, is_group } = person else {
                    continue;
                };
                match self
                    .0
                    .protocol
                    .resolve_user(deadline, name, *is_group)
                    .await?
                {
                    Some(id) => *person = Person::Id(id),
                    None => {
                        first.get_or_insert_with(|| column.internal_name.clone());
                        unknown.push(name.clone());
                    }
                }
            }
        }
        let Some(field) = first else { return Ok(()) };
        Err(unknown_user_error(&field, unknown))
    }
}

/// A change with its columns found and its values checked, before the site is asked for anything.
///
/// # Errors
/// A field is not there, is given twice, or does not take its value.
pub(super) fn prepare(open: &ListSchema, change: &ItemChange) -> Result<PreparedChange> {
    let (action, fields) = match change {
        ItemChange::Add { fields } => (WriteAction::Add, fields.as_slice()),
        ItemChange::Edit { id, fields, etag } => {
            if fields.is_empty() {
                return Err(
                    SiteError::new(ErrorKind::InvalidValue, "No field is to be changed.")
                        .with_field("Fields"),
                );
            }
            (
                WriteAction::Edit {
                    id: *id,
                    etag: etag.clone(),
                },
                fields.as_slice(),
            )
        }
        ItemChange::Delete { id, etag } => (
            WriteAction::Delete {
                id: *id,
                etag: etag.clone(),
            },
            &[][..],
        ),
        ItemChange::Recycle { id } => (WriteAction::Recycle { id: *id }, &[][..]),
    };
    if let Some(id) = action.id().filter(|id| *id < 1) {
        return Err(SiteError::new(
            ErrorKind::ItemNotFound,
            format!("There is no item {id}: ids are whole numbers from 1 on."),
        ));
    }
    let mut accepted: Vec<(Column, FieldValue)> = Vec::with_capacity(fields.len());
    for parameter in fields {
        let column = find_column(&open.columns, &parameter.name)?;
        if accepted
            .iter()
            .any(|(known, _)| known.internal_name == column.internal_name)
        {
            return Err(SiteError::new(
                ErrorKind::InvalidValue,
                format!("The field {} is given twice.", column.internal_name),
            )
            .with_field(&parameter.name));
        }
        accepted.push((column.clone(), accept(column, parameter)?));
    }
    Ok(PreparedChange {
        action,
        fields: accepted,
    })
}

/// What the site has to resolve before these changes can be sent.
pub(super) fn prerequisites<'a>(
    changes: impl Iterator<Item = &'a PreparedChange>,
) -> Prerequisites {
    let mut needed = Prerequisites::default();
    for (_, value) in changes.flat_map(|change| &change.fields) {
        match value {
            FieldValue::Date(date) => {
                needed.dates.insert(*date);
            }
            FieldValue::People(people) => {
                needed
                    .people
                    .extend(people.iter().filter_map(|person| match person {
                        Person::Named { name, is_group } => Some((name.clone(), *is_group)),
                        Person::Id(_) => None,
                    }));
            }
            _ => {}
        }
    }
    needed
}

fn unknown_user_error(field: &str, unknown: Vec<String>) -> SiteError {
    SiteError::new(
        ErrorKind::UnknownUser,
        format!("The site knows no user or group {}.", unknown.join(", ")),
    )
    .with_field(field)
    .with_names(unknown)
    .with_hint("Nothing was sent. Use a login name or an e-mail address that the site knows.")
}

/// Whether an error is about one change, and not about the site.
pub(super) fn is_about_change(kind: ErrorKind) -> bool {
    use ErrorKind::{
        AmbiguousField, FieldNotFound, InvalidValue, ItemNotFound, UnknownUser,
        UnsupportedFieldType,
    };
    matches!(
        kind,
        AmbiguousField
            | FieldNotFound
            | InvalidValue
            | ItemNotFound
            | UnknownUser
            | UnsupportedFieldType
    )
}
