//! Request Tracker from Debian's packages, with people and a queue, and our extension installed by the
//! commands of its guide.

use std::path::Path;

use reqwest::Method;
use serde_json::{Value, json};

use super::ServiceDesk;
use super::checklists::{Checklists, commands_of_guide};
use crate::browser::Browser;
use crate::client::{Answer, Http};
use crate::process::Process;
use crate::setup::free_address;

const GUIDE: &str = "request-tracker.md";
/// Where the guide's commands are run.
const ON_DESK: &str = "the machine of Request Tracker";
/// The template that the guide speaks of, for the queue General.
pub const TEMPLATE: &str = "general-request";
/// The file with the extension's settings.
pub const SETTINGS: &str = "/etc/request-tracker5/RT_SiteConfig.d/80-checklist-control.pm";

/// People with passwords and rights: agents may do everything with tickets of the queue General, the reader
/// sees them, the stranger does not.
const PEOPLE: &str = r#"
use lib '/usr/share/request-tracker5/lib';
use RT;
RT::LoadConfig();
RT::Init();
my $queue = RT::Queue->new( RT->SystemUser );
$queue->Load('General');
my @reads  = qw(SeeQueue ShowTicket);
my @works  = ( @reads, qw(CreateTicket ModifyTicket ReplyToTicket CommentOnTicket ShowTicketComments) );
my %rights = ( root => [], ada => \@works, bob => \@works, rita => \@reads, stan => [] );
my %names  = ( ada => 'Ada Agent', bob => 'Bob Backoffice', rita => 'Rita Reader', stan => 'Stan Stranger' );
for my $name ( keys %rights ) {
    my $user = RT::User->new( RT->SystemUser );
    $user->Load($name);
    $user->Create( Name => $name, RealName => $names{$name}, Privileged => 1, EmailAddress => "$name\@example.org" )
        unless $user->id;
    $user->SetPassword("$name-password");
    $user->PrincipalObj->GrantRight( Object => $queue, Right => $_ ) for @{ $rights{$name} };
}
"#;

/// One with people, which has not been started yet.
#[track_caller]
fn with_people() -> ServiceDesk {
    ServiceDesk::prepared("request-tracker", &PEOPLE, |desk| {
        listens_at(desk, "127.0.0.1:80");
        // Debian leaves it to the administrator to let RT's user read it.
        let settings = "/etc/request-tracker5/RT_SiteConfig.pm";
        desk.run("chgrp", &["www-data", settings]);
        desk.run("chmod", &["640", settings]);
        desk.run("perl", &["-e", PEOPLE]);
    })
}

/// Says where its pages are.
#[track_caller]
fn listens_at(desk: &ServiceDesk, address: &str) {
    let (_, port) = address.rsplit_once(':').expect("a port");
    desk.write(
        "/etc/request-tracker5/RT_SiteConfig.d/70-web.pm",
        &format!(
            "Set($WebDomain, '127.0.0.1');\nSet($WebPort, {port});\nSet($WebPath, '');\n\
             Set($WebBaseURL, 'http://{address}');\nSet($LogToSyslog, undef);\nSet($LogToSTDERR, 'warning');\n1;\n"
        ),
    );
}

/// A desk with its checklist server.
pub struct RequestTracker {
    // Before the root that it runs in.
    running: Option<Process>,
    /// Its root.
    pub desk: ServiceDesk,
    /// The checklist server.
    pub checklists: Checklists,
    /// The base URL.
    pub url: String,
    port: String,
}

impl RequestTracker {
    /// One with the extension installed and with a template of these items for the queue General; it runs.
    ///
    /// # Panics
    /// When the guide does not lead there.
    #[must_use]
    #[track_caller]
    pub fn with_checklists(items: &[&str]) -> Self {
        let desk = with_people();
        let address = free_address();
        let (_, port) = address.rsplit_once(':').expect("a port");
        listens_at(&desk, &address);
        let url = format!("http://{address}");
        let checklists = Checklists::start(&url);
        checklists.publish("ticket", TEMPLATE, items);
        let mut tracker = Self {
            running: None,
            port: port.to_owned(),
            desk,
            checklists,
            url,
        };
        tracker.install();
        tracker.start();
        tracker
    }

    /// Does what the guide says before anything is shown.
    #[track_caller]
    fn install(&self) {
        for commands in commands_of_guide(GUIDE, "the checklist server") {
            let settings = self.checklists.settings().display().to_string();
            self.checklists.run_commands(
                &commands
                    .replace("/etc/checklist/checklist.env", &settings)
                    .replace("https://rt.example.org", &self.url),
            );
        }
        let extension =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/integrations/request-tracker");
        self.desk.copy_in(&extension, "/root/request-tracker");
        for file in ["host-1.private.pem", "api-key", "webhook-secret"] {
            let text = std::fs::read_to_string(self.checklists.folder().join(file))
                .unwrap_or_else(|error| panic!("the guide speaks of {file}: {error}"));
            self.desk.write(&format!("/root/{file}"), &text);
        }
        let steps = commands_of_guide(GUIDE, ON_DESK);
        let [files, restart, _] = steps.as_slice() else {
            panic!("the guide has three steps for the desk: {steps:#?}");
        };
        self.desk.follow(files);
        self.set(
            "https://checks.example.org/platform",
            &self.checklists.url(),
        );
        self.desk.follow(restart);
    }

    /// Takes the extension away as the guide says, and starts again.
    ///
    /// # Panics
    /// When the guide does not lead there.
    #[track_caller]
    pub fn uninstall(&mut self) {
        self.running = None;
        let steps = commands_of_guide(GUIDE, ON_DESK);
        self.desk.follow(steps.last().expect("the guide says how"));
        self.start();
    }

    /// Edits the extension's settings; for a desk that does not run, or is started again.
    ///
    /// # Panics
    /// When the settings do not have that text.
    #[track_caller]
    pub fn set(&self, text: &str, by: &str) {
        let settings = self.desk.run("cat", &[SETTINGS]);
        assert!(settings.contains(text), "{text} is not in {settings}");
        self.desk.write(SETTINGS, &settings.replace(text, by));
    }

    /// Starts it, or ends it and starts it again.
    #[track_caller]
    pub fn start(&mut self) {
        self.running = None;
        let server = "/usr/share/request-tracker5/libexec/rt-server";
        // Each worker compiles each page once.
        let command = [
            server,
            "--host",
            "127.0.0.1",
            "--port",
            &self.port,
            "--max-workers",
            "3",
        ];
        self.running = Some(self.desk.start("www-data", "/", &[], &command));
        let http = Http::to(&self.url);
        crate::until("Request Tracker to answer", || {
            let asked = http.request(Method::GET, "/NoAuth/Login.html");
            crate::client::try_send(asked).ok().map(drop)
        });
    }

    /// Ends it; it can be started again.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// What it has said on stderr.
    #[must_use]
    pub fn errors(&self) -> String {
        self.running
            .as_ref()
            .map(Process::errors)
            .unwrap_or_default()
    }

    /// Makes a ticket in a queue; its number.
    ///
    /// # Panics
    /// When it is not made.
    #[must_use]
    #[track_caller]
    pub fn ticket(&self, subject: &str) -> u64 {
        let wish =
            json!({ "Queue": "General", "Subject": subject, "Requestor": "ada@example.org" });
        let made = self.rest("root", Method::POST, "ticket", &wish);
        assert_eq!(made.status, 201, "{}", made.text());
        let id = &made.json()["id"];
        let id = id
            .as_str()
            .map_or_else(|| id.as_u64(), |text| text.parse().ok());
        id.expect("a ticket has a number")
    }

    /// A call of REST 2 by somebody.
    #[must_use]
    #[track_caller]
    pub fn rest(&self, name: &str, method: Method, path: &str, body: &Value) -> Answer {
        let request = Http::to(&self.url)
            .request(method, &format!("/REST/2.0/{path}"))
            .basic_auth(name, Some(format!("{name}-password")));
        crate::client::send(crate::client::json(request, body))
    }

    /// The status of a ticket.
    #[must_use]
    #[track_caller]
    pub fn status(&self, ticket: u64) -> String {
        let path = format!("ticket/{ticket}");
        let read = self.rest("root", Method::GET, &path, &Value::Null).json();
        read["Status"].as_str().expect("a status").to_owned()
    }

    /// What the history of a ticket keeps of its list: who, and what (`Checked Restore the service`), in
    /// its order.
    #[must_use]
    #[track_caller]
    pub fn history(&self, ticket: u64) -> Vec<(String, String)> {
        let path =
            format!("ticket/{ticket}/history?per_page=100&fields=Type,OldValue,NewValue,Creator");
        let read = self.rest("root", Method::GET, &path, &Value::Null).json();
        let mut items = read["items"].as_array().expect("transactions").clone();
        let number = |item: &Value| item["id"].as_str().and_then(|id| id.parse::<u64>().ok());
        items.sort_by_key(number);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        items
            .iter()
            .filter(|item| item["Type"] == "Checklist")
            .map(|item| {
                let what = [text(&item["OldValue"]), text(&item["NewValue"])].join(" ");
                (text(&item["Creator"]["id"]), what.trim().to_owned())
            })
            .collect()
    }

    /// Runs Perl with RT's libraries, as root and as RT's system user; what it prints.
    #[track_caller]
    pub fn perl(&self, script: &str) -> String {
        let script = format!(
            "use lib '/usr/share/request-tracker5/lib'; use RT; RT::LoadConfig(); RT::Init();\n{script}"
        );
        self.desk.run("perl", &["-e", &script])
    }

    /// Signs somebody in, in a browser.
    #[track_caller]
    pub fn sign_in(&self, browser: &Browser, name: &str) {
        browser.open(&format!("{}/NoAuth/Logout.html", self.url));
        browser.open(&self.url);
        browser.click("document.querySelector('#login [name=user]')");
        browser.keys(name);
        browser.click("document.querySelector('#login [name=pass]')");
        browser.keys(format!("{name}-password"));
        browser.click("document.querySelector('#login [type=submit]')");
        browser.until("!document.querySelector('#login') && document.readyState === 'complete'");
    }

    /// Opens the page of a ticket.
    #[track_caller]
    pub fn open_ticket(&self, browser: &Browser, ticket: u64) {
        browser.open(&format!("{}/Ticket/Display.html?id={ticket}", self.url));
    }

    /// Resolves a ticket on the page that RT has for it; what RT says then.
    ///
    /// # Panics
    /// When RT says nothing.
    #[must_use]
    #[track_caller]
    pub fn resolve_on_page(&self, browser: &Browser, ticket: u64) -> String {
        let page = format!("Ticket/Update.html?Action=Comment&DefaultStatus=resolved&id={ticket}");
        browser.open(&format!("{}/{page}", self.url));
        browser.click("document.querySelector('input[name=SubmitTicket]')");
        browser.until(
            "location.pathname.endsWith('/Ticket/Display.html') && document.readyState === 'complete'",
        );
        let said = browser.value("document.querySelector('.results')?.innerText");
        said.as_str().unwrap_or_default().to_owned()
    }
}
