//! What stands below a list stays where it is while the list loads: the room is kept that the list
//! took when it was shown last, or that the page gives.
//! Each page has content below its element, because nothing else can be seen to move.

use checklist_tests::browser::Stage;
use checklist_tests::incident;
use checklist_tests::template::item;

/// Adds up what moves on the page.
const WATCH: &str = "window.shift = 0; window.moved = []; new PerformanceObserver((list) => {\
    for (const entry of list.getEntries()) {\
      if (entry.hadRecentInput) continue;\
      shift += entry.value;\
      for (const { node, previousRect, currentRect } of entry.sources)\
        moved.push(`${node?.className ?? node?.nodeName}: ${previousRect.top} to ${currentRect.top}`);\
    }\
  }).observe({ type: 'layout-shift', buffered: true });";

/// A page whose answers take a while, with something to read below the list.
#[track_caller]
fn open(stage: &Stage, style: &str) {
    let server = stage.server.base_url();
    stage.host.serve("/watch.js", "text/javascript", WATCH);
    stage.host.serve("/page.css", "text/css", style);
    let below: String = (0..12)
        .map(|n| format!("<p>What stands below the list: paragraph {n}.</p>"))
        .collect();
    stage.host.serve(
        "/",
        "text/html",
        &format!(
            "<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>Incident</title>\
             <meta name='viewport' content='width=device-width, initial-scale=1'>\
             <link rel='stylesheet' href='/page.css'><script src='/watch.js'></script>\
             <script type='module' blocking='render' src='{server}/control/checklist-control.js'></script></head>\
             <body><main><h1>Incident</h1>\
             <checklist-control id='list' {}></checklist-control>{below}</main></body></html>",
            stage.bound_to("1")
        ),
    );
    stage.browser.open(&format!("{}/", stage.host.origin));
}

#[track_caller]
fn is_still(stage: &Stage, about: &str) {
    // Two frames on, what was drawn last has been told.
    stage.browser.value(
        "(window.__late = false, requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { __late = true; }, 100))), null)",
    );
    stage.browser.until("window.__late === true");
    let shift = stage.browser.value("shift").as_f64().unwrap_or(1.0);
    assert!(
        shift < 0.02,
        "{about}: {shift} by {}",
        stage.browser.value("moved")
    );
}

#[track_caller]
fn shows(stage: &Stage, items: usize) {
    let control = stage.browser.control("#list");
    match items {
        0 => control.says("No items yet"),
        _ => control.shows_item(&format!("Item {}", items - 1)),
    }
}

#[test]
fn what_stands_below_a_list_that_was_shown_before_does_not_move() {
    for items in [0, 5, 50] {
        let stage = Stage::with((0..items).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
        for width in [1280, 390] {
            stage.browser.resize(width, 800);
            open(&stage, "");
            shows(&stage, items);
            stage.browser.until(
                "(localStorage.getItem('checklist-control heights') ?? '').includes(`[${Math.round(innerWidth / 50)},`)",
            );
            stage.browser.delay_network(150);
            stage.browser.reload();
            shows(&stage, items);
            is_still(&stage, &format!("{items} items at {width} px"));
        }
    }
}

#[test]
fn lists_of_a_kind_are_about_as_high() {
    let stage = Stage::with((0..5).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    open(&stage, "");
    shows(&stage, 5);
    stage
        .browser
        .until("(localStorage.getItem('checklist-control heights') ?? '').includes('incident')");
    let other = stage.bob().at(&incident("2"));
    other.tick("Item 0");
    stage.browser.delay_network(150);
    let page = format!("{}/", stage.host.origin);
    stage.browser.open(&format!("{page}?other"));
    shows(&stage, 5);
    is_still(&stage, "five items");
}

#[test]
fn the_page_can_give_the_room_of_a_list_that_was_never_shown() {
    let stage = Stage::with((0..50).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    stage.browser.delay_network(150);
    open(&stage, "checklist-control { --checklist-reserve: 2000px }");
    shows(&stage, 50);
    is_still(&stage, "fifty items");
}
