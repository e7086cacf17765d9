//! The guides for a stranger's first hour do what they say: their commands are run as they stand, in
//! an empty folder, and say what stands below them.
//!
//! Only ports are others than in the text, so that nothing is in the way. In what is expected `…`
//! stands for anything.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use checklist_tests::setup::{free_address, program};
use tempfile::TempDir;

/// What is done, and what it has to say.
struct Step {
    commands: String,
    says: String,
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut fences = page.split("```").skip(1).step_by(2);
    for fence in &mut fences {
        let (kind, text) = fence.split_once('\n').unwrap_or_default();
        match (kind, steps.last_mut()) {
            ("sh", _) => steps.push(Step {
                commands: text.to_owned(),
                says: String::new(),
            }),
            ("text", Some(step)) => step.says = text.to_owned(),
            other => panic!("a fence of another kind: {other:?}", other = other.0),
        }
    }
    steps
}

/// Whether what was said is what was expected, with `…` for anything.
fn fits(said: &str, expected: &str) -> bool {
    let mut parts = expected.trim().split('…');
    let mut rest = match parts.next() {
        Some(first) => match said.trim().strip_prefix(first.trim_end_matches('\n')) {
            Some(rest) => rest,
            None => return false,
        },
        None => return said.trim().is_empty(),
    };
    let mut ends_open = false;
    for part in parts {
        let part = part.trim_matches('\n');
        ends_open = part.is_empty();
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    ends_open || rest.trim().is_empty()
}

/// Follows a guide.
#[track_caller]
fn follow(guide: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../docs/guides", guide]
        .iter()
        .collect();
    let page =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = TempDir::new().unwrap();
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let server = fs::canonicalize(program().get_program()).unwrap();
    symlink(server, bin.join("checklist-server")).unwrap();
    let ports: BTreeMap<String, String> = ["8080", "8081", "8082"]
        .into_iter()
        .filter(|port| page.contains(port))
        .map(|port| {
            let free = free_address();
            (port.to_owned(), free.rsplit_once(':').unwrap().1.to_owned())
        })
        .collect();
    let steps = steps(&page);
    assert!(steps.len() >= 3, "{guide} has commands");
    let mut script = String::from("set -u\ntrap 'kill $(jobs -p) 2> /dev/null' EXIT\n");
    for (number, step) in steps.iter().enumerate() {
        script.push_str(&format!("{}\necho '@@@ {number}'\n", step.commands));
    }
    // In two steps, because a free port may hold the digits of one that is still to be replaced.
    for port in ports.keys() {
        script = script.replace(port, &format!("<port {}>", &port[2..]));
    }
    for (port, free) in &ports {
        script = script.replace(&format!("<port {}>", &port[2..]), free);
    }
    let here = folder.path().join("here");
    fs::create_dir(&here).unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).current_dir(&here).env(
        "PATH",
        format!(
            "{}:{}",
            bin.display(),
            std::env::var("PATH").unwrap_or_default()
        ),
    );
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CHECKLIST_"))
    {
        bash.env_remove(name);
    }
    let output = bash.output().expect("bash starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut rest = said.as_str();
    for (number, step) in steps.iter().enumerate() {
        let Some((said, after)) = rest.split_once(&format!("@@@ {number}\n")) else {
            panic!("{guide} stopped at:\n{}\n{rest}\n{errors}", step.commands);
        };
        rest = after;
        assert!(
            fits(said, &step.says),
            "{guide}: after\n{}\nit said\n{said}\ninstead of\n{}\n{errors}",
            step.commands,
            step.says
        );
    }
}

#[test]
fn a_form_designer_gets_from_nothing_to_a_list_in_a_page() {
    follow("form-designer.md");
}

#[test]
fn a_developer_calls_everything_by_hand() {
    follow("api-developer.md");
}

#[test]
fn an_administrator_makes_a_server_and_gets_it_back_from_a_copy() {
    follow("administrator.md");
}

#[test]
fn the_lines_of_the_readme_answer_as_they_are_pasted() {
    let server = checklist_tests::Server::demo();
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let lines = readme.split("```sh\n").nth(1).expect("lines to paste");
    let lines = lines.split("```").next().unwrap();
    let lines = lines.replace("http://127.0.0.1:8080", &server.base_url());
    let output = Command::new("bash")
        .args(["-euc", &lines])
        .output()
        .expect("bash starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let answer: serde_json::Value =
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(answer["Context"]["ObjectId"], "INC-20418", "{answer}");
}

#[test]
fn expectations_are_whole_but_for_what_they_leave_open() {
    assert!(fits("ready\n", "ready\n"));
    assert!(fits("a 12 b\nend", "a … b\nend"));
    assert!(fits("many\nlines\nready", "…\nready"));
    assert!(fits("holds 3 lists\n", "holds …"));
    assert!(!fits("not ready", "ready"));
    assert!(!fits("ready and more", "ready"));
    assert!(!fits("", "ready"));
}
