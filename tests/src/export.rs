//! A server with computers, a site that it may ask, and a program that exports the one to the
//! other.

use std::collections::BTreeMap;

use checklist_site_server::store::{Item, List};
use checklist_site_server::{Options, SiteServer};
use serde_json::{Value, json};

use crate::{Answer, HostKey, Person, Server, Setup, incident, until};

/// Where runs are begun.
pub const EXPORT: &str = "VENDOR_SITE_Example_ComputerExport/Runs";

/// A server, a site and a program that exports.
pub struct ExportWorld {
    /// The server.
    pub server: Server,
    /// The site.
    pub site: SiteServer,
    /// Somebody who sets connections up.
    pub admin: Person,
    /// A program that may run site activities.
    pub program: Person,
    /// The service connection to the site.
    pub connection: String,
}

impl ExportWorld {
    /// A site as the demo has it, an empty inventory, and a connection that speaks REST.
    #[must_use]
    pub fn new() -> Self {
        Self::set_up(|setup| setup, "Rest")
    }

    /// The same with other arguments, or over another protocol.
    ///
    /// # Panics
    /// When something of it does not start.
    #[must_use]
    pub fn set_up(change: impl FnOnce(Setup) -> Setup, protocol: &str) -> Self {
        let site = SiteServer::start(Options::default()).expect("a site server");
        let setup = Setup::for_hosts(&[HostKey::of("north"), HostKey::of("south")])
            .with_vault()
            .argument("--allow-origin")
            .argument(&site.origin());
        let server = change(setup).start();
        let admin = server.as_admin().on(&incident("1")).about_sites();
        let program = program(&server, &["site-operator"]);
        let connection = connection(&admin, &site, protocol);
        Self {
            connection,
            program,
            admin,
            server,
            site,
        }
    }

    /// Puts computers into the inventory.
    pub fn import(&self, computers: &[Value]) {
        for part in computers.chunks(1_000) {
            let wish = json!({ "Computers": part });
            self.program.about_computers().send("Import", &wish).ok();
        }
    }

    /// What is sent to begin a run for these computers.
    #[must_use]
    pub fn wish(&self, ids: &[&str]) -> Value {
        json!({ "ServiceConnection": self.connection, "List": "Computers", "ComputerIds": ids })
    }

    /// Asks for a run.
    #[track_caller]
    pub fn ask(&self, wish: &Value) -> Answer {
        self.program.about_workflows().send(EXPORT, wish)
    }

    /// Begins a run; its id.
    ///
    /// # Panics
    /// When it is not accepted.
    #[track_caller]
    pub fn begin(&self, wish: &Value) -> String {
        let run = self.ask(wish).ok();
        run["Id"].as_str().expect("an id").to_owned()
    }

    /// A run as it is now, with its first 1,000 computers.
    #[track_caller]
    pub fn run(&self, id: &str) -> Value {
        let path = format!("Runs/{id}?Limit=1000");
        self.program.about_workflows().get(&path).ok()
    }

    /// Waits until a run has ended, or waits for somebody.
    #[track_caller]
    pub fn rested(&self, id: &str) -> Value {
        until("the run comes to rest", || {
            let run = self.run(id);
            let state = run["State"].as_str().expect("a state");
            (!["Queued", "Running"].contains(&state)).then_some(run)
        })
    }

    /// Confirms what a run waits with, and waits until it has come to rest again.
    #[track_caller]
    pub fn confirm(&self, id: &str, counts: &Value) -> Value {
        let runs = self.program.about_workflows();
        runs.send(&format!("Runs/{id}/Confirm"), counts).ok();
        self.rested(id)
    }

    /// Begins a run and waits until it has come to rest.
    #[track_caller]
    pub fn export(&self, wish: &Value) -> Value {
        let id = self.begin(wish);
        self.rested(&id)
    }

    /// Looks at a list of the site.
    ///
    /// # Panics
    /// When there is none.
    pub fn list<T>(&self, title: &str, look: impl FnOnce(&mut List) -> T) -> T {
        self.site.with_site(|site| {
            let id = site.list_titled(title).expect("the list").id;
            look(site.list_mut(id).expect("it was just there"))
        })
    }

    /// The entries of the list `Computers`: what a column holds, by title.
    #[must_use]
    pub fn column(&self, name: &str) -> BTreeMap<String, Value> {
        self.list("Computers", |list| {
            list.items
                .values()
                .map(|item| (title(item), held(item, name)))
                .collect()
        })
    }

    /// Adds an entry by hand.
    pub fn by_hand(&self, fields: Value) -> u32 {
        let Value::Object(fields) = fields else {
            panic!("an entry is an object");
        };
        self.list("Computers", |list| {
            let added = list.add(fields.into_iter().collect(), 11);
            added.expect("the entry is good").id
        })
    }
}

impl Default for ExportWorld {
    fn default() -> Self {
        Self::new()
    }
}

/// A program with an API key of these roles.
///
/// # Panics
/// When no key is made.
#[must_use]
pub fn program(server: &Server, roles: &[&str]) -> Person {
    server
        .as_admin()
        .on(&incident("1"))
        .program("Program", roles)
}

/// A service connection to a site, without credentials.
fn connection(admin: &Person, site: &SiteServer, protocol: &str) -> String {
    let url = if protocol == "Graph" {
        let host = site.origin().replace("http://", "");
        format!("{}/v1.0/sites/{host}:/sites/demo", site.origin())
    } else {
        site.site_url()
    };
    let wish =
        json!({ "Name": "Demo site", "Method": "Anonymous", "Url": url, "Protocol": protocol });
    let made = admin.send("ServiceConnections", &wish).ok();
    made["Id"].as_str().expect("an id").to_owned()
}

fn title(item: &Item) -> String {
    held(item, "Title").as_str().unwrap_or_default().to_owned()
}

fn held(item: &Item, name: &str) -> Value {
    item.values.get(name).cloned().unwrap_or(Value::Null)
}

/// A computer with nothing but what it must have.
#[must_use]
pub fn computer(id: &str, status: &str) -> Value {
    json!({ "Id": id, "Name": format!("PC-{id}"), "SerialNumber": format!("SN{id}"),
        "Model": "Model A", "Status": status })
}
