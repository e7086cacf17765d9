//! The control in the browser, side by side with the same list written small with other
//! libraries: bytes, the first item on the screen, a tick, memory. In one run, because machines
//! have moods; the middle of some rounds counts, and every figure also as a ratio to the vanilla
//! element.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::peers::{Bound, Host, PEERS, Peer, number};
use crate::browser::Browser;
use crate::host::HostKey;
use crate::person::Person;
use crate::place::{Place, incident};
use crate::role::EDITOR;
use crate::server::Server;
use crate::setup::Setup;
use crate::template::{fragment, item, publish};

/// What runs before every page.
const LOOK: &str = include_str!("look.js");
/// Items that are written at once.
const BATCH: usize = 50;
/// How long a page may take before it counts as one that does not come.
const PATIENCE: Duration = Duration::from_secs(60);
/// Ticks of a page; the middle one counts.
const TICKS: usize = 5;
/// A slow fourth-generation network, as the browser's own tools simulate it.
const LATENCY: f64 = 562.5;
const DOWN: f64 = 1_474_560.0 / 8.0;
const UP: f64 = 691_200.0 / 8.0;

/// What to measure.
pub struct Plan {
    /// How many items.
    pub sizes: Vec<usize>,
    /// Rounds; the middle one counts.
    pub rounds: usize,
    /// Where to write the figures.
    pub json: Option<PathBuf>,
}

/// What one page came to in one round.
#[derive(Clone, Copy, Debug)]
struct Figures {
    first: f64,
    all: f64,
    tick: f64,
    frame: f64,
    heap: f64,
    linear: f64,
}

const COLUMNS: [&str; 6] = [
    "first item ms",
    "all ms",
    "tick ms",
    "tick painted ms",
    "JS heap MB",
    "wasm MB",
];

/// Measures all pages and prints a table.
///
/// # Errors
/// What cannot be read, served or written; a sentence.
pub async fn run(plan: Plan) -> Result<(), String> {
    let built = std::env::var_os("CHECKLIST_BENCH_PAGES")
        .map(PathBuf::from)
        .ok_or(
            "CHECKLIST_BENCH_PAGES names no folder; `cargo xtask bench --browser` builds the pages",
        )?;
    let host = Host::open(&built).await?;
    tokio::task::spawn_blocking(move || measure(&plan, &host, &built))
        .await
        .map_err(|error| error.to_string())?
}

fn measure(plan: &Plan, host: &Host, built: &Path) -> Result<(), String> {
    let key = HostKey::of("bench");
    let server = Setup::for_hosts(std::slice::from_ref(&key))
        .argument("--max-items")
        .argument("10000")
        .start();
    let mut report = Vec::new();

    println!("\n--- download, bytes (brotli), beside the page and its items ---");
    let mut vanilla = None;
    for peer in PEERS {
        let weight = peer.weight(built, &server)? as f64;
        let base = *vanilla.get_or_insert(weight);
        println!("{:<32}{weight:>10}  ({:.1})", peer.title(), weight / base);
        report.push(json!({ "page": peer.title(), "download": weight }));
    }

    for &size in &plan.sizes {
        let place = incident(&format!("list-{size}"));
        fill(&server, &place, size);
        let stage = Stage {
            server: &server,
            host,
            key: &key,
            place: &place,
            size,
        };
        println!("\n--- {size} items ---");
        report.extend(stage.table(plan.rounds, false));
        if size == 100 {
            println!("\n--- {size} items, slow 4G, processor slowed down 4 times ---");
            report.extend(stage.table(plan.rounds, true));
        }
    }
    if let Some(path) = &plan.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("\nThe figures: {}", path.display());
    }
    Ok(())
}

/// A list of which all but the last item are done.
fn fill(server: &Server, place: &Place, size: usize) {
    let id = format!("t{size}");
    let text = |n: usize| format!("Item number {n} of the list, with a text of usual length");
    let items = (0..size).map(|n| item(&format!("k{n}"), &text(n)));
    publish(server, &fragment(&id, items));
    let admin = server.as_admin().on(place);
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "Templates": { "": id } });
    admin.put("Types/incident", &kind).ok();
    leave_one_open(&server.as_owner("Bench").on(place));
}

/// All but the last item are done, whatever a page has left behind.
fn leave_one_open(person: &Person) {
    let list = person.list();
    let items: Vec<&Value> = list.items().iter().collect();
    let Some((last, others)) = items.split_last() else {
        return;
    };
    let meant = others.iter().map(|item| (item, "Done"));
    let meant = meant.chain([(last, "Open")]);
    let wrong: Vec<Value> = meant
        .filter(|(item, status)| item["Status"] != **status)
        .map(|(item, status)| json!({ "Id": item["Id"], "Status": status }))
        .collect();
    for batch in wrong.chunks(BATCH) {
        person.update(json!(batch));
    }
}

/// One list, and where its pages are shown.
struct Stage<'a> {
    server: &'a Server,
    host: &'a Host,
    key: &'a HostKey,
    place: &'a Place,
    size: usize,
}

impl Stage<'_> {
    /// Measures all pages in turns; prints the middle of each and gives it.
    fn table(&self, rounds: usize, slow: bool) -> Vec<Value> {
        let peers: Vec<Peer> = PEERS
            .into_iter()
            .filter(|peer| self.size <= peer.most())
            .collect();
        let mut taken: Vec<Vec<Figures>> = vec![Vec::new(); peers.len()];
        for _ in 0..rounds {
            for (peer, taken) in peers.iter().zip(&mut taken) {
                taken.extend(self.show(*peer, slow));
            }
        }
        let mut head = format!("{:<32}", "");
        for column in COLUMNS {
            let _ = write!(head, "{column:>24}");
        }
        println!("{head}");
        let mut vanilla: Option<[f64; COLUMNS.len()]> = None;
        let mut report = Vec::new();
        for (peer, taken) in peers.iter().zip(&taken) {
            let mut line = format!("{:<32}", peer.title());
            if taken.is_empty() {
                println!("{line}{:>24}", "not there");
                continue;
            }
            let figures = middle(taken);
            let base = *vanilla.get_or_insert(figures);
            let mut entry = json!({ "page": peer.title(), "items": self.size, "slow": slow });
            for ((column, figure), base) in COLUMNS.iter().zip(figures).zip(base) {
                let ratio = if base > 0.0 {
                    format!("({:.2})", figure / base)
                } else {
                    String::new()
                };
                let _ = write!(line, "{:>24}", format!("{figure:.1} {ratio:>8}"));
                entry[*column] = json!(figure);
            }
            println!("{line}");
            report.push(entry);
        }
        report
    }

    /// Shows a page in a window of its own; `None` when it does not come.
    fn show(&self, peer: Peer, slow: bool) -> Option<Figures> {
        let claims = self.key.claims(&self.server.base_url(), "bench", EDITOR);
        let token = self.key.sign(&claims);
        let person = self.server.as_owner("Bench").on(self.place);
        leave_one_open(&person);
        let bound = Bound {
            server: self.server,
            place: self.place,
            person: &person,
            token: &token,
        };
        self.host.serve("/", &peer.page(&bound)?);
        let browser = Browser::start();
        let look = LOOK.replace("__COUNT__", &self.size.to_string());
        let send = |name: &str, parameters: Value| browser.command(name, parameters);
        send(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": look }),
        );
        send("Network.enable", json!({}));
        send("Network.clearBrowserCache", json!({}));
        if slow {
            let network = json!({ "offline": false, "latency": LATENCY, "downloadThroughput": DOWN, "uploadThroughput": UP });
            send("Network.emulateNetworkConditions", network);
            send("Emulation.setCPUThrottlingRate", json!({ "rate": 4 }));
        }
        browser.open(&format!("{}/", self.host.origin));
        let begin = Instant::now();
        while browser.value("!!marks.all") != json!(true) {
            if begin.elapsed() > PATIENCE {
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let marks = browser.value("marks");
        std::thread::sleep(Duration::from_millis(500));
        let ticks = browser.script(&format!("return ticks({TICKS});"), &[]);
        let of = |key: &str| {
            let all = ticks.as_array().into_iter().flatten();
            median(all.map(|tick| number(tick, key)).collect())
        };
        send("HeapProfiler.collectGarbage", json!({}));
        send("Performance.enable", json!({}));
        let metrics = send("Performance.getMetrics", json!({}));
        let metrics = metrics["metrics"].as_array().cloned().unwrap_or_default();
        let heap = metrics
            .iter()
            .find(|metric| metric["name"] == "JSHeapUsedSize")
            .map_or(f64::NAN, |metric| number(metric, "value"));
        let linear = browser.value("globalThis.linear?.buffer.byteLength ?? 0");
        Some(Figures {
            first: number(&marks, "first"),
            all: number(&marks, "all"),
            tick: of("shown"),
            frame: of("painted"),
            heap: heap / 1e6,
            linear: linear.as_f64().unwrap_or(0.0) / 1e6,
        })
    }
}

fn middle(taken: &[Figures]) -> [f64; COLUMNS.len()] {
    let of = |read: fn(&Figures) -> f64| median(taken.iter().map(read).collect());
    [
        of(|one| one.first),
        of(|one| one.all),
        of(|one| one.tick),
        of(|one| one.frame),
        of(|one| one.heap),
        of(|one| one.linear),
    ]
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}
