//! Server-sent events, taken out of the bytes of a stream as they come.

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What it is called; empty where that is not told.
    pub name: String,
    /// What it says.
    pub data: String,
}

/// A stream that is being read.
#[derive(Debug, Default)]
pub struct Events {
    /// What came after the last line that is whole.
    rest: Vec<u8>,
    name: String,
    data: Option<String>,
}

impl Events {
    /// Takes the bytes that came, and gives the events that are whole now.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.rest.extend_from_slice(bytes);
        let mut events = Vec::new();
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return events;
        };
        let left = self.rest.split_off(end + 1);
        let mut whole = std::mem::replace(&mut self.rest, left);
        whole.pop();
        for line in whole.split(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
            events.extend(self.line(&line));
        }
        events
    }

    fn line(&mut self, line: &str) -> Option<Event> {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "" if line.is_empty() => {
                let name = std::mem::take(&mut self.name);
                return self.data.take().map(|data| Event { name, data });
            }
            "event" => value.clone_into(&mut self.name),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(name: &str, data: &str) -> Event {
        Event {
            name: name.to_owned(),
            data: data.to_owned(),
        }
    }

    #[test]
    fn events_are_the_same_wherever_their_bytes_are_cut() {
        let text = ":\n\nevent: run\nid: 3\ndata: {\"List\":\"Geräte\"}\n\n: still there\n\ndata: a\r\ndata: b\r\n\r\nevent: run\ndata: half";
        let whole = [event("run", "{\"List\":\"Geräte\"}"), event("", "a\nb")];
        for size in 1..text.len() {
            let mut events = Events::default();
            let found: Vec<_> = text
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| events.take(piece))
                .collect();
            assert_eq!(found, whole, "in pieces of {size}");
        }
    }

    #[test]
    fn a_comment_alone_is_no_event() {
        assert_eq!(Events::default().take(b":\n\n:\n\n\n"), []);
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn every_seed_of_the_fuzz_target_gives_the_same_events_in_pieces() {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/fuzz/seeds/server_sent_events"
        );
        let mut count = 0;
        for seed in std::fs::read_dir(folder).expect("the seeds") {
            let seed = std::fs::read(seed.expect("a seed").path()).expect("a seed");
            super::super::server_sent_events::hold(&seed);
            count += 1;
        }
        assert!(count > 0);
    }
}
