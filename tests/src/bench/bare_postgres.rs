//! The bare program on PostgreSQL: axum, tokio-postgres, deadpool, a transaction each, nothing else.
//!
//! Started by `bench` as a process of its own. Answers the same two calls as `bare`.

use std::sync::Arc;

use axum::extract::{Path as Segment, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod};
use serde_json::{Value, json};
use tokio_postgres::{Config, NoTls};

use super::ITEMS;

/// As many as the product opens.
const CONNECTIONS: usize = 10;
/// Lists that are made in one commit.
const IN_ONE_COMMIT: usize = 10_000;

/// Serves that many lists until the process is ended; says where on stdout.
///
/// # Panics
/// When the database cannot be used: a benchmark without its yardstick measures nothing.
pub async fn serve(url: &str, lists: usize) {
    let config: Config = url.parse().expect("a URL");
    let manager = Manager::from_config(
        config,
        NoTls,
        ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        },
    );
    let pool = Pool::builder(manager)
        .max_size(CONNECTIONS)
        .build()
        .expect("a pool");
    prepare(&pool, lists).await.expect("a fresh database");
    let routes = Router::new()
        .route("/items/{list}", get(items))
        .route("/tick", post(tick))
        .with_state(Arc::new(pool));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port on this machine");
    let address = listener
        .local_addr()
        .expect("a bound listener has an address");
    println!("listening on http://{address}");
    axum::serve(listener, routes)
        .await
        .expect("nothing ends the listener");
}

async fn prepare(pool: &Pool, lists: usize) -> Result<(), PoolError> {
    let client = pool.get().await?;
    client
        .batch_execute(
            "CREATE TABLE list (id BIGINT PRIMARY KEY, revision BIGINT NOT NULL);
             CREATE TABLE item (list BIGINT NOT NULL, id BIGINT NOT NULL, text TEXT NOT NULL, status TEXT NOT NULL,
                                version BIGINT NOT NULL, PRIMARY KEY (list, id));",
        )
        .await?;
    for first in (0..lists).step_by(IN_ONE_COMMIT) {
        let last = (first + IN_ONE_COMMIT).min(lists) - 1;
        let sql = format!(
            "INSERT INTO list SELECT n, 0 FROM generate_series({first}, {last}) n;
             INSERT INTO item SELECT l, i, 'Item number ' || i || ' of the list, with a text of usual length', 'Open', 1
             FROM generate_series({first}, {last}) l, generate_series(0, {ITEMS} - 1) i;"
        );
        client.batch_execute(&sql).await?;
        // Whoever waits for the address hears that it goes on.
        println!("made lists up to {last}");
    }
    Ok(())
}

async fn set(pool: &Pool, list: i64, item: i64, done: bool) -> Result<i64, PoolError> {
    let mut client = pool.get().await?;
    let transaction = client.transaction().await?;
    let status = if done { "Done" } else { "Open" };
    let update = transaction
        .prepare_cached(
            "UPDATE item SET status = $3, version = version + 1 WHERE list = $1 AND id = $2",
        )
        .await?;
    transaction
        .execute(&update, &[&list, &item, &status])
        .await?;
    let count = transaction
        .prepare_cached("UPDATE list SET revision = revision + 1 WHERE id = $1 RETURNING revision")
        .await?;
    let row = transaction.query_one(&count, &[&list]).await?;
    transaction.commit().await?;
    Ok(row.try_get(0)?)
}

async fn tick(
    State(pool): State<Arc<Pool>>,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    let number = |key: &str| body[key].as_i64().ok_or(StatusCode::UNPROCESSABLE_ENTITY);
    let revision = set(
        &pool,
        number("List")?,
        number("Item")?,
        body["Done"] == true,
    )
    .await
    .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(json!({ "Revision": revision })))
}

async fn read(pool: &Pool, list: i64) -> Result<String, PoolError> {
    let client = pool.get().await?;
    let select = client
        .prepare_cached("SELECT id, text, status, version FROM item WHERE list = $1 ORDER BY id")
        .await?;
    let rows = client.query(&select, &[&list]).await?;
    let items = rows.iter().map(|row| {
        json!({
            "Id": row.get::<_, i64>(0), "Text": row.get::<_, &str>(1),
            "Status": row.get::<_, &str>(2), "Version": row.get::<_, i64>(3)
        })
    });
    Ok(Value::Array(items.collect()).to_string())
}

async fn items(State(pool): State<Arc<Pool>>, Segment(list): Segment<i64>) -> impl IntoResponse {
    match read(&pool, list).await {
        Ok(text) => Ok(([(header::CONTENT_TYPE, "application/json")], text)),
        Err(_) => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
