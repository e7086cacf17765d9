//! One call of the API: address, permissions, parameters, bodies, problems, examples.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use super::samples::{Call, Payload, samples};
use super::schema;
use crate::html::{code_block, escape, text};
use crate::markdown::{anchor, fragment};

/// The name of the first of several examples.
const DEFAULT: &str = "Default";

/// A call.
pub struct Operation<'a> {
    pub id: &'a str,
    pub topic: &'a str,
    /// In upper case.
    pub method: String,
    pub path: &'a str,
    pub summary: &'a str,
    pub description: &'a str,
    content: &'a Value,
}

/// Calls that come first on their page, in the order in which their samples can be pasted one after
/// the other: what one deletes, another one before it has made. The others follow by address.
const FIRST: [&str; 30] = [
    "GetItems",
    "AddItems",
    "ProposeItems",
    "UpdateItems",
    "DeleteItems",
    "RestoreItems",
    "Undo",
    "GetItemHistory",
    "Render",
    "RefreshItemsOnTemplateChange",
    "Lock",
    "Waive",
    "StartAgain",
    "GetListRuns",
    "ListTemplates",
    "GetTemplate",
    "PutTemplateDraft",
    "GetTemplateImpact",
    "PublishTemplate",
    "ImportTemplates",
    "ListTypes",
    "PutType",
    "ListUsers",
    "PutUser",
    "EndSessions",
    "DeleteUser",
    "EraseUser",
    "ImportComputers",
    "CreateServiceConnection",
    "CreateWebhook",
];

/// The calls in the order of the pages.
///
/// # Errors
/// When a call has no name.
pub fn all(document: &Value) -> Result<Vec<Operation<'_>>> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, content) in item.as_object().into_iter().flatten() {
            if !content.is_object() {
                continue;
            }
            operations.push(Operation {
                id: content["operationId"]
                    .as_str()
                    .with_context(|| format!("{method} {path} has no name"))?,
                topic: text(&content["tags"][0]),
                method: method.to_uppercase(),
                path,
                summary: text(&content["summary"]),
                description: text(&content["description"]),
                content,
            });
        }
    }
    let rank = |one: &Operation<'_>| {
        let first = FIRST.iter().position(|id| *id == one.id);
        first.unwrap_or(FIRST.len())
    };
    operations.sort_by_key(rank);
    Ok(operations)
}

/// A value for a parameter of a path, so that the example is one that can be sent.
fn example_of(path: &str, name: &str) -> &'static str {
    match name {
        "fragmentId" => "incident-standard",
        "name" if path.contains("/Preview/") => "incident",
        "name" => "change",
        "kid" => "portal-2027",
        "list" => "Computers",
        _ if path.contains("/Templates/") => "laptop-return",
        _ => "018f5a00-0000-7000-8000-000000000001",
    }
}

impl Operation<'_> {
    /// The section of the call.
    pub fn html(&self, document: &Value) -> String {
        let id = escape(self.id);
        let mut html = format!(
            "<section class=\"call\" data-call=\"{id}\">\n<h2 id=\"{id}\">{id}{}</h2>\n<p class=\"summary\">{}</p>\n\
             <p class=\"address\"><span class=\"method {}\">{}</span> <code>{}</code></p>\n{}",
            anchor(self.id, self.id),
            self.summary_html(),
            self.method.to_lowercase(),
            self.method,
            escape(self.path).replace('/', "/<wbr>"),
            fragment(self.description),
        );
        html.push_str(&self.permissions());
        html.push_str("<div class=\"columns\"><div>\n");
        html.push_str(&self.parameters());
        if let Some(body) = self.request() {
            html.push_str("<h3>Request</h3>\n");
            if self.content["requestBody"]["required"] != true {
                html.push_str("<p>The body may be left out.</p>\n");
            }
            html.push_str(&schema::body(document, &body["schema"]));
        }
        html.push_str(&self.answers(document));
        html.push_str(&self.problems(document));
        html.push_str("</div>\n<div class=\"examples\">\n");
        html.push_str(&self.examples());
        html.push_str("</div></div>\n</section>\n");
        html
    }

    /// What it does, in one sentence.
    pub fn summary_html(&self) -> String {
        let html = fragment(self.summary);
        let inner = html.trim().strip_prefix("<p>");
        let inner = inner.and_then(|inner| inner.strip_suffix("</p>"));
        inner.map_or_else(|| escape(self.summary), str::to_owned)
    }

    /// Whether only the built-in pages can send it, with their cookie.
    fn is_of_own_pages(&self) -> bool {
        let needs = self.content["x-needs"].as_array();
        needs.is_some_and(|all| all.iter().any(|one| one == "Browser"))
    }

    /// Whether it takes a token.
    fn takes_token(&self) -> bool {
        self.content["security"]
            .as_array()
            .is_none_or(|all| all.iter().any(|one| one.get("token").is_some()))
    }

    fn permissions(&self) -> String {
        let needs = self.content["x-needs"].as_array();
        let names: Vec<&str> = needs.into_iter().flatten().map(text).collect();
        let sentence = match names.as_slice() {
            [] => "Needs no permission.".to_owned(),
            ["Browser"] => "For the built-in pages, with the cookie of their session.".to_owned(),
            ["Demo"] => "Of a server with <code>--demo</code> only.".to_owned(),
            ["ApiKey"] => "Needs an API key.".to_owned(),
            names => {
                let names: Vec<String> = names
                    .iter()
                    .map(|name| format!("<code>{}</code>", escape(name)))
                    .collect();
                match names.as_slice() {
                    [one] => format!("Needs the permission {one}."),
                    all => format!("Needs one of the permissions {}.", all.join(", ")),
                }
            }
        };
        format!("<p class=\"needs\">{sentence}</p>\n")
    }

    fn parameters(&self) -> String {
        let all = self.content["parameters"].as_array();
        if all.is_none_or(Vec::is_empty) {
            return String::new();
        }
        let mut html = String::from("<h3>Parameters</h3>\n<dl class=\"members\">\n");
        for one in all.into_iter().flatten() {
            let needed = if one["required"] == true {
                " <span class=\"required\">required</span>"
            } else {
                ""
            };
            let _never_fails = writeln!(
                html,
                "<dt><code>{}</code> <span class=\"type\">{}, {}</span>{needed}</dt><dd>{}</dd>",
                escape(text(&one["name"])),
                escape(text(&one["in"])),
                schema::type_of(&one["schema"]),
                fragment(text(&one["description"])),
            );
        }
        html + "</dl>\n"
    }

    fn request(&self) -> Option<&Value> {
        self.content["requestBody"]["content"].get("application/json")
    }

    fn answers(&self, document: &Value) -> String {
        let mut html = String::from("<h3>Answer</h3>\n");
        for (status, answer) in self.content["responses"].as_object().into_iter().flatten() {
            if answer.get("$ref").is_some() {
                continue;
            }
            let _never_fails = write!(
                html,
                "<div class=\"answer\"><p><b>{}</b> {}</p>",
                escape(status),
                escape(text(&answer["description"]))
            );
            for (kind, content) in answer["content"].as_object().into_iter().flatten() {
                let _never_fails =
                    writeln!(html, "<p class=\"kind\"><code>{}</code></p>", escape(kind));
                if kind.ends_with("json") {
                    html.push_str(&schema::body(document, &content["schema"]));
                }
            }
            html.push_str("</div>\n");
        }
        html
    }

    fn problems(&self, document: &Value) -> String {
        let mut html = String::new();
        for (status, answer) in self.content["responses"].as_object().into_iter().flatten() {
            let Some(name) = answer["$ref"]
                .as_str()
                .and_then(|name| name.rsplit('/').next())
            else {
                continue;
            };
            let about = text(&document["components"]["responses"][name]["description"]);
            let _never_fails = writeln!(
                html,
                "<tr><td>{}</td><td><code>{}</code></td><td>{}</td></tr>",
                escape(status),
                escape(name),
                escape(about)
            );
        }
        if html.is_empty() {
            return html;
        }
        format!(
            "<details class=\"problems\"><summary>Problems</summary><div class=\"table\"><table><thead><tr><th>status</th><th>for example</th><th>when</th></tr></thead><tbody>\n{html}</tbody></table></div></details>\n"
        )
    }

    fn examples(&self) -> String {
        if self.is_of_own_pages() {
            return "<p class=\"quiet\">Browsers send this from the built-in pages, so there is no example to paste.</p>\n".to_owned();
        }
        let payload = self.request().and_then(first_example);
        let path = self.path.split('/').map(|part| {
            let name = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'));
            name.map_or(part, |name| example_of(self.path, name))
        });
        let path = path.collect::<Vec<_>>().join("/");
        let responses = &self.content["responses"];
        let good = ["200", "202", "204"]
            .into_iter()
            .find(|status| responses.get(status).is_some());
        let answer = good.map_or(&Value::Null, |status| &responses[status]["content"]);
        let call = Call {
            method: &self.method,
            path: &path,
            takes_token: self.takes_token(),
            body: payload,
            payload: match answer.as_object().and_then(|all| all.keys().next()) {
                Some(kind) if kind.ends_with("json") => Payload::Json,
                Some(kind) if kind == "text/event-stream" => Payload::Stream,
                Some(_) => Payload::Text,
                None => Payload::Nothing,
            },
        };
        let mut html = String::from("<div class=\"samples\">\n");
        for (language, name, sample) in samples(&call) {
            let _never_fails = writeln!(
                html,
                "<div class=\"sample\" data-sample=\"{language}\"><h4>{name}</h4>{}</div>",
                code_block(language, &sample)
            );
        }
        html.push_str("</div>\n");
        if let Some(example) = first_example(&answer["application/json"]) {
            let _never_fails = write!(
                html,
                "<h4>Answer</h4>{}",
                code_block("json", &format!("{example:#}"))
            );
        }
        html.push_str(&self.further_examples());
        if call.payload != Payload::Stream {
            let body = payload.map_or_else(String::new, |body| {
                format!(" data-body=\"{}\"", escape(&format!("{body:#}")))
            });
            let _never_fails = writeln!(
                html,
                "<div class=\"try\" data-method=\"{}\" data-path=\"{}\"{body}></div>",
                self.method,
                escape(&path)
            );
        }
        html
    }

    /// What else is sent and answered, by the names of the examples.
    fn further_examples(&self) -> String {
        let responses = &self.content["responses"];
        let answers =
            ["200", "202"].map(|status| &responses[status]["content"]["application/json"]);
        let bodies = (self.request().into_iter().map(|body| ("Request", body)))
            .chain(answers.map(|body| ("Answer", body)));
        let mut by_name: BTreeMap<&str, String> = BTreeMap::new();
        for (title, body) in bodies {
            for (name, example) in body["examples"].as_object().into_iter().flatten() {
                if name == DEFAULT {
                    continue;
                }
                let _never_fails = write!(
                    by_name.entry(name).or_default(),
                    "<h4>{title}, <code>{}</code></h4>{}",
                    escape(name),
                    code_block("json", &format!("{:#}", example["value"]))
                );
            }
        }
        by_name.into_values().collect()
    }
}

/// The first example of a body: the only one, or `Default` of several.
fn first_example(body: &Value) -> Option<&Value> {
    let named = &body["examples"][DEFAULT]["value"];
    let example = body.get("example").unwrap_or(named);
    Some(example).filter(|example| !example.is_null())
}
