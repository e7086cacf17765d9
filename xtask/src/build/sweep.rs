//! Sweeps away what nobody calls any more. The linker has put functions into the table of those
//! that are called by their number, and there they count as called, although whoever could call
//! them went with its export (`unexport`). Called by `bindgen` when the glue is made, which needs
//! the table as it was.

use std::collections::HashSet;

use walrus::{ElementItems, FunctionId, Module};

/// In the names of all that is made of the types of `wasm-streams`.
const UNCALLED: &str = "wasm_streams";
/// In the name of what is called when a value ends: it can stand in for the others.
const ENDING: &str = "drop_in_place";

/// Takes the functions out of the table, and all that only they needed.
pub fn sweep(module: &mut Module) {
    let named = |module: &Module, part: &str| -> HashSet<FunctionId> {
        let of = |name: &Option<String>| name.as_ref().is_some_and(|name| name.contains(part));
        let functions = module.funcs.iter().filter(|function| of(&function.name));
        functions.map(|function| function.id()).collect()
    };
    let (uncalled, endings) = (named(module, UNCALLED), named(module, ENDING));
    for element in module.elements.iter_mut() {
        let ElementItems::Functions(functions) = &mut element.items else {
            continue;
        };
        let other = functions
            .iter()
            .copied()
            .find(|function| endings.contains(function) && !uncalled.contains(function));
        for function in functions.iter_mut() {
            match other {
                Some(other) if uncalled.contains(function) => *function = other,
                _ => {}
            }
        }
    }
    walrus::passes::gc::run(module);
    // Names were needed up to here.
    for function in module.funcs.iter_mut() {
        function.name = None;
    }
}
