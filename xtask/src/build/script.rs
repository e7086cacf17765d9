//! Tightens JavaScript without reading it as a program: comments, indentation, blank lines and the
//! blanks around signs go, everything else stays, line breaks included (they may end statements). Strings, templates and
//! regular expressions are copied as they are. Brotli takes most of what a minifier would add.

/// The same script in fewer bytes. Comments that begin with `/*!` (licences) stay.
pub fn tighten(script: &str) -> String {
    let mut scanner = Scanner {
        rest: script,
        out: String::with_capacity(script.len()),
        templates: Vec::new(),
        in_template: false,
    };
    while !scanner.rest.is_empty() {
        scanner.take_next();
    }
    scanner.trim_line_end();
    scanner.out
}

struct Scanner<'a> {
    rest: &'a str,
    out: String,
    /// For each template being read: how many braces are open inside its `${…}`.
    templates: Vec<u32>,
    /// Whether a template's own text is being copied.
    in_template: bool,
}

impl Scanner<'_> {
    fn take_next(&mut self) {
        let Some(next) = self.rest.chars().next() else {
            return;
        };
        match next {
            '"' | '\'' => self.copy(string_length(self.rest, next)),
            '`' => {
                self.copy(1);
                self.copy_template();
            }
            '/' if self.rest.starts_with("//") => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            }
            '/' if self.rest.starts_with("/*") => self.block_comment(),
            '/' if regex_may_start(&self.out) => self.copy(regex_length(self.rest)),
            '{' => {
                if let Some(open) = self.templates.last_mut() {
                    *open += 1;
                }
                self.copy(1);
            }
            '}' => self.closing_brace(),
            '\n' => self.line_break(),
            ' ' | '\t' | '\r' => self.blank(next),
            other => self.copy(other.len_utf8()),
        }
    }

    fn copy(&mut self, length: usize) {
        let (taken, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.drop_needless_blank(taken);
        self.out.push_str(taken);
        self.rest = rest;
    }

    /// A blank says something between two words and between two signs that would be a third one
    /// together (`a + +b`). What a template says is not looked at: it ends with no blank.
    fn drop_needless_blank(&mut self, next: &str) {
        let Some(next) = next.chars().next() else {
            return;
        };
        let mut before = self.out.chars().rev();
        if before.next() != Some(' ') || self.in_template {
            return;
        }
        let is_word = |c: char| c.is_alphanumeric() || "_$#".contains(c);
        let is_sign = |c: char| "+-/".contains(c);
        let needed = before.next().is_none_or(|before| {
            (is_word(before) && (is_word(next) || next == '.'))
                || (is_sign(before) && is_sign(next))
        });
        if !needed {
            self.out.pop();
        }
    }

    fn block_comment(&mut self) {
        let end = self.rest[2..]
            .find("*/")
            .map_or(self.rest.len(), |at| at + 4);
        if self.rest.starts_with("/*!") {
            self.copy(end);
            return;
        }
        let comment = &self.rest[..end];
        self.rest = &self.rest[end..];
        // A comment over several lines counts as a line break, another one as a blank.
        if comment.contains('\n') {
            self.line_break_here();
        } else {
            self.blank_here();
        }
    }

    /// Copies a template up to its end or to its next `${`.
    fn copy_template(&mut self) {
        self.in_template = true;
        self.copy_template_text();
        self.in_template = false;
    }

    fn copy_template_text(&mut self) {
        let bytes = self.rest.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 2,
                b'`' => {
                    self.copy(at + 1);
                    return;
                }
                b'$' if bytes.get(at + 1) == Some(&b'{') => {
                    self.copy(at + 2);
                    self.templates.push(0);
                    return;
                }
                _ => at += 1,
            }
        }
        self.copy(bytes.len());
    }

    fn closing_brace(&mut self) {
        match self.templates.last_mut() {
            Some(0) => {
                self.templates.pop();
                self.copy(1);
                self.copy_template();
            }
            Some(open) => {
                *open -= 1;
                self.copy(1);
            }
            None => self.copy(1),
        }
    }

    fn line_break(&mut self) {
        self.rest = &self.rest[1..];
        self.line_break_here();
    }

    fn line_break_here(&mut self) {
        self.trim_line_end();
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    fn blank(&mut self, blank: char) {
        self.rest = &self.rest[blank.len_utf8()..];
        self.blank_here();
    }

    fn blank_here(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with([' ', '\n']) {
            self.out.push(' ');
        }
    }

    /// Takes back a blank that turned out to end its line.
    fn trim_line_end(&mut self) {
        if self.out.ends_with(' ') {
            self.out.pop();
        }
    }
}

fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if character == quote => return at + character.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// A `/` after a value divides; after an operator, an opening bracket or a keyword it begins a
/// regular expression.
fn regex_may_start(out: &str) -> bool {
    let before = out.trim_end();
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    if last.is_alphanumeric() || last == '_' || last == '$' {
        let word_start = before
            .rfind(|character: char| !(character.is_alphanumeric() || "_$".contains(character)))
            .map_or(0, |at| at + 1);
        let word = before.get(word_start..).unwrap_or(before);
        return [
            "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
            "await", "yield",
        ]
        .contains(&word);
    }
    !")]}\"'`".contains(last)
}

fn regex_length(rest: &str) -> usize {
    let mut escaped = false;
    let mut in_class = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_indentation_and_blank_lines_go() {
        let script =
            "/**\n * A class.\n */\nclass A {\n\n    // why\n    go() { return 1; } // end\n}\n";
        assert_eq!(tighten(script), "class A{\ngo(){return 1;}\n}\n");
    }

    #[test]
    fn line_breaks_that_end_statements_stay() {
        assert_eq!(tighten("let a = 1\n  let b = 2"), "let a=1\nlet b=2");
        assert_eq!(tighten("return /* x\n */ 1"), "return\n1");
    }

    #[test]
    fn strings_are_copied_as_they_are() {
        let script = r#"a="//  no /* comment */ \" end";b='  it\'s  ';"#;
        assert_eq!(tighten(script), script);
    }

    #[test]
    fn templates_are_copied_but_their_code_is_tightened() {
        let script = "t = `  // kept\n   ${ f({  a: `in  ${b}  ner` }) /* gone */ }   `;  x";
        assert_eq!(
            tighten(script),
            "t=`  // kept\n   ${f({a:`in  ${b}  ner`})}   `;x"
        );
    }

    #[test]
    fn regular_expressions_are_told_from_divisions() {
        let script = r"if(/[/'`]  \/\//.test(a))return/'/;";
        assert_eq!(tighten(script), script);
        assert_eq!(tighten("x = (a + b) / 2; // '"), "x=(a+b)/2;");
        assert_eq!(tighten("x = a[0] / c / d; y = '  '"), "x=a[0]/c/d;y='  '");
    }

    #[test]
    fn blanks_stay_where_signs_or_words_would_grow_together() {
        assert_eq!(tighten("a + +b - -c / /d/"), "a+ +b- -c/ /d/");
        assert_eq!(tighten("new A ; #b in c; 1 .d"), "new A;#b in c;1 .d");
    }

    #[test]
    fn licences_stay() {
        assert_eq!(tighten("/*! MIT */\nx"), "/*! MIT */\nx");
    }

    #[test]
    fn a_comment_alone_between_two_words_goes_on_separating_them() {
        assert_eq!(tighten("return/* x */value"), "return value");
    }

    #[test]
    fn letters_of_every_alphabet_survive() {
        assert_eq!(tighten("a = `✓ ${b} é`;  c = 'ü'"), "a=`✓ ${b} é`;c='ü'");
    }
}
