//! The page of faults: those in force, and a form for another.

use serde_json::{Value, json};

use super::html::{Page, answer as html, text};
use super::{kinds, wants_json};
use crate::core::Core;
use crate::faults::{Kind, Rule};
use crate::odata::query::Query;
use crate::request::{Answer, Incoming};

/// The page, with what was wrong with the form.
pub fn page(core: &Core, wrong: Option<&str>) -> Page {
    let rows: String = core
        .faults
        .all()
        .iter()
        .map(|rule| {
            let times = rule.times.map_or("all".to_owned(), |times| times.to_string());
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{times}</td><td class=\"number\">{}</td></tr>",
                text(&rule.fault.name()),
                text(rule.method.as_deref().unwrap_or("any")),
                text(rule.contains.as_deref().unwrap_or("")),
                rule.skip,
                rule.fault.seconds
            )
        })
        .collect();
    let now = if rows.is_empty() {
        "<p>No fault is switched on.</p>".to_owned()
    } else {
        format!(
            "<div class=\"wide\" role=\"region\" aria-label=\"Faults switched on\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Fault</th><th scope=\"col\">Method</th><th scope=\"col\">Address holds</th><th scope=\"col\" class=\"number\">Skips</th><th scope=\"col\" class=\"number\">Times</th><th scope=\"col\" class=\"number\">Seconds</th></tr></thead><tbody>{rows}</tbody></table></div>\
             <form method=\"post\" action=\"/faults\"><button name=\"clear\" value=\"1\">Switch all off</button></form>"
        )
    };
    let wrong = wrong.map_or(String::new(), |wrong| {
        format!("<p role=\"alert\" class=\"wrong\">{}</p>", text(wrong))
    });
    let methods: String = ["GET", "POST", "MERGE", "PATCH", "DELETE"]
        .iter()
        .map(|name| format!("<option>{name}</option>"))
        .collect();
    Page {
        title: "Faults".to_owned(),
        body: format!(
            "<p>What is switched on here happens to requests to come. A single request can ask for one by the header <code>X-Site-Fault: 429-seconds;seconds=2</code>.</p>{now}\
             <h2>Switch one on</h2>{wrong}<form method=\"post\" action=\"/faults\">\
             <label>Fault <select name=\"fault\">{}</select></label>\
             <label>Method <select name=\"method\"><option value=\"\">any</option>{methods}</select></label>\
             <label>Address holds <input name=\"contains\"></label>\
             <label>Requests to let through first <input name=\"skip\" type=\"number\" min=\"0\" value=\"0\"></label>\
             <label>Times (empty: all) <input name=\"times\" type=\"number\" min=\"1\" value=\"1\"></label>\
             <label>Seconds <input name=\"seconds\" type=\"number\" min=\"0\"></label>\
             <button>Switch on</button></form>",
            kinds()
        ),
    }
}

/// The faults in force, for programs.
pub fn as_json(core: &Core) -> Answer {
    let rules = core.faults.all();
    let rules = rules.iter().map(|rule| {
        json!({"fault": rule.fault.name(), "method": rule.method, "contains": rule.contains,
            "skip": rule.skip, "times": rule.times, "seconds": rule.fault.seconds})
    });
    let known: Vec<_> = Kind::all().map(|(_, name, _)| name).collect();
    let body = json!({"faults": rules.collect::<Vec<_>>(), "known": known});
    Answer::json(200, "application/json; charset=utf-8", &body)
}

/// Switches one on, or all off.
pub fn change(core: &Core, incoming: &Incoming) -> Answer {
    // A page of another origin is not to switch anything.
    let foreign = incoming
        .header("sec-fetch-site")
        .is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign {
        return Answer::empty(403);
    }
    let program = wants_json(incoming);
    let form = read(incoming);
    let get = |name: &str| {
        let found = form.iter().find(|(own, _)| own == name);
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    };
    if get("clear").is_some() {
        core.faults.clear();
    } else {
        match rule(get) {
            Ok(rule) => core.faults.add(rule),
            Err(wrong) if program => {
                let body = json!({"error": wrong});
                return Answer::json(400, "application/json; charset=utf-8", &body);
            }
            Err(wrong) => return html(400, &page(core, Some(&wrong))),
        }
    }
    if program {
        as_json(core)
    } else {
        Answer::empty(303).with("location", "/faults")
    }
}

fn rule<'a>(get: impl Fn(&str) -> Option<&'a str>) -> Result<Rule, String> {
    let name = get("fault").unwrap_or_default();
    let kind = Kind::named(name).ok_or_else(|| format!("There is no fault named “{name}”."))?;
    let number = |name: &str| match get(name) {
        None => Ok(None),
        Some(text) => match text.parse::<u32>() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("“{text}” is no number for {name}.")),
        },
    };
    let mut rule = Rule::once(kind).after(number("skip")?.unwrap_or(0));
    rule.times = number("times")?;
    if let Some(seconds) = number("seconds")? {
        rule = rule.lasting(u64::from(seconds));
    }
    if let Some(method) = get("method") {
        rule = rule.of_method(method);
    }
    if let Some(part) = get("contains") {
        rule = rule.containing(part);
    }
    Ok(rule)
}

/// The names and values of a form, or of a flat JSON object.
fn read(incoming: &Incoming) -> Vec<(String, String)> {
    let is_json = incoming
        .header("content-type")
        .is_some_and(|kind| kind.contains("json"));
    if is_json {
        let body: Value = serde_json::from_slice(&incoming.body).unwrap_or_default();
        let members = body.as_object().cloned().unwrap_or_default();
        return members
            .into_iter()
            .map(|(name, value)| {
                let text = value.as_str().map(str::to_owned);
                (
                    name,
                    text.unwrap_or_else(|| match value {
                        Value::Null => String::new(),
                        other => other.to_string(),
                    }),
                )
            })
            .collect();
    }
    Query::read(&String::from_utf8_lossy(&incoming.body)).into_pairs()
}
