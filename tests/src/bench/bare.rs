//! The bare program: axum, one writer thread with group commit, `synchronous=FULL`, nothing else.
//!
//! Started by `bench` as a process of its own. Two calls: `GET /items/{list}` and
//! `POST /tick {"List", "Item", "Done"}`.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use axum::extract::{Path as Segment, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::{Connection, Error, params};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::ITEMS;

/// Ticks that one commit may carry.
const GROUP: usize = 256;
/// Lists that are made in one commit.
const IN_ONE_COMMIT: usize = 10_000;
/// Connections that read.
const READERS: usize = 4;

struct Tick {
    list: i64,
    item: i64,
    done: bool,
    answer: oneshot::Sender<Result<i64, Error>>,
}

struct Program {
    writer: Mutex<Sender<Tick>>,
    readers: Vec<Mutex<Connection>>,
}

/// Serves that many lists until the process is ended; says where on stdout.
///
/// # Panics
/// When the directory cannot be used: a benchmark without its yardstick measures nothing.
pub async fn serve(directory: &Path, lists: usize) {
    let file = directory.join("bare.db");
    prepare(&file, lists).expect("a fresh database");
    let (writer, ticks) = channel();
    let connection = open(&file).expect("the fresh database opens");
    std::thread::spawn(move || write(&connection, &ticks));
    let readers = (0..READERS)
        .map(|_| Mutex::new(open(&file).expect("the fresh database opens")))
        .collect();
    let program = Arc::new(Program {
        writer: Mutex::new(writer),
        readers,
    });
    let routes = Router::new()
        .route("/items/{list}", get(items))
        .route("/tick", post(tick))
        .with_state(program);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port on this machine");
    println!(
        "listening on http://{}",
        listener
            .local_addr()
            .expect("a bound listener has an address")
    );
    axum::serve(listener, routes)
        .await
        .expect("nothing ends the listener");
}

fn open(file: &Path) -> Result<Connection, Error> {
    let connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.set_prepared_statement_cache_capacity(16);
    Ok(connection)
}

fn prepare(file: &Path, lists: usize) -> Result<(), Error> {
    let mut connection = open(file)?;
    connection.execute_batch(
        "CREATE TABLE list (id INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
         CREATE TABLE item (list INTEGER NOT NULL, id INTEGER NOT NULL, text TEXT NOT NULL, status TEXT NOT NULL,
                            version INTEGER NOT NULL, PRIMARY KEY (list, id)) WITHOUT ROWID;",
    )?;
    let lists: Vec<i64> = (0..lists as i64).collect();
    for some in lists.chunks(IN_ONE_COMMIT) {
        let transaction = connection.transaction()?;
        for &list in some {
            transaction
                .prepare_cached("INSERT INTO list VALUES (?1, 0)")?
                .execute([list])?;
            for item in 0..ITEMS as i64 {
                let text = format!("Item number {item} of the list, with a text of usual length");
                transaction
                    .prepare_cached("INSERT INTO item VALUES (?1, ?2, ?3, 'Open', 1)")?
                    .execute(params![list, item, text])?;
            }
        }
        transaction.commit()?;
        // Whoever waits for the address hears that it goes on.
        println!("made {} lists", some.len());
    }
    Ok(())
}

/// Takes what has queued up into one commit, and answers after it.
fn write(connection: &Connection, ticks: &Receiver<Tick>) {
    while let Ok(first) = ticks.recv() {
        let group: Vec<Tick> = std::iter::once(first)
            .chain(ticks.try_iter().take(GROUP - 1))
            .collect();
        let mut done = Vec::with_capacity(group.len());
        let mut commit = || -> Result<(), Error> {
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            for tick in &group {
                done.push(set(connection, tick));
            }
            connection.prepare_cached("COMMIT")?.execute([])?;
            Ok(())
        };
        commit().expect("the yardstick commits");
        for (tick, result) in group.into_iter().zip(done) {
            // Who asked may have gone meanwhile.
            let _ = tick.answer.send(result);
        }
    }
}

fn set(connection: &Connection, tick: &Tick) -> Result<i64, Error> {
    let status = if tick.done { "Done" } else { "Open" };
    connection
        .prepare_cached(
            "UPDATE item SET status = ?3, version = version + 1 WHERE list = ?1 AND id = ?2",
        )?
        .execute(params![tick.list, tick.item, status])?;
    connection
        .prepare_cached("UPDATE list SET revision = revision + 1 WHERE id = ?1 RETURNING revision")?
        .query_row([tick.list], |row| row.get(0))
}

async fn tick(
    State(program): State<Arc<Program>>,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    let number = |key: &str| body[key].as_i64().ok_or(StatusCode::UNPROCESSABLE_ENTITY);
    let (answer, answered) = oneshot::channel();
    let tick = Tick {
        list: number("List")?,
        item: number("Item")?,
        done: body["Done"] == true,
        answer,
    };
    program
        .writer
        .lock()
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?
        .send(tick)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    match answered.await {
        Ok(Ok(revision)) => Ok(Json(json!({ "Revision": revision }))),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn items(
    State(program): State<Arc<Program>>,
    Segment(list): Segment<i64>,
) -> impl IntoResponse {
    let read = || -> Result<String, Error> {
        let free = program
            .readers
            .iter()
            .find_map(|reader| reader.try_lock().ok());
        let reader = match free {
            Some(reader) => reader,
            None => match program.readers[0].lock() {
                Ok(reader) => reader,
                Err(_) => return Err(Error::InvalidQuery),
            },
        };
        let mut statement = reader.prepare_cached(
            "SELECT id, text, status, version FROM item WHERE list = ?1 ORDER BY id",
        )?;
        let rows = statement.query_map([list], |row| {
            Ok(json!({
                "Id": row.get::<_, i64>(0)?, "Text": row.get::<_, String>(1)?,
                "Status": row.get::<_, String>(2)?, "Version": row.get::<_, i64>(3)?
            }))
        })?;
        Ok(Value::Array(rows.collect::<Result<_, _>>()?).to_string())
    };
    match read() {
        Ok(text) => Ok(([(header::CONTENT_TYPE, "application/json")], text)),
        Err(_) => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
