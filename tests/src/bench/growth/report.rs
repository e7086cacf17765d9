//! The figures of all sizes, as a table for people and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::live::Followed;
use super::super::load::Measured;
use super::workload::{Call, KINDS, Over};

/// What a size of the store came to.
pub(super) struct Stage {
    pub(super) items: usize,
    pub(super) lists: usize,
    /// Lists that were written for the first time in a second, on the way to this size.
    pub(super) filled_a_second: f64,
    /// The database file, where there is one.
    pub(super) bytes: Option<u64>,
    /// From the start of the program to its first page.
    pub(super) start: Duration,
    /// Memory after that.
    pub(super) idle: u64,
    /// Memory after all turns.
    pub(super) loaded: u64,
    pub(super) turns: Vec<Turns>,
    pub(super) streams: Vec<Streams>,
}

/// One program at one call.
pub(super) struct Turns {
    pub(super) call: Call,
    pub(super) over: Over,
    pub(super) program: &'static str,
    pub(super) measured: Measured,
}

/// So many streams.
pub(super) struct Streams {
    pub(super) count: usize,
    pub(super) followed: Followed,
}

impl Stage {
    fn rate(&self, (call, over): (Call, Over), program: &str) -> Option<f64> {
        let turns = self.turns.iter();
        let mut of = turns.filter(|turns| turns.call == call && turns.over == over);
        of.find(|turns| turns.program == program)
            .map(|turns| turns.measured.rate)
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

fn title((call, over): (Call, Over)) -> &'static str {
    match (call, over) {
        (Call::Tick, Over::InUse) => "tick, lists in use",
        (Call::Tick, Over::All) => "tick, every list in turn",
        (Call::Read, Over::InUse) => "read, lists in use",
        (Call::Read, Over::All) => "read, every list in turn",
    }
}

/// The table.
pub(super) fn table(stages: &[Stage]) -> String {
    let mut text = String::new();
    for stage in stages {
        let _ = writeln!(
            text,
            "\n{} items in {} lists; {:.0} lists a second filled it{}",
            stage.items,
            stage.lists,
            stage.filled_a_second,
            stage.bytes.map_or(String::new(), |bytes| {
                let an_item = bytes as f64 / stage.items as f64;
                format!("; {:.0} MiB, {an_item:.0} bytes an item", mebibytes(bytes))
            })
        );
        let _ = writeln!(
            text,
            "first page after {:.0} ms; {:.0} MiB then, {:.0} MiB under load",
            millis(stage.start),
            mebibytes(stage.idle),
            mebibytes(stage.loaded)
        );
        let _ = writeln!(
            text,
            "{:<26} {:<12} {:>9} {:>9} {:>9} {:>9}",
            "", "", "per s", "p50 ms", "p99 ms", "of bare"
        );
        for turns in &stage.turns {
            let kind = (turns.call, turns.over);
            let measured = &turns.measured;
            let of_bare = stage.rate(kind, "bare").map(|bare| measured.rate / bare);
            let _ = writeln!(
                text,
                "{:<26} {:<12} {:>9.0} {:>9.2} {:>9.2} {:>9.2}",
                title(kind),
                turns.program,
                measured.rate,
                millis(measured.median),
                millis(measured.p99),
                of_bare.unwrap_or(f64::NAN)
            );
        }
        for Streams { count, followed } in &stage.streams {
            let _ = writeln!(
                text,
                "{count} streams: {:.1} MiB more, {:.1} % of a core when still; a change is heard after {:.2} ms, p99 {:.2} ms",
                mebibytes(followed.memory),
                followed.idle * 100.0,
                millis(followed.median),
                millis(followed.p99)
            );
        }
    }
    if let [first, .., last] = stages {
        let _ = writeln!(
            text,
            "\nfrom {} to {} items, times slower:",
            first.items, last.items
        );
        for kind in KINDS {
            let times = |program| Some(first.rate(kind, program)? / last.rate(kind, program)?);
            let (ours, bare) = (times("product"), times("bare"));
            let _ = writeln!(
                text,
                "{:<26} product {:.2}, bare {:.2}",
                title(kind),
                ours.unwrap_or(f64::NAN),
                bare.unwrap_or(f64::NAN)
            );
        }
    }
    text
}

/// The same for programs.
pub(super) fn json(stages: &[Stage]) -> Value {
    let stages = stages.iter().map(|stage| {
        let turns = stage.turns.iter().map(|turns| {
            json!({
                "Call": title((turns.call, turns.over)), "Program": turns.program, "PerSecond": turns.measured.rate,
                "MedianMillis": millis(turns.measured.median), "P99Millis": millis(turns.measured.p99)
            })
        });
        let streams = stage.streams.iter().map(|Streams { count, followed }| {
            json!({
                "Streams": count, "Bytes": followed.memory, "ShareOfACoreWhenStill": followed.idle,
                "MedianMillis": millis(followed.median), "P99Millis": millis(followed.p99)
            })
        });
        json!({
            "Items": stage.items, "Lists": stage.lists, "FilledPerSecond": stage.filled_a_second,
            "DatabaseBytes": stage.bytes, "FirstPageMillis": millis(stage.start), "IdleBytes": stage.idle,
            "LoadedBytes": stage.loaded, "Turns": turns.collect::<Vec<_>>(), "Streams": streams.collect::<Vec<_>>()
        })
    });
    Value::Array(stages.collect())
}
