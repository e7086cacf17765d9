//! The status of an item with what belongs to it: reason, wording, evidence, answer and proposal.
//!
//! A status that the item has already is no change, unless it confirms a wording that has changed, or
//! comes with other evidence or another answer. Where it takes a second person, the first one proposes.

use super::allowed::{may_resolve, may_set_by_hand, missing_support, needed_to_set_status};
use super::checks::{Log, within};
use super::decide::Decided;
use super::details::new_value;
use super::new_proposal::NewStatus;
use super::request::{ItemPatch, Session};
use super::status_rules::{check_reason, given_answer, text_by_hash};
use crate::answer::Answer;
use crate::event::{Event, What, status_detail};
use crate::item::{Attested, Basis, Item, Kind, Status};
use crate::permission::Permission;
use crate::problem::ItemProblemCode as Code;
use crate::proposal::Evidence;

/// What a patch says about the status of an item.
struct Statement<'a, 'p> {
    item: &'a Item,
    patch: &'p ItemPatch,
    /// Whether it accepts the open proposal.
    accepts: bool,
    /// The status that it names, or that follows from what it says.
    wanted: Option<Status>,
    answered: Option<Answer>,
    /// Whether it supports the present status by something else than before.
    supports: bool,
}

impl<'a, 'p> Statement<'a, 'p> {
    fn of_patch(
        item: &'a Item,
        patch: &'p ItemPatch,
        decided: Decided,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let (accepts, wanted) = match decided {
            Decided::Accepts(status) => (true, Some(status)),
            // An answer alone says that the item is done.
            _ => (
                false,
                patch.status.or(patch.answer.as_ref().map(|_| Status::Done)),
            ),
        };
        if item.retired_at.is_some() && matches!(decided, Decided::Declines) {
            return Err(Code::ItemRetired);
        }
        if accepts && patch.answer.is_some() {
            return Err(Code::InvalidAnswer);
        }
        let answered = match wanted {
            Some(wanted) => given_answer(item, patch.answer.as_ref(), wanted, session)?,
            None => None,
        };
        let has_other_evidence = cfg!(feature = "records")
            && patch.evidence.is_some()
            && patch.evidence.as_ref() != item.evidence();
        let has_other_answer = answered.as_ref().is_some_and(|answered| {
            (item.answer()).is_none_or(|answer| !answer.is_as(answered, item))
        });
        Ok(Self {
            item,
            patch,
            accepts,
            wanted,
            answered,
            supports: item.status != Status::Open && (has_other_evidence || has_other_answer),
        })
    }

    /// The status that the item has in the end.
    fn status(&self) -> Status {
        self.wanted.unwrap_or(self.item.status)
    }

    /// Whether it is another one than before.
    fn changes_status(&self) -> bool {
        self.status() != self.item.status
    }

    /// The status, if something is said by it.
    fn new_status(&self) -> Option<Status> {
        self.wanted
            .filter(|_| self.changes_status() || self.supports || self.confirms())
    }

    /// Saying the same once more confirms a wording that has changed since, with its hash as proof;
    /// else nothing changes, and the first actor keeps the credit.
    fn confirms(&self) -> bool {
        let item = self.item;
        item.status != Status::Open
            && (item.changed_since_checked || item.has_new_wording())
            && (self.patch.seen_text_hash.as_ref())
                .is_some_and(|hash| text_by_hash(item, hash).is_some())
    }

    /// Whether it is another status than the item's signal has reported.
    fn overrides(&self) -> bool {
        self.item.kind == Kind::Item && self.item.would_override(self.status())
    }

    /// The reason, if it changes. A status that leaves "not applicable", or says what its signal says,
    /// takes the reason along.
    fn new_reason(&self) -> Result<Option<Option<&'p str>>, Code> {
        let before = self.item.reason.as_deref();
        let reason = new_value(&self.patch.reason).filter(|reason| *reason != before);
        if self.status() == Status::NotApplicable || self.overrides() {
            return Ok(reason);
        }
        match reason {
            Some(Some(_)) => Err(Code::ReasonNotAllowed),
            _ => Ok(before.map(|_| None)),
        }
    }

    /// Whether the caller may say so, and nothing has changed that they have not seen.
    fn check(&self, reason: Option<Option<&str>>, session: &Session<'_>) -> Result<(), Code> {
        let (item, patch) = (self.item, self.patch);
        if item.kind != Kind::Item {
            return Err(Code::NoStatus);
        }
        // Confirming takes nothing back.
        if self.changes_status() || reason.is_some() || self.supports {
            session.need_all(needed_to_set_status(item, session.actor))?;
        } else {
            session.need(Permission::Check)?;
        }
        if item.retired_at.is_some() {
            return Err(Code::ItemRetired);
        }
        if patch.is_behind(item.changed_in.status) {
            return Err(Code::StatusConflict);
        }
        if self.status() != Status::Open && !may_resolve(item, session.actor) {
            return Err(Code::NeedsPerson);
        }
        // Other evidence is a new statement, too.
        if (self.changes_status() || self.supports) && !may_set_by_hand(item, session.actor) {
            return Err(Code::SetBySignal);
        }
        if self.status() == Status::NotApplicable || self.overrides() {
            let reason = self.final_reason(reason);
            check_reason(item, self.status(), reason)?;
            within(reason.unwrap_or(""), session.limits.note)?;
        }
        Ok(())
    }

    /// The reason that stands in the end.
    fn final_reason<'s>(&'s self, reason: Option<Option<&'s str>>) -> Option<&'s str> {
        match reason {
            Some(reason) => reason,
            None if self.accepts => {
                (self.item.open_proposal()).and_then(|open| open.reason.as_deref())
            }
            // Whoever overrides a signal says why, whatever was said before.
            None if self.changes_status() && self.overrides() => None,
            None => self.item.reason.as_deref(),
        }
    }

    /// What supports the status in the end: of the proposal that is accepted; else what is given, or what
    /// the item has already.
    fn support(&self) -> (Option<&Evidence>, Option<&Answer>) {
        let item = self.item;
        if self.accepts {
            return item.open_proposal().map_or((None, None), |open| {
                (open.evidence.as_ref(), open.answer.as_ref())
            });
        }
        let stays = !self.changes_status();
        let evidence = self.patch.evidence.as_ref();
        (
            evidence.or(item.evidence().filter(|_| stays)),
            self.answered.as_ref().or(item.answer().filter(|_| stays)),
        )
    }

    /// The wording that the status is about.
    fn wording(&self, session: &Session<'_>) -> Result<Wording, Code> {
        let item = self.item;
        let (language, text, basis) = match &self.patch.seen_text_hash {
            Some(hash) => {
                let (language, text) = text_by_hash(item, hash).ok_or(Code::WordingConflict)?;
                (language, text, Basis::Seen)
            }
            None => (
                item.text.language(session.languages),
                item.text.resolve(session.languages),
                Basis::Assumed,
            ),
        };
        Ok(Wording {
            language: language.map(str::to_owned),
            text: text.to_owned(),
            basis,
        })
    }
}

/// A wording that somebody confirms.
struct Wording {
    language: Option<String>,
    text: String,
    basis: Basis,
}

/// A status that is set, with what comes with it.
struct SetStatus {
    status: Status,
    /// What is confirmed by it; nothing where it is open.
    wording: Option<Wording>,
    /// What supports it.
    evidence: Option<Evidence>,
    /// What was answered.
    answer: Option<Answer>,
}

/// What changes of the status and of what belongs to it.
pub(super) struct StatusChange<'p> {
    set: Option<SetStatus>,
    reason: Option<Option<&'p str>>,
    decided: Decided,
    /// What waits for a second person, instead of the status.
    done: Option<NewStatus>,
}

/// The versions that a change makes: of the item, of the list, and the template's that is in force.
#[derive(Clone, Copy)]
pub(super) struct NewVersions {
    pub(super) item: u64,
    pub(super) list: u64,
    pub(super) template: Option<u32>,
}

impl<'p> StatusChange<'p> {
    /// What a patch really changes.
    pub(super) fn of_patch(
        item: &Item,
        patch: &'p ItemPatch,
        decided: Decided,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let statement = Statement::of_patch(item, patch, decided, session)?;
        let reason = statement.new_reason()?;
        let status = statement.new_status();
        if status.is_some() || reason.is_some() {
            statement.check(reason, session)?;
        } else if patch.status.is_some() && item.kind != Kind::Item {
            return Err(Code::NoStatus);
        }
        let (evidence, answer) = statement.support();
        if status.is_some()
            && let Some(code) = missing_support(item, statement.status(), evidence, answer)
        {
            return Err(code);
        }
        let resolves = statement.status() != Status::Open;
        let wording = match status {
            Some(_) if resolves => Some(statement.wording(session)?),
            _ => None,
        };
        if item.second_person
            && resolves
            && !statement.accepts
            && (status.is_some() || reason.is_some())
        {
            let reason = reason.unwrap_or(item.reason.as_deref());
            let new = NewStatus {
                status: statement.status(),
                reason: reason
                    .filter(|_| statement.status() == Status::NotApplicable)
                    .map(str::to_owned),
                evidence: evidence.cloned(),
                answer: answer.cloned(),
                wording: wording.map(|wording| (wording.text, wording.basis)),
            };
            return Self::for_second_person(item, new, decided, session);
        }
        // Of two that support it, one may be given anew and the other one stay.
        let is_given = patch.evidence.is_some() || statement.answered.is_some();
        let is_supported = is_given && resolves;
        let set = status.map(|status| SetStatus {
            status,
            wording,
            evidence: evidence.filter(|_| is_supported).cloned(),
            answer: answer.filter(|_| is_supported).cloned(),
        });
        Ok(Self {
            set,
            reason,
            decided,
            done: None,
        })
    }

    /// The first of two has done it. What two have resolved is open until it is confirmed anew.
    fn for_second_person(
        item: &Item,
        new: NewStatus,
        decided: Decided,
        session: &Session<'_>,
    ) -> Result<Self, Code> {
        let reopens = item.status != Status::Open;
        Ok(Self {
            set: reopens.then_some(SetStatus {
                status: Status::Open,
                wording: None,
                evidence: None,
                answer: None,
            }),
            reason: item.reason.as_ref().map(|_| None),
            decided,
            done: (!new.is_there(item, session)?).then_some(new),
        })
    }

    /// Whether anything is said about the status, be it that somebody has done it.
    pub(super) const fn says_status(&self) -> bool {
        self.set.is_some() || self.reason.is_some() || self.done.is_some()
    }

    pub(super) const fn is_empty(&self) -> bool {
        !self.says_status() && !matches!(self.decided, Decided::Declines)
    }

    /// Sets it, as a change with those versions.
    pub(super) fn write(
        self,
        item: &mut Item,
        versions: NewVersions,
        session: &Session<'_>,
        log: &mut Log,
    ) {
        #[cfg(feature = "records")]
        let proposed_in = item.open_proposal().map(|open| open.revision);
        #[cfg(not(feature = "records"))]
        let proposed_in = None;
        if matches!(self.decided, Decided::Declines) {
            item.proposal = None;
            log.note(|| {
                let mut event = Event::about(What::ProposalDeclined, item, session.languages);
                event.proposed_in = proposed_in;
                event
            });
        }
        if let Some(reason) = self.reason {
            if self.set.is_none() {
                log.note(|| {
                    Event::about(What::ReasonChanged, item, session.languages)
                        .changing(item.reason.clone(), reason.map(str::to_owned))
                });
            }
            item.reason = reason.map(str::to_owned);
            item.changed_in.status = versions.item;
        }
        self.settle_proposal(item);
        let is_accepted = matches!(self.decided, Decided::Accepts(_));
        if let Some(set) = self.set {
            let proposed_in = proposed_in.filter(|_| is_accepted);
            set.write(item, proposed_in, versions, session, log);
        }
        if let Some(done) = self.done {
            done.write(item, versions.item, versions.list, session, log);
        }
    }

    /// What becomes of the item's proposal.
    fn settle_proposal(&self, item: &mut Item) {
        let status = self.set.as_ref().map(|set| set.status);
        match &mut item.proposal {
            Some(proposal) if matches!(self.decided, Decided::Accepts(_)) => {
                proposal.accepted = true;
                let has_reason = status.is_some_and(|status| {
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
                    && status.is_none_or(|status| status == item.status) => {}
            // What was proposed was about the status before.
            _ if status.is_some() || self.reason.is_some() => item.proposal = None,
            _ => {}
        }
    }
}

impl SetStatus {
    fn write(
        self,
        item: &mut Item,
        proposed_in: Option<u64>,
        versions: NewVersions,
        session: &Session<'_>,
        log: &mut Log,
    ) {
        let status = self.status;
        // What was confirmed before, where the status is the same and the wording another one.
        let is_same = status == item.status && status != Status::Open;
        let confirmed = is_same.then(|| item.attested.take()).flatten();
        let confirmed = confirmed.map(|attested| attested.text);
        let answered = item.answer().filter(|_| is_same);
        let answered = answered.filter(|_| self.answer.is_some()).cloned();
        item.status = status;
        item.status_by = Some(session.actor.clone().into());
        item.status_at = Some(session.now);
        item.changed_in.status = versions.item;
        item.changed_since_checked = false;
        item.attested = self.wording.map(|wording| Attested {
            text: wording.text,
            language: wording.language,
            // The version says which wording it was; a local text has none.
            template_version: versions.template.filter(|_| !item.text_overridden),
            basis: wording.basis,
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
            event.proposed_in = proposed_in;
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
            let proposal = new.into_proposal(versions.item, versions.list, true, session);
            item.proposal = Some(proposal);
        }
    }
}
