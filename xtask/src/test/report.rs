//! The results of tests: how many passed and failed, and which passed in the second attempt only.

use std::fmt;
use std::ops::AddAssign;

use anyhow::{Context, Result};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The most flaky tests of a stage that are taken for accidents.
pub const MOST_FLAKY: usize = 3;

/// The prefix of the test suites in which nextest reports its setup scripts.
const SETUP_SCRIPT: &str = "@setup-script:";

/// The number of tests by result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.skipped += more.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(out, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// The results of a run.
#[derive(Debug, Default, PartialEq)]
pub struct Report {
    pub counts: Counts,
    /// The tests that failed, and passed in the second attempt.
    pub flaky: Vec<String>,
}

/// The results in a report of nextest.
pub fn read(text: &str) -> Result<Report> {
    let mut report = Report::default();
    let mut reader = Reader::from_str(text);
    let (mut test, mut is_failed, mut is_flaky) = (String::new(), false, false);
    let mut is_script = false;
    loop {
        match reader.read_event()? {
            Event::Start(start) if start.name().as_ref() == "testsuite" => {
                is_script = name(&start)?.starts_with(SETUP_SCRIPT);
            }
            Event::Start(start) if start.name().as_ref() == "testcase" => {
                (test, is_failed, is_flaky) = (name(&start)?, false, false);
            }
            Event::Empty(start) if start.name().as_ref() == "testcase" => {
                report.counts.passed += u64::from(!is_script);
            }
            Event::Start(start) | Event::Empty(start) => match start.name().as_ref() {
                "failure" | "error" => is_failed = true,
                "flakyFailure" | "flakyError" => is_flaky = true,
                _ => {}
            },
            Event::End(end) if end.name().as_ref() == "testcase" => {
                report.counts.failed += u64::from(is_failed);
                report.counts.passed += u64::from(!is_failed && !is_script);
                report
                    .flaky
                    .extend(is_flaky.then(|| std::mem::take(&mut test)));
            }
            Event::Eof => return Ok(report),
            _ => {}
        }
    }
}

fn name(test: &BytesStart<'_>) -> Result<String> {
    let name = test.try_get_attribute("name")?;
    let name = name.context("a test case without a name")?;
    Ok(name.value.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_passes_when_run_again_is_flaky_and_one_that_does_not_has_failed() {
        let report = r#"<testsuites name="nextest-run" tests="3" failures="1"><testsuite name="a">
            <testcase name="forms::good" classname="a" time="0.1"/>
            <testcase name="forms::lazy" classname="a"><flakyFailure type="t">no</flakyFailure>
                <system-out>…</system-out></testcase>
            <testcase name="forms::bad" classname="a"><failure type="t">no</failure>
                <rerunFailure type="t">no</rerunFailure></testcase>
            </testsuite></testsuites>"#;
        let report = read(report).expect("a report");
        assert_eq!((report.counts.passed, report.counts.failed), (2, 1));
        assert_eq!(report.flaky, ["forms::lazy"]);
    }

    #[test]
    fn a_setup_script_does_not_count_as_a_test_that_passed() {
        let report = |script: &str| {
            let suites = format!(
                r#"<testsuites><testsuite name="@setup-script:templates">{script}</testsuite>
                <testsuite name="a"><testcase name="forms::good" classname="a"/></testsuite></testsuites>"#
            );
            let counts = read(&suites).expect("a report").counts;
            (counts.passed, counts.failed)
        };
        let passed = r#"<testcase name="templates" classname="a"/>"#;
        assert_eq!(report(passed), (1, 0));
        let with_output =
            r#"<testcase name="templates" classname="a"><system-out>…</system-out></testcase>"#;
        assert_eq!(report(with_output), (1, 0));
        let failed =
            r#"<testcase name="templates" classname="a"><failure type="t">no</failure></testcase>"#;
        assert_eq!(report(failed), (1, 1));
    }

    #[test]
    fn where_no_test_ran_nothing_is_counted() {
        assert_eq!(read("").expect("nothing"), Report::default());
    }
}
