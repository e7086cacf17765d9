//! Decides what a stream sends next.
//!
//! It remembers what it has sent of each list and sends the difference to the current state:
//! nothing is sent twice, nothing is missed, and a slow reader skips intermediate states. At most
//! one chunk is buffered: `http` requests the next one when the reader has consumed the last.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use checklist_auth::{CredentialCheck, Principal};
use checklist_live::Subscription;
use checklist_live::mailbox::Note;
use checklist_live::rendered::{Key, Rendered};
use checklist_shared::checklist::{Checklist, ListMark};
use checklist_shared::context::Context;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_store::error::ServiceError;
use checklist_store::list_key::ListKey;
use checklist_store::presence::People;
use checklist_store::store::{ListFacts, Purpose};
use tokio::time::Instant;

use super::events;
use crate::app::App;
use crate::checklist::{self, isolate};

/// The idle time after which a comment is sent as keep-alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How long the result of a credential check is trusted.
const TRUST: Duration = Duration::from_secs(1);

/// The first pause before a list that failed is read again. Doubles with each attempt.
const RETRY: Duration = Duration::from_secs(1);

/// The upper limit of the pause.
const LONGEST_RETRY: Duration = Duration::from_secs(60);

/// How long before its expiry the client is asked to renew a credential; at most a quarter of its
/// lifetime.
const NOTICE: Duration = Duration::from_secs(30);

/// A live stream of one reader.
pub struct LiveStream {
    app: App,
    principal: Principal,
    languages: Vec<String>,
    standing: Box<dyn CredentialCheck>,
    subscription: Subscription,
    lists: Vec<FollowedList>,
    /// The lists to read before the mailbox is emptied again, by index.
    round: VecDeque<(usize, Option<Note>)>,
    /// The lists whose presence may have changed, by index.
    people: BTreeSet<usize>,
    /// The id that acknowledges everything up to the end of the round.
    sequence: u64,
    /// The last id sent.
    sent: Option<u64>,
    /// When the credential expires, and when the client is asked to renew it.
    ends: Option<Instant>,
    notice: Option<Instant>,
    judged: Instant,
    spoke: Instant,
    over: bool,
}

/// A list of a stream, with what the reader knows of it.
pub(super) struct FollowedList {
    pub(super) context: Context,
    refusal: Option<ServiceError>,
    /// What the reader had when the stream was opened: a revision, or `Err` if it is unknown;
    /// `None` if the reader is up to date or has sent no id.
    had: Option<Result<u64, ()>>,
    /// The state in which the reader was up to date, read before the query for changes.
    base: Option<SentState>,
    sent_state: Option<SentState>,
    /// Whether a problem was sent for this list: it has no template, or it failed.
    told_problem: bool,
    /// When a list that failed is read again, and the pause before that.
    retry: Option<(Instant, Duration)>,
    /// The other people on the list, as last sent.
    people: Option<People>,
}

/// The state of a list as last sent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SentState {
    revision: u64,
    /// Id and number of the newest version of the list's template.
    template: Option<(String, u32)>,
    locked: Option<ListMark>,
    waived: Option<ListMark>,
}

impl SentState {
    fn of(list: &Checklist, facts: &ListFacts) -> Self {
        Self {
            revision: list.revision,
            template: newest(facts),
            locked: list.locked.clone(),
            waived: list.waived.clone(),
        }
    }
}

impl FollowedList {
    pub(super) fn new(context: Context, refusal: Option<ServiceError>) -> Self {
        Self {
            context,
            refusal,
            had: None,
            base: None,
            sent_state: None,
            told_problem: false,
            retry: None,
            people: None,
        }
    }

    pub(super) const fn is_refused(&self) -> bool {
        self.refusal.is_some()
    }

    pub(super) const fn has_seen(&mut self, had: Option<Result<u64, ()>>) {
        self.had = had;
    }

    /// Records the current state as the base, in case the reader is up to date with it.
    pub(super) fn is_now(&mut self, principal: &Principal, facts: &ListFacts, now: Timestamp) {
        let list = isolate(&principal.tenant, &self.context, || {
            checklist::list_of(facts, &self.context, principal, now)
        });
        self.base = list.ok().map(|list| SentState::of(&list, facts));
    }

    /// Sends the problem of a list once. A list that failed is read again after a while, even
    /// without a change.
    fn fails(&mut self, error: &ServiceError) -> Option<Rendered> {
        let waited = self.retry.map(|(_, waited)| waited);
        let may_pass = matches!(
            error.code(),
            ProblemCode::Internal | ProblemCode::TypeUnreadable
        );
        self.retry = may_pass.then(|| {
            let wait = waited.map_or(RETRY, |waited| (waited * 2).min(LONGEST_RETRY));
            (Instant::now() + wait, wait)
        });
        let is_known = std::mem::replace(&mut self.told_problem, true);
        (!is_known)
            .then(|| events::not_followed(&self.context, &error.problem))
            .flatten()
    }
}

impl LiveStream {
    pub(super) fn new(
        app: App,
        principal: Principal,
        languages: Vec<String>,
        standing: Box<dyn CredentialCheck>,
        subscription: Subscription,
        lists: Vec<FollowedList>,
        sequence: u64,
    ) -> Self {
        let now = Instant::now();
        let left = principal.expires_at.map(|end| {
            let millis = end.as_millis() - app.clock().now().as_millis();
            Duration::from_millis(u64::try_from(millis).unwrap_or(0))
        });
        Self {
            round: (0..lists.len()).map(|place| (place, None)).collect(),
            people: (0..lists.len()).collect(),
            ends: left.map(|left| now + left),
            notice: left.map(|left| now + left - NOTICE.min(left / 4)),
            app,
            principal,
            languages,
            standing,
            subscription,
            lists,
            sequence,
            sent: None,
            judged: now,
            spoke: now,
            over: false,
        }
    }

    /// The next chunk of the stream; `None` at its end. Pending changes are kept as one note per
    /// list only.
    pub async fn next(&mut self) -> Option<Rendered> {
        loop {
            if self.over || !self.stands().await {
                self.over = true;
                return None;
            }
            if let Some(chunk) = self.chunk().await {
                self.spoke = Instant::now();
                return Some(chunk);
            }
            if !self.over {
                self.wait().await;
            }
        }
    }

    /// Whether the stream may go on: the server is not stopping, and the credential is valid.
    async fn stands(&mut self) -> bool {
        let now = Instant::now();
        let ended = self.ends.is_some_and(|end| end <= now)
            || self
                .principal
                .expires_at
                .is_some_and(|end| end <= self.app.clock().now());
        if ended || self.subscription.mailbox.is_over() {
            return false;
        }
        if now - self.judged >= TRUST {
            self.judged = now;
            return self.standing.holds().await;
        }
        true
    }

    async fn chunk(&mut self) -> Option<Rendered> {
        if self.notice.is_some_and(|notice| notice <= Instant::now()) {
            self.notice = None;
            return self.principal.expires_at.and_then(events::sign_in_again);
        }
        if self.round.is_empty() {
            self.next_round().await;
        }
        let due = |list: &FollowedList| list.retry.is_some_and(|(at, _)| at <= Instant::now());
        let due = (0..self.lists.len()).filter(|place| due(&self.lists[*place]));
        self.round.extend(due.map(|place| (place, None)));
        while let Some((place, note)) = self.round.pop_front() {
            if let Some(chunk) = self.next_update(place, note).await {
                return Some(chunk);
            }
        }
        if self.over {
            return None;
        }
        if self.sent != Some(self.sequence) {
            self.sent = Some(self.sequence);
            return Some(events::id(self.sequence));
        }
        while let Some(place) = self.people.pop_first() {
            if let Some(chunk) = self.presence(place) {
                return Some(chunk);
            }
        }
        let silent = self.spoke.elapsed() >= HEARTBEAT;
        silent.then(|| Arc::from(&b":\n\n"[..]))
    }

    /// Starts a new round from the mailbox, but only after the id of the last round was sent.
    async fn next_round(&mut self) {
        if self.sent != Some(self.sequence) {
            return;
        }
        let mut notes = self.subscription.mailbox.take();
        self.people.append(&mut notes.people);
        self.sequence = self.sequence.max(notes.sequence);
        if notes.gap {
            // Queried before the lists are read, so that the round covers everything up to this id.
            let since = self
                .app
                .store()
                .changes_since(&self.principal.tenant, Vec::new(), 0)
                .await;
            match since {
                Ok(since) => self.sequence = self.sequence.max(since.newest),
                Err(_) => self.over = true,
            }
        }
        if notes.gap || notes.templates {
            self.round = (0..self.lists.len())
                .filter(|place| !self.lists[*place].is_refused())
                .map(|place| (place, notes.lists.get(&place).cloned()))
                .collect();
        } else {
            let noted = notes.lists.into_iter();
            self.round = noted.map(|(place, note)| (place, Some(note))).collect();
        }
    }

    /// The event for a change of presence on a list, if any.
    fn presence(&mut self, place: usize) -> Option<Rendered> {
        let list = &mut self.lists[place];
        if !self.subscription.is_seen() || list.is_refused() || list.told_problem {
            return None;
        }
        let key = ListKey::of(&self.principal.tenant, &list.context);
        let people = {
            let identity = self.principal.actor.identity();
            self.app.hub().others_on(&key, &identity)
        };
        if list.people.as_ref() == Some(&people) {
            return None;
        }
        list.people = Some(people.clone());
        events::presence(&list.context, people)
    }

    /// The events for what has changed on a list since it was last sent.
    async fn next_update(&mut self, place: usize, note: Option<Note>) -> Option<Rendered> {
        let list = &self.lists[place];
        if let Some(refusal) = &list.refusal {
            return events::not_followed(&list.context, &refusal.problem);
        }
        let wanted = checklist::list_request(&self.principal, &list.context, Purpose::Show);
        let store = self.app.store();
        let Ok(mut facts) = store.read_lists(&self.principal.tenant, vec![wanted]).await else {
            // The reader reconnects with the last id that it has, and misses nothing.
            self.over = true;
            return None;
        };
        let facts = facts.pop().unwrap_or_else(|| Ok(ListFacts::default()));
        let now = self.app.clock().now();
        let tenant = self.principal.tenant.clone();
        let list = &mut self.lists[place];
        let read = isolate(&tenant, &list.context, || {
            let facts = facts?;
            let present = checklist::list_of(&facts, &list.context, &self.principal, now)?;
            Ok((facts, present))
        });
        let (facts, present) = match read {
            Ok(read) => read,
            Err(error) => return list.fails(&error),
        };
        let sent_state = SentState::of(&present, &facts);
        // A reader that got a problem for the list has to learn that the list is back.
        let is_back = list.told_problem;
        let followed = present.template.as_ref();
        let followed = followed.map(|template| (template.id.clone(), template.version));
        let (had, before) = (list.had.take(), list.sent_state.replace(sent_state.clone()));
        let (had_before, before_it) = (had, before.clone());
        // The base is useless if the list has changed since it was read.
        let base = list.base.take().filter(|base| *base != sent_state);
        let before = match had {
            Some(_) => before,
            None => before.or(base),
        };
        let mut key = Key {
            tenant: self.principal.tenant.clone(),
            context: list.context.clone(),
            since: None,
            revision: sent_state.revision,
            purged: facts.purged_revision,
            template: sent_state.template.clone(),
            facts: checklist::brought_facts(&self.principal, &list.context).cloned(),
            languages: self.languages.clone(),
            permissions: self.principal.permissions,
            resets: false,
            tells_lock: false,
            tells_waiver: false,
            tells_template: false,
            operation: None,
        };
        match (before, had) {
            (Some(before), _) if before == sent_state && !is_back => return None,
            (Some(before), _) if before == sent_state => {}
            // The items of a list that was never written are its template's. Under another template
            // it is unknown which of them are gone.
            (Some(before), _)
                if before.revision > sent_state.revision
                    || (before.revision == 0 && before.template != followed) =>
            {
                key.resets = true;
            }
            (Some(before), _) => {
                key.since = Some(before.revision);
                key.tells_lock = before.locked != sent_state.locked;
                key.tells_waiver = before.waived != sent_state.waived;
                key.tells_template = before.template != sent_state.template;
            }
            (None, Some(Ok(revision))) => {
                key.since = Some(revision);
                key.tells_lock = true;
                key.tells_waiver = true;
            }
            (None, Some(Err(()))) => key.resets = true,
            (None, None) => {}
        }
        key.operation = note
            .filter(|note| note.revision == sent_state.revision)
            .filter(|note| key.since.is_some_and(|since| since + 1 == note.revision))
            .and_then(|note| note.operation);
        let written = isolate(&tenant, &key.context, || {
            self.app.hub().rendered.get(key.clone(), || {
                events::change(&key, &facts, now, &self.principal, self.app.limits())
            })
        });
        let list = &mut self.lists[place];
        match written {
            Ok(chunk) => {
                (list.told_problem, list.retry) = (false, None);
                Some(chunk)
            }
            Err(error) => {
                // It was not sent after all.
                (list.sent_state, list.had) = (before_it, had_before);
                list.fails(&error)
            }
        }
    }

    /// Waits until there may be something to send.
    async fn wait(&mut self) {
        let next = [
            Some(self.spoke + HEARTBEAT),
            Some(self.judged + TRUST),
            self.ends,
            self.notice,
        ];
        let next = next
            .into_iter()
            .flatten()
            .min()
            .unwrap_or_else(Instant::now);
        tokio::select! {
            () = self.subscription.mailbox.wait_for_notes() => {}
            () = tokio::time::sleep_until(next) => {}
        }
    }
}

/// Id and number of the newest version of a list's template.
fn newest(facts: &ListFacts) -> Option<(String, u32)> {
    let template = facts.target.as_ref().or(facts.current.as_ref())?;
    Some((template.id.clone(), template.version))
}
