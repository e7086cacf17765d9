//! "Did you mean …?": the name nearest to one that does not exist.
//!
//! Called where the operator names a tenant or an environment variable.

/// The name that differs in the fewest letters, if those are few.
#[must_use]
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (wanted.chars().count() / 3).max(1);
    names
        .into_iter()
        .map(|name| (distance(wanted, name), name))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many letters have to be added, taken away, replaced or swapped with their neighbour to
/// make one of the other (optimal string alignment), whatever the case of the letters.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, target) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != target);
            let mut least = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            let swapped =
                row > 0 && column > 0 && one[row - 1] == *target && *letter == other[column - 1];
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_seen_through() {
        let names = ["acme", "beta", "CHECKLIST_BASE_URL"];
        assert_eq!(nearest("acem", names), Some("acme"));
        assert_eq!(nearest("Acme", names), Some("acme"));
        assert_eq!(
            nearest("CHECKLIST_BASEURL", names),
            Some("CHECKLIST_BASE_URL")
        );
        assert_eq!(nearest("gamma", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn letters_are_counted() {
        for (one, other, letters) in [
            ("", "", 0),
            ("a", "", 1),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(one, other), letters, "{one} {other}");
        }
    }
}
