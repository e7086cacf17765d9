//! A simulated environment for a model: a server that follows the rules, a host, and a browser with
//! storage.
//!
//! Runs effects as they come and checks the invariants at every step: at most one operation in
//! flight, operations never change, nothing happens after the end. Requests wait until
//! the test lets the server answer them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use checklist_shared::change::{Session, apply};
use checklist_shared::item::{Actor, Status};
use checklist_shared::limits::Limits;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::{ItemProblem, ItemProblemCode};
use checklist_shared::progress;
use checklist_shared::wire::item::ItemView;
use checklist_shared::wire::write::{Outcome, WriteOutcome, WriteResult};
use checklist_shared::{Checklist, Context, ItemId, Timestamp};

use super::{NOW, items, served};
use crate::model::effect::Effect;
use crate::model::error::{Error, Problem};
use crate::model::message::{Change, MessageContext, Msg, Timer, UserAction};
use crate::model::operation::{Action, Operation};
use crate::model::served::ServedList;
use crate::model::sync::Connection;
use crate::model::visibility::ViewChoice;
use crate::model::{Model, update};
use crate::port::{ErrorDetail, Settings};

/// What the server has: a list, and its answer to every operation.
pub struct Server {
    pub list: Checklist,
    pub answers: BTreeMap<String, WriteOutcome>,
    undo: Vec<(String, Checklist)>,
}

/// What came of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendOutcome {
    /// It is answered.
    Answered,
    /// The network fails before it arrives.
    Lost,
    /// It is done, but the answer does not arrive.
    AnswerLost,
    /// The server refuses it for good.
    Refused,
    /// The server asks to come back later.
    Busy,
    /// The token is not taken, or there is none.
    NoToken,
}

pub struct Simulation {
    pub model: Model,
    pub server: Server,
    /// What is on its way: an operation of the list that is shown.
    pub sent: Option<Operation>,
    /// Reads on their way: their number, and the revision since when.
    pub reads: Vec<(u32, Option<u64>)>,
    pub timers: Vec<(u32, Timer)>,
    /// Whom the host is asked for.
    pub people: Vec<(Option<ItemId>, u32, String)>,
    /// Histories on their way: of which item, from where on.
    pub history: Vec<(ItemId, Option<u64>)>,
    /// What the browser keeps.
    pub kept: BTreeMap<String, Operation>,
    pub kept_view: ViewChoice,
    /// Every operation that was ever sent.
    ever_sent: BTreeMap<String, Action>,
    /// Operations that were rejected, or undone locally.
    pub given_up: BTreeSet<String>,
    pub waiting: BTreeSet<u32>,
    pub answers: Vec<(u32, Result<(), ErrorDetail>)>,
    pub said: Vec<String>,
    pub errors: Vec<ErrorDetail>,
    pub completed: Vec<bool>,
    pub drawn: usize,
    /// Whether the server may know more than the control: others wrote, or an answer was lost.
    pub is_behind: bool,
    pub now: i64,
    count: u16,
    waiters: u32,
}

pub fn settings() -> Settings {
    Settings {
        base_url: "https://host".to_owned(),
        object_type: "incident".to_owned(),
        object_id: "1".to_owned(),
        ..Settings::default()
    }
}

pub fn me() -> Actor {
    Actor::person("me", "Me")
}

impl Server {
    fn new(count: u8) -> Self {
        let mut list = Checklist::empty(
            Context::new("incident", "1", ""),
            Timestamp::from_millis(NOW),
        );
        let start = served(items(count), 1);
        list.revision = 1;
        list.template = Some(start.template);
        list.items = items(count).into_iter().map(Into::into).collect();
        Self {
            list,
            answers: BTreeMap::new(),
            undo: Vec::new(),
        }
    }

    pub fn is_complete(&self) -> bool {
        progress::of_items(&self.list).0.is_completed()
    }

    pub fn status(&self, id: ItemId) -> Option<Status> {
        self.list.live(id).map(|item| item.status)
    }

    /// Does an operation, once: the same id gets the same answer.
    pub fn take(&mut self, operation: &Operation, who: &Actor) -> WriteOutcome {
        if let Some(answer) = self.answers.get(&operation.id) {
            return answer.clone();
        }
        let before = self.list.clone();
        if operation.action.is_bulk() {
            let answer = self.take_each(&operation.action, who);
            if before.items != self.list.items {
                self.undo.push((operation.id.clone(), before));
            }
            self.answers.insert(operation.id.clone(), answer.clone());
            return answer;
        }
        let outcome = match &operation.action {
            Action::Undo(id) | Action::Redo(id) => self.take_back(id),
            action => self.apply(action, who),
        };
        if outcome.is_ok() {
            self.list.revision += 1;
            self.undo.push((operation.id.clone(), before.clone()));
        }
        let mut answer = self.answer(&operation.action, outcome);
        if matches!(operation.action, Action::Undo(_) | Action::Redo(_)) {
            self.add_changed(&before, &mut answer);
        }
        self.answers.insert(operation.id.clone(), answer.clone());
        answer
    }

    fn apply(&mut self, action: &Action, who: &Actor) -> Result<(), ItemProblemCode> {
        let session = Session {
            actor: who,
            permissions: Permissions::all(),
            now: Timestamp::from_millis(NOW),
            limits: &Limits::default(),
            languages: &[],
        };
        let changes = action.changes();
        let mut changed = changes
            .iter()
            .map(|change| apply(&mut self.list, change, &session));
        changed.try_for_each(|applied| applied.map(|_| ()))
    }

    /// Does of several what it can.
    fn take_each(&mut self, action: &Action, who: &Actor) -> WriteOutcome {
        let mut answer = WriteOutcome::default();
        for id in action.ids() {
            let mut one = action.clone();
            one.retain(|there| there == id);
            let before = self.list.clone();
            let outcome = self.apply(&one, who);
            let item = || self.list.live(id).map(as_view);
            let (outcome, item) = match (&outcome, action) {
                (Err(_), _) => (Outcome::Failed, item()),
                (Ok(()), _) if before.items == self.list.items => (Outcome::Unchanged, item()),
                (Ok(()), Action::DeleteAll(_)) => (Outcome::Deleted, None),
                (Ok(()), _) => (Outcome::Updated, item()),
            };
            let problem = self.problem_of(&one, who, outcome);
            answer.results.push(WriteResult {
                id,
                outcome,
                item,
                problem,
            });
        }
        let is_changed =
            |result: &WriteResult| matches!(result.outcome, Outcome::Deleted | Outcome::Updated);
        self.list.revision += u64::from(answer.results.iter().any(is_changed));
        answer.revision = self.list.revision;
        answer
    }

    fn problem_of(&mut self, one: &Action, who: &Actor, outcome: Outcome) -> Option<ItemProblem> {
        let failed = outcome == Outcome::Failed;
        failed.then(|| self.apply(one, who).err().map(ItemProblem::from))?
    }

    /// Only the last write can be undone.
    fn take_back(&mut self, id: &str) -> Result<(), ItemProblemCode> {
        match self.undo.pop() {
            Some((last, before)) if last == id => {
                let revision = self.list.revision;
                self.list = before;
                self.list.revision = revision;
                Ok(())
            }
            other => {
                self.undo.extend(other);
                Err(ItemProblemCode::PlaceConflict)
            }
        }
    }

    fn answer(&self, action: &Action, outcome: Result<(), ItemProblemCode>) -> WriteOutcome {
        let item = |id| self.list.live(id).map(as_view);
        let outcomes = match (&outcome, action) {
            (Err(_), _) => Outcome::Conflict,
            (_, Action::Add(..) | Action::AddAll(_)) => Outcome::Created,
            (_, Action::Delete(_)) => Outcome::Deleted,
            _ => Outcome::Updated,
        };
        let nobody = ItemId::from_millis_and_random(0, [0; 10]);
        let ids = match action {
            Action::AddAll(items) => items.iter().filter_map(|item| item.id).collect(),
            action => vec![action.item().unwrap_or(nobody)],
        };
        WriteOutcome {
            revision: self.list.revision,
            results: ids
                .into_iter()
                .map(|id| WriteResult {
                    id,
                    outcome: outcomes,
                    item: item(id),
                    problem: outcome.err().map(ItemProblem::from),
                })
                .collect(),
            ..WriteOutcome::default()
        }
    }

    /// What an undo has changed comes with its answer.
    fn add_changed(&self, before: &Checklist, answer: &mut WriteOutcome) {
        let new = self.list.items.iter();
        let changed = new.filter(|item| item.is_live() && before.live(item.id) != Some(&***item));
        answer.results.extend(changed.map(|item| WriteResult {
            id: item.id,
            outcome: Outcome::Restored,
            item: Some(as_view(item)),
            problem: None,
        }));
    }

    pub fn whole(&self) -> ServedList {
        let items = self.list.items.iter();
        let live = items.filter(|item| item.is_live());
        let mut list = served(Vec::new(), self.list.revision);
        list.items = live.map(|item| as_view(item).into()).collect();
        list.waived = self.list.waived.clone();
        list
    }
}

fn as_view(item: &checklist_shared::Item) -> ItemView {
    ItemView::of(item, &[])
}

impl Simulation {
    pub fn new(count: u8) -> Self {
        Self::with(settings(), count)
    }

    pub fn with(settings: Settings, count: u8) -> Self {
        let given = given(0, NOW, 0);
        Self {
            model: Model::new(Rc::new(settings), "en".to_owned(), given),
            server: Server::new(count),
            sent: None,
            reads: Vec::new(),
            timers: Vec::new(),
            people: Vec::new(),
            history: Vec::new(),
            kept: BTreeMap::new(),
            kept_view: ViewChoice::default(),
            ever_sent: BTreeMap::new(),
            given_up: BTreeSet::new(),
            waiting: BTreeSet::new(),
            answers: Vec::new(),
            said: Vec::new(),
            errors: Vec::new(),
            completed: Vec::new(),
            drawn: 0,
            is_behind: false,
            now: NOW,
            count: 0,
            waiters: 0,
        }
    }

    /// One whose list is read.
    pub fn with_items(count: u8) -> Self {
        let mut world = Self::new(count);
        world.tell(Msg::Begin(None));
        world.read();
        world
    }

    /// Tells the model something and does what follows.
    pub fn tell(&mut self, message: Msg) {
        self.count += 1;
        self.now += 7;
        let given = given(self.count, self.now, self.count as u8);
        let effects = update(&mut self.model, message, given);
        for effect in effects {
            self.run(effect);
        }
    }

    pub fn does(&mut self, action: UserAction) {
        self.tell(Msg::Do(action));
    }

    fn run(&mut self, effect: Effect) {
        match effect {
            Effect::Ask(act) => self.tell(Msg::Allowed(act)),
            Effect::Publish => self.publish(),
            Effect::Error(error) => self.errors.push(error),
            Effect::ErrorAtRow(code, item) => self.errors.push(ErrorDetail {
                code,
                status: 422,
                message: String::new(),
                item: Some(item),
            }),
            Effect::Answer(waiter, result) => {
                assert!(self.waiting.remove(&waiter), "answered twice");
                self.answers.push((waiter, result));
            }
            Effect::FindPeople(id, number, prefix) => self.people.push((id, number, prefix)),
            Effect::ReadHistory(request) => self.history.push((request.id, request.after)),
            Effect::Read(load, _) => self.reads.push((load, None)),
            Effect::ReadChanges(load, _, since) => self.reads.push((load, Some(since))),
            Effect::Identify(load, _) => self.tell(Msg::Identified(load, me())),
            Effect::Send(_, operation, _) => self.send(*operation),
            Effect::Recall => {
                let kept: Vec<Operation> = self.kept.values().cloned().collect();
                self.tell(Msg::Recalled(kept.clone()));
                self.expect_superfluous(kept);
            }
            Effect::Store(operation) => {
                self.kept.insert(operation.id.clone(), *operation);
            }
            Effect::Discard(id) => {
                self.kept.remove(&id);
            }
            Effect::RecallView => {
                let view = self.kept_view.clone();
                self.tell(Msg::ViewRecalled(view));
            }
            Effect::StoreView(view) => self.kept_view = view,
            Effect::Say(sentence) => self.said.push(sentence),
            Effect::Wait(millis, timer) => self.timers.push((millis, timer)),
            Effect::Draw(_) | Effect::DrawCalmly(_) => self.drawn += 1,
            Effect::DrawRow(_)
            | Effect::DrawFace
            | Effect::Changed(_)
            | Effect::DryRun(..)
            | Effect::SayRow(_)
            | Effect::Focus(_) => {}
        }
    }

    /// Of what was kept only that is not sent which is as wanted already.
    fn expect_superfluous(&mut self, kept: Vec<Operation>) {
        for operation in kept {
            let waits = self
                .model
                .list
                .queue
                .iter()
                .any(|one| one.id == operation.id);
            if waits || self.server.answers.contains_key(&operation.id) {
                continue;
            }
            let before = format!("{:?}", self.server.list.items);
            let applied = self.server.apply(&operation.action, &me());
            assert!(applied.is_ok(), "{operation:?} is lost");
            assert_eq!(
                before,
                format!("{:?}", self.server.list.items),
                "{operation:?}"
            );
            self.given_up.insert(operation.id);
        }
    }

    fn send(&mut self, operation: Operation) {
        assert!(self.sent.is_none(), "two operations are on their way");
        let first = self
            .model
            .list
            .queue
            .iter()
            .next()
            .map(|one| one.id.clone());
        assert_eq!(first.as_ref(), Some(&operation.id), "not the first in line");
        let before = self
            .ever_sent
            .insert(operation.id.clone(), operation.action.clone());
        assert!(
            before.is_none_or(|action| action == operation.action),
            "the same id means something else"
        );
        self.sent = Some(operation);
    }

    fn publish(&mut self) {
        let snapshot = self.model.snapshot();
        if self.completed.last() != Some(&snapshot.completed) {
            self.completed.push(snapshot.completed);
        }
        if snapshot.completed && !snapshot.draft && !self.is_behind {
            assert!(self.server.is_complete(), "completed before the server is");
        }
    }

    /// Lets the server answer, reject or lose the request in flight, at random.
    pub fn answer(&mut self, fate: SendOutcome) {
        let Some(operation) = self.sent.take() else {
            return;
        };
        let result = match fate {
            SendOutcome::Answered => {
                // What an undo takes away is known with the read that follows it.
                self.is_behind |= operation.action.is_step();
                Ok(self.server.take(&operation, &me()))
            }
            SendOutcome::AnswerLost => {
                self.server.take(&operation, &me());
                self.is_behind = true;
                Err(Error::Network)
            }
            SendOutcome::Lost => Err(Error::Network),
            SendOutcome::NoToken => Err(Error::Token("No token.".to_owned())),
            SendOutcome::Busy => Err(failure(503, "")),
            SendOutcome::Refused if self.server.answers.contains_key(&operation.id) => {
                Ok(self.server.take(&operation, &me()))
            }
            SendOutcome::Refused => {
                self.given_up.insert(operation.id.clone());
                Err(failure(403, "PermissionDenied"))
            }
        };
        self.tell(Msg::Answered(operation.id, result));
    }

    /// Lets the server answer what is being read.
    pub fn read(&mut self) {
        for (load, since) in std::mem::take(&mut self.reads) {
            let list = Box::new(self.server.whole());
            self.is_behind &= self.sent.is_some();
            self.tell(match since {
                None => Msg::ListRead(load, Ok(list), Some(me())),
                Some(_) => Msg::ChangesRead(load, Ok(list)),
            });
        }
    }

    /// The same without a network.
    pub fn fail_reads(&mut self) {
        for (load, since) in std::mem::take(&mut self.reads) {
            self.tell(match since {
                None => Msg::ListRead(load, Err(Error::Network), None),
                Some(_) => Msg::ChangesRead(load, Err(Error::Network)),
            });
        }
    }

    /// Every time that is waited for passes.
    pub fn wait(&mut self) {
        for (_, timer) in std::mem::take(&mut self.timers) {
            self.tell(Msg::Over(timer));
        }
    }

    pub fn flush(&mut self) -> u32 {
        self.waiters += 1;
        self.waiting.insert(self.waiters);
        self.tell(Msg::Flush(self.waiters));
        self.waiters
    }

    pub fn refresh(&mut self) {
        self.waiters += 1;
        self.waiting.insert(self.waiters);
        self.tell(Msg::Refresh(self.waiters));
    }

    /// Somebody else changes the list; the stream reports it, or not.
    pub fn foreign(&mut self, action: Action, is_told: bool) {
        self.count += 1;
        self.is_behind = true;
        let since = self.server.list.revision;
        let anna = Actor::person("anna", "Anna");
        let id = format!("anna {}", self.count);
        let answer = self.server.take(&Operation { id, action }, &anna);
        let changed = answer.results.into_iter();
        let items = changed.filter_map(|result| result.item);
        let items: Vec<checklist_shared::Item> = items.map(Into::into).collect();
        if is_told && !items.is_empty() {
            let mut list = served(Vec::new(), answer.revision);
            list.items = items;
            list.delta = true;
            let change = Change {
                list,
                since: Some(since),
                reset: false,
                operation: None,
            };
            self.tell(Msg::Heard(Box::new(change)));
        }
    }

    /// The page is left and opened again; what was on its way is forgotten.
    pub fn reload(&mut self) {
        self.tell(Msg::End);
        assert!(self.waiting.is_empty(), "somebody waits for nobody");
        self.sent = None;
        self.reads.clear();
        self.timers.clear();
        self.is_behind = true;
        let settings = Rc::clone(&self.model.settings);
        self.model = Model::new(settings, "en".to_owned(), given(self.count, self.now, 0));
        self.tell(Msg::Begin(None));
    }

    /// Everything works again, for as long as it takes.
    pub fn settle(&mut self) {
        self.tell(Msg::Stream(Connection::Online));
        for _ in 0..2_000 {
            self.read();
            self.answer(SendOutcome::Answered);
            if self.sent.is_none() && self.reads.is_empty() {
                let retries = |(_, timer): &(u32, Timer)| !matches!(timer, Timer::Fresh(_));
                if !self.timers.iter().any(retries) {
                    return;
                }
                self.wait();
            }
        }
        panic!("it never comes to rest");
    }
}

fn failure(code: u16, name: &str) -> Error {
    Error::Problem(Problem {
        status: code,
        code: name.to_owned(),
        ..Problem::default()
    })
}

fn given(count: u16, now: i64, chance: u8) -> MessageContext {
    let id = |kind: u8| {
        let [high, low] = count.to_be_bytes();
        ItemId::from_millis_and_random(now.unsigned_abs(), [kind, high, low, 0, 0, 0, 0, 0, 0, 0])
    };
    MessageContext {
        now,
        chance,
        operation: id(1),
        item: id(2),
    }
}
