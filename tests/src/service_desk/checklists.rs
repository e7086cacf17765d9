//! The checklist server of a service desk, set up by the commands of a guide: `init`, a server with that
//! configuration, and what the guide says "on the checklist server".

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;
use tempfile::TempDir;

use crate::client::Http;
use crate::person::Person;
use crate::place::Place;
use crate::process::Process;
use crate::setup::{free_address, program};

/// The tenant that guides speak of.
pub const TENANT: &str = "acme";

/// A checklist server for one desk, on a port that it keeps.
pub struct Checklists {
    // Before its folder.
    running: Option<Process>,
    address: String,
    metrics: String,
    folder: TempDir,
    admin_key: String,
}

impl Checklists {
    /// One for the pages of a desk, which may also get webhooks; it runs.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    #[track_caller]
    pub fn start(desk: &str) -> Self {
        let folder = TempDir::with_prefix("checklist-server-").expect("a temporary directory");
        let address = free_address();
        let said = said_by(
            program()
                .args(["init", "--tenant", TENANT, "--embed-origin", desk])
                .args(["--base-url", &format!("http://{address}")])
                .arg("--data-dir")
                .arg(folder.path()),
        );
        let admin_key = said
            .split_whitespace()
            .find(|word| word.starts_with("ck_"))
            .expect("init makes the key of an administrator");
        let settings = folder.path().join("checklist.env");
        let mut text = fs::read_to_string(&settings).expect("init writes the settings");
        text.push_str(&format!("CHECKLIST_ALLOW_ORIGIN={desk}\n"));
        fs::write(&settings, text).expect("the test's own directory");
        let mut checklists = Self {
            running: None,
            address,
            metrics: free_address(),
            admin_key: admin_key.to_owned(),
            folder,
        };
        checklists.start_again();
        checklists
    }

    /// Its base URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The API key of its administrator.
    #[must_use]
    pub fn admin_key(&self) -> &str {
        &self.admin_key
    }

    /// The folder with its data, its settings and what commands of guides leave behind.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where its settings lie.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.folder.path().join("checklist.env")
    }

    /// Stops it as an operating system does.
    ///
    /// # Panics
    /// When it does not run, or ends badly.
    #[track_caller]
    pub fn stop(&mut self) {
        let mut process = self.running.take().expect("it runs");
        process.signal(Signal::TERM);
        let status = process.wait();
        assert!(status.success(), "{status}: {}", process.errors());
    }

    /// It answers nothing any more, and keeps every connection, until [`Self::go_on`].
    ///
    /// # Panics
    /// When it does not run.
    #[track_caller]
    pub fn stand_still(&self) {
        self.running.as_ref().expect("it runs").signal(Signal::STOP);
    }

    /// Ends that.
    ///
    /// # Panics
    /// When it does not run.
    #[track_caller]
    pub fn go_on(&self) {
        self.running.as_ref().expect("it runs").signal(Signal::CONT);
    }

    /// Starts it on the same data and the same port: after a stop, or as an upgrade does.
    #[track_caller]
    pub fn start_again(&mut self) {
        let mut command = program();
        command
            .args(["serve", "--listen", &self.address])
            .args(["--metrics-listen", &self.metrics])
            .arg("--config")
            .arg(self.settings());
        let mut process = Process::start(&mut command);
        process.says("listening on http://");
        TcpStream::connect(&self.address).expect("it listens");
        self.running = Some(process);
    }

    /// How many requests of a call it has answered since it was started, by its own metrics.
    ///
    /// # Panics
    /// When it does not run.
    #[must_use]
    #[track_caller]
    pub fn answered(&self, call: &str) -> u64 {
        let metrics = Http::to(&format!("http://{}", self.metrics)).get("/metrics");
        let route = format!("route=\"{}/{call}\"", crate::API);
        let lines = metrics.text().lines();
        lines
            .filter(|line| {
                line.starts_with("checklist_http_requests_total{") && line.contains(&route)
            })
            .filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok())
            .sum()
    }

    /// An administrator, who looks at the list of a place.
    #[must_use]
    pub fn admin(&self, place: &Place) -> Person {
        Person::new(Http::to(&self.url()), self.admin_key.clone(), place)
    }

    /// Somebody who works with a list elsewhere: a person, which the API key of the administrator is not.
    ///
    /// # Panics
    /// When the server gives no token.
    #[must_use]
    #[track_caller]
    pub fn owner(&self, place: &Place) -> Person {
        let admin = self.admin(place);
        let wish = json!({
            "Subject": "olga", "Name": "Olga Owner", "Roles": ["owner"], "Contexts": [place.context()],
        });
        let minted = admin.send("EmbedTokens", &wish).ok();
        admin.with_token(minted["Token"].as_str().expect("a token"))
    }

    /// Publishes a template of these items, and makes the type of the desk's objects.
    ///
    /// # Panics
    /// When the server does not take them.
    #[track_caller]
    pub fn publish(&self, object_type: &str, template: &str, items: &[&str]) {
        let admin = self.admin(&Place::new(object_type, "none"));
        let items = items
            .iter()
            .enumerate()
            .map(|(number, text)| crate::template::item(&format!("item-{number}"), text));
        let mut fragment = crate::template::fragment(template, items);
        fragment["Name"] = json!({ "en": title_of(template) });
        crate::template::publish_as(&admin, &fragment);
        let classes = json!({ "Classes": ["UnitOfWork", "ChecklistItem"] });
        admin.put(&format!("Types/{object_type}"), &classes).ok();
    }

    /// Runs commands of a guide in the folder of the data.
    ///
    /// # Panics
    /// When they fail.
    #[track_caller]
    pub fn run_commands(&self, commands: &str) {
        let server = fs::canonicalize(program().get_program()).expect("the server is built");
        let bin = server.parent().expect("a program lies in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut bash = Command::new("bash");
        crate::setup::without_settings(&mut bash);
        said_by(
            bash.args(["-euc", commands])
                .current_dir(self.folder.path())
                .env("PATH", format!("{}:{path}", bin.display())),
        );
    }
}

/// "General request" for `general-request`.
fn title_of(template: &str) -> String {
    let words = template.replace('-', " ");
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    first.to_uppercase() + rest
}

#[track_caller]
fn said_by(command: &mut Command) -> String {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// The commands of a guide for one place: its `sh` fences that begin with `# on <place>`.
///
/// # Panics
/// When the guide is not there.
#[must_use]
#[track_caller]
pub fn commands_of_guide(guide: &str, place: &str) -> Vec<String> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../docs/guides", guide]
        .iter()
        .collect();
    let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{guide}: {error}"));
    let fences = page.split("```").skip(1).step_by(2);
    fences
        .filter_map(|fence| fence.strip_prefix("sh\n"))
        .filter(|commands| commands.starts_with(&format!("# on {place}")))
        .map(str::to_owned)
        .collect()
}
