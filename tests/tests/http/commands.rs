//! The commands for operators: a first server, tenants, keys, people, also while the server runs.
//!
//! What `init` writes is used as it is told to be used, on the folder that it names.

use std::path::Path;
use std::process::Command;

use checklist_tests::host::now;
use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::{free_address, program};
use checklist_tests::{API, HostKey, Server, Setup, incident, until};
use serde_json::json;
use tempfile::TempDir;

#[track_caller]
fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let mut command = program();
    command.args(arguments).arg("--data-dir").arg(folder);
    Process::start(&mut command).ended()
}

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> String {
    let ended = run(folder, arguments);
    assert!(ended.status.success(), "{arguments:?}: {}", ended.said);
    ended.said
}

/// The same on the data of a server that runs, wherever that is.
#[track_caller]
fn done_beside(server: &Server, arguments: &[&str]) -> String {
    let ended = server.run(arguments);
    assert!(ended.status.success(), "{arguments:?}: {}", ended.said);
    ended.said
}

#[test]
fn a_key_made_beside_a_running_server_opens_it_and_ends_with_its_revocation() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let of = ["--tenant", "north"];
    assert!(done_beside(&server, &[&["key", "list"][..], &of].concat()).contains("no keys yet"));
    let said = done_beside(
        &server,
        &[
            &["key", "add"][..],
            &of,
            &["--name", "Portal", "--role", "reader"],
        ]
        .concat(),
    );
    let secret = said
        .lines()
        .find(|line| line.starts_with("ck_"))
        .expect("the key")
        .to_owned();
    let portal = server.as_admin().on(&incident("1")).with_token(&secret);
    until("the server to know the key", || {
        (portal.call("GetItems", json!({})).status == 200).then_some(())
    });
    let listed = done_beside(&server, &[&["key", "list"][..], &of].concat());
    assert!(listed.contains("Portal") && !listed.contains(&secret));
    let id = listed.split('\t').nth(1).expect("an id").to_owned();
    done_beside(&server, &[&["key", "revoke"][..], &of, &[&id]].concat());
    until("the server to know the revocation", || {
        (portal.call("GetItems", json!({})).status == 401).then_some(())
    });
    server
        .editor_on(&incident("1").for_purpose("x"))
        .add("the server goes on");
}

#[test]
fn a_tenant_disabled_beside_a_running_server_is_out() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let anna = server.as_reader("Anna").on(&incident("1"));
    anna.list();
    done_beside(&server, &["tenant", "disable", "north"]);
    until("the tenant to be out", || {
        (anna.call("GetItems", json!({})).status == 401).then_some(())
    });
    assert!(done_beside(&server, &["tenant", "list"]).contains("disabled"));
    done_beside(&server, &["tenant", "enable", "north"]);
    // What was given out before does not come back with it.
    let anna = until("the tenant to be in again", || {
        let anna = server.as_reader("Anna").with_claim("iat", json!(now()));
        let anna = anna.on(&incident("1"));
        (anna.call("GetItems", json!({})).status == 200).then_some(anna)
    });
    done_beside(&server, &["revoke", "--tenant", "north", "--everything"]);
    until("the token to have ended", || {
        (anna.call("GetItems", json!({})).status == 401).then_some(())
    });
}

#[test]
fn people_are_registered_listed_disabled_enabled_and_deleted() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path().join("data");
    let person = [
        "--tenant",
        "acme",
        "--issuer",
        "https://id.example",
        "--subject",
        "anna",
    ];
    let missing = run(&folder, &["user", "list", "--tenant", "acme"]);
    assert_eq!(missing.status.code(), Some(3), "{}", missing.said);
    done(&folder, &["tenant", "add", "acme"]);
    done(
        &folder,
        &[
            &["user", "add"][..],
            &person,
            &["--name", "Anna", "--role", "admin"],
        ]
        .concat(),
    );
    let listed = || done(&folder, &["user", "list", "--tenant", "acme"]);
    assert!(listed().contains("[\"admin\"]"));
    let change = |command: &str| done(&folder, &[&["user", command][..], &person].concat());
    // The only administrator stays one, and the only one whom the operator may replace is replaced.
    for command in ["disable", "delete"] {
        let refused = run(&folder, &[&["user", command][..], &person].concat());
        assert_eq!(refused.status.code(), Some(1), "{}", refused.said);
        assert!(refused.said.contains("--role admin"), "{}", refused.said);
    }
    let add = |name: &str, role: &str| {
        let wish = ["--name", name, "--role", role];
        done(&folder, &[&["user", "add"][..], &person, &wish].concat())
    };
    add("Anna", "reader");
    change("disable");
    assert!(listed().contains("disabled"));
    // Another name lets nobody in.
    assert!(add("Anna Berg", "reader").contains("disabled"));
    assert!(listed().contains("Anna Berg\tdisabled"));
    change("enable");
    assert!(listed().contains("Anna Berg\t[\"reader\"]"));
    change("delete");
    assert!(listed().contains("nobody is registered"));
    for command in ["disable", "enable", "delete"] {
        let ended = run(&folder, &[&["user", command][..], &person].concat());
        assert_eq!(ended.status.code(), Some(1), "{}", ended.said);
    }
    assert!(done(&folder, &["user", "list", "--tenant", "beta"]).contains("nobody is registered"));
    let emperor = run(
        &folder,
        &[
            &["user", "add"][..],
            &person,
            &["--name", "A", "--role", "emperor"],
        ]
        .concat(),
    );
    assert_eq!(emperor.status.code(), Some(2), "{}", emperor.said);
}

/// Runs `init` and starts the server that it prepares.
fn prepared() -> (TempDir, std::path::PathBuf, String, String, Process) {
    let keep = TempDir::new().unwrap();
    let folder = keep.path().join("data");
    let address = free_address();
    let base = format!("http://{address}");
    let said = done(
        &folder,
        &[
            "init",
            "--tenant",
            "acme",
            "--base-url",
            &base,
            "--embed-origin",
            "https://portal.example",
        ],
    );
    let mut command = program();
    for line in std::fs::read_to_string(folder.join("checklist.env"))
        .unwrap()
        .lines()
    {
        if let Some((name, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            command.env(name, value.trim_matches('\''));
        }
    }
    let mut process = Process::start(command.args(["serve", "--listen", &address]));
    process.says("listening on http://");
    (keep, folder, base, said, process)
}

#[test]
fn what_init_makes_is_a_server_that_lets_its_administrator_in() {
    let (_keep, folder, base, said, _server) = prepared();
    let secret = said
        .split_whitespace()
        .find(|word| word.starts_with("ck_"))
        .expect("an API key");
    let http = checklist_tests::client::Http::to(&base);
    let request = http
        .request(reqwest::Method::GET, &format!("{API}/EmbedKeys"))
        .bearer_auth(secret);
    let keys = checklist_tests::client::send(request).ok();
    assert_eq!(keys["EmbedKeys"][0]["Kid"], "host-1");
    assert_eq!(
        keys["EmbedKeys"][0]["Origins"],
        json!(["https://portal.example"])
    );
    for word in [
        "<checklist-control",
        &format!(
            "Content-Security-Policy: {}",
            checklist_tests::policy::documented(&base)
        ),
        "mint.mjs",
        "mint.py",
        "Mint.java",
        "Mint.cs",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    use std::os::unix::fs::PermissionsExt as _;
    let private = std::fs::metadata(folder.join("host-1.private.pem")).unwrap();
    assert_eq!(private.permissions().mode() & 0o777, 0o600);
    let again = run(&folder, &["init", "--tenant", "acme"]);
    assert_eq!(again.status.code(), Some(3), "{}", again.said);
    assert!(again.said.contains("nothing was changed"));
}

#[test]
fn init_refuses_what_serve_would_refuse_and_leaves_nothing() {
    let keep = TempDir::new().unwrap();
    let folder = keep.path().join("data");
    let clear = ["--base-url", "http://checks.example.org"];
    let bare = ["--embed-origin", "desk.example.org"];
    let path = ["--embed-origin", "https://desk.example.org/page"];
    for (wrong, sentence) in [
        (clear, "in the clear"),
        (bare, "such as https://"),
        (path, "such as https://"),
    ] {
        let refused = run(
            &folder,
            &[&["init", "--tenant", "acme"][..], &wrong].concat(),
        );
        assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
        assert!(refused.said.contains(sentence), "{}", refused.said);
        assert!(!folder.exists(), "{wrong:?}");
    }
    let slash = [
        "init",
        "--tenant",
        "acme",
        "--embed-origin",
        "https://desk.example.org/",
    ];
    let said = done(&folder, &slash);
    assert!(
        said.contains("On pages of https://desk.example.org:"),
        "{said}"
    );
}

#[test]
fn init_listens_where_a_base_url_of_this_machine_says_and_names_one_that_has_passkeys() {
    for (base, listens, named) in [
        ("http://localhost:8123", Some("127.0.0.1:8123"), None),
        (
            "http://127.0.0.1:8123",
            Some("127.0.0.1:8123"),
            Some("http://localhost:8123"),
        ),
        (
            "http://[::1]:8123/x",
            Some("[::1]:8123"),
            Some("http://localhost:8123/x"),
        ),
        (
            "https://192.0.2.1:8123/x",
            None,
            Some("https://checks.example.org:8123/x"),
        ),
        ("https://checks.example.org", None, None),
    ] {
        let keep = TempDir::new().unwrap();
        let folder = keep.path().join("data");
        let said = done(&folder, &["init", "--tenant", "acme", "--base-url", base]);
        let settings = std::fs::read_to_string(folder.join("checklist.env")).unwrap();
        let listen = settings
            .lines()
            .find_map(|line| line.strip_prefix("CHECKLIST_LISTEN="))
            .map(|address| address.trim_matches('\''));
        assert_eq!(listen, listens, "{base}");
        let advice = said.lines().find(|line| line.contains("passkeys"));
        let advice = advice.and_then(|line| line.split_once("--base-url "));
        assert_eq!(advice.map(|(_, url)| url.trim()), named, "{base}: {said}");
    }
}

#[test]
fn the_snippets_of_init_mint_tokens_that_the_server_takes() {
    let (_keep, folder, base, _, _server) = prepared();
    let key = folder.join("host-1.private.pem");
    let http = checklist_tests::client::Http::to(&base);
    let mut tried = 0;
    for (runtime, file) in [
        ("node", "mint.mjs"),
        ("python3", "mint.py"),
        ("java", "Mint.java"),
    ] {
        let version = if runtime == "java" {
            "-version"
        } else {
            "--version"
        };
        if Command::new(runtime).arg(version).output().is_err() {
            println!("{runtime} is not here");
            continue;
        }
        let output = Command::new(runtime)
            .arg(folder.join(file))
            .arg(&key)
            .output()
            .unwrap();
        let token = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{runtime}: {errors}");
        let request = http
            .request(reqwest::Method::POST, &format!("{API}/GetItems"))
            .bearer_auth(token.trim());
        let body = json!({ "Context": incident("INC-1").context() });
        let list =
            checklist_tests::client::send(checklist_tests::client::json(request, &body)).ok();
        assert_eq!(
            list["Permissions"],
            json!(["Read", "Check", "Edit", "Add", "Delete"]),
            "{runtime}"
        );
        tried += 1;
    }
    assert!(tried > 0, "no runtime is here to try a snippet with");
}

#[test]
fn a_second_command_does_not_wait_for_a_busy_server() {
    let server = Server::demo();
    let erin = server.editor_on(&incident("1").for_purpose("x"));
    let busy = erin.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for number in 0..50 {
                busy.add(&format!("{number}"));
            }
        });
        for number in 0..5 {
            done_beside(&server, &["tenant", "add", &format!("t{number}")]);
        }
    });
    assert_eq!(erin.list().texts().len(), 50);
}
