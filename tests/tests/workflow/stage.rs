//! A server with several sites that it may export to, and a program that asks it to.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use checklist_site_server::{Options, SiteServer};
use checklist_tests::client::{Http, json as with_json, try_send};
use checklist_tests::{Answer, HostKey, Server, Setup, incident};
use reqwest::Method;
use serde_json::{Value, json};

use crate::lane::{Lane, Protocol};

/// The tenant whose inventory is exported.
pub const TENANT: &str = "north";

/// How long a run may take, faults and kills included.
const PATIENCE: Duration = Duration::from_secs(400);

/// A server and its sites.
pub struct Stage {
    server: Mutex<Server>,
    pub lanes: Vec<Lane>,
}

impl Stage {
    /// A server that may ask so many sites over SharePoint REST.
    #[track_caller]
    pub fn with_lanes(lanes: usize) -> Self {
        Self::set_up(lanes, &[Protocol::Rest], |setup| setup)
    }

    /// A server that may ask so many sites, in these protocols in turn.
    #[track_caller]
    pub fn speaking(lanes: usize, protocols: &[Protocol]) -> Self {
        Self::set_up(lanes, protocols, |setup| setup)
    }

    /// The same, with so many computers to a chunk instead of a hundred, so that a few of them
    /// make several.
    #[track_caller]
    pub fn with_chunks_of(size: usize, lanes: usize, protocol: Protocol) -> Self {
        Self::set_up(lanes, &[protocol], |setup| {
            setup
                .environment("CHECKLIST_FAILPOINT", "nowhere")
                .environment("CHECKLIST_FAILPOINT_CHUNK", &size.to_string())
        })
    }

    /// The same for runs that try again at least each second, and have failed when their site was
    /// away for so many seconds.
    #[track_caller]
    pub fn giving_up_after(seconds: u32, lanes: usize) -> Self {
        Self::set_up(lanes, &[Protocol::Rest], |setup| {
            setup
                .argument("--run-give-up-after")
                .argument(&seconds.to_string())
                .argument("--run-longest-pause")
                .argument("1")
        })
    }

    #[track_caller]
    fn set_up(lanes: usize, protocols: &[Protocol], further: impl FnOnce(Setup) -> Setup) -> Self {
        let sites: Vec<SiteServer> = (0..lanes)
            .map(|_| SiteServer::start(Options::default()).expect("a site server"))
            .collect();
        let mut setup = Setup::for_hosts(&[HostKey::of(TENANT)])
            .with_vault()
            .argument("--rate-limit")
            .argument("0");
        for site in &sites {
            setup = setup.argument("--allow-origin").argument(&site.origin());
        }
        let server = further(setup).start();
        let program = Program::of(&server);
        let lanes = sites
            .into_iter()
            .zip(protocols.iter().cycle())
            .map(|(site, protocol)| Lane::new(site, &program, *protocol));
        Self {
            lanes: lanes.collect(),
            server: Mutex::new(server),
        }
    }

    /// The server; whoever holds it may kill it.
    pub fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program with an API key. It asks again where a server that was killed gives no answer.
#[derive(Clone)]
pub struct Program {
    /// The node that it asks.
    pub http: Http,
    key: String,
}

impl Program {
    #[track_caller]
    fn of(server: &Server) -> Self {
        let admin = server.as_admin().on(&incident("1"));
        let wish = json!({ "Name": "Exports", "Roles": ["admin", "site-operator"] });
        let made = admin.send("ApiKeys", &wish).ok();
        Self {
            http: server.http(),
            key: made["Secret"].as_str().expect("a secret").to_owned(),
        }
    }

    /// `GET` of what has to be there.
    #[track_caller]
    pub fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None).ok()
    }

    /// `POST`, whatever the answer is.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(Method::POST, path, Some(body))
    }

    #[track_caller]
    fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let began = Instant::now();
        loop {
            let path = format!("/api/Vendor/{path}");
            let request = self.http.request(method.clone(), &path);
            let request = request.bearer_auth(&self.key);
            let request = match body {
                Some(body) => with_json(request, body),
                None => request,
            };
            match try_send(request) {
                Ok(answer) if answer.status != 503 => return answer,
                _ if began.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                gave_up => panic!("{method} {path}: {gave_up:?}"),
            }
        }
    }

    /// Asks for a run until it neither waits for a worker nor is worked at.
    #[track_caller]
    pub fn until_it_stands(&self, run: &str) -> Value {
        let began = Instant::now();
        loop {
            let shown = self.get(&format!("Workflows/Runs/{run}?Limit=1"));
            if shown["State"] != "Queued" && shown["State"] != "Running" {
                return shown;
            }
            if began.elapsed() > PATIENCE {
                panic!("a run that does not end: {:#}", self.whole(run));
            }
            std::thread::sleep(Duration::from_millis(120));
        }
    }

    /// Asks for a run until it looks like that.
    #[track_caller]
    pub fn until(&self, run: &str, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let shown = self.get(&format!("Workflows/Runs/{run}?Limit=1"));
            if is(&shown) {
                return shown;
            }
            if began.elapsed() > PATIENCE {
                panic!("never {what}: {:#}", self.whole(run));
            }
            std::thread::sleep(Duration::from_millis(60));
        }
    }

    /// A run with its computers.
    #[track_caller]
    pub fn whole(&self, run: &str) -> Value {
        let mut whole = self.get(&format!("Workflows/Runs/{run}?Limit=1000"));
        while let Some(next) = whole["Next"].as_u64() {
            let mut page = self.get(&format!("Workflows/Runs/{run}?Limit=1000&After={next}"));
            if let (Some(all), Some(more)) = (
                whole["Computers"].as_array_mut(),
                page["Computers"].as_array_mut(),
            ) {
                all.append(more);
            }
            whole["Next"] = page["Next"].take();
        }
        whole
    }
}
