//! What the guides show in a browser: their commands are run section by section, and between them
//! their pages are opened and used as the text says, with exactly the tokens that they mint.
//!
//! What the commands say is held by `http/guides`; this is what a person sees of it.

use std::fs;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use checklist_tests::browser::Pages;
use checklist_tests::setup::{free_address, program};
use serde_json::json;
use tempfile::TempDir;

use crate::passkeys::WithAuthenticator;

/// The commands of a guide; their servers stay until this is dropped.
struct Guide {
    bash: Child,
    stdin: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    /// The ports of the text, and those that stand for them.
    ports: Vec<(String, String)>,
    folder: TempDir,
}

impl Guide {
    /// Begins a guide; `section` runs its commands.
    #[track_caller]
    fn open(name: &str) -> Self {
        let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../docs/guides", name]
            .iter()
            .collect();
        let page = fs::read_to_string(path).expect("the guide is there");
        let mut script = String::from("trap 'kill $(jobs -p) 2> /dev/null' EXIT\n");
        for section in page.split("\n## ").skip(1) {
            script.push_str("read -r _\n");
            for fence in section.split("```").skip(1).step_by(2) {
                script.push_str(fence.strip_prefix("sh\n").unwrap_or_default());
            }
            script.push_str("\necho '@@@ ready'\n");
        }
        script.push_str("read -r _\n");
        let ports: Vec<(String, String)> = ["8080", "8081", "8082"]
            .map(|port| {
                let free = free_address();
                let free = free.rsplit_once(':').expect("a port").1;
                (port.to_owned(), free.to_owned())
            })
            .to_vec();
        // In two steps, because a free port may hold the digits of one that is still to be replaced.
        for (port, _) in &ports {
            script = script.replace(port, &format!("<port {}>", &port[2..]));
        }
        for (port, free) in &ports {
            script = script.replace(&format!("<port {}>", &port[2..]), free);
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
        let stdin = bash.stdin.take().expect("it can be told to go on");
        let said = BufReader::new(bash.stdout.take().expect("it says something")).lines();
        Self {
            bash,
            stdin,
            said,
            ports,
            folder,
        }
    }

    /// Runs the commands of the next section to their end.
    #[track_caller]
    fn section(&mut self) {
        self.stdin.write_all(b"\n").expect("bash goes on");
        let ready = self
            .said
            .by_ref()
            .map_while(Result::ok)
            .any(|line| line == "@@@ ready");
        assert!(ready, "the guide's commands end before their end");
    }

    /// An address of the text, as it is here.
    fn address(&self, in_text: &str) -> String {
        let mut ports = self.ports.iter();
        let port = ports.find(|(port, _)| in_text.contains(port));
        let (port, free) = port.expect("a port");
        in_text.replacen(port, free, 1)
    }

    /// The link to the administration in what a server has printed.
    #[track_caller]
    fn link(&self, log: &str) -> String {
        let said = fs::read_to_string(self.file(log)).expect("what the server has printed");
        let mut words = said.split_whitespace();
        let link = words.find(|word| word.contains("/admin/link#"));
        let (_, secret) = link.expect("a link").split_once('#').expect("a secret");
        format!("/link#{secret}")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("here").join(name)
    }
}

impl Drop for Guide {
    fn drop(&mut self) {
        let _ = self.stdin.write_all(b"\n\n\n\n\n\n");
        let _ = self.bash.wait();
    }
}

#[test]
fn the_form_designers_guide_can_be_finished() {
    let mut guide = Guide::open("form-designer.md");
    let pages = Pages::at(&guide.address("http://localhost:8081"));
    let browser = &pages.browser;

    // 1. Look at the demo.
    guide.section();
    browser.open(&guide.address("http://127.0.0.1:8080/demo/"));
    browser
        .control("#list-main")
        .until("__probe.rows(§).length > 0");
    browser.until("document.querySelectorAll('checklist-preview').length > 0");
    browser.open(&guide.address("http://127.0.0.1:8080/docs/gallery"));
    browser.until("document.querySelectorAll('.state .facts code').length > 40");

    // 2. to 4. A server, a template, and a page of one's own.
    guide.section();
    guide.section();
    guide.section();
    let page = guide.address("http://localhost:8082/");
    browser.open(&page);
    let control = browser.control("checklist-control");
    control.shows(&["Call the caller back", "Write down the solution"]);
    control.tick("Call the caller back");
    control.becomes_checked("Call the caller back", true);
    // Required and open: the form is not sent.
    browser.click("document.querySelector('form > button')");
    browser.until("document.querySelector('form:invalid') !== null && location.search === ''");
    control.tick("Write down the solution");
    control.becomes_completed();
    control.settles();
    browser.click("document.querySelector('form > button')");
    browser.until("new URLSearchParams(location.search).get('checklist')?.includes('\"Completed\":true') === true");

    // 5. Options of the page, each in the page's own file.
    guide.section();
    let html = fs::read_to_string(guide.file("page.html")).expect("the page");
    let with = |attribute: &str| {
        let html = html.replace(" required>", &format!(" {attribute}>"));
        fs::write(guide.file("page.html"), html).expect("the page can be changed");
        browser.open(&page);
    };
    with("disable-check");
    control.shows(&["Call the caller back", "Write down the solution"]);
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('input[type=checkbox]').length"),
        json!(0)
    );
    with("disable-edit");
    control.shows(&["Call the caller back", "Write down the solution"]);
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('.add-button').length"),
        json!(0)
    );
    with("purpose=\"handover\"");
    control.shows(&["Call the caller back", "Write down the solution"]);
    assert!(
        !control.checked("Call the caller back"),
        "a list of its own"
    );
    with("autosave=\"off\"");
    control.shows(&["Call the caller back", "Write down the solution"]);
    control.tick("Call the caller back");
    browser.until("document.querySelector('checklist-control').pendingCount === 1");
    control.property("flush()");
    control.settles();
    with("log-in-journal");
    control.shows(&["Call the caller back", "Write down the solution"]);
    control.tick("Call the caller back");
    control.settles();
    control.becomes_completed();

    // 6. Lists that you have already.
    guide.section();
    pages.open(&guide.link("mine.log"));
    pages.fill("Your name", "Grace");
    pages.click("Sign in");
    pages.is_at("Passkeys");
    pages.open("/templates/import");
    let list = "# Moving desks\n- [ ] Order boxes\n- [ ] ? Tell facilities\n";
    pages.choose_file("Choose file", "move.md", list);
    pages.says("moving-desks");
    pages.click("Import 1 template");
    pages.is_at("Templates");
    pages.click("Moving desks");
    pages.is_at("Moving desks");
    pages.publish(1);

    // 7. What the lists say about a template.
    guide.section();
    pages.open("/templates/of/incident");
    pages.click("Health");
    pages.is_at("Health: Incident");
    pages.says("1 checklist that has been started is counted");
    pages.until("!!document.querySelector('a[download]')");
}

#[test]
fn the_administrators_guide_can_be_finished() {
    let mut guide = Guide::open("administrator.md");
    let window = WithAuthenticator::at(&guide.address("http://localhost:8080"));
    let pages = &window.pages;

    // 1. The link makes whoever opens it the administrator, whom a passkey signs in from then on.
    guide.section();
    pages.open(&guide.link("server.log"));
    pages.fill("Your name", "Ada");
    pages.click("Sign in");
    pages.is_at("Passkeys");
    pages.click("Add a passkey");
    pages.fill("Name", "Laptop");
    pages.click("Continue");
    pages.says("Passkey “Laptop” added.");
    pages.click("Sign out");
    pages.click("Sign in with a passkey");
    pages.until("!!document.querySelector('main.page h1')");

    // 2. The key is among those that the administration shows, 3. also after the restore.
    guide.section();
    guide.section();
    pages.open("/keys");
    pages.says("Portal");

    // 4. A connection is added.
    guide.section();
    pages.open("/connections");
    pages.is_at("Connections");
    pages.click("New connection");
    pages.is_at("New connection");
    pages.choose("Sign-in method", "Anonymous: without sign-in");
    pages.fill("Name", "Open site");
    pages.fill("Site URL", "https://open.example/");
    pages.click("Save");
    pages.is_at("Open site");
    window.ends();
}
