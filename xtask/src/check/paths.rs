//! The paths that a source file mentions: `use` declarations with their groups expanded, and
//! every `a::b` in the code. `layers` uses them to find the modules and crates that a file uses.
//! It works on text, without a syntax tree.

/// One path and the line that mentions it (counted from 1).
#[derive(Debug, PartialEq)]
pub struct Mention {
    pub line: usize,
    pub path: String,
}

/// All paths in code whose comments and literals are blanked. In `crate`, the paths that begin
/// with `super` or `self` are written from the root; `module` is where the file stands.
pub fn mentions(code: &str, module: &[&str]) -> Vec<Mention> {
    let tokens = tokens(code);
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        found: Vec::new(),
    };
    reader.read_all();
    for mention in &mut reader.found {
        mention.path = from_root(&mention.path, module);
    }
    reader.found
}

fn from_root(path: &str, module: &[&str]) -> String {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut base = module.to_vec();
    match parts[0] {
        "self" if parts.len() > 1 => {
            parts.remove(0);
        }
        "super" => {
            while parts.first() == Some(&"super") {
                parts.remove(0);
                base.pop();
            }
        }
        _ => return path.to_owned(),
    }
    let mut whole = vec!["crate"];
    whole.extend(base);
    whole.extend(parts);
    whole.join("::")
}

#[derive(Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    PathSeparator,
    Sign(char),
}

fn tokens(code: &str) -> Vec<(usize, Token<'_>)> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        let length = if is_word(first) {
            let length = rest
                .find(|character| !is_word(character))
                .unwrap_or(rest.len());
            tokens.push((line, Token::Word(&rest[..length])));
            length
        } else if rest.starts_with("::") {
            tokens.push((line, Token::PathSeparator));
            2
        } else {
            if first == '\n' {
                line += 1;
            } else if !first.is_whitespace() {
                tokens.push((line, Token::Sign(first)));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

struct Reader<'a> {
    tokens: &'a [(usize, Token<'a>)],
    at: usize,
    found: Vec<Mention>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn read_all(&mut self) {
        while let Some(token) = self.peek() {
            match token {
                Token::Word("use") => {
                    self.at += 1;
                    self.use_tree("");
                }
                Token::Word(_) => self.inline_path(),
                Token::PathSeparator | Token::Sign(_) => self.at += 1,
            }
        }
    }

    /// Reads `a::b::{c, d::e as f, *}` behind `prefix`.
    fn use_tree(&mut self, prefix: &str) {
        let mut path = prefix.to_owned();
        let line = self.tokens.get(self.at).map_or(0, |(line, _)| *line);
        let add = |path: &mut String, part: &str| {
            if !path.is_empty() {
                path.push_str("::");
            }
            path.push_str(part);
        };
        while let Some(token) = self.peek() {
            match token {
                Token::Word("as") => {
                    self.at += 2;
                    break;
                }
                // In a group, `self` is the group's own path.
                Token::Word("self") if !path.is_empty() => self.at += 1,
                Token::Word(word) => {
                    add(&mut path, word);
                    self.at += 1;
                }
                Token::Sign('*') => {
                    add(&mut path, "*");
                    self.at += 1;
                }
                Token::PathSeparator => self.at += 1,
                Token::Sign('{') => {
                    self.at += 1;
                    self.use_group(&path);
                    return;
                }
                Token::Sign(_) => break,
            }
        }
        if !path.is_empty() {
            self.found.push(Mention { line, path });
        }
    }

    fn use_group(&mut self, prefix: &str) {
        loop {
            match self.peek() {
                Some(Token::Sign('}')) => {
                    self.at += 1;
                    return;
                }
                Some(Token::Sign(',')) => self.at += 1,
                Some(Token::Word(_) | Token::Sign('*' | '{')) => self.use_tree(prefix),
                // Not a `use` at all, or the end of the file.
                Some(_) | None => return,
            }
        }
    }

    fn inline_path(&mut self) {
        let line = self.tokens[self.at].0;
        let mut path = String::new();
        while let Some(Token::Word(word)) = self.peek() {
            path.push_str(word);
            self.at += 1;
            let goes_on = self.peek() == Some(&Token::PathSeparator)
                && matches!(self.tokens.get(self.at + 1), Some((_, Token::Word(_))));
            if !goes_on {
                break;
            }
            path.push_str("::");
            self.at += 1;
        }
        if path.contains("::") {
            self.found.push(Mention { line, path });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: &str) -> Vec<String> {
        mentions(code, &["services", "checklist"])
            .into_iter()
            .map(|mention| format!("{} {}", mention.line, mention.path))
            .collect()
    }

    #[test]
    fn groups_are_written_out() {
        assert_eq!(
            found("use a::{b, c::{self, d as e}, f::*};\nuse g;"),
            ["1 a::b", "1 a::c", "1 a::c::d", "1 a::f::*", "2 g"]
        );
        assert_eq!(found("use {\n  a::b,\n  c,\n};"), ["2 a::b", "3 c"]);
    }

    #[test]
    fn paths_in_code_are_found_where_they_stand() {
        assert_eq!(
            found("fn f() -> axum::Response {\n  Uuid::now_v7()\n}"),
            ["1 axum::Response", "2 Uuid::now_v7"]
        );
    }

    #[test]
    fn relative_paths_are_written_from_the_root() {
        assert_eq!(
            found("use super::super::http::Json;"),
            ["1 crate::http::Json"]
        );
        assert_eq!(
            found("self::rules::one()"),
            ["1 crate::services::checklist::rules::one"]
        );
        assert_eq!(found("super::load()"), ["1 crate::services::load"]);
    }

    #[test]
    fn captured_lifetimes_are_no_declaration() {
        assert_eq!(found("fn f() -> impl T + use<'a> { b::c() }"), ["1 b::c"]);
    }
}
