//! Who works and who follows while machines are in trouble.
//!
//! Each person alone changes their own items and remembers what these should be.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread::sleep;
use std::time::{Duration, Instant};

use checklist_tests::follow::Said;
use checklist_tests::history::{Observation, through_any_node};
use checklist_tests::wait::PATIENCE;
use checklist_tests::{List, Person, Written, until};
use serde_json::{Value, json};

use super::LISTS;

/// Items that a person keeps in a list.
const OWN: usize = 4;

/// An item as the person knows it who alone changes it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) is_done: bool,
    pub(super) is_deleted: bool,
}

/// What everybody has to know while they work.
#[derive(Default)]
pub(super) struct Workload {
    pub(super) is_over: AtomicBool,
    answers: AtomicU64,
    /// Requests that were asked again, by the status of the answer; 0 without one.
    pub(super) refused: Mutex<BTreeMap<u16, u64>>,
}

impl Workload {
    pub(super) fn refused(&self, status: u16) -> u64 {
        let refused = self.refused.lock().unwrap();
        refused.get(&status).copied().unwrap_or_default()
    }

    /// Waits for so many more answers.
    pub(super) fn more(&self, count: u64) {
        let so_far = self.answers.load(Ordering::Relaxed);
        until("work to go on", || {
            (self.answers.load(Ordering::Relaxed) >= so_far + count).then_some(())
        });
    }
}

/// Ends the workload, also when what happens meanwhile panics: else everybody would work for ever.
pub(super) struct StopOnDrop<'a>(pub(super) &'a Workload);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
    }
}

/// Somebody at work, with what they have in each list.
pub(super) struct Worker<'a> {
    pub(super) name: usize,
    /// By list and node.
    pub(super) people: &'a [Vec<Person>],
    pub(super) own: &'a mut Vec<Vec<Item>>,
    pub(super) workload: &'a Workload,
    pub(super) observed: Vec<Observation>,
}

impl Worker<'_> {
    /// Works until the workload is over; `first` is a number that was never used before.
    pub(super) fn work(mut self, first: usize, pause: Duration) -> (Vec<Observation>, usize) {
        let mut turn = first;
        while !self.workload.is_over.load(Ordering::Relaxed) {
            let list = (self.name + turn) % LISTS;
            self.act(list, turn);
            turn += 1;
            sleep(pause);
        }
        (self.observed, turn)
    }

    /// Nothing that grows: else memory could not be distinguished from what it holds.
    fn act(&mut self, list: usize, turn: usize) {
        let own = self.own[list].len();
        if own < OWN {
            self.add(list, turn);
            return;
        }
        match turn / LISTS % 8 {
            0 => self.delete_or_restore(list, turn),
            1 => self.set(list, turn, 1..own),
            2 => self.reword(list, turn),
            3 | 4 => drop(self.ask(list, turn, "GetItems", None, json!({}))),
            _ => self.set(list, turn, turn % (own - 1) + 1..turn % (own - 1) + 2),
        }
    }

    fn add(&mut self, list: usize, turn: usize) {
        let text = format!("{} adds {turn}", self.name);
        let body = json!({ "Items": [{ "Text": text }] });
        let added = self.change(list, turn, "AddItems", &body);
        let id = added.only("Created")["Id"].as_str().expect("an id");
        self.own[list].push(Item {
            id: id.to_owned(),
            text,
            is_done: false,
            is_deleted: false,
        });
    }

    /// Deletes the first of their items, or restores it.
    fn delete_or_restore(&mut self, list: usize, turn: usize) {
        let item = &mut self.own[list][0];
        let (call, outcome) = if item.is_deleted {
            ("RestoreItems", "Restored")
        } else {
            ("DeleteItems", "Deleted")
        };
        item.is_deleted = !item.is_deleted;
        let body = json!({ "Ids": [item.id] });
        self.change(list, turn, call, &body).only(outcome);
    }

    /// Gives those of their items the other status.
    fn set(&mut self, list: usize, turn: usize, which: std::ops::Range<usize>) {
        let items = &mut self.own[list][which];
        for item in items.iter_mut() {
            item.is_done = !item.is_done;
        }
        let changes: Vec<Value> = items
            .iter()
            .map(|item| json!({ "Id": item.id, "Status": if item.is_done { "Done" } else { "Open" } }))
            .collect();
        let changed = self.change(list, turn, "UpdateItems", &json!({ "Items": changes }));
        assert!(
            changed
                .outcomes()
                .iter()
                .all(|outcome| *outcome == "Updated"),
            "{changed:?}"
        );
    }

    fn reword(&mut self, list: usize, turn: usize) {
        let shown = List(self.ask(list, turn, "GetItems", None, json!({})));
        let item = &mut self.own[list][1];
        let version = shown.item(&item.text)["Version"].clone();
        item.text = format!("{} says {turn}", self.name);
        let body =
            json!({ "Items": [{ "Id": item.id, "Text": item.text, "BaseVersion": version }] });
        self.change(list, turn, "UpdateItems", &body)
            .only("Updated");
    }

    fn change(&mut self, list: usize, turn: usize, call: &str, body: &Value) -> Written {
        let operation = format!("{} in turn {turn}", self.name);
        let mut body = body.clone();
        body["OperationId"] = json!(operation);
        Written(self.ask(list, turn, call, Some(operation), body))
    }

    fn ask(
        &mut self,
        list: usize,
        turn: usize,
        call: &str,
        changed_by: Option<String>,
        mut body: Value,
    ) -> Value {
        let nodes = &self.people[list];
        body["Context"] = nodes[0].place.context();
        let asked = Instant::now();
        let answer = through_any_node(nodes, self.name + turn, call, &body, |status| {
            let mut refused = self.workload.refused.lock().unwrap();
            *refused.entry(status.unwrap_or_default()).or_default() += 1;
        });
        self.observed.push(Observation {
            list,
            asked,
            answered: Instant::now(),
            revision: answer["Revision"].as_u64().expect("a revision"),
            changed_by,
        });
        self.workload.answers.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

/// Follows a list, also over the ends of servers, until it has heard of that revision, which is known
/// when the workload is over.
pub(super) fn follow(person: &Person, newest: &AtomicU64, workload: &Workload) {
    let (mut heard, mut id) = (0, "0".to_owned());
    let mut since = None;
    loop {
        let Some(stream) = person.try_to_follow_after(&id) else {
            sleep(Duration::from_millis(100));
            continue;
        };
        loop {
            let newest = newest.load(Ordering::Relaxed);
            if newest > 0 && heard >= newest {
                return;
            }
            if workload.is_over.load(Ordering::Relaxed) {
                let since = *since.get_or_insert_with(Instant::now);
                assert!(
                    since.elapsed() < PATIENCE * 2,
                    "heard of {heard}, not of {newest}"
                );
            }
            match stream.say_within(Duration::from_millis(50)) {
                Ok(Said::Event(_, data)) => {
                    heard = heard.max(data["Revision"].as_u64().unwrap_or_default());
                }
                Ok(Said::Id(new)) => id = new,
                Ok(Said::Comment) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    }
}
