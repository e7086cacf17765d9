//! Orders the functions of a linked library for compression: similar functions next to each other,
//! because brotli compresses best what it has just seen. Of identical functions it keeps one, which
//! the linker does not do for WASM.

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Result, anyhow, ensure};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, Encode as _, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, FunctionBody, FunctionSectionReader, Parser, Payload, TypeRef,
};

/// Functions are alike that share many such short pieces of code.
const PIECE: usize = 4;
/// Pieces that more functions than this have say nothing about any two of them.
const COMMON: usize = 1_500;

/// The same library with fewer functions in another order.
///
/// # Errors
/// When it is no WASM.
pub fn arrange(wasm: &[u8]) -> Result<Vec<u8>> {
    let library = Library::read(wasm)?;
    let stands_for = library.merged()?;
    let kept: Vec<usize> = (0..library.bodies.len())
        .filter(|&own| stands_for[own] == own)
        .collect();
    let order = alike(&kept, &library.codes(&|_| 0)?);
    let mut places = vec![0; library.bodies.len()];
    for (place, &own) in order.iter().enumerate() {
        places[own] = place;
    }
    let number = |index: u32| match index.checked_sub(library.imported) {
        Some(own) => library.imported + places[stands_for[own as usize]] as u32,
        None => index,
    };
    let mut module = Module::new();
    let mut renumber = Renumber {
        number: &number,
        order: &order,
    };
    renumber
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|error| anyhow!("{error}"))?;
    Ok(module.finish())
}

/// The functions of a library, as the ordering needs them.
struct Library<'a> {
    /// Functions that come from outside have the first numbers.
    imported: u32,
    types: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Library<'a> {
    fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut library = Self {
            imported: 0,
            types: Vec::new(),
            bodies: Vec::new(),
        };
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        library.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::FunctionSection(types) => {
                    library.types = types.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::CodeSectionEntry(body) => library.bodies.push(body),
                _ => {}
            }
        }
        ensure!(
            library.types.len() == library.bodies.len(),
            "a function of the library has no body"
        );
        Ok(library)
    }

    /// The code of every function, with other numbers for those that it calls.
    fn codes(&self, number: &dyn Fn(u32) -> u32) -> Result<Vec<Vec<u8>>> {
        let mut renumber = Renumber { number, order: &[] };
        let code = |body: &FunctionBody| {
            let mut one = CodeSection::new();
            renumber
                .parse_function_body(&mut one, body.clone())
                .map_err(|error| anyhow!("{error}"))?;
            let mut bytes = Vec::new();
            one.encode(&mut bytes);
            Ok(bytes)
        };
        self.bodies.iter().map(code).collect()
    }

    /// The representative of each function: itself, or the first identical one.
    fn merged(&self) -> Result<Vec<usize>> {
        let mut stands_for: Vec<usize> = (0..self.bodies.len()).collect();
        loop {
            let number = |index: u32| match index.checked_sub(self.imported) {
                Some(own) => self.imported + stands_for[own as usize] as u32,
                None => index,
            };
            let codes = self.codes(&number)?;
            let mut first = HashMap::new();
            let mut next = stands_for.clone();
            for (own, code) in codes.iter().enumerate() {
                next[own] = *first.entry((self.types[own], code)).or_insert(own);
            }
            // Two that call one of two that were the same are the same only now.
            if next == stands_for {
                return Ok(stands_for);
            }
            stands_for = next;
        }
    }
}

/// `kept` in an order in which each is followed by the one that is most like it.
fn alike(kept: &[usize], codes: &[Vec<u8>]) -> Vec<usize> {
    let pieces = |own: usize| {
        let mut pieces: Vec<&[u8]> = codes[own].windows(PIECE).collect();
        pieces.sort_unstable();
        pieces.dedup();
        pieces
    };
    let pieces: Vec<Vec<&[u8]>> = kept.iter().map(|&own| pieces(own)).collect();
    let mut having: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, pieces) in pieces.iter().enumerate() {
        for piece in pieces {
            having.entry(piece).or_default().push(at);
        }
    }
    let mut left = vec![true; kept.len()];
    let mut order = Vec::with_capacity(kept.len());
    let largest = |left: &[bool]| {
        (0..kept.len())
            .filter(|&at| left[at])
            .max_by_key(|&at| (pieces[at].len(), kept.len() - at))
    };
    let mut next = largest(&left);
    let mut shared = vec![0.0_f32; kept.len()];
    while let Some(at) = next {
        left[at] = false;
        order.push(kept[at]);
        shared.fill(0.0);
        for piece in &pieces[at] {
            let others = &having[piece];
            if others.len() <= COMMON {
                let weight = (others.len() as f32).sqrt().recip();
                for &other in others {
                    shared[other] += weight;
                }
            }
        }
        let likeness = |at: usize| shared[at] / (pieces[at].len() + 1) as f32;
        next = (0..kept.len())
            .filter(|&other| left[other] && shared[other] > 0.0)
            .max_by(|&one, &other| likeness(one).total_cmp(&likeness(other)))
            .or_else(|| largest(&left));
    }
    order
}

/// Rewrites a library with renumbered functions and the bodies in their new order.
struct Renumber<'a> {
    number: &'a dyn Fn(u32) -> u32,
    order: &'a [usize],
}

impl Reencode for Renumber<'_> {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<Infallible>> {
        Ok((self.number)(index))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &own in self.order {
            functions.function(types[own]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for &own in self.order {
            self.parse_function_body(code, bodies[own].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        EntityType, ExportKind, ExportSection, Function, ImportSection, Instruction, TypeSection,
        ValType,
    };
    use wasmparser::Operator;

    /// `ask` comes from outside; `one` and `other` do the same, `first` and `second` call them.
    fn library() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("host", "ask", EntityType::Function(0));
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for calls in [3, 4, 0, 0] {
            functions.function(0);
            let mut function = Function::new([]);
            function.instruction(&Instruction::Call(calls));
            function.instruction(&Instruction::End);
            code.function(&function);
        }
        let mut exports = ExportSection::new();
        for (name, index) in [("first", 1), ("second", 2), ("one", 3), ("other", 4)] {
            exports.export(name, ExportKind::Func, index);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&exports).section(&code);
        module.finish()
    }

    /// The exports by name, and what each function calls.
    fn seen(wasm: &[u8]) -> (HashMap<String, u32>, Vec<u32>) {
        let (mut exports, mut calls) = (HashMap::new(), Vec::new());
        for payload in Parser::new(0).parse_all(wasm) {
            match payload.expect("valid") {
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export.expect("valid");
                        exports.insert(export.name.to_owned(), export.index);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let mut operators = body.get_operators_reader().expect("valid");
                    match operators.read().expect("valid") {
                        Operator::Call { function_index } => calls.push(function_index),
                        other => panic!("{other:?}"),
                    }
                }
                _ => {}
            }
        }
        (exports, calls)
    }

    #[test]
    fn functions_that_do_the_same_become_one_and_then_those_that_call_them() {
        let (exports, calls) = seen(&arrange(&library()).expect("valid"));
        assert_eq!(calls.len(), 2, "four functions, two of a kind");
        assert_eq!(exports["first"], exports["second"]);
        assert_eq!(exports["one"], exports["other"]);
        assert_ne!(exports["one"], exports["first"]);
        let called = |name: &str| calls[exports[name] as usize - 1];
        assert_eq!(called("one"), 0, "what comes from outside keeps its number");
        assert_eq!(called("first"), exports["one"]);
    }

    #[test]
    fn like_stands_beside_like() {
        let codes = [&b"aaaabbbbcccc"[..], b"zzzzyyyyxxxx", b"aaaabbbbdd"].map(<[u8]>::to_vec);
        assert_eq!(alike(&[0, 1, 2], &codes), [0, 2, 1]);
    }

    #[test]
    fn half_a_file_is_refused() {
        let whole = library();
        assert!(arrange(&whole[..whole.len() - 3]).is_err());
    }
}
