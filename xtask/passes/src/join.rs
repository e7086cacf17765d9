//! Bundles the modules of the element's script into one file, so that a page loads one script. Each
//! module follows those that it imports, `import` lines and the word `export` are removed, and the
//! exports of the entry remain. This needs unique top-level names and no cycle; both are checked
//! here.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use oxc::allocator::Allocator;
use oxc::ast::ast::{Declaration, ImportDeclaration, ImportDeclarationSpecifier, Statement};
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::{GetSpan, SourceType};

/// The script of elements as one module. `entry` is the module that imports all others; each is in the
/// first of the folders that has one of its name.
///
/// # Errors
/// When a module cannot be read, or does something that the rule has no place for.
pub fn element_script(folders: &[&Path], entry: &str) -> Result<String> {
    let mut modules = Modules {
        folders,
        done: Vec::new(),
        begun: Vec::new(),
    };
    modules.add(entry)?;
    let exported = modules.done.last().map(|last| last.listed.clone());
    let exported = exported.unwrap_or_default();
    let mut joined = String::new();
    for module in &modules.done {
        joined.push_str(module.without_marks(&exported).trim());
        joined.push_str("\n\n");
    }
    let joined = [joined.trim_end(), "\n"].concat();
    check(&joined)?;
    Ok(joined)
}

/// Whether the joined text is one sound module: two modules with one name would not be.
fn check(joined: &str) -> Result<()> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, joined, SourceType::mjs()).parse();
    let semantic = SemanticBuilder::new()
        .with_check_syntax_error(true)
        .build(&parsed.program);
    if let Some(error) = parsed
        .diagnostics
        .iter()
        .chain(&semantic.diagnostics)
        .next()
    {
        bail!("the modules of the element's script do not fit together: {error}");
    }
    Ok(())
}

struct Modules<'a> {
    folders: &'a [&'a Path],
    done: Vec<Module>,
    begun: Vec<String>,
}

impl Modules<'_> {
    /// Adds a module behind all that it imports.
    fn add(&mut self, name: &str) -> Result<()> {
        if self.done.iter().any(|module| module.name == name) {
            return Ok(());
        }
        ensure!(
            !self.begun.iter().any(|begun| begun == name),
            "{name} imports itself by way of {}",
            self.begun.join(", ")
        );
        self.begun.push(name.to_owned());
        let mut paths = self.folders.iter().map(|folder| folder.join(name));
        let path = paths.find(|path| path.exists());
        let path = path.with_context(|| format!("there is no module {name}"))?;
        let text =
            fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let module = Module::read(name, text).with_context(|| path.display().to_string())?;
        for (source, wanted) in &module.imports {
            self.add(source)?;
            let of = self.done.iter().find(|module| module.name == *source);
            ensure!(
                of.is_some_and(|of| wanted.is_subset(&of.declared)),
                "{name} imports from {source} what is not exported there: {wanted:?}"
            );
        }
        self.done.push(module);
        Ok(())
    }
}

struct Module {
    name: String,
    text: String,
    /// The modules that it imports, and the names from each.
    imports: Vec<(String, HashSet<String>)>,
    /// Names that it exports where it declares them.
    declared: HashSet<String>,
    /// Names that it exports in a list.
    listed: HashSet<String>,
    /// The parts of the text that go, each with the names that keep it there.
    marks: Vec<(std::ops::Range<usize>, Vec<String>)>,
}

impl Module {
    fn read(name: &str, text: String) -> Result<Self> {
        let mut module = Self {
            name: name.to_owned(),
            text,
            imports: Vec::new(),
            declared: HashSet::new(),
            listed: HashSet::new(),
            marks: Vec::new(),
        };
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, &module.text, SourceType::mjs()).parse();
        if let Some(error) = parsed.diagnostics.first() {
            bail!("this is no JavaScript: {error}");
        }
        for statement in &parsed.program.body {
            let range = |from: u32, until: u32| from as usize..until as usize;
            let span = statement.span();
            match statement {
                Statement::ImportDeclaration(import) => {
                    module.imports.push(imported(import)?);
                    module.marks.push((range(span.start, span.end), Vec::new()));
                }
                Statement::ExportDeclaration(export) => {
                    let names = declared(&export.declaration);
                    module.declared.extend(names.iter().cloned());
                    let word = range(span.start, export.declaration.span().start);
                    module.marks.push((word, names));
                }
                Statement::ExportNamedDeclaration(export) => {
                    let names = export.specifiers.iter().map(|name| name.exported.name());
                    module.listed.extend(names.map(|name| name.to_string()));
                    module.marks.push((range(span.start, span.end), Vec::new()));
                }
                Statement::ExportFromDeclaration(_)
                | Statement::ExportDefaultDeclaration(_)
                | Statement::ExportAllDeclaration(_) => {
                    bail!("only declarations and lists of names are exported here")
                }
                _ => {}
            }
        }
        Ok(module)
    }

    /// The text without what only separate modules need; names in `exported` stay exported.
    fn without_marks(&self, exported: &HashSet<String>) -> String {
        let mut text = self.text.clone();
        for (range, names) in self.marks.iter().rev() {
            if !names.iter().any(|name| exported.contains(name)) {
                text.replace_range(range.clone(), "");
            }
        }
        text
    }
}

/// The names that a declaration makes.
fn declared(declaration: &Declaration) -> Vec<String> {
    let identifiers = match declaration {
        Declaration::VariableDeclaration(variables) => variables
            .declarations
            .iter()
            .flat_map(|one| one.id.get_binding_identifiers())
            .collect(),
        other => other.id().into_iter().collect::<Vec<_>>(),
    };
    identifiers.iter().map(|id| id.name.to_string()).collect()
}

/// What an `import` takes from where: names as they are, from a file beside this one.
fn imported(import: &ImportDeclaration) -> Result<(String, HashSet<String>)> {
    let source = import.source.value.as_str();
    let file = source
        .strip_prefix("./")
        .with_context(|| format!("{source} is not a module of the element's script"))?;
    let mut names = HashSet::new();
    for specifier in import.specifiers.iter().flatten() {
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(one)
                if one.imported.name().as_str() == one.local.name.as_str() =>
            {
                names.insert(one.local.name.to_string());
            }
            _ => bail!("what is imported from {source} has to keep its name"),
        }
    }
    Ok((file.to_owned(), names))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(modules: &[(&str, &str)]) -> Result<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in modules {
            fs::write(folder.path().join(name), text).expect("a writable folder");
        }
        element_script(&[folder.path()], modules[0].0)
    }

    #[test]
    fn a_module_of_the_first_folder_stands_in_for_its_namesake() {
        let [own, shared] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let write = |folder: &tempfile::TempDir, name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a writable folder");
        };
        write(&own, "a.js", "import { two } from \"./b.js\";\nuse(two);\n");
        write(
            &shared,
            "b.js",
            "import { one } from \"./c.js\";\nexport const two = one + 1;\n",
        );
        write(&shared, "c.js", "export const one = 1;\n");
        write(&own, "c.js", "export const one = 5;\n");
        let joined = element_script(&[own.path(), shared.path()], "a.js");
        assert_eq!(
            joined.expect("modules that fit"),
            "const one = 5;\n\nconst two = one + 1;\n\nuse(two);\n"
        );
        let error = element_script(&[shared.path()], "a.js").expect_err("no such module");
        assert!(format!("{error:#}").contains("no module a.js"), "{error:#}");
    }

    #[test]
    fn each_module_follows_those_that_it_imports_and_only_the_entry_exports() {
        let text = joined(&[
            (
                "a.js",
                "import { Box } from \"./b.js\";\nimport { one } from \"./c.js\";\n\nexport { Box };\nnew Box(one);\n",
            ),
            (
                "b.js",
                "import { one } from \"./c.js\";\n\n/** A box. */\nexport class Box {\n  size = one;\n}\n",
            ),
            ("c.js", "export const one = 1;\n"),
        ]);
        assert_eq!(
            text.expect("modules that fit"),
            "const one = 1;\n\n/** A box. */\nexport class Box {\n  size = one;\n}\n\nnew Box(one);\n"
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let import = "import { one } from \"./b.js\";\n";
        let refusals = [
            (["const one = 2;\n", ""].concat(), "const one = 1;", "one"),
            (String::new(), "const two = 1;", "not exported there"),
            (String::new(), "export default 1;", "only declarations"),
            (
                String::new(),
                "import { x } from \"./a.js\";\nexport const one = 1;",
                "imports itself",
            ),
        ];
        for (after, other, said) in refusals {
            let entry = [import, &after].concat();
            let error = joined(&[("a.js", &entry), ("b.js", other)]).expect_err(other);
            assert!(format!("{error:#}").contains(said), "{error:#}");
        }
        let renamed = "import { one as two } from \"./b.js\";\n";
        let error = joined(&[("a.js", renamed), ("b.js", "export const one = 1;")]);
        assert!(format!("{:#}", error.expect_err("renamed")).contains("keep its name"));
    }

    #[test]
    fn two_modules_may_not_share_a_name() {
        let error = joined(&[
            (
                "a.js",
                "import { one } from \"./b.js\";\nconst hidden = one;\n",
            ),
            ("b.js", "const hidden = 2;\nexport const one = hidden;\n"),
        ]);
        let said = format!("{:#}", error.expect_err("two of a name"));
        assert!(said.contains("do not fit together"), "{said}");
    }
}
