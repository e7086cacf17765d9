//! Changes fields of an item.
//!
//! All checks come before the first write, so a rejected patch changes nothing. A field that
//! already has the wanted value is not a change: a retry does not replace who ticked an item, and a
//! stale base version is not a conflict if there is nothing to overwrite.

use super::checks::Log;
use super::decide::{Decided, decide};
use super::definition::Definition;
use super::details::Details;
use super::place_change::PlaceChange;
use super::request::{Applied, ItemPatch, Session};
use super::status_change::{NewVersions, StatusChange};
use super::text_change::TextChange;
use crate::checklist::Checklist;
use crate::item::Item;
use crate::problem::ItemProblemCode as Code;

pub(super) fn apply(
    list: &mut Checklist,
    patch: &ItemPatch,
    session: &Session<'_>,
) -> Result<Applied, Code> {
    let item = list.live(patch.id).ok_or(Code::ItemNotFound)?;
    let plan = Plan::of(list, item, patch, session)?;
    if plan.is_empty() {
        return Ok(Applied::Unchanged);
    }
    // A version that the item has not had yet cannot have been looked at.
    if patch.base_version.is_some_and(|base| base > item.version) {
        return Err(Code::BaseVersionAhead);
    }
    let position = match plan.place {
        Some(place) => Some(place.make_room(list, patch.id)?),
        None => None,
    };
    let template = list.template.as_ref().map(|template| template.version);
    let revision = list.revision + 1;
    let item = list.any_mut(patch.id).ok_or(Code::ItemNotFound)?;
    let version = item.version + 1;
    let versions = NewVersions {
        item: version,
        list: revision,
        template,
    };
    let mut log = Log::default();
    // The text comes first: the wording that a status confirms was another one.
    if let Some(text) = plan.text {
        text.write(item, version, session, &mut log);
    }
    plan.status.write(item, versions, session, &mut log);
    plan.details.write(item, version, session, &mut log);
    plan.definition.write(item, version, session, &mut log);
    if let Some(position) = position {
        position.write(item, version, session, &mut log);
    }
    item.version = version;
    item.revision = revision;
    item.modified_by = session.actor.clone().into();
    item.modified_at = session.now;
    Ok(Applied::Changed(log.0))
}

/// What is really going to change, after everything that could refuse it has been asked.
struct Plan<'a> {
    status: StatusChange<'a>,
    text: Option<TextChange>,
    details: Details<'a>,
    definition: Definition<'a>,
    place: Option<PlaceChange>,
}

impl<'a> Plan<'a> {
    fn of(
        list: &Checklist,
        item: &Item,
        patch: &'a ItemPatch,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let decided = match patch.proposal {
            Some(decision) => decide(item, patch, decision, session)?,
            None => Decided::Unchanged,
        };
        let status = StatusChange::of_patch(item, patch, decided, session)?;
        let text = TextChange::of_patch(item, patch, session)?;
        let details = Details::of_patch(item, patch, session)?;
        let definition = Definition::of_patch(list, item, patch, session)?;
        // Whether the kind can change is asked of the item before: what else changes would be lost by it.
        if definition.has_kind() && status.says_status() {
            return Err(Code::InvalidKind);
        }
        Ok(Self {
            status,
            text,
            details,
            definition,
            place: PlaceChange::of_patch(list, item, patch, session)?,
        })
    }

    const fn is_empty(&self) -> bool {
        self.status.is_empty()
            && self.text.is_none()
            && self.details.is_empty()
            && self.definition.is_empty()
            && self.place.is_none()
    }
}
