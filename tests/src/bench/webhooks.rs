//! What ticks pay for webhooks: the same ticks without any, with one that no tick concerns, and with
//! one that hears of every tick, once with a receiver that takes everything and once with none there.
//!
//! The four take turns on one server. A webhook is made for its turn and removed after it, with
//! whatever it had not been told yet, so that no turn pays for the one before.

use std::io;

use serde_json::json;

use super::load::Measured;
use super::product::Product;
use super::run::{Plan, ask_tick, median};
use crate::person::Person;
use crate::place::incident;
use crate::receiver::Receiver;
use crate::setup::free_address;

/// One of the four.
struct Turn {
    name: &'static str,
    /// What the webhook is told of, and whether somebody is there to be told; nothing for no webhook.
    webhook: Option<(&'static str, bool)>,
    measured: Vec<Measured>,
    /// What arrived while the ticks were made, a second.
    told: Vec<f64>,
}

/// Runs the plan and prints a table.
///
/// # Errors
/// When the server answers with anything but success.
pub async fn run(plan: Plan) -> io::Result<()> {
    let receiver = Receiver::open();
    let nobody = format!("http://{}", free_address());
    let product = tokio::task::block_in_place(|| {
        Product::start_as(plan.on, |setup| {
            let setup = setup.with_vault().argument("--allow-origin");
            let setup = setup.argument(&receiver.origin).argument("--allow-origin");
            setup.argument(&nobody)
        })
    });
    println!("\n--- webhooks, {:?} ---", plan.on);
    let turn = |name, webhook| Turn {
        name,
        webhook,
        measured: Vec::new(),
        told: Vec::new(),
    };
    let mut turns = [
        turn("no webhook", None),
        turn(
            "one that no tick concerns",
            Some(("template.published", true)),
        ),
        turn(
            "one that hears of every tick",
            Some(("journal.entry", true)),
        ),
        turn(
            "the same, and nobody is there",
            Some(("journal.entry", false)),
        ),
    ];
    let admin = tokio::task::block_in_place(|| product.server.as_admin().on(&incident("0")));
    let mut number = 0;
    for _ in 0..plan.rounds {
        for turn in &mut turns {
            let made = tokio::task::block_in_place(|| {
                turn.webhook.map(|(event, is_there)| {
                    let url = if is_there {
                        receiver.url()
                    } else {
                        format!("{nobody}/hooks")
                    };
                    make(&admin, &url, event)
                })
            });
            let before = receiver.count();
            let measured = ask_tick(&product, plan, number).await?;
            number += 1;
            turn.told
                .push((receiver.count() - before) as f64 / plan.time.as_secs_f64());
            turn.measured.push(measured);
            tokio::task::block_in_place(|| {
                if let Some(id) = made {
                    admin.about_webhooks().remove(&id).ok();
                }
            });
        }
    }
    tell(&turns);
    Ok(())
}

fn make(admin: &Person, url: &str, event: &str) -> String {
    let wish = json!({ "Name": "Bench", "Url": url, "Events": [event] });
    let made = admin.about_webhooks().send("", &wish).ok();
    made["Webhook"]["Id"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn tell(turns: &[Turn]) {
    println!(
        "{:<32} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "ticks", "per s", "p50 ms", "p99 ms", "of none", "told per s"
    );
    let rate = |turn: &Turn| median(&turn.measured).map_or(0.0, |measured| measured.rate);
    let none = turns.first().map_or(1.0, rate);
    for turn in turns {
        let Some(measured) = median(&turn.measured) else {
            continue;
        };
        let mut told = turn.told.clone();
        told.sort_by(f64::total_cmp);
        println!(
            "{:<32} {:>9.0} {:>9.2} {:>9.2} {:>9.2} {:>9.0}",
            turn.name,
            measured.rate,
            measured.median.as_secs_f64() * 1000.0,
            measured.p99.as_secs_f64() * 1000.0,
            measured.rate / none,
            told.get(told.len() / 2).copied().unwrap_or_default()
        );
    }
}
