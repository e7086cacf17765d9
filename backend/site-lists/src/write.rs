//! Changing items: adding, editing and deleting, one by one or many at once.
//!
//! Called by `activities` and by workflows. Every field is checked and every user resolved before
//! anything is sent; what the site leaves unclear comes back as such, unless a unique key lets
//! this crate look.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use serde_json::Value;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::{Column, FieldValue, Person, accept, find};
use crate::item::SiteItem;
use crate::list::SiteList;
use crate::parameter::ObjectExpressionParameter;
use crate::protocol::{Act, Change, Done, OpenList};
use crate::read::{ItemFilter, Warnings};
use crate::site::Site;
use crate::wire::Call;

/// How often an addition with a unique key is repeated.
const ADDITIONS: u32 = 2;

/// One of many changes.
///
/// ```
/// use site_lists::{ItemChange, ObjectExpressionParameter};
///
/// let changes = [
///     ItemChange::Add { fields: vec![ObjectExpressionParameter::new("Title", "PC-1")] },
///     ItemChange::Delete { id: 7, etag: None },
/// ];
/// assert_eq!(changes.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ItemChange {
    /// A new item.
    Add {
        /// What it holds.
        fields: Vec<ObjectExpressionParameter>,
    },
    /// Another content for some fields of an item.
    Edit {
        /// The item.
        id: i64,
        /// What the fields are to hold.
        fields: Vec<ObjectExpressionParameter>,
        /// The version it is based on; whatever there is where it is absent.
        etag: Option<String>,
    },
    /// The end of an item.
    Delete {
        /// The item.
        id: i64,
        /// The version it is based on; whatever there is where it is absent.
        etag: Option<String>,
    },
    /// An item to the site's recycle bin, from where people can restore it. Deleted where the
    /// protocol knows no bin.
    Recycle {
        /// The item.
        id: i64,
    },
}

impl ItemChange {
    /// The names of the fields it is about.
    fn names(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::Add { fields } | Self::Edit { fields, .. } => fields.as_slice(),
            Self::Delete { .. } | Self::Recycle { .. } => &[],
        }
        .iter()
        .map(|field| field.name.as_str())
    }
}

/// What a change left behind.
///
/// ```no_run
/// use site_lists::{ObjectExpressionParameter, Site, SiteList};
///
/// # async fn example(site: Site) -> site_lists::Result<()> {
/// let fields = [
///     ObjectExpressionParameter::new("Title", "PC-0815"),
///     ObjectExpressionParameter::new("SyncKey", "7d0e2f0a"),
/// ];
/// // With a unique key, an answer that was lost makes no second entry.
/// let outcome = site.add(&SiteList::from("Computers"), &fields, Some("SyncKey")).await?;
/// println!("{} ({})", outcome.id, if outcome.existed { "was there" } else { "made" });
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemOutcome {
    /// The item.
    pub id: i64,
    /// Its version afterwards, where the site tells it.
    pub etag: Option<String>,
    /// Whether the item had been there already, under its unique key.
    pub existed: bool,
}

impl Site {
    /// Adds an item. With a unique `key` (the name of one of the fields, whose column allows no
    /// value twice) an answer that was lost does no harm: the item is looked for by its key.
    ///
    /// # Errors
    /// A field does not fit, a user is unknown, the site refuses it, or, without a key, it is not
    /// known whether it was made.
    pub async fn add(
        &self,
        list: &SiteList,
        fields: &[ObjectExpressionParameter],
        key: Option<&str>,
    ) -> Result<ItemOutcome> {
        let change = ItemChange::Add {
            fields: fields.to_vec(),
        };
        self.one(list, change, key).await
    }

    /// Changes some fields of an item.
    ///
    /// # Errors
    /// As for [`Site::add`]; [`ErrorKind::Conflict`] with the current version where the item is
    /// not the one of `etag` any more.
    pub async fn edit(
        &self,
        list: &SiteList,
        id: i64,
        fields: &[ObjectExpressionParameter],
        etag: Option<&str>,
    ) -> Result<ItemOutcome> {
        let change = ItemChange::Edit {
            id,
            fields: fields.to_vec(),
            etag: etag.map(str::to_owned),
        };
        self.one(list, change, None).await
    }

    /// Deletes an item.
    ///
    /// # Errors
    /// As for [`Site::edit`].
    pub async fn delete(
        &self,
        list: &SiteList,
        id: i64,
        etag: Option<&str>,
    ) -> Result<ItemOutcome> {
        self.one(
            list,
            ItemChange::Delete {
                id,
                etag: etag.map(str::to_owned),
            },
            None,
        )
        .await
    }

    /// Carries many changes out, in batches; the outcomes come in the same order, each change has
    /// its own. Where two concern one item, the first is finished before the second begins. With
    /// a `key`, additions whose outcome is unclear are looked for.
    ///
    /// # Errors
    /// There is no such list. What is wrong with a single change is its own outcome.
    pub async fn change(
        &self,
        list: &SiteList,
        changes: &[ItemChange],
        key: Option<&str>,
    ) -> Result<Vec<Result<ItemOutcome>>> {
        let call = self.0.wire.call();
        let names: Vec<&str> = changes.iter().flat_map(ItemChange::names).collect();
        let open = self.opened_with(call, list, &names).await?;
        let mut outcomes: Vec<Option<Result<ItemOutcome>>> = changes.iter().map(|_| None).collect();
        let mut ready = Vec::with_capacity(changes.len());
        for (index, change) in changes.iter().enumerate() {
            match self.prepared(call, &open, change).await {
                Ok(change) => ready.push((index, change)),
                Err(error) if concerns_the_change(error.kind()) => {
                    outcomes[index] = Some(Err(error))
                }
                // The site itself cannot be asked: nothing was sent, and nothing will be.
                Err(error) => return Err(error),
            }
        }
        for round in rounds(ready) {
            // The time for a call is the time for each round of it.
            let call = self.0.wire.call();
            let sent: Vec<Change> = round.iter().map(|(_, change)| change.clone()).collect();
            let done = self.0.protocol.write(call, &open, &sent).await;
            for ((index, change), done) in round.into_iter().zip(done) {
                outcomes[index] = Some(
                    self.settled(
                        call,
                        list,
                        &open,
                        &change,
                        done,
                        key.map(|key| (key, &changes[index])),
                    )
                    .await,
                );
            }
        }
        let lost = || {
            Err(SiteError::new(
                ErrorKind::OutcomeUnknown,
                "The site said nothing about this change.",
            ))
        };
        Ok(outcomes
            .into_iter()
            .map(|outcome| outcome.unwrap_or_else(lost))
            .collect())
    }

    async fn one(
        &self,
        list: &SiteList,
        change: ItemChange,
        key: Option<&str>,
    ) -> Result<ItemOutcome> {
        let call = self.0.wire.call();
        let names: Vec<&str> = change.names().collect();
        let open = self.opened_with(call, list, &names).await?;
        let prepared = self.prepared(call, &open, &change).await?;
        let turn = prepared.act.id().map(|id| self.turn(&open, id));
        let _held = match &turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let lost = || {
            SiteError::new(
                ErrorKind::OutcomeUnknown,
                "The site said nothing about this change.",
            )
        };
        let mut tries = 0;
        loop {
            let one = std::slice::from_ref(&prepared);
            let done = self.0.protocol.write(call, &open, one).await.pop();
            let done = done.unwrap_or_else(|| Err(lost()));
            let key = key.map(|key| (key, &change));
            let settled = self.settled(call, list, &open, &prepared, done, key).await;
            // Looked for and not there: with its unique key it can be made again and is not made
            // twice, even if the first one arrives late.
            let again = key.is_some()
                && prepared.act == Act::Add
                && tries < ADDITIONS
                && settled
                    .as_ref()
                    .is_err_and(|error| error.kind() == ErrorKind::OutcomeUnknown);
            if !again {
                return settled;
            }
            tries += 1;
        }
    }

    /// A change with its columns found, its values checked and its users resolved.
    async fn prepared(&self, call: Call, open: &OpenList, change: &ItemChange) -> Result<Change> {
        let (act, fields) = match change {
            ItemChange::Add { fields } => (Act::Add, fields.as_slice()),
            ItemChange::Edit { id, fields, etag } => {
                if fields.is_empty() {
                    return Err(SiteError::new(
                        ErrorKind::InvalidValue,
                        "No field is to be changed.",
                    )
                    .with_field("Fields"));
                }
                (
                    Act::Edit {
                        id: *id,
                        etag: etag.clone(),
                    },
                    fields.as_slice(),
                )
            }
            ItemChange::Delete { id, etag } => (
                Act::Delete {
                    id: *id,
                    etag: etag.clone(),
                },
                &[][..],
            ),
            ItemChange::Recycle { id } => (Act::Recycle { id: *id }, &[][..]),
        };
        if let Some(id) = act.id().filter(|id| *id < 1) {
            return Err(SiteError::new(
                ErrorKind::ItemNotFound,
                format!("There is no item {id}: ids are whole numbers from 1 on."),
            ));
        }
        let mut accepted: Vec<(Column, FieldValue)> = Vec::with_capacity(fields.len());
        for parameter in fields {
            let column = find(&open.columns, &parameter.name)?;
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
        self.resolve_people(call, &mut accepted).await?;
        for (_, value) in &mut accepted {
            if let FieldValue::Date(date) = value {
                *value = FieldValue::Time(self.0.protocol.midnight(call, *date).await?);
            }
        }
        Ok(Change {
            act,
            fields: accepted,
        })
    }

    /// Puts numbers for names, all of them or none: whoever is unknown is named, together with
    /// everybody else who is.
    async fn resolve_people(&self, call: Call, fields: &mut [(Column, FieldValue)]) -> Result<()> {
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
                match self.0.protocol.resolve(call, name, *is_group).await? {
                    Some(id) => *person = Person::Id(id),
                    None => {
                        first.get_or_insert_with(|| column.internal_name.clone());
                        unknown.push(name.clone());
                    }
                }
            }
        }
        let Some(field) = first else { return Ok(()) };
        Err(SiteError::new(
            ErrorKind::UnknownUser,
            format!("The site knows no user or group {}.", unknown.join(", ")),
        )
        .with_field(field)
        .with_names(unknown)
        .with_hint("Nothing was sent. Use a login name or an e-mail address that the site knows."))
    }

    /// What a write came to, with what is unclear looked at where that is possible.
    async fn settled(
        &self,
        call: Call,
        list: &SiteList,
        open: &OpenList,
        change: &Change,
        done: Result<Done>,
        key: Option<(&str, &ItemChange)>,
    ) -> Result<ItemOutcome> {
        let error = match done {
            Ok(done) => {
                let id = done.id.or(change.act.id()).unwrap_or_default();
                return Ok(ItemOutcome {
                    id,
                    etag: done.etag,
                    existed: false,
                });
            }
            Err(error) => error,
        };
        let error = self.named(list, change, error).await?;
        match (&change.act, error.kind()) {
            (Act::Add, ErrorKind::OutcomeUnknown | ErrorKind::Duplicate) => {
                let Some((name, ItemChange::Add { fields })) = key else {
                    return Err(error);
                };
                let Some(parameter) = fields.iter().find(|parameter| parameter.name == name) else {
                    return Err(error);
                };
                match self.holding(list, name, &parameter.value).await? {
                    Some(item) => Ok(ItemOutcome {
                        id: item.id(),
                        etag: item.etag,
                        existed: true,
                    }),
                    None => Err(error),
                }
            }
            (Act::Delete { id, .. } | Act::Recycle { id }, ErrorKind::OutcomeUnknown) => {
                match self.0.protocol.etag(self.0.wire.call(), open, *id).await {
                    Err(gone) if gone.kind() == ErrorKind::ItemNotFound => Ok(ItemOutcome {
                        id: *id,
                        etag: None,
                        existed: true,
                    }),
                    _ => Err(error),
                }
            }
            (Act::Edit { id, .. } | Act::Delete { id, .. }, ErrorKind::Conflict) => {
                match self.0.protocol.etag(call, open, *id).await {
                    Ok(Some(etag)) => Err(error.with_current_etag(etag)),
                    _ => Err(error),
                }
            }
            _ => Err(error),
        }
    }

    /// A refusal by its right name: Graph tells a value that another item holds like any other
    /// argument it does not take, so the unique columns are looked at.
    async fn named(&self, list: &SiteList, change: &Change, error: SiteError) -> Result<SiteError> {
        if error.kind() != ErrorKind::Rejected || error.status() != Some(400) {
            return Ok(error);
        }
        for (column, value) in change.fields.iter().filter(|(column, _)| column.unique) {
            let value = match value {
                FieldValue::Text(text) => Value::from(text.clone()),
                FieldValue::Number(number) => Value::Number(number.clone()),
                _ => continue,
            };
            let other = self.holding(list, &column.internal_name, &value).await?;
            if other.is_some_and(|item| Some(item.id()) != change.act.id()) {
                return Ok(error
                    .of_kind(ErrorKind::Duplicate)
                    .with_field(&column.internal_name));
            }
        }
        Ok(error)
    }

    async fn holding(
        &self,
        list: &SiteList,
        name: &str,
        value: &Value,
    ) -> Result<Option<SiteItem>> {
        let filter = ItemFilter::new(name, value.clone());
        let items = self.items(list, Some(filter), &Warnings::default());
        std::pin::pin!(items).try_next().await
    }
}

fn concerns_the_change(kind: ErrorKind) -> bool {
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

/// Changes in rounds, in none of which an item occurs twice; the order of those that concern one
/// item is kept.
fn rounds(changes: Vec<(usize, Change)>) -> Vec<Vec<(usize, Change)>> {
    let mut rounds: Vec<Vec<(usize, Change)>> = Vec::new();
    let mut last: HashMap<i64, usize> = HashMap::new();
    for (index, change) in changes {
        let id = change.act.id();
        let at = id.and_then(|id| last.get(&id)).map_or(0, |round| round + 1);
        if at == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[at].push((index, change));
        if let Some(id) = id {
            last.insert(id, at);
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_one_item_come_one_after_the_other() {
        let edit = |id| Change {
            act: Act::Edit { id, etag: None },
            fields: Vec::new(),
        };
        let add = || Change {
            act: Act::Add,
            fields: Vec::new(),
        };
        let changes = [edit(1), add(), edit(2), edit(1), add(), edit(1)];
        let rounds = rounds(changes.into_iter().enumerate().collect());
        let order: Vec<Vec<usize>> = rounds
            .iter()
            .map(|round| round.iter().map(|(index, _)| *index).collect())
            .collect();
        assert_eq!(order, [vec![0, 1, 2, 4], vec![3], vec![5]]);
    }
}
