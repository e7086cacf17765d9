//! What a call pays for being a tool's: the same reading and the same writing over HTTP, and by the
//! Model Context Protocol, by one caller on one server.
//!
//! The two take turns, so that the disk's moods meet both alike.

use std::io;

use serde_json::{Value, json};

use super::load::{Measured, ask, write};
use super::product::{Product, context};
use super::run::{Plan, tell, tick_of};

/// Runs the plan and prints a table.
///
/// # Errors
/// When the server answers with anything but success.
pub async fn run(plan: Plan) -> io::Result<()> {
    let product = tokio::task::block_in_place(|| Product::start(plan.on));
    let mut measured: [Vec<Measured>; 4] = Default::default();
    let calls = [
        Call::Web("GetItems"),
        Call::Tool("read_list"),
        Call::Web("UpdateItems"),
        Call::Tool("comment"),
    ];
    for round in 0..plan.rounds {
        for (call, measured) in calls.into_iter().zip(&mut measured) {
            measured.push(ask_call(&product, plan, call, round).await?);
        }
    }
    println!("\n--- mcp, {:?} ---", plan.on);
    println!("{:<34} {:>9} {:>9} {:>9}", "", "per s", "p50 ms", "p99 ms");
    let [read, read_tool, note, note_tool] = [0, 1, 2, 3].map(|n| {
        let (Call::Web(name) | Call::Tool(name)) = calls[n];
        tell(name, &measured[n])
    });
    println!(
        "\nratio of the medians: read {:.2}, note {:.2}",
        read_tool / read,
        note_tool / note
    );
    Ok(())
}

/// How something is asked for.
#[derive(Clone, Copy)]
enum Call {
    /// By a web service.
    Web(&'static str),
    /// By a tool of the Model Context Protocol.
    Tool(&'static str),
}

async fn ask_call(product: &Product, plan: Plan, call: Call, round: usize) -> io::Result<Measured> {
    let ids = product.ids.clone();
    let (head, writes) = match call {
        Call::Web(name) => (product.head(name), name == "UpdateItems"),
        Call::Tool(name) => (tool_head(product, name), name == "comment"),
    };
    let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
        let (list, item, _) = tick_of(connection, n);
        let (context, id) = (context(list), &ids[list][item]);
        let text = format!("Note {n} of round {round}");
        let body = match call {
            Call::Web(_) if writes => {
                json!({ "Context": context, "Items": [{ "Id": id, "Note": text }] })
            }
            Call::Web(_) => json!({ "Context": context }),
            Call::Tool(name) if writes => {
                tool(name, json!({ "Context": context, "Id": id, "Note": text }))
            }
            Call::Tool(name) => tool(name, json!({ "Context": context })),
        };
        write(request, &head, &body.to_string());
    };
    ask(&product.server.address, plan.connections, plan.time, next).await
}

fn tool_head(product: &Product, name: &str) -> String {
    let head = product.head("mcp").replace(crate::API, "");
    format!(
        "{head}Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         MCP-Method: tools/call\r\nMCP-Name: {name}\r\n"
    )
}

fn tool(name: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": name, "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
            },
        },
    })
}
