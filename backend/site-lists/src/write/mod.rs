//! Changing items: adding, editing and deleting, one by one or many at once.
//!
//! Every field is checked and every user resolved before anything is sent; what the site leaves
//! unclear comes back as such, unless a unique key lets this crate look.

mod change;
mod outcome;
mod prepare;
mod rounds;

use crate::error::{ErrorKind, Result, SiteError};
use crate::field::ObjectExpressionParameter;
use crate::list::SiteList;
use crate::protocol::{PreparedChange, WriteAction};
use crate::site::Site;
pub use change::{ItemChange, ItemOutcome};
use prepare::{is_about_change, prepare, prerequisites};
use rounds::split_rounds;

/// How often an addition with a unique key is repeated.
const MAX_ADDITIONS: u32 = 2;

impl Site {
    /// Adds an item. With a unique `key` (the name of one of the fields, whose column allows no
    /// value twice) a response that was lost does no harm: the item is looked for by its key.
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
        self.change_one(list, change, key).await
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
        self.change_one(list, change, None).await
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
        self.change_one(
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
        let deadline = self.0.client.new_deadline();
        let names: Vec<&str> = changes.iter().flat_map(ItemChange::names).collect();
        let open = self.load_list_with(deadline, list, &names).await?;
        let mut outcomes: Vec<Option<Result<ItemOutcome>>> = changes.iter().map(|_| None).collect();
        let mut ready = Vec::with_capacity(changes.len());
        let accepted: Vec<Result<PreparedChange>> = changes
            .iter()
            .map(|change| prepare(&open, change))
            .collect();
        // Together instead of one by one.
        let needed = prerequisites(accepted.iter().filter_map(|change| change.as_ref().ok()));
        match self.0.protocol.prefetch(deadline, &needed).await {
            // Reported with the change that it is about.
            Err(error) if is_about_change(error.kind()) => {}
            other => other?,
        }
        let deadline = self.0.client.new_deadline();
        for (index, change) in accepted.into_iter().enumerate() {
            let change = match change {
                Ok(change) => self.resolve(deadline, change).await,
                Err(error) => Err(error),
            };
            match change {
                Ok(change) => ready.push((index, change)),
                Err(error) if is_about_change(error.kind()) => outcomes[index] = Some(Err(error)),
                // The site itself cannot be asked: nothing was sent, and nothing will be.
                Err(error) => return Err(error),
            }
        }
        for round in split_rounds(ready) {
            // The time for a call is the time for each round of it.
            let deadline = self.0.client.new_deadline();
            let sent: Vec<PreparedChange> =
                round.iter().map(|(_, change)| change.clone()).collect();
            let done = self.0.protocol.write(deadline, &open, &sent).await;
            for ((index, change), done) in round.into_iter().zip(done) {
                outcomes[index] = Some(
                    self.settle(
                        deadline,
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
        let no_outcome = || {
            Err(SiteError::new(
                ErrorKind::OutcomeUnknown,
                "The site said nothing about this change.",
            ))
        };
        Ok(outcomes
            .into_iter()
            .map(|outcome| outcome.unwrap_or_else(no_outcome))
            .collect())
    }

    /// Whether changes could be carried out, as far as that shows before anything is sent: columns,
    /// values and people. Only reads; the responses come in the same order.
    ///
    /// # Errors
    /// There is no such list, or the site cannot be asked.
    pub async fn check(&self, list: &SiteList, changes: &[ItemChange]) -> Result<Vec<Result<()>>> {
        let names: Vec<&str> = changes.iter().flat_map(ItemChange::names).collect();
        let open = self
            .load_list_with(self.0.client.new_deadline(), list, &names)
            .await?;
        let mut responses = Vec::with_capacity(changes.len());
        for change in changes {
            let checked = self
                .check_change(self.0.client.new_deadline(), &open, change)
                .await;
            match checked {
                Err(error) if !is_about_change(error.kind()) => return Err(error),
                checked => responses.push(checked),
            }
        }
        Ok(responses)
    }

    async fn change_one(
        &self,
        list: &SiteList,
        change: ItemChange,
        key: Option<&str>,
    ) -> Result<ItemOutcome> {
        let deadline = self.0.client.new_deadline();
        let names: Vec<&str> = change.names().collect();
        let open = self.load_list_with(deadline, list, &names).await?;
        let accepted = prepare(&open, &change)?;
        let needed = prerequisites(std::iter::once(&accepted));
        self.0.protocol.prefetch(deadline, &needed).await?;
        let prepared = self.resolve(deadline, accepted).await?;
        let turn = prepared.action.id().map(|id| self.item_lock(&open, id));
        let _item_guard = match &turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let no_outcome = || {
            SiteError::new(
                ErrorKind::OutcomeUnknown,
                "The site said nothing about this change.",
            )
        };
        let mut tries = 0;
        loop {
            let one = std::slice::from_ref(&prepared);
            let done = self.0.protocol.write(deadline, &open, one).await.pop();
            let done = done.unwrap_or_else(|| Err(no_outcome()));
            let key = key.map(|key| (key, &change));
            let settled = self
                .settle(deadline, list, &open, &prepared, done, key)
                .await;
            // Looked for and not there: with its unique key it can be made again and is not made
            // twice, even if the first one arrives late.
            let again = key.is_some()
                && prepared.action == WriteAction::Add
                && tries < MAX_ADDITIONS
                && settled
                    .as_ref()
                    .is_err_and(|error| error.kind() == ErrorKind::OutcomeUnknown);
            if !again {
                return settled;
            }
            tries += 1;
        }
    }
}
