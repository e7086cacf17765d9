//! Somebody who follows lists: the stream of `POST /Events`, event by event.
//!
//! A thread reads as fast as events come, so that nothing waits for the test; what the test does
//! not ask for is kept.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, json as with_json, send};
use crate::person::Person;
use crate::place::Place;
use crate::wait::PATIENCE;

/// Longer than any test.
const OPEN: Duration = Duration::from_secs(600);

/// An open stream.
pub struct Stream {
    lines: Receiver<Said>,
}

/// What a stream says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An event: its name and its data.
    Event(String, Value),
    /// Everything so far has this id.
    Id(String),
    /// That it is still there.
    Comment,
}

impl Person {
    /// Follows this person's list from now on.
    #[must_use]
    #[track_caller]
    pub fn follow(&self) -> Stream {
        self.follow_from(std::slice::from_ref(&self.place), None)
    }

    /// Follows this person's list from an id on.
    #[must_use]
    #[track_caller]
    pub fn follow_after(&self, id: &str) -> Stream {
        self.follow_from(std::slice::from_ref(&self.place), Some(id))
    }

    /// Follows this person's list from an id on; `None` if there is no server, or it is too busy, or
    /// stops, or a proxy has nobody to ask.
    #[track_caller]
    pub fn try_to_follow_after(&self, id: &str) -> Option<Stream> {
        let body = asking_for(std::slice::from_ref(&self.place), Some(id));
        let request = with_json(self.request(Method::POST, "Events"), &body).timeout(OPEN);
        let response = request.send().ok()?;
        (!response.status().is_server_error()).then(|| listen(response))
    }

    /// Follows lists, from an id on.
    #[must_use]
    #[track_caller]
    pub fn follow_from(&self, places: &[Place], id: Option<&str>) -> Stream {
        self.open_stream(&asking_for(places, id))
    }

    /// Follows this person's list, is seen by the others on it and hears who they are.
    #[must_use]
    #[track_caller]
    pub fn attend(&self) -> Stream {
        let body = asking_for(std::slice::from_ref(&self.place), None);
        self.open_stream_at("Events?Presence=true", &body)
    }

    /// Opens a stream with that body.
    ///
    /// # Panics
    /// When it is refused.
    #[must_use]
    #[track_caller]
    pub fn open_stream(&self, body: &Value) -> Stream {
        self.open_stream_at("Events", body)
    }

    #[track_caller]
    fn open_stream_at(&self, path: &str, body: &Value) -> Stream {
        let request = with_json(self.request(Method::POST, path), body).timeout(OPEN);
        listen(request.send().expect("the server answers"))
    }

    /// The status with which a stream begins; it is left at once.
    #[track_caller]
    pub fn try_status(&self, body: &Value) -> u16 {
        let request = with_json(self.request(Method::POST, "Events"), body);
        request
            .send()
            .expect("the server answers")
            .status()
            .as_u16()
    }

    /// Asks for a stream that is to be refused.
    #[track_caller]
    pub fn try_to_follow(&self, body: &Value) -> Answer {
        send(with_json(self.request(Method::POST, "Events"), body))
    }
}

/// Reads the events of a response.
///
/// # Panics
/// When it is not a stream.
#[must_use]
#[track_caller]
pub fn listen(response: reqwest::blocking::Response) -> Stream {
    let kind = response.headers()["content-type"].clone();
    assert_eq!(
        (response.status().as_u16(), kind.as_bytes()),
        (200, &b"text/event-stream"[..]),
    );
    let (said, lines) = channel();
    std::thread::spawn(move || {
        let mut event = (String::new(), String::new());
        for line in BufReader::new(response).lines().map_while(Result::ok) {
            let (field, value) = line.split_once(": ").unwrap_or((&line, ""));
            let one = match field {
                "event" => {
                    value.clone_into(&mut event.0);
                    continue;
                }
                "data" => {
                    value.clone_into(&mut event.1);
                    continue;
                }
                "id" => Said::Id(value.to_owned()),
                ":" => Said::Comment,
                "" if event.1.is_empty() => continue,
                "" => {
                    let (name, data) = std::mem::take(&mut event);
                    let data = serde_json::from_str(&data).expect("data is JSON");
                    Said::Event(name, data)
                }
                other => panic!("no field of a stream: {other:?}"),
            };
            if said.send(one).is_err() {
                break;
            }
        }
    });
    Stream { lines }
}

/// The body that asks for these lists, from an id on.
#[must_use]
pub fn asking_for(places: &[Place], id: Option<&str>) -> Value {
    let contexts: Vec<Value> = places.iter().map(Place::context).collect();
    let mut body = json!({ "Contexts": contexts });
    if let Some(id) = id {
        body["LastEventId"] = json!(id);
    }
    body
}

impl Stream {
    /// What it says next, whatever it is; `None` when it has ended.
    #[track_caller]
    pub fn say(&self) -> Option<Said> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(said) => Some(said),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the stream was silent for {PATIENCE:?}"),
        }
    }

    /// What it says within that time.
    ///
    /// # Errors
    /// When that is nothing, or the stream has ended.
    pub fn say_within(&self, wait: Duration) -> Result<Said, RecvTimeoutError> {
        self.lines.recv_timeout(wait)
    }

    /// The next event, which has to have that name; ids and comments are passed over.
    #[track_caller]
    pub fn next(&self, name: &str) -> Value {
        match self.event() {
            Some((found, data)) if found == name => data,
            other => panic!("expected {name:?}, got {other:?}"),
        }
    }

    /// The next event; `None` when the stream has ended.
    ///
    /// # Panics
    /// When there is none for too long, comments or not.
    #[track_caller]
    pub fn event(&self) -> Option<(String, Value)> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no event for {PATIENCE:?}");
            match self.say()? {
                Said::Event(name, data) => return Some((name, data)),
                Said::Id(_) | Said::Comment => {}
            }
        }
    }

    /// The next event of that name that fits; others are passed over.
    #[track_caller]
    pub fn until(&self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.event() {
                Some((found, data)) if found == name && fits(&data) => return data,
                Some(_) => {}
                None => panic!("the stream ended before such a {name:?}"),
            }
        }
    }

    /// The next id.
    #[track_caller]
    pub fn id(&self) -> String {
        loop {
            match self.say() {
                Some(Said::Id(id)) => return id,
                Some(_) => {}
                None => panic!("the stream ended before an id"),
            }
        }
    }

    /// Everything that has come and was not asked for.
    #[must_use]
    pub fn heard_so_far(&self) -> Vec<Said> {
        self.lines.try_iter().collect()
    }

    /// The events until the next id, by name.
    #[track_caller]
    pub fn up_to_id(&self) -> (Vec<(String, Value)>, String) {
        let mut events = Vec::new();
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no id after {events:?}");
            match self.say() {
                Some(Said::Event(name, data)) => events.push((name, data)),
                Some(Said::Id(id)) => return (events, id),
                Some(Said::Comment) => {}
                None => panic!("the stream ended before an id, after {events:?}"),
            }
        }
    }

    /// Looks at every event until the end.
    #[track_caller]
    pub fn until_end(&self, mut look: impl FnMut(&str, &Value)) {
        while let Some((name, data)) = self.event() {
            look(&name, &data);
        }
    }

    /// Everything until the end, by name.
    #[track_caller]
    pub fn up_to_end(&self) -> Vec<String> {
        std::iter::from_fn(|| self.event().map(|(name, _)| name)).collect()
    }
}
