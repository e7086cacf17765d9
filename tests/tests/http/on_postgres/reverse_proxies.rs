//! Two servers on one database behind a real nginx or Caddy, with the samples of `backend/service`:
//! each server is restarted in turn while people work, and nobody notices.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use checklist_tests::client::{Http, json as with_json, send, try_send};
use checklist_tests::follow::{Said, Stream};
use checklist_tests::reverse_proxy::{Program, ReverseProxy};
use checklist_tests::{API, HostKey, Person, Server, Setup, incident, until};
use reqwest::Method;
use serde_json::{Value, json};

const WRITERS: usize = 6;

/// Two servers as an operator starts them, and the proxy before them.
struct Site {
    servers: [Server; 2],
    proxy: ReverseProxy,
}

impl Site {
    fn behind(program: Program, setup: Setup) -> Self {
        let one = setup.argument("--trusted-proxy=127.0.0.1").start();
        let servers = [one.another_node(), one];
        let proxy = ReverseProxy::start(program, [&servers[0], &servers[1]]);
        Self { servers, proxy }
    }

    /// Requests through the proxy, from that address of this machine.
    fn http(&self, caller: u8) -> Http {
        let caller = IpAddr::V4(Ipv4Addr::new(127, 0, 0, caller));
        Http::trusting(&self.proxy.url, &self.proxy.certificate, caller)
    }
}

/// Drains as long as the samples say.
fn draining() -> Setup {
    Setup::for_hosts(&[HostKey::of("north")])
        .argument("--max-items=10000")
        .argument("--drain-seconds=5")
}

/// What the writers have seen.
#[derive(Default)]
struct Seen {
    answers: AtomicUsize,
    failures: Mutex<Vec<String>>,
    /// The processes that answered, by the beginning of the request ids that they give.
    processes: Mutex<HashSet<String>>,
}

impl Seen {
    fn note(&self, request: &Person, call: &str, body: &Value) {
        let sent = try_send(with_json(request.request(Method::POST, call), body));
        match sent {
            Ok(answer) if answer.status == 200 => {
                let id = answer.header("x-request-id");
                let process = id.split('-').next().unwrap_or_default().to_owned();
                self.processes.lock().unwrap().insert(process);
                self.answers.fetch_add(1, Ordering::Relaxed);
            }
            Ok(answer) => self.fail(format!("{call}: {} {}", answer.status, answer.text())),
            Err(error) => self.fail(format!("{call}: {error:?}")),
        }
    }

    fn fail(&self, what: String) {
        self.failures.lock().unwrap().push(what);
    }

    fn processes(&self) -> usize {
        self.processes.lock().unwrap().len()
    }
}

/// Adds and reads until the end; writes have no `OperationId`, as none of them is to be repeated.
fn work(person: &Person, writer: usize, seen: &Seen, end: &AtomicBool) -> usize {
    let mut added = 0;
    while !end.load(Ordering::Relaxed) {
        let text = format!("{writer}.{added}");
        let body = json!({ "Context": person.place.context(), "Items": [{ "Text": text }] });
        seen.note(person, "AddItems", &body);
        added += 1;
        let body = json!({ "Context": person.place.context(), "View": "Summary" });
        seen.note(person, "GetItems", &body);
    }
    added
}

/// Follows an open stream, and one after the other where it ends, until the last item has come;
/// gives how many streams there were and the items that came.
fn follow(person: &Person, mut stream: Stream, last: &str) -> (usize, HashSet<String>) {
    let mut streams = 1;
    let mut id = stream.id();
    let mut came = HashSet::new();
    while !came.contains(last) {
        match stream.say() {
            Some(Said::Id(next)) => id = next,
            Some(Said::Event(name, _)) if name == "reset" => {
                let list = person.list();
                came.extend(list.texts().into_iter().map(str::to_owned));
            }
            Some(Said::Event(name, data)) if name == "items" => {
                let items = data["Items"].as_array().cloned().unwrap_or_default();
                let texts = items.iter().filter_map(|item| item["Text"].as_str());
                came.extend(texts.map(str::to_owned));
            }
            Some(_) => {}
            None => {
                streams += 1;
                // A server that is about to end says 503, and the control asks again.
                stream = until("a server to take the reader", || {
                    person.try_to_follow_after(&id)
                });
            }
        }
    }
    (streams, came)
}

/// Stops a server as a service manager does, and starts it again when it has ended.
fn restart(server: &mut Server) {
    server.ask_to_stop();
    until("the server to say that it stops", || {
        (server.http().get("/readyz").status == 503).then_some(())
    });
    assert_eq!(
        server.http().get("/healthz").status,
        200,
        "it still answers"
    );
    assert!(server.wait().success());
    server.start_again();
    assert_eq!(server.http().get("/readyz").status, 200);
}

fn nobody_notices_a_rolling_restart(program: Program) {
    let Site { mut servers, proxy } = Site::behind(program, draining());
    let people: Vec<Person> = (0..WRITERS)
        .map(|writer| {
            let place = incident(&writer.to_string()).for_purpose("x");
            let own = IpAddr::V4(Ipv4Addr::LOCALHOST);
            let http = Http::trusting(&proxy.url, &proxy.certificate, own);
            servers[1].editor_on(&place).over(&http)
        })
        .collect();
    let (seen, end) = (Seen::default(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Before anything is written.
        let stream = people[0].follow();
        let follower = scope.spawn(|| follow(&people[0], stream, "the last"));
        let writers: Vec<_> = people
            .iter()
            .enumerate()
            .map(|(writer, person)| {
                let (seen, end) = (&seen, &end);
                scope.spawn(move || work(person, writer, seen, end))
            })
            .collect();
        until("both servers to be asked", || {
            (seen.processes() == 2).then_some(())
        });
        for (number, server) in servers.iter_mut().enumerate() {
            restart(server);
            until("the new process to be asked", || {
                (seen.processes() == 3 + number).then_some(())
            });
        }
        end.store(true, Ordering::Relaxed);
        let added: Vec<usize> = writers.into_iter().map(|one| one.join().unwrap()).collect();
        // The follower ends with this item, whatever else has happened.
        people[0].add("the last");
        let (streams, came) = follower.join().unwrap();
        let failures = seen.failures.lock().unwrap();
        let answers = seen.answers.load(Ordering::Relaxed);
        println!(
            "{program:?}: {answers} answers, {} failures",
            failures.len()
        );
        assert!(
            failures.is_empty(),
            "{} of {answers}: {failures:#?}",
            failures.len()
        );
        assert!(answers > 500, "{answers}");
        for (person, added) in people.iter().zip(&added) {
            let texts = person.list().texts().len();
            let last = usize::from(std::ptr::eq(person, &raw const people[0]));
            assert_eq!(texts, added + last, "each once");
        }
        assert!(streams > 1, "no stream had to begin anew");
        assert_eq!(came.len(), added[0] + 1, "the stream has missed nothing");
    });
}

#[test]
fn nobody_behind_nginx_notices_a_rolling_restart() {
    nobody_notices_a_rolling_restart(Program::Nginx);
}

#[test]
fn nobody_behind_caddy_notices_a_rolling_restart() {
    nobody_notices_a_rolling_restart(Program::Caddy);
}

#[test]
fn each_proxy_forwards_its_caller_one_host_and_events_as_they_happen() {
    for program in [Program::Nginx, Program::Caddy] {
        let setup = Setup::for_hosts(&[HostKey::of("north")])
            .argument("--failed-sign-ins=6")
            .argument("--rate-limit=0");
        let site = Site::behind(program, setup);
        // Of the two servers one is asked: each counts for itself.
        let fail = |caller: u8, claims: &str| {
            let request = site
                .http(caller)
                .request(Method::POST, &format!("{API}/GetItems"));
            let request = request
                .bearer_auth("nonsense")
                .header("x-forwarded-for", claims);
            let body = json!({ "Context": incident("1").context() });
            send(with_json(request, &body)).status
        };
        let refused = (0..30).any(|n| fail(2, &format!("203.0.113.{n}")) == 429);
        assert!(refused, "{program:?}: a caller's own claim was believed");
        assert_eq!(fail(3, "203.0.113.1"), 401, "{program:?}: another caller");

        let place = incident("1").for_purpose("x");
        let anna = site.servers[1].editor_on(&place).over(&site.http(4));
        let stream = anna.follow();
        stream.id();
        anna.add("now");
        let come = stream.until("items", |data| data["Items"][0]["Text"] == "now");
        assert_eq!(come["Items"][0]["Text"], "now", "{program:?}");
    }
}
