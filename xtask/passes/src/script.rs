//! Minifies JavaScript with oxc: simplifies it, shortens local names, removes whitespace.
//!
//! Exports and property names are kept; private members (`#…`) get short names.

use anyhow::{Result, bail};
use oxc::allocator::Allocator;
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::minifier::{Minifier, MinifierOptions};
use oxc::parser::Parser;
use oxc::span::SourceType;

/// The same module in fewer bytes.
///
/// # Errors
/// When it is no JavaScript.
pub fn tighten(script: &str) -> Result<String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, script, SourceType::mjs()).parse();
    if let Some(error) = parsed.diagnostics.first() {
        bail!("a script of the control is no JavaScript: {error}");
    }
    let mut program = parsed.program;
    let minified = Minifier::new(MinifierOptions::default()).minify(&allocator, &mut program);
    let printed = Codegen::new()
        .with_options(CodegenOptions::minify())
        .with_scoping(minified.scoping)
        .with_private_member_mappings(minified.class_private_mappings)
        .build(&program);
    Ok(printed.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_go_and_local_names_become_short() {
        let script = "// told\nexport function twice(number) {\n  const result = number * 2;\n  return result + read(result);\n}\n";
        let tight = tighten(script).expect("a module");
        assert!(
            !tight.contains("told") && !tight.contains("number"),
            "{tight}"
        );
        assert!(
            tight.contains("twice") && tight.contains("read("),
            "{tight}"
        );
    }

    #[test]
    fn properties_keep_their_names_because_others_use_them() {
        let tight = tighten(
            "export class Box { tokenProvider = 1; open() { return this.tokenProvider; } }",
        );
        let tight = tight.expect("a module");
        assert!(
            tight.contains("tokenProvider") && tight.contains("open("),
            "{tight}"
        );
    }

    #[test]
    fn what_is_no_javascript_is_an_error() {
        assert!(tighten("export function (").is_err());
    }
}
