//! What the fuzz targets call: compiled with the feature `fuzzed` and in tests alone.

#[cfg(test)]
#[path = "../../../tests/fuzz/src/odata_filter.rs"]
mod odata_filter;
#[cfg(test)]
#[path = "../../../tests/fuzz/src/site_answers.rs"]
mod site_answers;

use serde_json::json;

use crate::field::{Column, SiteFieldType};
use crate::filter::Criterion;
use crate::rest;

/// The filter for rows whose column `Title` holds exactly this text; `None` where a site has none.
///
/// # Panics
/// When a column of text does not take it.
#[must_use]
pub fn text_filter(text: &str) -> Option<String> {
    let column =
        json!({ "InternalName": "Title", "DisplayName": "Title", "Type": SiteFieldType::String });
    let column: Column = serde_json::from_value(column).expect("a column");
    let criterion = Criterion::equal_to(&column, &json!(text)).expect("a text");
    rest::text_filter(&criterion)
}

#[cfg(test)]
mod tests {
    use checklist_site_server::odata::filter::{Comparison, Expression, Operand, parse};

    use super::{odata_filter, site_answers};

    /// Every seed of a target.
    fn seeds(target: &str) -> Vec<Vec<u8>> {
        let folder = format!(
            "{}/../../tests/fuzz/seeds/{target}",
            env!("CARGO_MANIFEST_DIR")
        );
        let files = std::fs::read_dir(folder).expect("the seeds");
        let seeds: Vec<_> = files
            .map(|file| std::fs::read(file.expect("a seed").path()).expect("a seed"))
            .collect();
        assert!(!seeds.is_empty());
        seeds
    }

    fn equation(text: &str) -> Option<(Vec<String>, String)> {
        match parse(text).ok()? {
            Expression::Compare(Operand::Path(name), Comparison::Equal, Operand::Text(value)) => {
                Some((name, value))
            }
            _ => None,
        }
    }

    #[test]
    fn a_site_understands_the_text_that_is_looked_for() {
        for seed in seeds("odata_filter") {
            odata_filter::hold(&seed, super::text_filter, equation);
        }
    }

    #[test]
    fn whatever_a_site_asks_for_the_client_comes_to_an_end() {
        seeds("retry_after")
            .iter()
            .for_each(|seed| site_answers::hold_wait(seed));
        seeds("sign_in_challenge")
            .iter()
            .for_each(|seed| site_answers::hold_challenge(seed));
    }
}
