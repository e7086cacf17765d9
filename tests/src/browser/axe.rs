//! axe-core on the open page: what it finds about accessibility, in words.
//!
//! The script is vendored in `tests/vendor/axe-core`; it reaches into open shadow roots.

use serde_json::{Value, json};

use super::driver::Browser;

const AXE: &str = include_str!("../../vendor/axe-core/axe.min.js");

impl Browser {
    /// The same in each colour scheme that the browser can show.
    #[track_caller]
    pub fn is_accessible_in_every_scheme(&self, selector: &str) {
        for scheme in self.schemes() {
            self.prefer(scheme);
            self.is_accessible(selector, scheme);
        }
    }

    /// Fails unless axe-core finds nothing to object to within the selector's elements.
    #[track_caller]
    pub fn is_accessible(&self, selector: &str, when: &str) {
        if self.value("typeof axe") != json!("object") {
            self.script(AXE, &[]);
        }
        // Colours may fade over; axe has to see where they arrive.
        self.until(
            "[document, ...[...document.querySelectorAll('*')].map((one) => one.shadowRoot).filter(Boolean)]\
               .every((root) => root.getAnimations().length === 0)",
        );
        let body = "const [selector, done] = arguments;\
            axe.run({ include: [selector] }, { resultTypes: ['violations'] }).then(\
              (found) => done(found.violations.map((one) => ({ id: one.id, help: one.help, nodes: one.nodes.map((node) => [node.target.flat().join(' '), node.failureSummary]) }))),\
              (error) => done([String(error)]));";
        let found = self.script_that_calls_back(body, &[json!(selector)]);
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
