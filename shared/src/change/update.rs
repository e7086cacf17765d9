//! Changes fields of an item.
//!
//! All checks come before the first write, so a rejected patch changes nothing. A field that
//! already has the wanted value is not a change: a retry does not replace who ticked an item, and a
//! stale base version is not a conflict if there is nothing to overwrite.

use super::allowed::{may_resolve, may_set_by_hand, missing_support, needed_to_set_status};
use super::checks::{Log, check_parent, neighbour, tidy, within};
use super::decide::{Decided, decide};
use super::definition::Definition;
use super::details::{Details, new_value};
use super::new_proposal::NewStatus;
use super::request::{Applied, ItemPatch, Session};
use crate::answer::Answer;
use crate::checklist::Checklist;
use crate::event::{Event, What, status_detail};
use crate::facts::FactValue;
use crate::id::ItemId;
use crate::item::{Attested, Basis, Item, Kind, Status};
use crate::order::{self, Place};
use crate::patch::Patch;
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Evidence;
use crate::text::{Text, is_blank};

pub(super) fn apply(
    list: &mut Checklist,
    patch: &ItemPatch,
    session: &Session<'_>,
) -> Result<Applied, Code> {
    let item = list.live(patch.id).ok_or(Code::ItemNotFound)?;
    let decided = match patch.proposal {
        Some(decision) => decide(item, patch, decision, session)?,
        None => Decided::Unchanged,
    };
    let plan = Plan::of(list, item, patch, decided, session)?;
    if plan.is_empty() {
        return Ok(Applied::Unchanged);
    }
    // A version that the item has not had yet cannot have been looked at.
    if patch.base_version.is_some_and(|base| base > item.version) {
        return Err(Code::BaseVersionAhead);
    }
    let sort_key = match plan.place {
        Some((parent, place)) => Some((
            parent,
            order::make_room(list, parent, place, Some(patch.id)).ok_or(Code::InvalidPlace)?,
        )),
        None => None,
    };
    if sort_key.is_some() {
        list.reordered = true;
    }
    let version = list.template.as_ref().map(|template| template.version);
    let revision = list.revision + 1;
    let item = list.any_mut(patch.id).ok_or(Code::ItemNotFound)?;
    let log = plan.write(item, sort_key, version, revision, session);
    item.version += 1;
    item.revision = revision;
    item.modified_by = session.actor.clone();
    item.modified_at = session.now;
    Ok(Applied::Changed(log.0))
}

/// What is really going to change, after everything that could refuse it has been asked.
struct Plan<'a> {
    status: Option<Status>,
    reason: Option<Option<&'a str>>,
    attested: Option<(Option<String>, String, Basis)>,
    /// What supports the status, where it comes with it.
    evidence: Option<Evidence>,
    /// What was answered, where the answer comes with it.
    answer: Option<Answer>,
    decided: Decided,
    /// What waits for a second person, instead of the status.
    done: Option<NewStatus>,
    text: Option<Text>,
    back_to_template: bool,
    details: Details<'a>,
    definition: Definition<'a>,
    place: Option<(Option<ItemId>, Place)>,
}

impl<'a> Plan<'a> {
    fn of(
        list: &Checklist,
        item: &Item,
        patch: &'a ItemPatch,
        decided: Decided,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let stale = |aspect: u64| patch.base_version.is_some_and(|base| aspect > base);
        let frozen = item.retired_at.is_some();

        // Saying the same once more confirms a wording that has changed since, with its hash as
        // proof; else nothing changes, and the first actor keeps the credit.
        let confirms = item.status != Status::Open
            && (item.changed_since_checked || item.has_new_wording())
            && (patch.seen_text_hash.as_ref())
                .is_some_and(|hash| text_by_hash(item, hash).is_some());
        let wanted = match decided {
            Decided::Accepts(status) => Some(status),
            // An answer alone says that the item is done.
            _ => patch.status.or(patch.answer.as_ref().map(|_| Status::Done)),
        };
        let accepts = matches!(decided, Decided::Accepts(_));
        if frozen && matches!(decided, Decided::Declines) {
            return Err(Code::ItemRetired);
        }
        let given = patch.evidence.as_ref();
        if accepts && patch.answer.is_some() {
            return Err(Code::InvalidAnswer);
        }
        let answered = match wanted {
            Some(wanted) => given_answer(item, patch.answer.as_ref(), wanted, session)?,
            None => None,
        };
        // Other evidence for the same status is a new statement, and so is another answer.
        let has_other_evidence =
            cfg!(feature = "records") && given.is_some() && given != item.evidence();
        let has_other_answer = answered.as_ref().is_some_and(|answered| {
            item.answer()
                .is_none_or(|answer| !answer.is_as(answered, item))
        });
        let supports = item.status != Status::Open && (has_other_evidence || has_other_answer);
        let mut status = wanted.filter(|status| *status != item.status || confirms || supports);
        let sets_status = status.is_some_and(|status| status != item.status);
        let reason = new_value(&patch.reason).filter(|reason| *reason != item.reason.as_deref());
        // A status that leaves "not applicable", or says what its signal says, takes the reason along.
        let final_status = wanted.unwrap_or(item.status);
        let overrides = item.kind == Kind::Item && item.would_override(final_status);
        let mut reason = match (final_status, reason) {
            (_, reason) if overrides => reason,
            (Status::NotApplicable, reason) => reason,
            (_, Some(Some(_))) => return Err(Code::ReasonNotAllowed),
            _ => item.reason.as_ref().map(|_| None),
        };
        let mut attested = None;
        if status.is_some() || reason.is_some() {
            if item.kind != Kind::Item {
                return Err(Code::NoStatus);
            }
            // Confirming takes nothing back.
            if sets_status || reason.is_some() || supports {
                session.need_all(needed_to_set_status(item, session.actor))?;
            } else {
                session.need(Permission::Check)?;
            }
            if frozen {
                return Err(Code::ItemRetired);
            }
            if stale(item.changed_in.status) {
                return Err(Code::StatusConflict);
            }
            if final_status != Status::Open && !may_resolve(item, session.actor) {
                return Err(Code::NeedsPerson);
            }
            // Other evidence is a new statement, too.
            if (sets_status || supports) && !may_set_by_hand(item, session.actor) {
                return Err(Code::SetBySignal);
            }
            if final_status == Status::NotApplicable || overrides {
                let said = match reason {
                    Some(reason) => reason,
                    None if accepts => item.open_proposal().and_then(|open| open.reason.as_deref()),
                    // Whoever overrides a signal says why, whatever was said before.
                    None if sets_status && overrides => None,
                    None => item.reason.as_deref(),
                };
                check_reason(item, final_status, said)?;
                within(said.unwrap_or(""), session.limits.note)?;
            }
        } else if patch.status.is_some() && item.kind != Kind::Item {
            return Err(Code::NoStatus);
        }
        let evidence = if accepts {
            item.open_proposal().and_then(|open| open.evidence.as_ref())
        } else {
            given.or(item.evidence().filter(|_| final_status == item.status))
        };
        let answer = if accepts {
            item.open_proposal().and_then(|open| open.answer.as_ref())
        } else {
            let kept = item.answer().filter(|_| final_status == item.status);
            answered.as_ref().or(kept)
        };
        if status.is_some()
            && let Some(code) = missing_support(item, final_status, evidence, answer)
        {
            return Err(code);
        }
        if status.is_some_and(|status| status != Status::Open) {
            attested = Some(match &patch.seen_text_hash {
                Some(hash) => {
                    let (language, text) = text_by_hash(item, hash).ok_or(Code::WordingConflict)?;
                    (language.map(str::to_owned), text.to_owned(), Basis::Seen)
                }
                None => (
                    item.text.language(session.languages).map(str::to_owned),
                    item.text.resolve(session.languages).to_owned(),
                    Basis::Assumed,
                ),
            });
        }

        let mut done = None;
        let resolves = final_status != Status::Open && (status.is_some() || reason.is_some());
        if item.second_person && resolves && !accepts {
            let said = reason.unwrap_or(item.reason.as_deref());
            let wording = attested.take();
            let new = NewStatus {
                status: final_status,
                reason: said
                    .filter(|_| final_status == Status::NotApplicable)
                    .map(str::to_owned),
                evidence: evidence.cloned(),
                answer: answer.cloned(),
                wording: wording.map(|(_, text, basis)| (text, basis)),
            };
            done = (!new.is_there(item, session)?).then_some(new);
            // What two have resolved is open until it is confirmed anew.
            status = (item.status != Status::Open).then_some(Status::Open);
            reason = item.reason.as_ref().map(|_| None);
        }

        let mut back_to_template = false;
        let text = match &patch.text {
            Patch::Keep => None,
            Patch::Set(text) => {
                let text = tidy(text)?;
                // The request does not say in which of the template's languages it was read.
                (!item.text.says(text)).then(|| Text::from(text))
            }
            Patch::Clear => match &item.template_text {
                Some(text) => {
                    back_to_template = true;
                    Some(text.clone())
                }
                None if item.text_overridden || item.template_key.is_none() => {
                    return Err(Code::TextRequired);
                }
                None => None,
            },
        };
        if let Some(text) = &text {
            session.need(Permission::Edit)?;
            within(text.resolve(session.languages), session.limits.text)?;
            if frozen {
                return Err(Code::ItemRetired);
            }
            if patch.base_version.is_none() {
                return Err(Code::BaseVersionRequired);
            }
            if stale(item.changed_in.text) {
                return Err(Code::TextConflict);
            }
        }

        let is_supported = (given.is_some() || answered.is_some())
            && status.is_some_and(|status| status != Status::Open);
        let details = Details::of_patch(item, patch, session)?;
        let definition = Definition::of_patch(list, item, patch, session)?;
        // Whether the kind can change is asked of the item before: what else changes would be lost by it.
        if definition.has_kind() && (status.is_some() || reason.is_some() || done.is_some()) {
            return Err(Code::InvalidKind);
        }
        let place = Self::place(list, item, patch)?;
        if place.is_some() {
            session.need(Permission::Reorder)?;
            if frozen {
                return Err(Code::ItemRetired);
            }
            if patch.base_version.is_none() {
                return Err(Code::BaseVersionRequired);
            }
            if stale(item.changed_in.place) {
                return Err(Code::PlaceConflict);
            }
        }
        Ok(Self {
            status,
            reason,
            attested,
            // Of two that support it, one may be given anew and the other one stay.
            evidence: evidence.filter(|_| is_supported).cloned(),
            answer: answer.filter(|_| is_supported).cloned(),
            decided,
            done,
            text,
            back_to_template,
            details,
            definition,
            place,
        })
    }

    /// The target of the move; `None` if the item is already there.
    fn place(
        list: &Checklist,
        item: &Item,
        patch: &ItemPatch,
    ) -> Result<Option<(Option<ItemId>, Place)>, Code> {
        if !patch.moves() {
            return Ok(None);
        }
        let place = patch.place.unwrap_or_default();
        if neighbour(place) == Some(item.id) {
            return Err(Code::InvalidPlace);
        }
        let parent = match (&patch.parent, neighbour(place)) {
            (Patch::Set(parent), _) => Some(*parent),
            (Patch::Clear, _) => None,
            (Patch::Keep, Some(id)) => list.any(id).ok_or(Code::InvalidPlace)?.parent_id,
            (Patch::Keep, None) => item.parent_id,
        };
        if parent == Some(item.id) {
            return Err(Code::InvalidParent);
        }
        check_parent(list, parent, item.kind)?;
        if order::stands_at(list, item, parent, place).ok_or(Code::InvalidPlace)? {
            return Ok(None);
        }
        Ok(Some((parent, place)))
    }

    const fn is_empty(&self) -> bool {
        self.status.is_none()
            && self.reason.is_none()
            && self.done.is_none()
            && self.text.is_none()
            && !matches!(self.decided, Decided::Declines)
            && self.details.is_empty()
            && self.definition.is_empty()
            && self.place.is_none()
    }

    fn write(
        self,
        item: &mut Item,
        sort_key: Option<(Option<ItemId>, String)>,
        template_version: Option<u32>,
        revision: u64,
        session: &Session<'_>,
    ) -> Log {
        let next = item.version + 1;
        let mut log = Log::default();
        if let Some(text) = self.text {
            let before = item.text.clone();
            if self.back_to_template {
                item.text_overridden = false;
                item.template_text = None;
            } else if item.template_key.is_some() && !item.text_overridden {
                item.text_overridden = true;
                item.template_text = Some(item.text.clone());
            }
            item.text = text;
            item.changed_in.text = next;
            item.end_open_proposal();
            log.note(|| {
                let said = |text: &Text| Some(text.resolve(session.languages).to_owned());
                Event::about(What::TextChanged, item, session.languages)
                    .changing(said(&before), said(&item.text))
            });
        }
        #[cfg(feature = "records")]
        let proposed_in = item.open_proposal().map(|open| open.revision);
        #[cfg(not(feature = "records"))]
        let proposed_in = None;
        let is_accepted = matches!(self.decided, Decided::Accepts(_));
        if matches!(self.decided, Decided::Declines) {
            item.proposal = None;
            log.note(|| {
                let mut event = Event::about(What::ProposalDeclined, item, session.languages);
                event.proposed_in = proposed_in;
                event
            });
        }
        let has_reason = self.reason.is_some();
        if let Some(reason) = self.reason {
            if self.status.is_none() {
                log.note(|| {
                    Event::about(What::ReasonChanged, item, session.languages)
                        .changing(item.reason.clone(), reason.map(str::to_owned))
                });
            }
            item.reason = reason.map(str::to_owned);
            item.changed_in.status = next;
        }
        match &mut item.proposal {
            Some(proposal) if is_accepted => {
                proposal.accepted = true;
                let has_reason = (self.status).is_some_and(|status| {
                    status == Status::NotApplicable
                        || (item.signal.as_ref()).is_some_and(|one| one.reported() != status)
                });
                if has_reason {
                    item.reason.clone_from(&proposal.reason);
                }
            }
            // Whoever says the same once more, or why, leaves what supports it.
            Some(proposal)
                if proposal.accepted
                    && (proposal.evidence.is_some() || proposal.answer.is_some())
                    && self.status.is_none_or(|status| status == item.status) => {}
            // What was proposed was about the status before.
            _ if self.status.is_some() || has_reason => item.proposal = None,
            _ => {}
        }
        if let Some(status) = self.status {
            // What was confirmed before, where the status is the same and the wording another one.
            let is_same = status == item.status && status != Status::Open;
            let confirmed = is_same.then(|| item.attested.take()).flatten();
            let confirmed = confirmed.map(|attested| attested.text);
            let answered = item.answer().filter(|_| is_same);
            let answered = answered.filter(|_| self.answer.is_some()).cloned();
            item.status = status;
            item.status_by = Some(session.actor.clone());
            item.status_at = Some(session.now);
            item.changed_in.status = next;
            item.changed_since_checked = false;
            item.attested = self.attested.map(|(language, text, basis)| Attested {
                text,
                language,
                // The version says which wording it was; a local text has none.
                template_version: if item.text_overridden {
                    None
                } else {
                    template_version
                },
                basis,
            });
            log.note(|| {
                let is_answered_anew = answered.is_some() && answered != self.answer;
                let what = if confirmed.is_some() && !is_answered_anew {
                    What::Confirmed
                } else {
                    What::of_status(status)
                };
                let before = if is_answered_anew {
                    status_detail(None, answered.as_ref())
                } else {
                    confirmed
                };
                let reason = item.reason.as_ref().filter(|_| !is_answered_anew);
                let mut event = Event::about(what, item, session.languages)
                    .changing(before, status_detail(reason, self.answer.as_ref()));
                if let Some(attested) = &item.attested {
                    event.text.clone_from(&attested.text);
                    event.basis = Some(attested.basis);
                }
                event.proposed_in = proposed_in.filter(|_| is_accepted);
                event.evidence.clone_from(&self.evidence);
                event.answer.clone_from(&self.answer);
                event
            });
            if self.evidence.is_some() || self.answer.is_some() {
                let new = NewStatus {
                    status,
                    reason: None,
                    evidence: self.evidence,
                    answer: self.answer,
                    wording: None,
                };
                item.proposal = Some(new.into_proposal(next, revision, true, session));
            }
        }
        if let Some(done) = self.done {
            done.write(item, next, revision, session, &mut log);
        }
        self.details.write(item, next, session, &mut log);
        self.definition.write(item, next, session, &mut log);
        if let Some((parent, key)) = sort_key {
            item.parent_id = parent;
            item.sort_key = key;
            item.changed_in.place = next;
            log.note(|| Event::about(What::Moved, item, session.languages));
        }
        log
    }
}

/// The answer that comes with a status, if the item asks for it.
pub(super) fn given_answer(
    item: &Item,
    given: Option<&FactValue>,
    status: Status,
    session: &Session<'_>,
) -> Result<Option<Answer>, Code> {
    let Some(value) = given else { return Ok(None) };
    let format = item.answer_format.as_deref();
    let format = format.filter(|format| status == Status::Done && format.accepts(value));
    let format = format.ok_or(Code::InvalidAnswer)?;
    Ok(Some(format.answer(value.clone(), session.languages)))
}

/// Whether the item may have that status for that reason: "not applicable" where the template allows
/// it, and another one than its signal says only with a reason.
pub(super) fn check_reason(item: &Item, status: Status, reason: Option<&str>) -> Result<(), Code> {
    let is_not_applicable = status == Status::NotApplicable;
    let needs_reason =
        (is_not_applicable && item.not_applicable_needs_reason) || item.would_override(status);
    if is_not_applicable && !item.allow_not_applicable {
        Err(Code::NotApplicableNotAllowed)
    } else if needs_reason && reason.is_none_or(is_blank) {
        Err(Code::ReasonRequired)
    } else {
        Ok(())
    }
}

/// The wording that was on the screen. Without records it is unknown, and not needed.
pub(super) fn text_by_hash<'a>(item: &'a Item, hash: &str) -> Option<(Option<&'a str>, &'a str)> {
    #[cfg(feature = "records")]
    return item.text.by_hash(hash);
    #[cfg(not(feature = "records"))]
    {
        let _ = (item, hash);
        None
    }
}
