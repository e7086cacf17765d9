//! What every way to sign in has to carry: a program that works on the list of computers.
//!
//! Each test has a program of its own, with a name of its own, by which logs are told apart.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use async_trait::async_trait;
use checklist_site_server::{Options, Seen, SiteServer};
use checklist_tests::Person;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use site_lists::{
    ByteStream, DirectTransport, ErrorKind, Limits, ObjectExpressionParameter, Request, Response,
    Site, SiteConnection, SiteError, SiteItem, SiteList, SiteOptions, Transport, TransportError,
    add_site_item, edit_site_item, get_site_item,
};

static NUMBER: AtomicU32 = AtomicU32::new(1);

/// A program that works on the site.
pub struct Program {
    /// How it introduces itself.
    pub agent: String,
    pub options: SiteOptions,
    pub transport: Arc<dyn Transport>,
    sent: Arc<AtomicUsize>,
}

/// Counts what is sent.
struct Counted {
    way: Arc<dyn Transport>,
    sent: Arc<AtomicUsize>,
}

#[async_trait]
impl Transport for Counted {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        self.sent.fetch_add(1, Ordering::Relaxed);
        self.way.send(request, limits).await
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self {
            way: self.way.open_dedicated()?,
            sent: Arc::clone(&self.sent),
        }))
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        self.way.dial(host, port).await
    }
}

impl Program {
    /// A program with a name of its own.
    pub fn new() -> Self {
        let agent = format!(
            "NONISV|Test|Program/{}",
            NUMBER.fetch_add(1, Ordering::Relaxed)
        );
        let sent = Arc::new(AtomicUsize::new(0));
        Self {
            options: SiteOptions {
                user_agent: agent.clone(),
                ..SiteOptions::default()
            },
            agent,
            transport: Arc::new(Counted {
                way: Arc::new(DirectTransport::new().expect("a client")),
                sent: Arc::clone(&sent),
            }),
            sent,
        }
    }

    /// How many requests it has sent.
    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }

    /// Opens the site.
    pub fn open(&self, connection: &SiteConnection) -> Site {
        Site::open(
            connection,
            Arc::clone(&self.transport),
            self.options.clone(),
        )
        .expect("a connection that can be used")
    }
}

/// A site that was opened with the name of Alice and a password.
pub struct ByPassword {
    pub site: Site,
    pub server: SiteServer,
    /// The address of what begins sessions.
    pub service: &'static str,
}

impl ByPassword {
    /// How often a session was asked for.
    pub fn begun(&self) -> usize {
        requests_to(&self.server, self.service)
    }

    pub fn signs_alice_in(&self, title: &str) {
        let item = run(add(&self.site, title));
        assert_eq!(author(&item), "Alice Archer");
        all_acted_as("alice", &of_lists(&self.server));
        assert_eq!(self.begun(), 1);
    }

    pub fn is_refused(&self) {
        run(refused_nine_times(&self.site));
        assert_eq!(self.begun(), 1);
        assert!(of_lists(&self.server).is_empty());
    }

    pub fn begins_again_after_its_end(&self) {
        let item = run(async {
            add(&self.site, "before").await;
            self.server.end_sessions();
            post_a_large_body(&self.site).await
        });
        assert_eq!(author(&item), "Alice Archer");
        assert_eq!(self.begun(), 2);
    }

    pub fn answers_fifty(&self) {
        run(fifty_at_eight_at_once(&self.site));
        all_acted_as("alice", &of_lists(&self.server));
        assert_eq!(self.begun(), 1);
    }
}

/// Eight callers at once add an entry each and read it, by a service connection of a server; who
/// has made them.
pub fn authors_of_eight(operator: &Person, connection: &Value) -> Vec<String> {
    let by = json!({ "ServiceConnection": connection });
    let work = |number: usize| {
        let body = json!({ "Connection": by, "List": "Computers",
            "Fields": [{ "Name": "Title", "Value": format!("entry {number}") }] });
        let added = operator.send("AddSiteItem", &body).ok();
        let body = json!({ "Connection": by, "List": "Computers", "ItemId": added["ItemId"] });
        let item = operator.send("GetSiteItem", &body).ok();
        let author = item["Result"]["_createdBy_displayName"].as_str();
        author.unwrap_or_default().to_owned()
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..8)
            .map(|number| scope.spawn(move || work(number)))
            .collect();
        let joined = all.into_iter().map(|one| one.join().expect("it works"));
        joined.collect()
    })
}

/// A site of the test's own that lets nobody in without a sign-in.
pub fn closed(options: Options) -> SiteServer {
    SiteServer::start(Options {
        sign_in_required: true,
        ..options
    })
    .expect("a site server on this machine")
}

/// What was asked of the lists, not of the sign-in.
pub fn of_lists(server: &SiteServer) -> Vec<Seen> {
    let mut seen = server.requests();
    seen.retain(|seen| seen.target.contains("/_api/"));
    seen
}

/// How many requests went to an address that holds this.
pub fn requests_to(server: &SiteServer, part: &str) -> usize {
    let seen = server.requests();
    let those = seen
        .iter()
        .filter(|seen| seen.target.to_lowercase().contains(part));
    those.count()
}

/// Runs what waits for answers.
pub fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(work)
}

pub fn computers() -> SiteList {
    SiteList::from("Computers")
}

/// Adds an entry and reads it back.
pub async fn add(site: &Site, title: &str) -> SiteItem {
    let fields = [ObjectExpressionParameter::new("Title", title)];
    let id = add_site_item(site, &computers(), &fields)
        .await
        .expect("an entry is added");
    let item = get_site_item(site, &computers(), id).await;
    let item = item.expect("the entry is read").result;
    assert_eq!(item.standard.title.as_deref(), Some(title));
    item
}

/// Who the site says has made an entry.
pub fn author(item: &SiteItem) -> &str {
    item.standard
        .created_by_display_name
        .as_deref()
        .unwrap_or_default()
}

/// Adds an entry and then changes it, the first thing that is sent after a pause being a POST with
/// a body that is too large for one packet; it arrives whole.
pub async fn post_a_large_body(site: &Site) -> SiteItem {
    let item = add(site, "to be described").await;
    let text = "0123456789abcdef".repeat(4_000);
    let fields = [ObjectExpressionParameter::new("Notes", text.as_str())];
    let id = i32::try_from(item.id()).expect("a small number");
    edit_site_item(site, &computers(), id, &fields)
        .await
        .expect("the entry is changed");
    let item = get_site_item(site, &computers(), id).await;
    let item = item.expect("the entry is read").result;
    let notes: String = item
        .field("Notes")
        .expect("a column")
        .get_value()
        .expect("a text");
    assert_eq!(notes, text);
    item
}

/// Fifty pieces of work, eight at a time: every fifth adds an entry, the others read one.
pub async fn fifty_at_eight_at_once(site: &Site) {
    let known = add(site, "read by many").await;
    let id = i32::try_from(known.id()).expect("a small number");
    let work = (0..50).map(|number| {
        let known = &known;
        async move {
            if number % 5 == 0 {
                add(site, &format!("one of fifty, {number}")).await;
            } else {
                let item = get_site_item(site, &computers(), id).await;
                assert_eq!(&item.expect("the entry is read").result, known);
            }
        }
    });
    let done = stream::iter(work).buffer_unordered(8).count().await;
    assert_eq!(done, 50);
}

/// The errors of eight readings that begin at once and of another one after them: all of them say
/// that the site refuses the credentials.
pub async fn refused_nine_times(site: &Site) -> Vec<SiteError> {
    let read = || async {
        get_site_item(site, &computers(), 1)
            .await
            .expect_err("it is refused")
    };
    let mut errors: Vec<SiteError> = stream::iter((0..8).map(|_| read()))
        .buffer_unordered(8)
        .collect()
        .await;
    errors.push(read().await);
    for error in &errors {
        assert_eq!(error.kind(), ErrorKind::SignInRefused, "{error:?}");
        assert_eq!(error.status(), Some(401), "{error:?}");
        assert!(
            error.hint().is_some_and(|hint| hint.contains("password")),
            "{error:?}"
        );
    }
    errors
}

/// Every request was answered well, and acted as that person.
#[track_caller]
pub fn all_acted_as(name: &str, seen: &[Seen]) {
    assert!(!seen.is_empty(), "nothing reached the site");
    for seen in seen {
        let bare = seen.user.rsplit('\\').next().unwrap_or_default();
        let bare = bare.split('@').next().unwrap_or_default();
        assert_eq!(bare, name, "{seen:?}");
        assert!(seen.status < 300, "{seen:?}");
    }
}
