//! What a caller wants to see: `$select` and `$expand` as one tree.
//!
//! Made from a query (or by hand, for Graph's `expand=fields(…)`), read by `entity`.

use std::collections::BTreeMap;

/// What is wanted of one entity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// The names that were selected; none means what the entity shows by itself.
    pub select: Vec<String>,
    /// Whether `*` was among them.
    pub star: bool,
    /// What was expanded, by the name as it was written.
    pub expand: BTreeMap<String, Projection>,
    /// What was selected below a name (`Author/Title`), expanded or not.
    pub below: BTreeMap<String, Projection>,
}

impl Projection {
    /// Reads `$select` and `$expand`.
    #[must_use]
    pub fn read(select: Option<&str>, expand: Option<&str>) -> Self {
        let mut all = Self::default();
        let parts = |text: Option<&str>| -> Vec<String> {
            let parts = text.unwrap_or_default().split(',');
            let parts = parts.map(|part| part.trim().trim_matches('/').to_owned());
            parts.filter(|part| !part.is_empty()).collect()
        };
        for path in parts(expand) {
            let mut at = &mut all;
            for name in path.split('/') {
                at = at.expand.entry(name.to_owned()).or_default();
            }
        }
        for path in parts(select) {
            all.select_path(&path);
        }
        all
    }

    fn select_path(&mut self, path: &str) {
        match path.split_once('/') {
            None if path == "*" => self.star = true,
            None => self.select.push(path.to_owned()),
            Some((name, rest)) => {
                let key = self.key_of(name);
                let below = self.below.entry(name.to_owned()).or_default();
                below.select_path(rest);
                if let Some(child) = key.and_then(|key| self.expand.get_mut(&key)) {
                    child.select_path(rest);
                }
            }
        }
    }

    /// Whether nothing was selected, so that the entity shows itself.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.select.is_empty() && self.below.is_empty() && !self.star
    }

    /// Whether what was not named is shown as well.
    #[must_use]
    pub fn shows_all(&self) -> bool {
        self.star || self.is_default()
    }

    /// What was expanded under that name, in whatever case.
    #[must_use]
    pub fn expanded(&self, name: &str) -> Option<&Self> {
        let key = self.key_of(name)?;
        self.expand.get(&key)
    }

    fn key_of(&self, name: &str) -> Option<String> {
        let same = |key: &&String| key.eq_ignore_ascii_case(name);
        self.expand.keys().find(same).cloned()
    }

    /// Whether that name was selected, by itself or something below it, in whatever case.
    #[must_use]
    pub fn selects(&self, name: &str) -> bool {
        let same = |other: &String| other.eq_ignore_ascii_case(name);
        self.select.iter().any(same) || self.below.keys().any(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_selected_below_a_name_belongs_to_what_is_expanded_there() {
        let all = Projection::read(Some("Id, Author/Title,Author/EMail"), Some("Author"));
        assert_eq!(all.select, ["Id"]);
        let author = all.expanded("author").expect("it was expanded");
        assert_eq!(author.select, ["Title", "EMail"]);
        assert!(all.selects("Author") && !all.selects("Editor"));
        assert!(!all.shows_all());
    }

    #[test]
    fn a_star_beside_other_names_shows_the_rest_too() {
        let all = Projection::read(Some("*,EncodedAbsUrl"), None);
        assert!(all.shows_all() && !all.is_default());
        assert!(Projection::read(None, Some("Fields/Choices")).is_default());
    }
}
