//! Promise S4: no text that a person or a template sets is ever executed.
//!
//! Payloads of many kinds stand in every text of a list: items, help, sections, notes, reasons,
//! names of people. The pages that show them hold no policy that would save them.

use checklist_tests::browser::Stage;
use checklist_tests::promise;
use checklist_tests::template::{item, optional_to_apply, section, under, with};
use serde_json::{Value, json};

/// Whatever a payload calls, it is counted; so is a picture that is loaded or a frame that appears.
const TRAPS: &str = "window.__executed = 0; for (const name of ['alert', 'confirm', 'prompt', 'print', 'xss']) \
     window[name] = () => { window.__executed++; return true; };";

/// What could be taken for markup by whoever is careless: 300 texts and more.
fn payloads() -> Vec<String> {
    let mut all = Vec::new();
    let calls = ["alert(1)", "alert`1`", "top['al'+'ert'](1)", "window.xss()"];
    let handlers = [
        "onerror",
        "onload",
        "onfocus",
        "onmouseover",
        "onanimationstart",
        "ontoggle",
        "onpointerenter",
    ];
    for call in calls {
        for handler in handlers {
            all.push(format!("<img src=x {handler}={call}>"));
            all.push(format!("<svg {handler}={call}>"));
            all.push(format!("\" autofocus {handler}={call} x=\""));
            all.push(format!("' {handler}='{call}"));
            all.push(format!("<details open {handler}={call}>x</details>"));
        }
        for link in [
            "javascript:",
            "JaVaScRiPt:",
            " javascript:",
            "java\tscript:",
            "javascript\u{a0}:",
            "data:text/html,<script>",
            "vbscript:",
            "&#106;avascript:",
            "javascript&colon;",
        ] {
            all.push(format!("[link]({link}{call})"));
            all.push(format!("<a href=\"{link}{call}\">x</a>"));
            all.push(format!("[link](<{link}{call}>)"));
            all.push(format!("![picture]({link}{call})"));
        }
        for whole in [
            format!("<script>{call}</script>"),
            format!("</p><script>{call}</script>"),
            format!("<<script>script>{call}<</script>/script>"),
            format!("<iframe srcdoc=\"<script>parent.{call}</script>\">"),
            format!("<math><mtext><table><mglyph><style><img src=x onerror={call}>"),
            format!("<template><img src=x onerror={call}></template>"),
            format!("<noscript><p title=\"</noscript><img src=x onerror={call}>\">"),
            format!("{{{{constructor.constructor('{call}')()}}}}"),
            format!("${{{call}}}"),
            format!("**bold <img src=x onerror={call}>**"),
            format!("`<img src=x onerror={call}>`"),
            format!("- <img src=x onerror={call}>"),
            format!("\u{202e}<img src=x onerror={call}>"),
            format!("<x onclick={call} style=position:fixed;inset:0>"),
            format!("\\u003cimg src=x onerror={call}\\u003e"),
            format!("%3Cimg%20src=x%20onerror={call}%3E"),
        ] {
            all.push(whole);
        }
    }
    all
}

/// Markup of a payload inside a place that may hold texts alone.
const MARKUP: &str = "(root) => [...root.querySelectorAll('script, img, iframe, math, object, embed, form, template, [srcdoc], [autofocus], a[href]')]\
     .filter((one) => !one.matches('a[href^=\"http\"], a[href^=\"mailto\"], a[href^=\"/\"]')).map((one) => one.outerHTML)";

#[test]
fn no_text_that_anybody_sets_is_executed() {
    let all = payloads();
    assert!(all.len() >= 300, "{}", all.len());
    let mut shown = 0;
    for (round, some) in all.chunks(90).enumerate() {
        let items = some.iter().enumerate().flat_map(|(n, payload)| {
            let key = format!("i{n}");
            let task = with(item(&key, payload), json!({ "Help": { "en": payload } }));
            let task = optional_to_apply(task);
            match n % 10 {
                0 => vec![
                    section(&format!("s{n}"), payload),
                    under(&format!("s{n}"), task),
                ],
                _ => vec![under(&format!("s{}", n - n % 10), task)],
            }
        });
        let stage = Stage::with(items.collect::<Vec<Value>>());
        let place = stage.place();
        let whoever = stage.server.as_editor(&some[0]).on(&place);
        let items = whoever.list();
        let changes: Vec<Value> = items
            .items()
            .iter()
            .filter(|item| item["Kind"] == "Item")
            .enumerate()
            .map(|(n, item)| match n % 3 {
                0 => json!({ "Id": item["Id"], "Status": "NotApplicable", "Reason": item["Text"] }),
                1 => json!({ "Id": item["Id"], "Note": item["Text"] }),
                _ => {
                    json!({ "Id": item["Id"], "Status": "Done", "SeenTextHash": item["TextHash"] })
                }
            })
            .collect();
        whoever.update(json!(changes));
        let bound = stage.bound_to("1");
        let base = stage.server.base_url();
        let host = &stage.host.origin;
        stage.open_with_script(
            &format!(
                "<checklist-control id='list' {bound}></checklist-control>\
                 <checklist-preview id='preview' base-url='{base}' token-url='{host}/token' template='f'></checklist-preview>"
            ),
            TRAPS,
        );
        for place in ["#list", "#preview"] {
            let control = stage.browser.control(place);
            let all = some.len();
            control.until(&format!("__probe.rows(§).length >= {all}"));
            // Everything that opens is opened: help, menus, notes.
            control.value("__probe.root(§).querySelectorAll('[aria-expanded=\"false\"]').forEach((one) => one.click())");
            control.until(&format!("({MARKUP})(__probe.root(§)).length === 0"));
        }
        stage.browser.until("window.__executed === 0");
        shown += some.len();
        // The finished page of the server, as it comes.
        let page = stage.server.as_admin().on(&place).get("Preview/f");
        let page = page.text();
        for raw in ["<script>alert", "<img", "<iframe", "<svg onload"] {
            assert!(!page.contains(raw), "{raw} in the page of round {round}");
        }
        // In a text it is a text, whatever stands behind it; in a tag it would be a link.
        for tag in page.split('<').filter_map(|tag| tag.split('>').next()) {
            let tag = tag.to_ascii_lowercase();
            assert!(!tag.contains("script:alert"), "{tag} of round {round}");
        }
    }
    promise::held(
        "S4",
        format!("{shown} payloads in items, help, sections, notes, reasons and names: 0 executed"),
    );
}
