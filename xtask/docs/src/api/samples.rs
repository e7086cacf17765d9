//! One call in four languages, with nothing but what each language brings along.
//!
//! Invariant: a sample runs as it stands against a demo on its default address, with a token in the
//! environment variable `TOKEN`.

use std::fmt::Write as _;

use serde_json::Value;

/// Where a demo listens; the script of the pages puts the server's own address in its place.
pub const BASE: &str = "http://127.0.0.1:8080";

/// What the answer is.
#[derive(Clone, Copy, PartialEq)]
pub enum Payload {
    Json,
    Text,
    Stream,
    Nothing,
}

/// A call with its values.
pub struct Call<'a> {
    pub method: &'a str,
    /// With values in the place of parameters.
    pub path: &'a str,
    pub takes_token: bool,
    pub body: Option<&'a Value>,
    pub payload: Payload,
}

/// The samples: the language as in `data-language`, its name, the code.
pub fn samples(call: &Call<'_>) -> [(&'static str, &'static str, String); 4] {
    [
        ("sh", "curl", curl(call)),
        ("javascript", "JavaScript", javascript(call)),
        ("python", "Python", python(call)),
        ("csharp", "C#", csharp(call)),
    ]
}

/// How a token of the demo comes into the variable that the samples read.
pub fn token() -> String {
    format!(
        "export TOKEN=$(curl --silent --request POST \"{BASE}/demo/token\" \\\n  | sed 's/.*\"Token\":\"\\([^\"]*\\)\".*/\\1/')"
    )
}

fn curl(call: &Call<'_>) -> String {
    let mut parts = vec![match (call.method, call.body) {
        ("GET", _) | ("POST", Some(_)) => format!("curl --silent \"{BASE}{}\"", call.path),
        (method, _) => format!("curl --silent --request {method} \"{BASE}{}\"", call.path),
    }];
    if call.payload == Payload::Stream {
        parts.push("--no-buffer".to_owned());
    }
    if call.takes_token {
        parts.push("--header \"Authorization: Bearer $TOKEN\"".to_owned());
    }
    if let Some(body) = call.body {
        parts.push("--header \"Content-Type: application/json\"".to_owned());
        let text = format!("{body:#}").replace('\'', "'\\''");
        parts.push(format!("--data '{text}'"));
    }
    parts.join(" \\\n  ")
}

fn javascript(call: &Call<'_>) -> String {
    let mut options = Vec::new();
    if call.method != "GET" {
        options.push(format!("  method: \"{}\",", call.method));
    }
    let mut headers = Vec::new();
    if call.takes_token {
        headers.push("Authorization: `Bearer ${process.env.TOKEN}`");
    }
    if call.body.is_some() {
        headers.push("\"Content-Type\": \"application/json\"");
    }
    if !headers.is_empty() {
        options.push(format!("  headers: {{ {} }},", headers.join(", ")));
    }
    if let Some(body) = call.body {
        let text = indented(&format!("{body:#}"), "  ");
        options.push(format!("  body: JSON.stringify({text}),"));
    }
    let address = format!("\"{BASE}{}\"", call.path);
    let mut code = if options.is_empty() {
        format!("const response = await fetch({address});\n")
    } else {
        format!(
            "const response = await fetch({address}, {{\n{}\n}});\n",
            options.join("\n")
        )
    };
    code.push_str(match call.payload {
        Payload::Json => "console.log(response.status, await response.json());",
        Payload::Text => "console.log(response.status, await response.text());",
        Payload::Stream => {
            "for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);"
        }
        Payload::Nothing => "console.log(response.status);",
    });
    code
}

fn python(call: &Call<'_>) -> String {
    let json = call.body.is_some() || call.payload == Payload::Json;
    let mut modules: Vec<&str> = Vec::new();
    if json {
        modules.push("json");
    }
    if call.takes_token {
        modules.push("os");
    }
    modules.push("urllib.request");
    let mut lines = vec![
        format!("import {}", modules.join(", ")),
        String::new(),
        "request = urllib.request.Request(".to_owned(),
        format!("    \"{BASE}{}\",", call.path),
        format!("    method=\"{}\",", call.method),
    ];
    let mut headers = Vec::new();
    if call.takes_token {
        headers.push("\"Authorization\": f\"Bearer {os.environ['TOKEN']}\"");
    }
    if call.body.is_some() {
        headers.push("\"Content-Type\": \"application/json\"");
    }
    if !headers.is_empty() {
        lines.push(format!("    headers={{{}}},", headers.join(", ")));
    }
    if let Some(body) = call.body {
        let mut text = String::new();
        python_literal(body, 1, &mut text);
        lines.push(format!("    data=json.dumps({text}).encode(),"));
    }
    lines.push(")".to_owned());
    lines.push("with urllib.request.urlopen(request) as response:".to_owned());
    lines.extend(
        match call.payload {
            Payload::Json => vec!["    print(response.status, json.load(response))"],
            Payload::Text => vec!["    print(response.status, response.read().decode())"],
            Payload::Stream => vec![
                "    for line in response:",
                "        print(line.decode(), end=\"\")",
            ],
            Payload::Nothing => vec!["    print(response.status)"],
        }
        .into_iter()
        .map(str::to_owned),
    );
    lines.join("\n")
}

/// A JSON value as Python writes it.
fn python_literal(value: &Value, depth: usize, out: &mut String) {
    let pad = |depth: usize| "    ".repeat(depth);
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Array(all) if all.is_empty() => out.push_str("[]"),
        Value::Object(all) if all.is_empty() => out.push_str("{}"),
        Value::Array(all) => {
            out.push_str("[\n");
            for one in all {
                out.push_str(&pad(depth + 1));
                python_literal(one, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&(pad(depth) + "]"));
        }
        Value::Object(all) => {
            out.push_str("{\n");
            for (name, one) in all {
                let _never_fails =
                    write!(out, "{}{}: ", pad(depth + 1), Value::from(name.as_str()));
                python_literal(one, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&(pad(depth) + "}"));
        }
        // Strings and numbers are written alike.
        other => out.push_str(&other.to_string()),
    }
}

/// In the C# of version 6, which .NET Framework's compiler takes as well as the newest: service desks
/// run on both.
fn csharp(call: &Call<'_>) -> String {
    let mut namespaces = vec!["System", "System.Net.Http"];
    if call.takes_token {
        namespaces.push("System.Net.Http.Headers");
    }
    if call.payload == Payload::Stream {
        namespaces.insert(1, "System.IO");
    }
    if call.body.is_some() {
        namespaces.push("System.Text");
    }
    namespaces.push("System.Threading.Tasks");
    let mut code = String::new();
    for namespace in namespaces {
        let _never_fails = writeln!(code, "using {namespace};");
    }
    let method = call.method[..1].to_owned() + &call.method[1..].to_lowercase();
    let _never_fails = write!(
        code,
        "\n\
         static class Program\n\
         {{\n    \
             static void Main() => Run().GetAwaiter().GetResult();\n\n    \
             static async Task Run()\n    \
             {{\n        \
                 using (var client = new HttpClient())\n        \
                 using (var request = new HttpRequestMessage(HttpMethod.{method}, \"{BASE}{}\"))\n        \
                 {{\n",
        call.path
    );
    if call.takes_token {
        code.push_str(
            "            request.Headers.Authorization =\n                \
             new AuthenticationHeaderValue(\"Bearer\", Environment.GetEnvironmentVariable(\"TOKEN\"));\n",
        );
    }
    if let Some(body) = call.body {
        // A verbatim string: of its characters only the quotation mark has a meaning.
        let text = indented(&format!("{body:#}"), "            ").replace('"', "\"\"");
        let _never_fails = writeln!(
            code,
            "            request.Content = new StringContent(@\"{text}\", Encoding.UTF8, \"application/json\");"
        );
    }
    code.push_str(match call.payload {
        Payload::Stream => {
            "            using (var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead))\n            \
             using (var reader = new StreamReader(await response.Content.ReadAsStreamAsync()))\n                \
             for (var line = await reader.ReadLineAsync(); line != null; line = await reader.ReadLineAsync())\n                    \
             Console.WriteLine(line);"
        }
        Payload::Nothing => {
            "            using (var response = await client.SendAsync(request))\n                \
             Console.WriteLine((int)response.StatusCode);"
        }
        Payload::Json | Payload::Text => {
            "            using (var response = await client.SendAsync(request))\n                \
             Console.WriteLine($\"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}\");"
        }
    });
    code.push_str("\n        }\n    }\n}");
    code
}

/// Every line but the first, further in.
fn indented(text: &str, by: &str) -> String {
    text.replace('\n', &format!("\n{by}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_written_as_each_language_writes_them() {
        let body = json!({ "Name": "it's", "Open": true, "Due": null });
        let call = Call {
            method: "POST",
            path: "/x",
            takes_token: true,
            body: Some(&body),
            payload: Payload::Json,
        };
        let [curl, javascript, python, csharp] = samples(&call).map(|(_, _, code)| code);
        assert!(curl.contains("it'\\''s"), "{curl}");
        assert!(javascript.contains("\"Open\": true"), "{javascript}");
        assert!(
            python.contains("\"Open\": True,\n        \"Due\": None,"),
            "{python}"
        );
        assert!(
            csharp.contains("\"\"Name\"\": \"\"it's\"\",")
                && csharp.contains("\n            }\", Encoding.UTF8"),
            "{csharp}"
        );
    }

    #[test]
    fn a_call_without_a_body_says_only_what_it_needs() {
        let call = Call {
            method: "DELETE",
            path: "/x",
            takes_token: false,
            body: None,
            payload: Payload::Nothing,
        };
        let [curl, javascript, python, csharp] = samples(&call).map(|(_, _, code)| code);
        assert_eq!(curl, format!("curl --silent --request DELETE \"{BASE}/x\""));
        assert!(!javascript.contains("headers"), "{javascript}");
        assert!(python.starts_with("import urllib.request\n"), "{python}");
        assert!(!csharp.contains("Headers"), "{csharp}");
    }
}
