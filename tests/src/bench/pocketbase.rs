//! PocketBase doing the same small job: lists of items in one SQLite file, read whole and ticked.
//!
//! Its own defaults, its log among them, and every favour: anybody may read and tick, so nobody is
//! signed in or looked up, an index finds the items of a list, nothing is counted along. It writes no
//! journal and no audit trail, knows no operation ids, and its default (`synchronous=NORMAL`) answers
//! a tick before it is on the disk. Started by `growth` where `CHECKLIST_POCKETBASE` names the program.

use std::io;
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::ITEMS;
use super::load::{ask_times, write};
use crate::client::{self, Http};
use crate::process::Process;
use crate::setup::free_address;
use crate::wait::until;

/// The items.
pub(super) const RECORDS: &str = "/api/collections/items/records";
/// Connections that fill it.
const FILLING: usize = 10;

/// A running one.
pub(super) struct PocketBase {
    pub(super) address: String,
    _process: Process,
    _directory: TempDir,
}

/// The id of a record: fifteen letters and digits, as it wants them.
pub(super) fn id_of(list: usize, item: usize) -> String {
    format!("{list:011}{item:04}")
}

/// Starts it with these lists, where it is there.
///
/// # Errors
/// It does not do what it is asked for.
pub(super) async fn start(lists: usize) -> io::Result<Option<PocketBase>> {
    let Some(program) = std::env::var_os("CHECKLIST_POCKETBASE") else {
        println!("without PocketBase: CHECKLIST_POCKETBASE names no program");
        return Ok(None);
    };
    let directory = TempDir::new()?;
    let (mail, password) = ("bench@example.org", "only for this bench");
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).arg("--dir");
        command.arg(directory.path().join("data"));
        for (option, folder) in [
            ("--publicDir", "public"),
            ("--hooksDir", "hooks"),
            ("--migrationsDir", "migrations"),
        ] {
            command.arg(option).arg(directory.path().join(folder));
        }
        command
    };
    let made = command(&["superuser", "upsert", mail, password]).output()?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        return Err(io::Error::other(said));
    }
    let address = free_address();
    let process = Process::start(&mut command(&["serve", "--http", &address]));
    let token = tokio::task::block_in_place(|| {
        let token = sign_in(&address, mail, password)?;
        make_collection(&address, &token).map(|()| token)
    })?;
    fill(&address, &token, lists).await?;
    Ok(Some(PocketBase {
        address,
        _process: process,
        _directory: directory,
    }))
}

/// Also waits until it answers.
fn sign_in(address: &str, mail: &str, password: &str) -> io::Result<String> {
    let health = Http::to(&format!("http://{address}")).request(Method::GET, "/api/health");
    until("PocketBase answers", || {
        client::try_send(health.try_clone()?).ok()
    });
    let who = json!({ "identity": mail, "password": password });
    let path = "/api/collections/_superusers/auth-with-password";
    let answer = send(address, path, "", &who)?;
    Ok(answer["token"].as_str().unwrap_or("").to_owned())
}

fn make_collection(address: &str, token: &str) -> io::Result<()> {
    // A rule without a text lets everybody.
    let collection = json!({
        "name": "items", "type": "base", "listRule": "", "viewRule": "", "updateRule": "",
        "fields": [
            { "name": "list", "type": "number" },
            { "name": "text", "type": "text" },
            { "name": "status", "type": "select", "values": ["Open", "Done"], "maxSelect": 1 }
        ],
        "indexes": ["CREATE INDEX items_by_list ON items (list)"]
    });
    send(address, "/api/collections", token, &collection).map(|_| ())
}

fn send(address: &str, path: &str, token: &str, body: &Value) -> io::Result<Value> {
    let http = Http::to(&format!("http://{address}"));
    let request = http
        .request(Method::POST, path)
        .header("authorization", token);
    let answer = client::try_send(client::json(request, body)).map_err(io::Error::other)?;
    if answer.status == 200 {
        return Ok(answer.json());
    }
    Err(io::Error::other(answer.text().to_owned()))
}

async fn fill(address: &str, token: &str, lists: usize) -> io::Result<()> {
    let head = format!(
        "POST {RECORDS} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {token}\r\nContent-Type: application/json\r\n"
    );
    let each = (lists * ITEMS).div_ceil(FILLING);
    let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        let record = connection * each + n as usize;
        let (list, item) = (record / ITEMS, record % ITEMS);
        let text = format!("Item number {item} of the list, with a text of usual length");
        let id = id_of(list, item);
        let body = json!({ "id": id, "list": list, "text": text, "status": "Open" });
        write(request, &head, &body.to_string());
    };
    ask_times(address, FILLING, each as u64, next)
        .await
        .map(|_| ())
}
