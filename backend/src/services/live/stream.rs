//! What a stream says next.
//!
//! It remembers what it has told of each list, and tells the difference to what the list is when
//! its turn comes: nothing is told twice, nothing is missed, and whoever reads slowly gets the
//! newest state and not every step to it. Only one chunk is written ahead. Driven by `http`,
//! which asks for the next chunk when the reader has taken the last one.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use checklist_shared::checklist::{Checklist, Lock};
use checklist_shared::context::Context;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use tokio::time::Instant;

use super::events;
use crate::app::App;
use crate::auth::{CredentialCheck, Principal};
use crate::error::ServiceError;
use crate::live::Subscription;
use crate::live::mailbox::Note;
use crate::live::rendered::{Key, Rendered};
use crate::services::checklist::{self, isolate};
use crate::storage::list_key::ListKey;
use crate::storage::presence::People;
use crate::storage::store::ListFacts;

/// After so much silence a comment shows that the stream is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How long a credential is taken for good after it was judged.
const TRUST: Duration = Duration::from_secs(1);

/// How long until a list that failed is looked at again; twice as long each time,
const RETRY: Duration = Duration::from_secs(1);

/// and not longer than this.
const LONGEST_RETRY: Duration = Duration::from_secs(60);

/// How long before its end a credential is to be renewed; of a short life a quarter.
const NOTICE: Duration = Duration::from_secs(30);

/// Follows lists for one reader.
pub struct LiveStream {
    app: App,
    principal: Principal,
    languages: Vec<String>,
    standing: Box<dyn CredentialCheck>,
    subscription: Subscription,
    lists: Vec<FollowedList>,
    /// Lists to be looked at before the mailbox is emptied again.
    round: VecDeque<(usize, Option<Note>)>,
    /// Lists on which somebody may have come or gone.
    people: BTreeSet<usize>,
    /// The id of everything up to the end of the round.
    sequence: u64,
    /// The id that was sent last.
    sent: Option<u64>,
    /// When it ends, and when that is told.
    ends: Option<Instant>,
    notice: Option<Instant>,
    judged: Instant,
    spoke: Instant,
    over: bool,
}

/// A list as one stream follows it.
pub(super) struct FollowedList {
    pub(super) context: Context,
    refusal: Option<ServiceError>,
    /// What the reader had when the stream began: a revision, or one that can no longer be told;
    /// `None` when it is up to date or has not said.
    had: Option<Result<u64, ()>>,
    /// How the list was when the reader was up to date, whatever has happened since.
    base: Option<SentState>,
    told: Option<SentState>,
    /// Whether the reader knows that there is no list for want of a template, or that it failed.
    told_problem: bool,
    /// When a list that failed is looked at again, and how long was waited for that.
    retry: Option<(Instant, Duration)>,
    /// Who else is there, as far as the reader was told.
    people: Option<People>,
}

/// What the reader was told of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SentState {
    revision: u64,
    /// The newest version of the list's template.
    template: Option<(String, u32)>,
    locked: Option<Lock>,
}

impl SentState {
    fn of(list: &Checklist, facts: &ListFacts) -> Self {
        Self {
            revision: list.revision,
            template: newest(facts),
            locked: list.locked.clone(),
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
            told: None,
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

    /// Notes how the list is, should the reader turn out to be up to date with it.
    pub(super) fn is_now(&mut self, tenant: &str, facts: &ListFacts, now: Timestamp) {
        let list = isolate(tenant, &self.context, || {
            checklist::list_of(facts, &self.context, now)
        });
        self.base = list.ok().map(|list| SentState::of(&list, facts));
    }

    /// Tells that there is no list now, unless the reader knows. One that failed is looked at again
    /// after a while, whether or not it changes.
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

    /// The next chunk of the stream; `None` at its end. Whatever was not asked for yet costs
    /// nothing but a note.
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

    /// Whether the reader may hear more: the server is not stopping, and the credential is good.
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

    /// Empties the mailbox into a new round. An id is told only when everything up to it is.
    async fn next_round(&mut self) {
        if self.sent != Some(self.sequence) {
            return;
        }
        let mut notes = self.subscription.mailbox.take();
        self.people.append(&mut notes.people);
        self.sequence = self.sequence.max(notes.sequence);
        if notes.gap {
            // Asked before the lists are looked at, so nothing up to it can be missing then.
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

    /// Who is on a list beside the reader, if that is news.
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

    /// What the reader does not know of a list yet.
    async fn next_update(&mut self, place: usize, note: Option<Note>) -> Option<Rendered> {
        let list = &self.lists[place];
        if let Some(refusal) = &list.refusal {
            return events::not_followed(&list.context, &refusal.problem);
        }
        let wanted = checklist::wanted(&self.principal, &list.context);
        let store = self.app.store();
        let Ok(mut facts) = store.read_lists(&self.principal.tenant, vec![wanted]).await else {
            // The reader comes back with the id that it has, and nothing is lost.
            self.over = true;
            return None;
        };
        let facts = facts.pop().unwrap_or_else(|| Ok(ListFacts::default()));
        let now = self.app.clock().now();
        let tenant = self.principal.tenant.clone();
        let list = &mut self.lists[place];
        let read = isolate(&tenant, &list.context, || {
            let facts = facts?;
            let present = checklist::list_of(&facts, &list.context, now)?;
            Ok((facts, present))
        });
        let (facts, present) = match read {
            Ok(read) => read,
            Err(error) => return list.fails(&error),
        };
        let told = SentState::of(&present, &facts);
        // Whoever was told that it failed is told that it is there again.
        let is_back = list.told_problem;
        let followed = present.template.as_ref();
        let followed = followed.map(|template| (template.id.clone(), template.version));
        let (had, before) = (list.had.take(), list.told.replace(told.clone()));
        let (had_before, before_it) = (had, before.clone());
        // It may have changed between the question what the reader lacks and this look at it.
        let base = list.base.take().filter(|base| *base != told);
        let before = match had {
            Some(_) => before,
            None => before.or(base),
        };
        let mut key = Key {
            tenant: self.principal.tenant.clone(),
            context: list.context.clone(),
            since: None,
            revision: told.revision,
            purged: facts.purged_revision,
            template: told.template.clone(),
            languages: self.languages.clone(),
            permissions: self.principal.permissions,
            resets: false,
            tells_lock: false,
            tells_template: false,
            operation: None,
        };
        match (before, had) {
            (Some(before), _) if before == told && !is_back => return None,
            (Some(before), _) if before == told => {}
            // Items of a list never written are its template's: with another one there is no
            // knowing which of them are gone.
            (Some(before), _)
                if before.revision > told.revision
                    || (before.revision == 0 && before.template != followed) =>
            {
                key.resets = true;
            }
            (Some(before), _) => {
                key.since = Some(before.revision);
                key.tells_lock = before.locked != told.locked;
                key.tells_template = before.template != told.template;
            }
            (None, Some(Ok(revision))) => {
                key.since = Some(revision);
                key.tells_lock = true;
            }
            (None, Some(Err(()))) => key.resets = true,
            (None, None) => {}
        }
        key.operation = note
            .filter(|note| note.revision == told.revision)
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
                // It was not told after all.
                (list.told, list.had) = (before_it, had_before);
                list.fails(&error)
            }
        }
    }

    /// Waits until there may be something to say.
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
            () = self.subscription.mailbox.notified() => {}
            () = tokio::time::sleep_until(next) => {}
        }
    }
}

/// Id and version of the newest version of a list's template.
fn newest(facts: &ListFacts) -> Option<(String, u32)> {
    let template = facts.target.as_ref().or(facts.current.as_ref())?;
    Some((template.id.clone(), template.version))
}
