//! Writers that go on whatever happens to the database, and readers that follow them.
//!
//! What was acknowledged is counted, and each text is written once: under one operation id until somebody
//! takes it.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use checklist_tests::client::{json as with_json, try_send};
use checklist_tests::follow::{Said, Stream, asking_for};
use checklist_tests::wait::until_or_none;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};

pub const WRITERS: usize = 4;
/// Acknowledged writes before and after each fault, over all writers.
pub const WRITES: usize = 40;

pub fn setup() -> Setup {
    Setup::for_hosts(&[HostKey::of("north")]).argument("--max-items=10000")
}

pub fn editor(server: &Server, writer: usize) -> Person {
    server.editor_on(&incident(&writer.to_string()).for_purpose("x"))
}

/// What the writers have seen.
#[derive(Default)]
pub struct Seen {
    acknowledged: AtomicUsize,
    refused: AtomicUsize,
    stop: AtomicBool,
    last: Mutex<Option<Instant>>,
    pause: Mutex<Duration>,
}

impl Seen {
    /// Waits until that many more were acknowledged.
    #[track_caller]
    pub fn acknowledges(&self, more: usize) {
        let from = self.acknowledged.load(Ordering::Relaxed);
        patiently("writes to be acknowledged", || {
            (self.acknowledged.load(Ordering::Relaxed) >= from + more).then_some(())
        });
    }

    /// How many were refused so far.
    pub fn refusals(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }

    /// The longest time in which nothing was acknowledged.
    pub fn longest_pause(&self) -> Duration {
        *self.pause.lock().expect("no writer has panicked")
    }

    fn acknowledge(&self) {
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
        let mut last = self.last.lock().expect("no writer has panicked");
        let mut pause = self.pause.lock().expect("no writer has panicked");
        let now = Instant::now();
        if let Some(last) = last.replace(now) {
            *pause = (*pause).max(now - last);
        }
    }
}

/// Adds items one after the other until told to stop. Each is sent to one of these people, under
/// the same operation id to the next one when there is no answer, until somebody takes it; a
/// refusal has to say when to come back.
fn write(people: &[Person], name: &str, seen: &Seen) -> Vec<String> {
    let mut texts = Vec::new();
    let mut whom = 0;
    for n in 0.. {
        if seen.stop.load(Ordering::Relaxed) {
            break;
        }
        let text = format!("{name} {n}");
        let body = json!({
            "Context": people[0].place.context(), "OperationId": text, "Items": [{ "Text": text, "Kind": "Info" }]
        });
        patiently("the write to be acknowledged", || {
            let person = &people[whom % people.len()];
            let request = with_json(person.request(Method::POST, "AddItems"), &body);
            // Whoever stands still answers nobody.
            let Ok(answer) = try_send(request.timeout(Duration::from_secs(2))) else {
                whom += 1;
                return None;
            };
            if answer.status == 200 {
                return Some(());
            }
            answer.refused(503, "Busy");
            assert_ne!(answer.header("retry-after"), "");
            seen.refused.fetch_add(1, Ordering::Relaxed);
            None
        });
        texts.push(text);
        seen.acknowledge();
    }
    texts
}

/// Stops the writers when it is dropped, also by a test that fails.
struct StopsAtTheEnd<'a>(&'a Seen);

impl Drop for StopsAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Lets the writers write while `meanwhile` happens; the texts of each.
pub fn under_load(
    people: &[Vec<Person>],
    name: &str,
    meanwhile: impl FnOnce(&Seen),
) -> Vec<Vec<String>> {
    let seen = Seen::default();
    std::thread::scope(|scope| {
        let writers: Vec<_> = people
            .iter()
            .map(|people| scope.spawn(|| write(people, name, &seen)))
            .collect();
        let stop = StopsAtTheEnd(&seen);
        seen.acknowledges(WRITES);
        meanwhile(&seen);
        seen.acknowledges(WRITES);
        drop(stop);
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    })
}

#[track_caller]
pub fn the_chain_holds(server: &Server) {
    let verified = server.run(&["audit", "verify"]);
    assert!(verified.status.success(), "{}", verified.said);
}

/// Waits three times as long as for anything else: a standby takes over only when its primary's lead has
/// run out.
#[track_caller]
fn patiently(what: &str, mut ask: impl FnMut() -> Option<()>) {
    let answer = (0..3).find_map(|_| until_or_none(&mut ask));
    assert!(answer.is_some(), "waited in vain: {what}");
}

/// Somebody who follows a list as the control does: when the stream ends, it is opened again from
/// the last id on, as soon as that is possible.
pub struct Following {
    person: Person,
    stream: Stream,
    id: Option<String>,
}

impl Following {
    pub fn of(person: Person) -> Self {
        let stream = person.follow();
        let id = Some(stream.id());
        Self { person, stream, id }
    }

    /// Reads until it has heard of an item with each of these texts.
    pub fn hears_of(&mut self, texts: &[String]) {
        let mut unheard: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
        while !unheard.is_empty() {
            for item in self.changed_items() {
                unheard.remove(item["Text"].as_str().unwrap_or_default());
            }
        }
    }

    /// The items of the next event, none for events about anything else.
    fn changed_items(&mut self) -> Vec<Value> {
        match self.stream.say() {
            Some(Said::Event(name, data)) if name == "items" => {
                data["Items"].as_array().cloned().unwrap_or_default()
            }
            Some(Said::Id(id)) => {
                self.id = Some(id);
                Vec::new()
            }
            Some(_) => Vec::new(),
            None => {
                let places = std::slice::from_ref(&self.person.place);
                let body = asking_for(places, self.id.as_deref());
                until("the stream to be opened again", || {
                    (self.person.try_status(&body) == 200).then_some(())
                });
                self.stream = self.person.open_stream(&body);
                Vec::new()
            }
        }
    }
}
