//! The worklist's styles for Leptos applications: the sheets of the control that it uses and its own,
//! in the order of `style/worklist/order.txt`, of which the build makes the elements' file.

macro_rules! sheets {
    ($($name:literal),+ $(,)?) => {
        /// The sheets, joined, for a style sheet of a shadow root (they begin at `:host`).
        ///
        /// ```
        /// assert!(checklist_control::worklist::STYLES.contains(".worklist"));
        /// ```
        pub const STYLES: &str =
            concat!($(include_str!(concat!("../../../style/worklist/", $name)), "\n"),+);

        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),+];
    };
}

sheets![
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
];

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn the_sheets_are_those_of_the_build_in_its_order() {
        let order = include_str!("../../../style/worklist/order.txt");
        let listed: Vec<&str> = order
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default().trim())
            .filter(|name| !name.is_empty())
            .collect();
        assert_eq!(NAMES, listed);
    }
}
