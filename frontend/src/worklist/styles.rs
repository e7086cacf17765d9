//! The worklist's styles for Leptos applications: the sheets of the control that it uses and its own,
//! in the order of `style/worklist/order.txt`, of which the build makes the elements' file.

use crate::styles::sheets;

sheets! {
    /// The sheets, joined, for a style sheet of a shadow root (they begin at `:host`).
    ///
    /// ```
    /// assert!(checklist_control::worklist::STYLES.contains(".worklist"));
    /// ```
    "../../../style/worklist/":
    "../themes/light.css",
    "../themes/dark.css",
    "../tokens.css",
    "../base.css",
    "../control.css",
    "../rows.css",
    "../notices.css",
    "../forms.css",
    "worklist.css",
    "../forced-colors.css",
}
