//! Removes unreachable functions. The linker puts functions that are called indirectly into a table,
//! where they count as used although their only callers were removed with an export (`unexport`), or
//! never existed.

use std::collections::HashSet;

use walrus::ir::{Call, Visitor, dfs_in_order};
use walrus::{ElementItems, FunctionId, FunctionKind, Module};

/// In the names of all that is made of the types of `wasm-streams`.
const STREAMS: &str = "wasm_streams";
/// In the names of the queue that runs `async` tasks, and of its tasks (`js_sys::futures`).
const TASKS: &str = "::futures::";
/// In the names of the queue alone, whose functions whoever has a task calls.
const QUEUE: &str = "::futures::queue::Queue";
/// In the name of what is called when a value ends: it can stand in for the others.
const ENDING: &str = "drop_in_place";

/// Takes the functions out of the table, and all that only they needed.
pub fn remove_dead_code(module: &mut Module) {
    take_out(module, STREAMS);
    // The pages have tasks; the control does everything by callback.
    if !called_from_elsewhere(module, QUEUE, TASKS) {
        take_out(module, TASKS);
    }
    // Names were needed up to here.
    for function in module.funcs.iter_mut() {
        function.name = None;
    }
}

/// The functions with `part` in their name.
fn named(module: &Module, part: &str) -> HashSet<FunctionId> {
    let of = |name: &Option<String>| name.as_ref().is_some_and(|name| name.contains(part));
    let functions = module.funcs.iter().filter(|function| of(&function.name));
    functions.map(|function| function.id()).collect()
}

fn take_out(module: &mut Module, part: &str) {
    let (uncalled, endings) = (named(module, part), named(module, ENDING));
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
}

/// Whether a function that has not `own` in its name calls one with `part` in it.
fn called_from_elsewhere(module: &Module, part: &str, own: &str) -> bool {
    let (called, own) = (named(module, part), named(module, own));
    let mut calls = Calls::default();
    for function in module.funcs.iter() {
        if let FunctionKind::Local(local) = &function.kind
            && !own.contains(&function.id())
        {
            dfs_in_order(&mut calls, local, local.entry_block());
        }
    }
    !calls.0.is_disjoint(&called)
}

#[derive(Default)]
struct Calls(HashSet<FunctionId>);

impl<'a> Visitor<'a> for Calls {
    fn visit_call(&mut self, call: &Call) {
        self.0.insert(call.func);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walrus::{ConstExpr, ElementKind, FunctionBuilder, ModuleConfig, RefType};

    /// A queue in the table, and a function that has a task for it or has none.
    fn library(has_tasks: bool) -> Module {
        let mut module = Module::with_config(ModuleConfig::new());
        let add = |module: &mut Module, name: &str, calls: Option<FunctionId>| {
            let mut builder = FunctionBuilder::new(&mut module.types, &[], &[]);
            if let Some(called) = calls {
                builder.func_body().call(called);
            }
            let id = builder.finish(Vec::new(), &mut module.funcs);
            module.funcs.get_mut(id).name = Some(name.to_owned());
            id
        };
        let queue = add(&mut module, "<js_sys::futures::queue::Queue>::run", None);
        let waker = add(&mut module, "js_sys::futures::task::wake", Some(queue));
        let ending = add(&mut module, "core::ptr::drop_in_place::<u8>", None);
        let main = add(&mut module, "main", has_tasks.then_some(queue));
        module.exports.add("main", main);
        let table = module.tables.add_local(false, 3, None, RefType::FUNCREF);
        let kind = ElementKind::Active {
            table,
            offset: ConstExpr::Value(walrus::ir::Value::I32(0)),
        };
        let functions = ElementItems::Functions(vec![queue, waker, ending]);
        let element = module.elements.add(kind, functions);
        module.tables.get_mut(table).elem_segments.insert(element);
        module.exports.add("table", table);
        module
    }

    fn functions(mut module: Module) -> usize {
        remove_dead_code(&mut module);
        module.funcs.iter().count()
    }

    #[test]
    fn the_queue_goes_where_nobody_has_a_task_and_stays_where_somebody_has() {
        assert_eq!(functions(library(false)), 2, "main and the ending");
        assert_eq!(functions(library(true)), 4);
    }
}
