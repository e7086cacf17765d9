//! A change after it was sent: what is unclear is looked at where that is possible, and what was
//! refused gets its right name.

use futures_util::TryStreamExt;
use serde_json::Value;

use super::change::{ItemChange, ItemOutcome};
use crate::client::Deadline;
use crate::error::{ErrorKind, Result, SiteError};
use crate::field::FieldValue;
use crate::item::SiteItem;
use crate::item_query::ItemFilter;
use crate::list::SiteList;
use crate::protocol::{ListSchema, PreparedChange, WriteAction, WriteResult};
use crate::site::Site;
use crate::warnings::Warnings;

impl Site {
    /// What a write came to, with what is unclear looked at where that is possible.
    pub(super) async fn settle(
        &self,
        deadline: Deadline,
        list: &SiteList,
        open: &ListSchema,
        change: &PreparedChange,
        done: Result<WriteResult>,
        key: Option<(&str, &ItemChange)>,
    ) -> Result<ItemOutcome> {
        let error = match done {
            Ok(done) => {
                let id = done.id.or(change.action.id()).unwrap_or_default();
                return Ok(ItemOutcome {
                    id,
                    etag: done.etag,
                    existed: false,
                });
            }
            Err(error) => error,
        };
        let error = self.reclassify(list, change, error).await?;
        match (&change.action, error.kind()) {
            (WriteAction::Add, ErrorKind::OutcomeUnknown | ErrorKind::Duplicate) => {
                let Some((name, ItemChange::Add { fields })) = key else {
                    return Err(error);
                };
                let Some(parameter) = fields.iter().find(|parameter| parameter.name == name) else {
                    return Err(error);
                };
                match self.find_by_value(list, name, &parameter.value).await? {
                    Some(item) => Ok(ItemOutcome {
                        id: item.id(),
                        etag: item.etag,
                        existed: true,
                    }),
                    None => Err(error),
                }
            }
            (
                WriteAction::Delete { id, .. } | WriteAction::Recycle { id },
                ErrorKind::OutcomeUnknown,
            ) => match self
                .0
                .protocol
                .etag(self.0.client.new_deadline(), open, *id)
                .await
            {
                Err(gone) if gone.kind() == ErrorKind::ItemNotFound => Ok(ItemOutcome {
                    id: *id,
                    etag: None,
                    existed: true,
                }),
                _ => Err(error),
            },
            (
                WriteAction::Edit { id, .. } | WriteAction::Delete { id, .. },
                ErrorKind::Conflict,
            ) => match self.0.protocol.etag(deadline, open, *id).await {
                Ok(Some(etag)) => Err(error.with_current_etag(etag)),
                _ => Err(error),
            },
            _ => Err(error),
        }
    }

    /// A refusal with its right kind: Graph reports a duplicate value like any other
    /// argument it does not take, so the unique columns are looked at.
    async fn reclassify(
        &self,
        list: &SiteList,
        change: &PreparedChange,
        error: SiteError,
    ) -> Result<SiteError> {
        if error.kind() != ErrorKind::Rejected || error.status() != Some(400) {
            return Ok(error);
        }
        for (column, value) in change.fields.iter().filter(|(column, _)| column.unique) {
            let value = match value {
                FieldValue::Text(text) => Value::from(text.clone()),
                FieldValue::Number(number) => Value::Number(number.clone()),
                _ => continue,
            };
            let other = self
                .find_by_value(list, &column.internal_name, &value)
                .await?;
            if other.is_some_and(|item| Some(item.id()) != change.action.id()) {
                return Ok(error
                    .of_kind(ErrorKind::Duplicate)
                    .with_field(&column.internal_name));
            }
        }
        Ok(error)
    }

    async fn find_by_value(
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
