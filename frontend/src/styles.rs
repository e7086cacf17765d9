//! The control's styles for Leptos applications, where nothing is fetched: the sheets of `style/`,
//! concatenated in the order of `style/order.txt`. The elements and the server use the file that the
//! build makes of the same sheets.

macro_rules! sheets {
    ($(#[$about:meta])+ $folder:literal: $($name:literal),+ $(,)?) => {
        $(#[$about])+
        pub const STYLES: &str = concat!($(include_str!(concat!($folder, $name)), "\n"),+);

        #[cfg(test)]
        mod tests {
            #[test]
            fn the_sheets_are_those_of_the_build_in_its_order() {
                let order = include_str!(concat!($folder, "order.txt"));
                let listed: Vec<&str> = order
                    .lines()
                    .map(|line| line.split('#').next().unwrap_or_default().trim())
                    .filter(|name| !name.is_empty())
                    .collect();
                assert_eq!(listed, [$($name),+]);
            }
        }
    };
}
pub(crate) use sheets;

sheets! {
    /// The sheets, joined, for a style sheet of a shadow root (they begin at `:host`).
    ///
    /// ```
    /// assert!(checklist_control::STYLES.contains(":host"));
    /// ```
    "../../style/":
    "themes/light.css",
    "themes/dark.css",
    "tokens.css",
    "base.css",
    "control.css",
    "compact.css",
    "rows.css",
    "search.css",
    "selection.css",
    "drag.css",
    "notices.css",
    "forms.css",
    "menus.css",
    "preview.css",
    "forced-colors.css",
    "print.css",
}
