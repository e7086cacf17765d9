//! One site, with a connection to it: lists are made on it, computers exported to them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use checklist_shared::computer::Computer;
use checklist_site_server::SiteServer;
use checklist_site_server::store::{Field, FieldKind, Site, list};
use serde_json::{Value, json};

use crate::stage::Program;

/// How often what failed is tried again before a test gives up: a fault that is made once ends.
const TRIES: u32 = 4;

/// What a site is spoken to in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Rest,
    Graph,
}

/// A site and the connection to it.
pub struct Lane {
    pub site: Arc<SiteServer>,
    /// Which of the two the connection speaks.
    pub protocol: Protocol,
    pub program: Program,
    pub connection: String,
    /// How often somebody has asked for an export.
    pub exports: AtomicU32,
}

impl Lane {
    /// A connection to a site that may take two seconds for an answer.
    #[track_caller]
    pub fn new(site: SiteServer, program: &Program, protocol: Protocol) -> Self {
        let connection = connection(&site, program, protocol, 2);
        Self {
            connection,
            program: program.clone(),
            site: Arc::new(site),
            protocol,
            exports: AtomicU32::new(0),
        }
    }

    /// From here on the site may take a minute, as a long list does on a busy machine.
    #[track_caller]
    pub fn be_patient(&mut self) {
        self.connection = connection(&self.site, &self.program, self.protocol, 60);
    }

    /// A new list for computers.
    #[track_caller]
    pub fn new_list(&self, title: &str) {
        self.site.with_site(|site| {
            let id = site
                .add_list(title, "", list::GENERIC)
                .expect("a new title");
            let list = site.list_mut(id).expect("it was just made");
            for (name, kind) in [
                ("SerialNumber", FieldKind::Text),
                ("Model", FieldKind::Text),
                ("Status", FieldKind::Text),
                ("Memory", FieldKind::Number),
                ("Note", FieldKind::Note),
            ] {
                list.add_field(Field::new("", name, kind))
                    .expect("a column");
            }
        });
    }

    /// Something done to a list by a person.
    #[track_caller]
    pub fn by_hand<T>(&self, title: &str, edit: impl FnOnce(&mut list::List) -> T) -> T {
        self.site.with_site(|site| edit(list_of(site, title)))
    }

    /// Puts computers into the inventory.
    #[track_caller]
    pub fn import(&self, computers: &[Computer]) {
        for some in computers.chunks(1_000) {
            let told = self
                .program
                .post("Computers/Import", &json!({ "Computers": some }));
            let told = told.ok();
            assert_eq!(told["Failed"], 0, "{told:#}");
        }
    }

    /// Begins to export these computers; gives the run's id.
    #[track_caller]
    pub fn export(&self, list: &str, ids: &[&str]) -> String {
        // A server that is killed while it answers has perhaps begun the run.
        let operation = format!("{list} {}", self.exports.fetch_add(1, Ordering::Relaxed));
        let wish = json!({ "ServiceConnection": self.connection, "List": list, "ComputerIds": ids,
            "OperationId": operation });
        let mut tries = 0;
        loop {
            let answer = self
                .program
                .post("Workflows/VENDOR_SITE_Example_ComputerExport/Runs", &wish);
            if answer.status == 202 {
                let run = answer.json();
                return run["Id"].as_str().expect("an id").to_owned();
            }
            // The site is asked before a run is accepted, and may be in trouble.
            tries += 1;
            assert!(tries <= TRIES, "{}: {}", answer.status, answer.text());
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    }

    /// Confirms what a run asks for, tries again what failed, until it is done with every
    /// computer.
    #[track_caller]
    pub fn bring_home(&self, run: &str) -> Home {
        let mut home = Home::default();
        let mut tries = 0;
        loop {
            let stands = self.program.until_it_stands(run);
            let path = |call: &str| format!("Workflows/Runs/{run}/{call}");
            match stands["State"].as_str() {
                Some("AwaitingConfirmation") => {
                    let asked = &stands["Confirmation"];
                    let wish =
                        json!({ "Adoptions": asked["Adoptions"], "Deletes": asked["Deletes"] });
                    let told = self.program.post(&path("Confirm"), &wish);
                    // Of a server that was killed in between the answer may be lost: said twice, it
                    // is refused, because it was taken the first time.
                    let taken = told.status < 300
                        || self.program.until_it_stands(run)["Confirmation"] != *asked;
                    if taken {
                        home.confirmed.push(asked.clone());
                    }
                    assert!(
                        home.confirmed.len() < 20,
                        "asked again and again: {stands:#}"
                    );
                }
                Some("Completed")
                    if stands["Counts"]["Failed"] == 0 && stands["Counts"]["Skipped"] == 0 =>
                {
                    home.run = stands;
                    return home;
                }
                _ => {
                    tries += 1;
                    if tries > TRIES {
                        panic!("{:#}", self.program.whole(run));
                    }
                    home.retried += 1;
                    self.program.post(&path("RetryFailed"), &json!({}));
                }
            }
        }
    }
}

/// How a run came to its end.
#[derive(Debug, Default)]
pub struct Home {
    pub run: Value,
    /// What was confirmed, in order.
    pub confirmed: Vec<Value>,
    /// How often somebody had to ask for what failed once more.
    pub retried: u32,
}

impl Home {
    /// How many computers came to an outcome.
    pub fn count(&self, outcome: &str) -> u64 {
        self.run["Counts"][outcome].as_u64().unwrap_or_default()
    }
}

/// A list of the site, to be changed.
///
/// # Panics
/// When there is none.
#[track_caller]
pub fn list_of<'a>(site: &'a mut Site, title: &str) -> &'a mut list::List {
    let id = site.list_titled(title).expect("the lane's own list").id;
    site.list_mut(id).expect("it was just there")
}

/// Makes a service connection; gives its id.
#[track_caller]
fn connection(site: &SiteServer, program: &Program, protocol: Protocol, seconds: u32) -> String {
    let url = match protocol {
        Protocol::Rest => site.site_url(),
        Protocol::Graph => {
            let host = site.origin().replace("http://", "");
            let host = host.split(':').next().unwrap_or_default();
            format!("{}/v1.0/sites/{host}:/sites/demo", site.origin())
        }
    };
    let name = format!("{url} within {seconds} s");
    let wish = json!({ "Name": name, "Method": "Anonymous", "Url": url, "Timeout": seconds });
    let made = program
        .post("SiteActivities/ServiceConnections", &wish)
        .ok();
    made["Id"].as_str().expect("an id").to_owned()
}
