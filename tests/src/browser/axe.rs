//! axe-core on the open page: what it finds about accessibility, in words.
//!
//! The script is vendored in `tests/vendor/axe-core`; it reaches into open shadow roots.

use serde_json::{Value, json};

use super::driver::Browser;

const AXE: &str = include_str!("../../vendor/axe-core/axe.min.js");

/// The rules that look at colours. All others find the same in each scheme.
const OF_COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

impl Browser {
    /// Fails unless axe-core finds nothing in the first colour scheme that the browser can show, and
    /// nothing about colours in the others.
    #[track_caller]
    pub fn is_accessible_in_every_scheme(&self, selector: &str) {
        for (index, scheme) in self.schemes().iter().enumerate() {
            self.prefer(scheme);
            match index {
                0 => self.is_accessible(selector, scheme),
                _ => self.has_accessible_colours(selector, scheme),
            }
        }
    }

    /// Fails unless axe-core finds nothing to object to within the selector's elements.
    #[track_caller]
    pub fn is_accessible(&self, selector: &str, when: &str) {
        self.passes_axe(selector, &json!({}), when);
    }

    /// The same for colours alone: for what was looked at as a whole in another scheme.
    #[track_caller]
    pub fn has_accessible_colours(&self, selector: &str, when: &str) {
        let rules = json!({ "runOnly": { "type": "rule", "values": OF_COLOURS } });
        self.passes_axe(selector, &rules, when);
    }

    #[track_caller]
    fn passes_axe(&self, selector: &str, rules: &Value, when: &str) {
        if self.value("typeof axe") != json!("object") {
            self.script(AXE, &[]);
        }
        // Colours may fade over; axe has to see where they arrive.
        self.until(
            "[document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)]\
               .every((root) => root.getAnimations().length === 0)",
        );
        let body = "const [selector, rules, done] = arguments;\
            axe.run({ include: [selector] }, { ...rules, resultTypes: ['violations'] }).then(\
              (found) => done(found.violations.map((one) => ({ id: one.id, help: one.help, nodes: one.nodes.map((node) => [node.target.flat().join(' '), node.failureSummary]) }))),\
              (error) => done([String(error)]));";
        let found = self.script_that_calls_back(body, &[json!(selector), rules.clone()]);
        assert_eq!(found, json!([]), "axe-core objects, {when}");
    }

    #[track_caller]
    fn script_that_calls_back(&self, body: &str, arguments: &[Value]) -> Value {
        match self.wait_for(self.driver().execute_async(body, arguments.to_vec())) {
            Ok(answer) => answer.json().clone(),
            Err(error) => panic!("the script failed: {error}"),
        }
    }
}
