//! Takes what a signal reports about an item.
//!
//! The status follows, unless a person has overridden the signal; then only the report is kept. A report
//! that is not newer than the one before changes nothing. When report and override
//! agree again, the override is over, and its reason goes.

use std::sync::Arc;

use super::allowed::{may_resolve, missing_support};
use super::checks::Log;
use super::new_proposal::NewStatus;
use super::request::{Applied, NewReport, Session};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::item::{Attested, Basis, Item, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;

pub(super) fn apply(
    list: &mut Checklist,
    new: &NewReport,
    session: &Session<'_>,
) -> Result<Applied, Code> {
    let item = list.live(new.id).ok_or(Code::ItemNotFound)?;
    session.need(Permission::Check)?;
    let signal = item.signal.as_ref().ok_or(Code::NoStatus)?;
    if item.retired_at.is_some() {
        return Err(Code::ItemRetired);
    }
    if signal.as_of.is_some_and(|last| last >= new.as_of) {
        return Ok(Applied::Unchanged);
    }
    let is_overridden = item.overrides_signal();
    let supports = new.evidence.is_some() && new.evidence.as_ref() != item.evidence();
    let states =
        !is_overridden && (new.status != item.status || (supports && new.status != Status::Open));
    if states && new.status != Status::Open {
        if item.second_person || !may_resolve(item, session.actor) {
            return Err(Code::NeedsPerson);
        }
        if let Some(code) = missing_support(item, new.status, new.evidence.as_ref(), None) {
            return Err(code);
        }
    }
    let reported = signal.reporting(new.status, new.as_of);
    let template_version = list.template.as_ref().map(|template| template.version);
    let revision = list.revision + 1;
    let position = list.items.iter().position(|item| item.id == new.id);
    let item = position.ok_or(Code::ItemNotFound)?;
    let item = Arc::make_mut(&mut list.items[item]);
    item.signal = Some(Box::new(reported));
    item.version += 1;
    item.revision = revision;
    item.modified_by = session.actor.clone().into();
    item.modified_at = session.now;
    let mut log = Log::default();
    if states {
        set_status(item, new, template_version, session, &mut log);
    } else {
        if is_overridden && item.status == new.status {
            item.reason = None;
            item.changed_in.status = item.version;
        }
        log.note(|| Event {
            status: Some(new.status),
            as_of: Some(new.as_of),
            evidence: new.evidence.clone(),
            answer: None,
            ..Event::about(What::Signalled, item, session.languages)
        });
    }
    Ok(Applied::Changed(log.0))
}

fn set_status(
    item: &mut Item,
    new: &NewReport,
    template_version: Option<u32>,
    session: &Session<'_>,
    log: &mut Log,
) {
    let says_again = item.status == new.status;
    let confirmed = item.attested.take().filter(|_| says_again);
    item.status = new.status;
    item.reason = None;
    item.status_by = Some(session.actor.clone().into());
    item.status_at = Some(session.now);
    item.changed_in.status = item.version;
    item.changed_since_checked = false;
    item.attested = (new.status != Status::Open).then(|| Attested {
        text: item.text.resolve(session.languages).to_owned(),
        language: item.text.language(session.languages).map(str::to_owned),
        template_version: template_version.filter(|_| !item.text_overridden),
        basis: Basis::Assumed,
    });
    log.note(|| {
        let what = if says_again {
            What::Confirmed
        } else {
            What::of_status(new.status)
        };
        let before = confirmed.map(|attested| attested.text);
        Event {
            as_of: Some(new.as_of),
            basis: item.attested.as_ref().map(|attested| attested.basis),
            evidence: new.evidence.clone(),
            answer: None,
            ..Event::about(what, item, session.languages).changing(before, None)
        }
    });
    let evidence = new.evidence.clone().filter(|_| new.status != Status::Open);
    item.proposal = evidence.map(|evidence| {
        let status = NewStatus {
            status: new.status,
            reason: None,
            evidence: Some(evidence),
            answer: None,
            wording: None,
        };
        status.into_proposal(item.version, item.revision, true, session)
    });
}
