//! What it takes to find items, and what ticks pay for their being found: the first page of three
//! questions as one store grows, then ticks with the triggers that keep the tables of open and due
//! items, and without them.
//!
//! The servers with and without triggers take turns, so that the disk's moods meet both alike.

use std::io;
use std::time::Duration;

use serde_json::json;

use super::ITEMS;
use super::fill::fill;
use super::load::{Measured, ask, write};
use super::product::{Product, id_of};
use super::run::{On, Plan, ask_tick, median, tell};
use crate::place::incident;

/// Lists with an item that the caller is named for: one page.
const MINE: usize = 50;

/// What is asked: a name, and the filter.
const QUESTIONS: [(&str, &str); 3] = [
    // Few of many.
    ("open for me", r#"{"Assignee":"Me"}"#),
    // One item of every list.
    ("open for a team", r#"{"Assignee":"team"}"#),
    // The same items, by their due dates.
    ("late", r#"{"Late":true}"#),
];

/// The triggers that keep the tables, and the tables that they watch.
const TRIGGERS: [(&str, &[&str]); 3] = [
    (
        "item",
        &[
            "open_item_is_added",
            "open_item_changes",
            "open_item_is_reopened",
            "open_item_is_purged",
            "due_announcement_is_purged",
        ],
    ),
    ("open_item", &["due_item_is_added", "due_item_is_removed"]),
    ("checklist", &["due_notice_changes"]),
];

/// Finds items in a store that grows to each of the sizes, then measures ticks.
///
/// # Errors
/// When a server answers with anything but success, or finds less than a page.
pub async fn run(plan: Plan, sizes: &[usize]) -> io::Result<()> {
    println!("\n--- find, {:?} ---", plan.on);
    find(plan, sizes).await?;
    println!(
        "{:<34} {:>9} {:>9} {:>9}",
        "ticks", "per s", "p50 ms", "p99 ms"
    );
    for assigned in [true, false] {
        let with = tokio::task::block_in_place(|| ticked(plan.on, assigned, true));
        let without = tokio::task::block_in_place(|| ticked(plan.on, assigned, false));
        let (mut kept, mut plain): (Vec<Measured>, Vec<Measured>) = (Vec::new(), Vec::new());
        for round in 0..plan.rounds {
            kept.push(ask_tick(&with, plan, round).await?);
            plain.push(ask_tick(&without, plan, round).await?);
        }
        let kind = if assigned { "assigned, due" } else { "plain" };
        let kept = tell(&format!("{kind}: found by a table"), &kept);
        let plain = tell(&format!("{kind}: without triggers"), &plain);
        println!(
            "ratio of the medians: {:.2} (at least 0.95)\n",
            kept / plain
        );
    }
    Ok(())
}

async fn find(plan: Plan, sizes: &[usize]) -> io::Result<()> {
    let product = tokio::task::block_in_place(|| Product::without_lists(plan.on));
    println!(
        "{:<34} {:>9} {:>9} {:>9}",
        "first page of 50", "items", "p50 ms", "p99 ms"
    );
    let mut written = 0;
    let mut first: Vec<Duration> = Vec::new();
    for &size in sizes {
        let lists = (size / ITEMS).max(MINE);
        fill(&product, written, lists, named).await?;
        written = written.max(lists);
        for (place, (name, filter)) in QUESTIONS.into_iter().enumerate() {
            require_a_page(&product, filter)?;
            let mut rounds = Vec::new();
            for _ in 0..plan.rounds {
                rounds.push(ask_page(&product, plan.time, filter).await?);
            }
            let Some(measured) = median(&rounds) else {
                continue;
            };
            let smallest = *first.get(place).unwrap_or(&measured.median);
            if first.len() == place {
                first.push(measured.median);
            }
            let millis = |time: Duration| time.as_secs_f64() * 1000.0;
            println!(
                "{name:<34} {:>9} {:>9.2} {:>9.2}   {:.2} times the first size",
                lists * ITEMS,
                millis(measured.median),
                millis(measured.p99),
                measured.median.as_secs_f64() / smallest.as_secs_f64()
            );
        }
    }
    Ok(())
}

/// Of each list one item for a team, due at some time of the twelve years before 2026, and one for a
/// single person: the caller in the first lists, one of a thousand others in the rest.
fn named(list: usize) -> String {
    // Neighbours in time are none in the store.
    let spread = list.wrapping_mul(2_654_435_761) % (1 << 32);
    let (year, month, day) = (
        2_014 + spread % 12,
        1 + spread / 12 % 12,
        1 + spread / 144 % 28,
    );
    let person = if list < MINE {
        "bench".to_owned()
    } else {
        format!("person-{}", spread % 1_000)
    };
    format!(
        r#"{{"Id":"{}","Assignee":"team","Due":"{year}-{month:02}-{day:02}"}},{{"Id":"{}","Assignee":"{person}"}}"#,
        id_of(list, 0),
        id_of(list, 1)
    )
}

fn question(filter: &str) -> String {
    format!(r#"{{"Filter":{filter},"Limit":50}}"#)
}

/// What is measured is a page that is full.
fn require_a_page(product: &Product, filter: &str) -> io::Result<()> {
    let filter: serde_json::Value = serde_json::from_str(filter)?;
    // The administrator is not whom the items are for.
    let asked = if filter["Assignee"] == "Me" {
        json!({ "Assignee": "bench" })
    } else {
        filter.clone()
    };
    let found = tokio::task::block_in_place(|| {
        let admin = product.server.as_admin().on(&incident("0"));
        let body = json!({ "Filter": asked, "Limit": 50 });
        let answer = admin.send("FindItems", &body).ok();
        answer["Items"].as_array().map_or(0, Vec::len)
    });
    if found == 50 {
        return Ok(());
    }
    Err(io::Error::other(format!("{filter} finds {found} items")))
}

/// One caller asks for the first page, again and again.
async fn ask_page(product: &Product, time: Duration, filter: &str) -> io::Result<Measured> {
    let (head, body) = (product.head("FindItems"), question(filter));
    let next = move |_connection: usize, _n: u64, request: &mut Vec<u8>| {
        write(request, &head, &body);
    };
    ask(&product.server.address, 1, time, next).await
}

/// A server whose lists are written; all their items have an assignee and a due date, or none has. Without
/// triggers its tables are empty, so that nothing is swept either.
fn ticked(on: On, assigned: bool, has_triggers: bool) -> Product {
    let product = Product::start(on);
    if !has_triggers {
        for (table, triggers) in TRIGGERS {
            let names: Vec<String> = triggers.iter().map(|&name| name.to_owned()).collect();
            product.server.unguard(table, &names);
        }
    }
    if assigned {
        for (list, ids) in product.ids.iter().enumerate() {
            let person = product.server.as_admin().on(&incident(&list.to_string()));
            let item = |id| json!({ "Id": id, "Assignee": "team", "Due": "2030-01-01" });
            person.update(ids.iter().map(item).collect());
        }
    }
    product
}
