//! Lets the element's script intercept each call of the WASM: the glue passes an instance's exports
//! to a function of the script, and calls what that returns. wasm-bindgen has no hook for this, so
//! one line of its glue is replaced.

use anyhow::{Result, ensure};

/// The line of the glue that stores an instance's exports.
const KEPT: &str = "wasm = instance.exports;";
const WATCHED: &str = "wasm = watch(instance.exports);";
const CHOICE: &str =
    "\nlet watch = (exports) => exports;\nexport function watchedBy(choice) { watch = choice; }\n";

/// The same glue with the export `watchedBy`.
///
/// # Errors
/// When the glue does not look as expected: another version of wasm-bindgen.
pub fn watchable(glue: &str) -> Result<String> {
    ensure!(
        glue.matches(KEPT).count() == 1,
        "the glue of wasm-bindgen does not say `{KEPT}` in one place"
    );
    Ok([&glue.replace(KEPT, WATCHED), CHOICE].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_instance_exports_goes_through_the_choice() {
        let glue = "let wasm;\nfunction done(instance) { wasm = instance.exports; }\n";
        let watched = watchable(glue).expect("glue");
        assert!(watched.contains("{ wasm = watch(instance.exports); }"));
        assert!(watched.ends_with(CHOICE));
    }

    #[test]
    fn glue_of_another_make_is_refused() {
        assert!(watchable("let wasm = await instance();").is_err());
        assert!(watchable(&KEPT.repeat(2)).is_err());
    }
}
