//! Process metrics, with the names that all Prometheus clients use.
//!
//! Measured when metrics are scraped.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use checklist_runtime::clock::{Clock as _, SystemClock};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::figure::{Decimal, figure, figure_in};

/// Clock ticks per second (`USER_HZ`) in `/proc`; 100 on every Linux.
const TICKS: f64 = 100.0;

pub(super) struct ProcessFigures {
    cpu: Counter<f64, AtomicU64>,
    memory: Gauge,
    files: Gauge,
    threads: Gauge,
}

impl ProcessFigures {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let own = registry.sub_registry_with_prefix("process");
        let start = "When the server began, since 1970.";
        let start: Decimal = figure_in(own, Unit::Seconds, "start_time", start);
        let now = Duration::from_millis(SystemClock.now().as_millis().try_into().unwrap_or(0));
        start.set(now.as_secs_f64());
        Self {
            cpu: figure_in(own, Unit::Seconds, "cpu", "Processor time."),
            memory: figure_in(own, Unit::Bytes, "resident_memory", "Memory in use."),
            files: figure(own, "open_fds", "Open files and sockets."),
            threads: figure(own, "threads", "Threads."),
        }
    }

    pub(super) fn look(&self) {
        if let Some(seconds) = fs::read_to_string("/proc/self/stat")
            .ok()
            .and_then(|stat| cpu(&stat))
        {
            // The kernel counts, so the value is set rather than incremented.
            self.cpu.inner().store(seconds.to_bits(), Ordering::Relaxed);
        }
        if let Ok(status) = fs::read_to_string("/proc/self/status") {
            if let Some(kibibytes) = number(&status, "VmRSS:") {
                self.memory.set(kibibytes * 1_024);
            }
            if let Some(threads) = number(&status, "Threads:") {
                self.threads.set(threads);
            }
        }
        if let Ok(open) = fs::read_dir("/proc/self/fd") {
            self.files
                .set(i64::try_from(open.count()).unwrap_or(i64::MAX));
        }
    }
}

/// CPU time in seconds: fields 14 and 15. Field 2 may contain spaces and parentheses.
fn cpu(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS)
}

fn number(status: &str, name: &str) -> Option<i64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_brackets_in_its_name_is_read() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194304 10 0 0 0 250 50 0 0 20 0 4 0 100 1 2";
        assert_eq!(cpu(stat), Some(3.0));
    }

    #[test]
    fn memory_and_threads_are_found_in_their_lines() {
        let status = "Name:\tx\nVmRSS:\t    2048 kB\nThreads:\t9\n";
        assert_eq!(number(status, "VmRSS:"), Some(2_048));
        assert_eq!(number(status, "Threads:"), Some(9));
        assert_eq!(number(status, "VmSwap:"), None);
    }
}
