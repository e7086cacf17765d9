//! Fills a store through the product's own API, list by list.

use std::io;
use std::time::Instant;

use super::ITEMS;
use super::load::{ask_times, write};
use super::product::{Product, context};

/// Connections that fill the store.
const FILLING: usize = 32;
/// Lists that are written before it is said how far it is.
const A_STEP: usize = 25_000;

/// Writes the lists from one number to another for the first time, each with all of its items, as
/// people do, and with the changes of `items`, JSON objects with commas between them; gives how many
/// lists a second. They carry no operation id: of old lists none is remembered.
///
/// # Errors
/// When the server answers with anything but success.
pub(super) async fn fill(
    product: &Product,
    from: usize,
    to: usize,
    items: impl Fn(usize) -> String + Clone + Send + Sync + 'static,
) -> io::Result<f64> {
    let begun = Instant::now();
    let mut first = from;
    while first < to {
        let end = (first + A_STEP).min(to);
        // A fresh token each time, because none lives for long.
        let head = product.head("UpdateItems");
        let each = (end - first).div_ceil(FILLING);
        let items = items.clone();
        let next = move |connection: usize, n: u64, request: &mut Vec<u8>| {
            // The last ones are written twice where it does not come out even.
            let list = (first + connection * each + n as usize).min(end - 1);
            let (context, items) = (context(list), items(list));
            let body = format!(r#"{{"Context":{context},"LogInJournal":true,"Items":[{items}]}}"#);
            write(request, &head, &body);
        };
        ask_times(&product.server.address, FILLING, each as u64, next).await?;
        first = end;
        println!(
            "filled: {} lists, {} items, {:.0} s",
            end,
            end * ITEMS,
            begun.elapsed().as_secs_f64()
        );
    }
    Ok((to - from.min(to)) as f64 / begun.elapsed().as_secs_f64())
}
