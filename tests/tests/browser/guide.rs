//! The page that the form designer's guide makes, made by its own commands and used as it says: an
//! item is added and ticked, and the form is sent.
//!
//! What the commands say is held by `http/guides`; this is what a person sees of it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use checklist_tests::browser::Browser;
use checklist_tests::setup::{free_address, program};
use tempfile::TempDir;

/// The commands of the guide, run; their servers stay until this is dropped.
struct Guide {
    bash: Child,
    address: String,
    _folder: TempDir,
}

impl Guide {
    #[track_caller]
    fn follow() -> Self {
        let path: PathBuf = [
            env!("CARGO_MANIFEST_DIR"),
            "../docs/guides/form-designer.md",
        ]
        .iter()
        .collect();
        let page = fs::read_to_string(path).expect("the guide is there");
        let fences = page.split("```").skip(1).step_by(2);
        let commands: Vec<&str> = fences
            .filter_map(|fence| fence.strip_prefix("sh\n"))
            .collect();
        let mut script = String::from("trap 'kill $(jobs -p) 2> /dev/null' EXIT\n");
        script.push_str(&commands.join("\n"));
        script.push_str("\necho '@@@ ready'; read -r _\n");
        let mut address = String::new();
        for port in ["8080", "8081", "8082"] {
            address = free_address();
            let free = address.rsplit_once(':').expect("a port").1;
            script = script.replace(port, free);
        }
        let folder = TempDir::new().expect("a folder");
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).expect("a folder");
        let server = fs::canonicalize(program().get_program()).expect("the server is built");
        symlink(server, bin.join("checklist-server")).expect("a link");
        let here = folder.path().join("here");
        fs::create_dir(&here).expect("a folder");
        let old = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new("bash");
        command
            .args(["-c", &script])
            .current_dir(&here)
            .env("PATH", format!("{}:{old}", bin.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("CHECKLIST_") {
                command.env_remove(name);
            }
        }
        let mut bash = command.spawn().expect("bash starts");
        let said = BufReader::new(bash.stdout.take().expect("it says something"));
        let ready = said
            .lines()
            .map_while(Result::ok)
            .any(|line| line == "@@@ ready");
        assert!(ready, "the guide's commands end before their end");
        Self {
            bash,
            address,
            _folder: folder,
        }
    }
}

impl Drop for Guide {
    fn drop(&mut self) {
        if let Some(mut stdin) = self.bash.stdin.take() {
            let _ = stdin.write_all(b"\n");
        }
        let _ = self.bash.wait();
    }
}

#[test]
fn the_page_of_the_form_designers_guide_can_be_finished() {
    let guide = Guide::follow();
    let browser = Browser::start();
    browser.open(&format!("http://{}/", guide.address));
    let control = browser.control("checklist-control");
    control.says("No items yet");
    // Required and empty: the form is not sent.
    browser.click("document.querySelector('form > button')");
    browser.until("document.querySelector('form:invalid') !== null && location.search === ''");
    control.add("Call the caller back");
    control.shows_item("Call the caller back");
    control.tick("Call the caller back");
    control.becomes_completed();
    control.settles();
    browser.click("document.querySelector('form > button')");
    browser.until("new URLSearchParams(location.search).get('checklist')?.includes('\"Completed\":true') === true");
}
