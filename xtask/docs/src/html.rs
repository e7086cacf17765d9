//! Writes text into HTML, and reads the texts of JSON values for it.

use serde_json::Value;

/// Escapes a text for HTML, also inside an attribute in double quotes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// A block of code; the script of the pages adds the button that copies it, but for what a command
/// prints (`text`).
pub fn code_block(language: &str, text: &str) -> String {
    let class = if language == "text" {
        "code output"
    } else {
        "code"
    };
    let language = match language {
        "" => String::new(),
        language => format!(" data-language=\"{}\"", escape(language)),
    };
    format!(
        "<div class=\"{class}\"{language}><pre><code>{}</code></pre></div>\n",
        escape(text.trim_end_matches('\n'))
    )
}

/// A block of code that is written for a demo on its default address; in the browser, `docs.js` puts
/// this server's own address there, and what gives a token here.
pub fn for_this_server(block: &str) -> String {
    block.replacen("<div ", "<div data-this-server ", 1)
}

/// The name of a heading in addresses, as GitHub writes it: lower case, no punctuation, hyphens.
pub fn slug(text: &str) -> String {
    let letters = text.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => Some(letter),
        _ => None,
    });
    letters.flat_map(char::to_lowercase).collect()
}

/// The string of a JSON value; nothing for any other value.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_never_becomes_markup() {
        assert_eq!(escape("<a b=\"c\">&"), "&lt;a b=&quot;c&quot;&gt;&amp;");
        assert!(code_block("sh", "a < b\n").ends_with("a &lt; b</code></pre></div>\n"));
    }

    #[test]
    fn headings_are_addressed_as_on_github() {
        assert_eq!(slug("`<checklist-preview>`"), "checklist-preview");
        assert_eq!(slug("1. A server, and keys"), "1-a-server-and-keys");
        assert_eq!(slug("Size & speed"), "size--speed");
    }
}
