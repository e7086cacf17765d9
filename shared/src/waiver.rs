//! A waiver: a person lets a list pass although items are open, and says why.
//!
//! It is in force until it is revoked, whatever happens to the items meanwhile. It completes nothing:
//! [`progress`](crate::progress) decides from it and the counts whether a list is `Waived`. Invariant:
//! a waiver is a person's, so that no program passes what needs a person.

#[cfg(feature = "records")]
pub use records::{CannotWaive, revoke, waive};

#[cfg(feature = "records")]
mod records {
    use crate::checklist::{Checklist, ListMark};
    use crate::event::{Event, What};
    use crate::item::Actor;
    use crate::progress::{self, State};
    use crate::text::trimmed;
    use crate::time::Timestamp;

    /// Why a list is not waived, or a waiver not revoked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum CannotWaive {
        /// The caller is no person, and no person has confirmed it.
        NeedsPerson,
        /// It has a waiver.
        AlreadyWaived,
        /// Nothing keeps it from being complete.
        Complete,
        /// It has no items.
        Empty,
        /// There is no waiver to revoke.
        NotWaived,
    }

    /// Waives the list. The caller checks lock, permission and reason; on an error the list is as it
    /// was.
    ///
    /// # Errors
    /// Why it is not waived.
    pub fn waive(
        list: &mut Checklist,
        reason: &str,
        by: &Actor,
        at: Timestamp,
    ) -> Result<Event, CannotWaive> {
        if !by.is_confirmed_by_person() {
            return Err(CannotWaive::NeedsPerson);
        }
        if list.waived.is_some() {
            return Err(CannotWaive::AlreadyWaived);
        }
        match progress::of_items(list).0 {
            State::Complete => return Err(CannotWaive::Complete),
            State::Empty => return Err(CannotWaive::Empty),
            State::Open | State::Waived | State::Unknown => {}
        }
        let reason = Some(trimmed(reason).to_owned());
        list.waived = Some(ListMark {
            reason: reason.clone(),
            by: by.clone(),
            at,
        });
        Ok(Event::of_list(What::Waived).changing(None, reason))
    }

    /// Revokes the waiver of the list. The row of the event does not repeat the waiver's reason: each
    /// row holds what its own actor wrote, so that it can be erased with them.
    ///
    /// # Errors
    /// [`CannotWaive::NotWaived`].
    pub fn revoke(list: &mut Checklist, reason: &str) -> Result<Event, CannotWaive> {
        if list.waived.take().is_none() {
            return Err(CannotWaive::NotWaived);
        }
        let reason = Some(trimmed(reason).to_owned());
        Ok(Event::of_list(What::WaiverRevoked).changing(None, reason))
    }
}
