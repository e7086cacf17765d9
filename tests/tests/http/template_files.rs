//! `checklist-server template`: templates as files, compared with a server and brought there.

use std::fs;
use std::path::Path;

use checklist_tests::client::Http;
use checklist_tests::process::{Ended, Process};
use checklist_tests::setup::program;
use checklist_tests::template::{fragment, item, publish, required};
use checklist_tests::{HostKey, Server, Setup, incident};
use serde_json::{Value, json};
use tempfile::TempDir;

struct World {
    server: Server,
    /// An API key of the least role that the commands need.
    key: String,
    folder: TempDir,
}

impl World {
    /// A server whose base URL has a path, with one published template.
    fn new() -> Self {
        let server = Setup::for_hosts(&[HostKey::of("north")])
            .below("/desk")
            .start();
        publish(
            &server,
            &fragment("move", [item("keys", "Hand over the keys")]),
        );
        let admin = server.as_admin().on(&incident("1"));
        Self {
            key: admin.program("Deploy", &["template-admin"]).token,
            server,
            folder: TempDir::new().expect("a folder"),
        }
    }

    fn run_as(&self, key: &str, arguments: &[&str]) -> Ended {
        let mut command = program();
        command
            .arg("template")
            .args(arguments)
            .args(["--server", &self.server.base_url()])
            .arg(self.folder.path())
            .env("CHECKLIST_API_KEY", key);
        Process::start(&mut command).ended()
    }

    #[track_caller]
    fn ends_with(&self, code: i32, arguments: &[&str]) -> String {
        let ended = self.run_as(&self.key, arguments);
        assert_eq!(
            ended.status.code(),
            Some(code),
            "{arguments:?}: {}",
            ended.said
        );
        ended.said
    }

    fn write(&self, name: &str, template: &Value) {
        let file = self.folder.path().join(name);
        fs::write(file, template.to_string()).expect("written");
    }

    fn read(&self, name: &str) -> Value {
        read(&self.folder.path().join(name))
    }

    fn published(&self, id: &str) -> Value {
        let admin = self.server.as_admin().on(&incident("1"));
        admin.get(&format!("Templates/{id}")).ok()["Published"].clone()
    }
}

fn read(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).expect("a file")).expect("JSON")
}

#[test]
fn what_was_exported_changes_nothing_and_what_was_edited_is_told_and_published_once() {
    let world = World::new();
    let key = world.folder.path().join("deploy.key");
    fs::write(&key, format!("{}\n", world.key)).expect("written");
    let key = key.to_str().expect("a path");
    // The file is taken, and not the variable.
    let ended = world.run_as("ck_nobody", &["export", "--api-key-file", key]);
    assert!(ended.said.contains("move.json"), "{}", ended.said);
    let mut template = world.read("move.json");
    assert!(template.get("Version").is_none(), "{template}");
    assert!(
        world
            .ends_with(0, &["diff"])
            .contains("1 template, unchanged")
    );

    template["Items"] = json!([
        { "Key": "keys", "Text": { "en": "Hand over the keys" }, "Required": true },
        { "Key": "door", "Text": { "en": "Lock the door" } },
    ]);
    world.write("move.json", &template);
    world.write(
        "leave.json",
        &fragment("a leave/1", [required(item("badge", "Return the badge"))]),
    );
    let said = world.ends_with(8, &["diff"]);
    for line in [
        "a leave/1: new, 1 item\n",
        "move: changed",
        "~ keys: Required",
        "+ door: Lock the door",
        "\n2 of 2 templates would change.",
    ] {
        assert!(said.contains(line), "no {line:?} in {said}");
    }
    assert!(!said.contains("error"), "a change is no error: {said}");
    assert_eq!(
        world.published("move")["Version"],
        1,
        "diff changes nothing"
    );

    let said = world.ends_with(0, &["apply"]);
    assert!(said.contains("move: version 2 published"), "{said}");
    assert_eq!(world.published("move")["Items"][1]["Key"], "door");
    assert_eq!(world.published("a%20leave%2F1")["Version"], 1);
    world.ends_with(0, &["diff"]);
    world.ends_with(0, &["apply"]);
    assert_eq!(world.published("move")["Version"], 2, "nothing had changed");
}

#[test]
fn the_examples_of_the_pages_are_published_without_a_warning_in_both_languages_of_the_pages() {
    let world = World::new();
    let http = Http::to(&world.server.base_url());
    let examples = http.get("/admin/assets/examples.json").ok();
    let examples = examples["Templates"].as_array().expect("templates");
    assert_eq!(examples.len(), 8);
    for example in examples {
        let id = example["Id"].as_str().expect("an id");
        world.write(&format!("{id}.json"), example);
        let items = example["Items"].as_array().expect("items");
        for text in items
            .iter()
            .map(|item| &item["Text"])
            .chain([&example["Name"]])
        {
            assert!(
                text["en"].is_string() && text["de"].is_string(),
                "{id}: {text}"
            );
        }
    }
    let said = world.ends_with(0, &["apply"]);
    assert_eq!(said.matches("version 1 published").count(), 8, "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_draft_of_somebody_else_is_kept_unless_it_is_to_be_replaced() {
    let world = World::new();
    let admin = world.server.as_admin().on(&incident("1"));
    let theirs = fragment("move", [item("keys", "Post the keys")]);
    admin.put("Templates/move", &theirs).ok();
    world.write(
        "move.json",
        &fragment("move", [item("keys", "Hang up the keys")]),
    );
    world.write(
        "leave.json",
        &fragment("leave", [item("badge", "Return the badge")]),
    );

    let said = world.ends_with(1, &["apply"]);
    assert!(said.contains("another draft of move"), "{said}");
    admin
        .get("Templates/leave")
        .refused(404, "TemplateNotFound");
    let draft = || admin.get("Templates/move").ok()["Draft"].clone();
    assert_eq!(draft()["Items"][0]["Text"]["en"], "Post the keys");

    world.ends_with(0, &["apply", "--replace-drafts", "--drafts-only"]);
    assert_eq!(draft()["Items"][0]["Text"]["en"], "Hang up the keys");
    assert_eq!(world.published("move")["Version"], 1, "a draft only");
    let rows = admin.audit().len();
    world.ends_with(0, &["apply", "--drafts-only"]);
    assert_eq!(admin.audit().len(), rows, "the drafts are there already");
}

#[test]
fn one_bad_file_is_named_with_its_place_and_nothing_is_changed() {
    let world = World::new();
    world.write("a.json", &fragment("a", [item("keys", "Hang up the keys")]));
    let mut twice = fragment("z", [item("one", "One"), item("one", "Two")]);
    world.write("z.json", &twice);
    let said = world.ends_with(2, &["apply"]);
    assert!(
        said.contains("z.json is not a valid template: /Items/1/Key"),
        "{said}"
    );
    assert!(!said.contains(".."), "one full stop: {said}");
    twice["Itms"] = json!([]);
    world.write("z.json", &twice);
    assert!(world.ends_with(2, &["apply"]).contains("Itms"));
    let admin = world.server.as_admin().on(&incident("1"));
    admin.get("Templates/a").refused(404, "TemplateNotFound");

    fs::remove_file(world.folder.path().join("z.json")).expect("removed");
    world.write("same.json", &fragment("a", [item("keys", "Post the keys")]));
    assert!(world.ends_with(2, &["diff"]).contains("the same Id as"));
}

#[test]
fn who_may_not_write_templates_and_what_is_no_server_is_said() {
    let world = World::new();
    world.write(
        "move.json",
        &fragment("move", [item("keys", "Hang up the keys")]),
    );
    let key = world.server.add_key("north", "Reader", "reader");
    let ended = world.run_as(&key, &["apply"]);
    assert_eq!(ended.status.code(), Some(1), "{}", ended.said);
    assert!(
        ended.said.contains("permission Templates"),
        "{}",
        ended.said
    );
    let ended = world.run_as("ck_nobody", &["diff"]);
    assert!(ended.said.contains("key add"), "{}", ended.said);
    let mut elsewhere = program();
    elsewhere
        .args(["template", "diff", "--server"])
        .arg(format!("http://{}/elsewhere", world.server.address))
        .arg(world.folder.path())
        .env(
            "CHECKLIST_API_KEY",
            world.server.admin_key("north", "Deploy"),
        );
    let ended = Process::start(&mut elsewhere).ended();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.said);
}
