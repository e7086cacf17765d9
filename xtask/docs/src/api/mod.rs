//! The API reference: a page for each topic of the OpenAPI document, and one with all schemas.

mod operation;
mod samples;
mod schema;

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::html::{code_block, escape, for_this_server, slug, text};
use crate::markdown::{anchor, fragment, plain};
use crate::navigation::API;
use crate::page::{Heading, Kind, Page};
use operation::Operation;

/// All pages of the reference, the first of them with the topics.
///
/// # Errors
/// When the document is not what the server writes.
pub fn pages(document: &Value) -> Result<Vec<Page>> {
    let operations = operation::all(document)?;
    let topics = document["tags"].as_array().context("there are no topics")?;
    let mut pages = vec![start(document, topics, &operations)];
    for topic in topics {
        let name = text(&topic["name"]);
        let own = operations.iter().filter(|one| one.topic == name);
        pages.push(page(document, topic, own));
    }
    pages.push(schemas(document)?);
    Ok(pages)
}

fn address(topic: &str) -> String {
    format!("{API}{}", slug(topic))
}

fn start(document: &Value, topics: &[Value], operations: &[Operation<'_>]) -> Page {
    let mut html = format!(
        "<h1>API reference</h1>\n{}\
         <p>The whole description for tools is <a href=\"../../openapi.json\"><code>/openapi.json</code></a> (OpenAPI 3.1). \
         <a href=\"../api-design\">API design</a> has the rules that all calls share, \
         <a href=\"../guides/api-developer\">the guide</a> walks through them by hand.</p>\n\
         <h2 id=\"a-token\">First, a token</h2>\n\
         <p>The examples read it from the environment variable <code>TOKEN</code>. A demo gives everybody one; elsewhere an API key is one, \
         which you create under <a href=\"../../admin/keys\">Keys</a> or with the program:</p>\n\
         {}\
         <p>It may also be a token that your own server has signed, or one of <a href=\"access#MintEmbedToken\">MintEmbedToken</a>. The examples can be pasted one after the other, from the top of a page to its \
         end; those for one connection, webhook or run need its id, and those for computers and \
         runs an API key. The tests parse or compile every one of them, \
         and run some in each language. Those for C# are whole programs, for .NET Framework as well as for .NET.</p>\n",
        fragment(text(&document["info"]["description"])),
        for_this_server(&code_block("sh", &samples::token())),
    );
    for topic in topics {
        let name = text(&topic["name"]);
        let _never_fails = write!(
            html,
            "<h2><a href=\"{}\">{}</a></h2>\n{}<div class=\"table\"><table class=\"calls\"><thead><tr><th>call</th><th>what it does</th></tr></thead><tbody>\n",
            slug(name),
            escape(name),
            fragment(text(&topic["description"])),
        );
        for one in operations.iter().filter(|one| one.topic == name) {
            let _never_fails = writeln!(
                html,
                "<tr><td><a href=\"{}#{id}\"><code>{id}</code></a></td><td>{}</td></tr>",
                slug(name),
                one.summary_html(),
                id = escape(one.id),
            );
        }
        html.push_str("</tbody></table></div>\n");
    }
    let mut page = Page::generated(API, "API reference", html, Kind::Api);
    page.lead = plain(text(&document["info"]["description"]));
    page
}

fn page<'a>(
    document: &Value,
    topic: &Value,
    operations: impl Iterator<Item = &'a Operation<'a>>,
) -> Page {
    let name = text(&topic["name"]);
    let mut html = format!(
        "<h1>{}</h1>\n{}",
        escape(name),
        fragment(text(&topic["description"]))
    );
    let mut headings = Vec::new();
    for one in operations {
        html.push_str(&one.html(document));
        headings.push(Heading {
            id: one.id.to_owned(),
            level: 2,
            text: one.id.to_owned(),
            body: format!(
                "{} {} {} {}",
                plain(one.summary),
                one.method,
                one.path,
                plain(one.description)
            ),
        });
    }
    let mut page = Page::generated(&address(name), name, html, Kind::Api);
    page.headings = headings;
    page
}

/// Every schema under its name, which types of other pages link to.
fn schemas(document: &Value) -> Result<Page> {
    let all = document["components"]["schemas"]
        .as_object()
        .context("there are no schemas")?;
    let mut html = String::from(
        "<h1>Schemas</h1>\n<p>The types of requests and answers, in alphabetical order.</p>\n",
    );
    let mut names: Vec<&String> = all.keys().collect();
    names.sort();
    for name in names {
        let _never_fails = write!(
            html,
            "<section class=\"schema\">\n<h2 id=\"{0}\">{0}{1}</h2>\n{2}</section>\n",
            escape(name),
            anchor(name, name),
            schema::whole(&all[name.as_str()]),
        );
    }
    Ok(Page::generated(
        &format!("{API}schemas"),
        "Schemas",
        html,
        Kind::Api,
    ))
}
