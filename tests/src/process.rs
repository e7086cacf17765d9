//! A program that was started, what it has said so far, and how it ended.
//!
//! Nothing that it writes is lost and nothing that it writes makes it wait.

use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};

use crate::wait::{PATIENCE, until};

/// A started program and what it has said so far.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
}

/// How a program ended that was not expected to stay.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it said on stdout and stderr.
    pub said: String,
}

/// Runs a program to its end with this as its input; it need not read all of it.
///
/// # Panics
/// When it cannot be started at all.
#[must_use]
#[track_caller]
pub fn feed(command: &mut Command, input: &[u8]) -> Output {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => panic!("{command:?} cannot be started: {error}"),
    };
    let stdin = child.stdin.take();
    // Beside it, since a program may say something before it has read everything.
    std::thread::scope(|scope| {
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        child.wait_with_output().expect("it ends")
    })
}

impl Process {
    /// Starts a program and listens to what it says.
    ///
    /// # Panics
    /// When it cannot be started at all.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::null()))
    }

    /// The same for a program that reads its input until this value is dropped or this process
    /// has ended.
    ///
    /// # Panics
    /// When it cannot be started at all.
    #[track_caller]
    pub fn start_with_input(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::piped()))
    }

    #[track_caller]
    fn spawn(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => panic!("{command:?} cannot be started: {error}"),
        };
        let errors = Arc::new(Mutex::new(String::new()));
        if let Some(mut stderr) = child.stderr.take() {
            let errors = errors.clone();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                    if let Ok(mut errors) = errors.lock() {
                        errors.push_str(&String::from_utf8_lossy(&bytes[..count]));
                    }
                }
            });
        }
        let (said, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if said.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Self {
            child,
            lines,
            errors,
        }
    }

    /// The next line of stdout that holds `marker`, from the marker's end on.
    ///
    /// # Panics
    /// When the program ends or waits too long before it says so.
    #[track_caller]
    pub fn says(&mut self, marker: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    if let Some((_, rest)) = line.split_once(marker) {
                        return rest.to_owned();
                    }
                }
                Err(_) => panic!(
                    "the program never said {marker:?}; stderr:\n{}",
                    self.errors()
                ),
            }
        }
    }

    /// What the program has written to stderr so far.
    #[must_use]
    pub fn errors(&self) -> String {
        self.errors
            .lock()
            .map_or_else(|_| String::new(), |errors| errors.clone())
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The memory that it holds at this moment, in bytes; none once it has ended.
    #[must_use]
    pub fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let held = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = held.trim().strip_suffix(" kB")?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Sends it a signal; one that has ended already is what the caller is after.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(id) = id {
            // An error means that it has ended already, which is what the caller is after.
            let _ = kill_process(id, signal);
        }
    }

    /// Waits until it has ended.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        until("the program to end", || {
            self.child.try_wait().ok().flatten()
        })
    }

    /// Waits for a program that is expected to end by itself.
    #[must_use]
    #[track_caller]
    pub fn ended(mut self) -> Ended {
        let status = self.wait();
        let mut said: String = self
            .lines
            .iter()
            .flat_map(|line| [line, "\n".to_owned()])
            .collect();
        // The pipe is drained by a thread, which may be a moment behind the exit.
        until("all of stderr", || {
            (Arc::strong_count(&self.errors) == 1).then_some(())
        });
        said.push_str(&self.errors());
        Ended { status, said }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that reads its input ends with it, and has something left to do until then.
        if self.child.stdin.take().is_none() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
