//! Compares this server with recorded answers of the service: pnpcore's `*.response.json` files,
//! which lie outside of this project and are never part of it.
//!
//! The files hold answers without their requests. So for each answer a site is made that holds what
//! the answer tells of, the request that gives such an answer is asked of this server, and status,
//! members, types and error numbers of both are compared. What no request can be found for is told
//! apart.

mod compare;
mod kind;
mod read;
mod replay;
mod request;
mod scene;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub use kind::Kind;
pub use read::Recording;

/// What came of one answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The same in status, members, types and error number.
    Same,
    /// The same, once the members of the answer were asked for by name.
    Selected,
    /// Not the same; the first difference.
    Different(String),
    /// Of a feature that this server does not have; which one.
    Outside(&'static str),
}

/// What came of all of them.
#[derive(Debug, Default)]
pub struct Report {
    /// By kind: the same, and all that were compared.
    pub compared: BTreeMap<&'static str, (usize, usize)>,
    /// How many of the same had their members asked for by name.
    pub selected: usize,
    /// By feature that this server does not have.
    pub outside: BTreeMap<&'static str, usize>,
    /// The first differences, with the names of their files.
    pub differences: Vec<(String, String)>,
}

impl Report {
    /// How many were compared, and how many of them were the same.
    #[must_use]
    pub fn totals(&self) -> (usize, usize) {
        let all = self.compared.values();
        all.fold((0, 0), |(same, of), (one, all)| (same + one, of + all))
    }

    /// The share of those compared that were the same, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        let (same, of) = self.totals();
        #[expect(clippy::cast_precision_loss, reason = "some thousand files")]
        if of == 0 {
            0.0
        } else {
            same as f64 / of as f64
        }
    }

    /// The report as people read it.
    #[must_use]
    pub fn written(&self, differences: usize) -> String {
        let mut text = String::new();
        for (kind, (same, of)) in &self.compared {
            text.push_str(&format!("{same:>6} of {of:>6}  {kind}\n"));
        }
        let (same, of) = self.totals();
        text.push_str(&format!(
            "{same:>6} of {of:>6}  compared answers are reproduced: {:.1} % ({} of them by $select and $expand)\n",
            self.share() * 100.0,
            self.selected
        ));
        for (feature, count) in &self.outside {
            text.push_str(&format!("{count:>16}  outside: {feature}\n"));
        }
        for (file, difference) in self.differences.iter().take(differences) {
            text.push_str(&format!("{file}: {difference}\n"));
        }
        text
    }
}

/// Compares every recording below a folder.
///
/// # Errors
/// A file cannot be read.
pub fn compare(folder: &Path) -> io::Result<Report> {
    let mut report = Report::default();
    for (name, recording) in read::all(folder)? {
        for (kind, outcome) in replay::outcomes(&recording) {
            match outcome {
                Outcome::Outside(feature) => *report.outside.entry(feature).or_default() += 1,
                outcome => {
                    let (same, of) = report.compared.entry(kind).or_default();
                    *of += 1;
                    match outcome {
                        Outcome::Different(difference) => {
                            report.differences.push((name.clone(), difference));
                        }
                        Outcome::Selected => {
                            *same += 1;
                            report.selected += 1;
                        }
                        _ => *same += 1,
                    }
                }
            }
        }
    }
    Ok(report)
}
