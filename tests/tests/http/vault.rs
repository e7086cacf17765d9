//! The vault from outside: what lies in the database, what happens without its key, how a key is
//! changed; and the activities from the command line.
//! Against a server of its own and the command line beside it.

use std::path::{Path, PathBuf};

use checklist_site_server::{Options, SiteServer};
use checklist_tests::setup::program;
use checklist_tests::{HostKey, Person, Server, Setup, incident, until};
use serde_json::{Value, json};
use tempfile::TempDir;

const PASSWORD: &str = "correct horse battery staple";

#[track_caller]
fn new_key(file: &Path, name: &str) {
    let made = program()
        .args(["vault", "new-key", "--name", name])
        .arg(file)
        .output()
        .expect("the program runs");
    assert!(made.status.success(), "{made:?}");
}

/// A server with a key file of its own.
fn world() -> (Server, PathBuf, TempDir) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("vault.key");
    new_key(&file, "first");
    let server = Setup::for_hosts(&[HostKey::of("north")])
        .argument("--vault-key")
        .argument(&file.display().to_string())
        .start();
    (server, file, folder)
}

fn admin(server: &Server) -> Person {
    server.as_admin().on(&incident("1")).about_sites()
}

fn connect(server: &Server) -> String {
    let wish = json!({ "Name": "Intranet", "Method": "NTLM", "Url": "https://intranet.example/sites/it",
        "Username": "svc", "Password": PASSWORD });
    let made = admin(server).send("ServiceConnections", &wish).ok();
    made["Id"].as_str().expect("an id").to_owned()
}

fn has_password(server: &Server, id: &str) -> bool {
    let shown = admin(server).get(&format!("ServiceConnections/{id}")).ok();
    shown["HasPassword"] == true
}

#[test]
fn a_password_is_nowhere_in_the_database_nor_in_what_the_server_says() {
    let (mut server, ..) = world();
    connect(&server);
    assert!(server.keeps("Intranet"), "the connection itself is there");
    for canary in [
        PASSWORD,
        "horse battery",
        "Y29ycmVjdCBob3JzZSBiYXR0ZXJ5",
        "636f727265637420686f727365",
    ] {
        assert!(!server.keeps(canary), "{canary}");
        assert!(!server.errors().contains(canary), "{canary}");
    }
    server.stop();
}

#[test]
fn a_server_without_the_key_of_what_is_sealed_does_not_start() {
    let (mut server, file, folder) = world();
    connect(&server);
    server.stop();
    let host = checklist_tests::setup::key_file(folder.path(), &HostKey::of("north"));
    let host = host.display().to_string();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--embed-key", &host];
    let without = server.run(&serve);
    assert!(!without.status.success(), "{}", without.said);
    assert!(
        without.said.contains("first") && without.said.contains("--vault-key"),
        "{}",
        without.said
    );

    std::fs::remove_file(&file).expect("the test's own file");
    new_key(&file, "other");
    let key = file.display().to_string();
    let other = server.run(&[&serve[..], &["--vault-key", &key]].concat());
    assert!(
        !other.status.success() && other.said.contains("first"),
        "{}",
        other.said
    );
}

#[test]
fn a_key_is_changed_and_the_old_one_dropped_with_nothing_lost() {
    let (mut server, file, _folder) = world();
    let id = connect(&server);
    new_key(&file, "second");
    server.restart();
    assert!(has_password(&server, &id), "the old key still opens");
    let key = file.display().to_string();
    let rotated = server.run(&["vault", "rotate", "--vault-key", &key]);
    assert!(rotated.status.success(), "{}", rotated.said);
    assert!(rotated.said.contains("1 of 1"), "{}", rotated.said);
    let again = server.run(&["vault", "rotate", "--vault-key", &key]);
    assert!(again.said.contains("0 of 1"), "{}", again.said);

    let text = std::fs::read_to_string(&file).expect("the key file");
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("first "))
        .collect();
    std::fs::write(&file, kept.join("\n")).expect("the test's own file");
    server.restart();
    assert!(has_password(&server, &id), "the new key opens all");
}

#[test]
fn a_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    let (mut server, file, folder) = world();
    server.stop();
    let open = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&file, open).expect("the test's own file");
    let host = checklist_tests::setup::key_file(folder.path(), &HostKey::of("north"));
    let refused = server.run(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--embed-key",
        &host.display().to_string(),
        "--vault-key",
        &file.display().to_string(),
    ]);
    assert!(!refused.status.success());
    assert!(refused.said.contains("chmod 600"), "{}", refused.said);
}

#[test]
fn the_activities_are_commands_too() {
    let site = SiteServer::start(Options::default()).expect("a site server");
    let (server, ..) = world();
    let run = |activity: &str, more: &[&str]| {
        let url = site.site_url();
        let origin = site.origin();
        let mut arguments = vec!["site", activity, "--tenant", "north", "--url", &url];
        arguments.extend(["--authentication", "Anonymous", "--allow-origin", &origin]);
        arguments.extend(more);
        server.run(&arguments)
    };
    let answer = |activity: &str, more: &[&str]| -> Value {
        let ended = run(activity, more);
        assert!(ended.status.success(), "{activity}: {}", ended.said);
        let begin = ended.said.find('{').expect("JSON");
        serde_json::from_str(&ended.said[begin..]).expect("JSON")
    };
    let connection = answer("EstablishSiteConnection", &[]);
    assert!(connection["Connection"]["Handle"].is_string());
    let list = ["--list", "Computers"];
    let added = answer(
        "AddSiteItem",
        &[&list[..], &["--field", "Title=PC-0815"]].concat(),
    );
    let id = added["ItemId"].to_string();
    let item = ["--list", "Computers", "--item", &id];
    let read = answer("GetSiteItem", &item);
    assert_eq!(read["Result"]["Title"]["Value"], "PC-0815");
    answer(
        "EditSiteItem",
        &[&item[..], &["--field", "Title=PC-4711"]].concat(),
    );
    let found = answer(
        "GetSiteItems",
        &[&list[..], &["--filter", "Title=PC-4711"]].concat(),
    );
    assert_eq!(found["Result"].as_array().map(Vec::len), Some(1));
    // The column decides what a text means: text stays text to the letter.
    let set: Vec<&str> = [
        "Model=1.10",
        "SerialNumber=007",
        "OperatingSystem=1e5",
        "Notes=null",
    ]
    .into_iter()
    .chain(["MemoryGB=16.50", "PurchaseDate=2026-01-31"])
    .flat_map(|field| ["--field", field])
    .collect();
    answer("EditSiteItem", &[&item[..], &set].concat());
    let read = answer("GetSiteItem", &item);
    for (name, value) in [
        ("Model", serde_json::json!("1.10")),
        ("SerialNumber", serde_json::json!("007")),
        ("OperatingSystem", serde_json::json!("1e5")),
        ("Notes", serde_json::json!("null")),
        ("MemoryGB", serde_json::json!(16.5)),
        ("PurchaseDate", serde_json::json!("2026-01-31")),
    ] {
        assert_eq!(read["Result"][name]["Value"], value, "{name}");
    }
    let json = ["--field-json", "Notes=null", "--field", "Model=true"];
    answer("EditSiteItem", &[&item[..], &json].concat());
    let found = answer(
        "GetSiteItems",
        &[&list[..], &["--filter", "Model=true"]].concat(),
    );
    assert_eq!(found["Result"][0]["Notes"]["Value"], Value::Null);
    let found = answer(
        "GetSiteItems",
        &[&list[..], &["--filter-json", "MemoryGB=16.5"]].concat(),
    );
    assert_eq!(found["Result"].as_array().map(Vec::len), Some(1));
    let lists = answer("lists", &[]);
    assert_eq!(lists["Lists"][2]["Title"], "Computers");
    assert_eq!(lists["Lists"][2]["ItemCount"], 1);
    let columns = answer("columns", &list);
    let title = columns["Columns"].as_array().unwrap().iter();
    let title = title.filter(|column| column["InternalName"] == "Title");
    assert_eq!(title.count(), 1, "{columns}");
    answer("DeleteSiteItem", &item);
    let gone = run("GetSiteItem", &item);
    assert!(!gone.status.success());
    assert!(gone.said.contains("ItemNotFound"), "{}", gone.said);
}

#[test]
fn a_new_key_of_the_same_name_does_not_pass_for_the_one_that_has_sealed() {
    let (mut server, file, folder) = world();
    connect(&server);
    server.stop();
    std::fs::remove_file(&file).expect("the test's own file");
    let key = file.display().to_string();
    if server.postgres().is_none() {
        let refused = server.run(&["vault", "new-key", "--name", "first", &key]);
        assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
        assert!(refused.said.contains("would open none"), "{}", refused.said);
    }
    new_key(&file, "first");
    let host = checklist_tests::setup::key_file(folder.path(), &HostKey::of("north"));
    let host = host.display().to_string();
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--embed-key",
        &host,
        "--vault-key",
        &key,
    ];
    let refused = server.run(&serve);
    assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
    assert!(
        refused.said.contains("opens none of them"),
        "{}",
        refused.said
    );
}

#[test]
fn a_key_that_has_sealed_only_what_signs_the_audit_trail_is_missed_too() {
    let (mut server, file, folder) = world();
    if server.postgres().is_some() {
        return; // Its copies are made by its own tools.
    }
    let admin = server.as_admin().on(&incident("1"));
    until("the first checkpoint to be signed", || {
        (admin.get("Audit/Checkpoint").status == 200).then_some(())
    });
    server.stop();
    let (copy, back) = (folder.path().join("copy"), folder.path().join("back"));
    let run = |command: &str, from: &Path, to: &Path| {
        let mut command_line = program();
        command_line.arg(command);
        match command {
            "backup" => command_line.arg("--data-dir").args([from, to]),
            _ => command_line.arg(from).arg("--data-dir").arg(to),
        };
        let done = command_line.output().expect("the program runs");
        assert!(done.status.success(), "{done:?}");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    run("backup", &server.data_dir(), &copy);
    let said = run("restore", &copy, &back);
    assert!(said.contains("MISSING: the vault key first"), "{said}");

    std::fs::remove_file(&file).expect("the test's own file");
    let key = file.display().to_string();
    let refused = server.run(&["vault", "new-key", "--name", "other", &key]);
    assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
    assert!(refused.said.contains("would open none"), "{}", refused.said);
}

#[test]
fn nothing_is_sealed_with_a_key_that_the_running_server_does_not_have() {
    let (mut server, file, _folder) = world();
    let id = connect(&server);
    if server.postgres().is_some() {
        return; // What a node on another machine was started with cannot be seen.
    }
    new_key(&file, "second");
    let key = file.display().to_string();
    let rotate = ["vault", "rotate", "--vault-key", &key];
    let refused = server.run(&rotate);
    assert_eq!(refused.status.code(), Some(2), "{}", refused.said);
    assert!(refused.said.contains("Start it again"), "{}", refused.said);
    assert!(has_password(&server, &id));
    server.restart();
    let rotated = server.run(&rotate);
    assert!(rotated.status.success(), "{}", rotated.said);
    assert!(has_password(&server, &id));
}
