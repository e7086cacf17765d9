//! Fractional keys that order siblings.
//!
//! A key is a fraction between 0 and 1, written as its digits in base 36 (`0`–`9`, `a`–`z`). Keys
//! are compared as text, and these digits sort alike in Rust, in SQLite and in PostgreSQL. A key
//! made here never ends in `0`, so there is always space between two of them, and at both ends.
//!
//! Keys at the ends grow with the logarithm of their number. In the middle a key needs one
//! more digit for about five insertions at the same position; past [`LONGEST`] digits the siblings
//! around it, as few as possible, get new keys. See `docs/adr/0016-*`.

/// The longest key that an item gets unless there is no alternative.
pub const LONGEST: usize = 60;

/// A stored key beyond this length is not read; its item gets a fresh one when it is in the way.
const READABLE: usize = 1_000;

const BASE: u8 = 36;
const TOP: u8 = BASE - 1;

/// A key between two neighbours, either of which may be missing; `None` if there is no space:
/// they are equal or in the wrong order, or one of them is not a key.
#[must_use]
pub fn between(before: Option<&str>, after: Option<&str>) -> Option<String> {
    spread(before, after, 1)?.pop()
}

/// The same for several keys in ascending order.
#[must_use]
pub fn spread(before: Option<&str>, after: Option<&str>, count: usize) -> Option<Vec<String>> {
    let before: Option<Vec<u8>> = match before {
        Some(key) => Some(parse(key)?),
        None => None,
    };
    let after: Option<Vec<u8>> = match after {
        Some(key) => Some(parse(key)?),
        None => None,
    };
    let keys = match (before, after) {
        (Some(mut last), None) => (0..count)
            .map(|_| {
                last = next(&last);
                last.clone()
            })
            .collect(),
        (None, Some(mut first)) => {
            let mut keys = Vec::with_capacity(count);
            for _ in 0..count {
                first = previous(&first)?;
                keys.push(first.clone());
            }
            keys.reverse();
            keys
        }
        (before, after) => spread_evenly(&before.unwrap_or_default(), after.as_deref(), count)?,
    };
    Some(keys.iter().map(|digits: &Vec<u8>| text(digits)).collect())
}

/// Keys for a sequence of siblings, of which those without a key (`None`) need one: for each index
/// that has to change, its key. A sibling keeps its key, unless keys would become longer than
/// [`LONGEST`] or there is no space: then its neighbours get new ones too.
#[must_use]
pub fn assign(siblings: &[Option<&str>]) -> Vec<(usize, String)> {
    let mut fresh: Vec<Option<String>> = vec![None; siblings.len()];
    let mut done = 0;
    while let Some(first) =
        (done..siblings.len()).find(|index| siblings[*index].is_none() && fresh[*index].is_none())
    {
        let (start, keys) = around(siblings, &fresh, first);
        done = start + keys.len();
        for (index, key) in (start..).zip(keys) {
            fresh[index] = Some(key);
        }
    }
    let changed = fresh.into_iter().enumerate();
    changed
        .filter_map(|(index, key)| key.map(|key| (index, key)))
        .collect()
}

/// Keys for the sibling at `first` and those around it that have to give way; where they begin.
fn around(
    siblings: &[Option<&str>],
    fresh: &[Option<String>],
    first: usize,
) -> (usize, Vec<String>) {
    let key = |index: usize| fresh[index].as_deref().or(siblings[index]);
    let (mut start, mut end) = (first, first + 1);
    // Twice as many each time. They have to be the shorter the more there are, so that a spot
    // where items are added again and again is spread thin before all of the list is.
    let mut widened = 0;
    loop {
        while end < siblings.len() && key(end).is_none() {
            end += 1;
        }
        let before = start.checked_sub(1).and_then(key);
        let after = (end < siblings.len()).then(|| key(end)).flatten();
        let is_whole = start == 0 && end == siblings.len();
        if let Some(keys) = spread(before, after, end - start) {
            let longest = keys.iter().map(String::len).max().unwrap_or(0);
            // Between no neighbours at all there is always space.
            if is_whole || longest + widened <= LONGEST {
                return (start, keys);
            }
        }
        let reach = 1 << widened.min(20);
        start = start.saturating_sub(reach);
        end = siblings.len().min(end + reach);
        widened += 1;
    }
}

/// The digits of a key; `None` for what is no key.
fn parse(key: &str) -> Option<Vec<u8>> {
    if key.is_empty() || key.len() > READABLE {
        return None;
    }
    key.bytes()
        .map(|byte| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'z' => Some(byte - b'a' + 10),
            _ => None,
        })
        .collect()
}

/// The digits as text, without zeros at the end: they change nothing about the fraction.
fn text(digits: &[u8]) -> String {
    let length = digits
        .iter()
        .rposition(|digit| *digit > 0)
        .map_or(0, |last| last + 1);
    digits[..length]
        .iter()
        .map(|digit| match digit {
            0..=9 => char::from(b'0' + digit),
            _ => char::from(b'a' + digit - 10),
        })
        .collect()
}

/// A key after the last one. Keys that begin with as many `z` have the same number of digits, two
/// more for each further `z`: so each length holds a thousand times as many as the one before.
fn next(last: &[u8]) -> Vec<u8> {
    let level = last.iter().take_while(|digit| **digit == TOP).count();
    let mut digits = last.to_vec();
    digits.resize(2 * level + 1, 0);
    count_up(&mut digits);
    if digits.last() == Some(&0) {
        count_up(&mut digits);
    }
    if digits[level] == TOP {
        digits.truncate(level + 1);
        digits.resize(2 * level + 2, 0);
        digits.push(1);
    }
    digits
}

/// A key before the first one, as [`next`] the other way round; `None` before zero.
fn previous(first: &[u8]) -> Option<Vec<u8>> {
    let level = first.iter().position(|digit| *digit > 0)?;
    let mut digits = first.to_vec();
    digits.resize(2 * level + 1, 0);
    count_down(&mut digits);
    if digits.last() == Some(&0) && digits[level] > 0 {
        count_down(&mut digits);
    }
    if digits[level] == 0 {
        digits.truncate(level + 1);
        digits.resize(2 * level + 3, TOP);
    }
    Some(digits)
}

fn count_up(digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        if *digit < TOP {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
}

fn count_down(digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        if *digit > 0 {
            *digit -= 1;
            return;
        }
        *digit = TOP;
    }
}

/// Keys with the same distance between each other, as short as they can be. Without `upper` they
/// end below 1.
fn spread_evenly(lower: &[u8], upper: Option<&[u8]>, count: usize) -> Option<Vec<Vec<u8>>> {
    let digit = |key: &[u8], index: usize| i64::from(key.get(index).copied().unwrap_or(0));
    let longest = lower.len().max(upper.map_or(0, <[u8]>::len));
    let wanted = i64::try_from(count).ok()?.checked_add(1)?;
    // How many keys of the present length there are from `lower` to `upper`; more than are wanted
    // by far is all the same. Below zero as long as nothing tells the two apart the right way.
    let mut distance = i64::from(upper.is_none());
    let mut length = 0;
    while distance < wanted {
        // Beyond both of them each further digit makes space, if there is any at all.
        if distance < 0 || (distance == 0 && length >= longest) {
            return None;
        }
        let upper = upper.map_or(0, |upper| digit(upper, length));
        distance = distance * i64::from(BASE) + upper - digit(lower, length);
        length += 1;
    }
    let step = distance / wanted;
    let mut digits: Vec<u8> = lower.to_vec();
    digits.resize(length, 0);
    let keys = (0..count).map(|_| {
        add(&mut digits, step);
        digits.clone()
    });
    Some(keys.collect())
}

/// Adds a number to the last digits. The sum stays below 1.
fn add(digits: &mut [u8], mut number: i64) {
    for digit in digits.iter_mut().rev() {
        if number == 0 {
            return;
        }
        number += i64::from(*digit);
        *digit = u8::try_from(number % i64::from(BASE)).unwrap_or(0);
        number /= i64::from(BASE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_at_the_end_and_at_the_beginning_stay_short() {
        let (mut last, mut first) = ("i".to_owned(), "i".to_owned());
        for _ in 0..100_000 {
            let after = between(Some(&last), None).expect("there is room at the end");
            assert!(last < after && after.len() <= 7, "{last} {after}");
            last = after;
            let before = between(None, Some(&first)).expect("there is room at the beginning");
            assert!(before < first && before.len() <= 7, "{before} {first}");
            assert!(!before.ends_with('0') && !last.ends_with('0'));
            first = before;
        }
    }

    #[test]
    fn there_is_no_room_between_what_is_equal_reversed_or_no_key() {
        for (before, after) in [
            (Some("8"), Some("8")),
            (Some("8"), Some("80")),
            (Some("9"), Some("8")),
            (Some("81"), Some("8")),
            (Some("A"), Some("b")),
            (Some(""), Some("b")),
            (None, Some("00")),
            (None, Some("é")),
            (Some("\u{7f}"), None),
        ] {
            assert_eq!(between(before, after), None, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_key_between_is_as_short_as_it_can_be() {
        for (before, after, key) in [
            (None, None, "i"),
            (Some("a"), Some("c"), "b"),
            (Some("a"), Some("b"), "ai"),
            (Some("1zz"), Some("2zz"), "2h"),
            (Some("azzzz"), Some("b"), "azzzzi"),
            (Some("a"), Some("b0001"), "ai"),
            // As the keys were until this arithmetic came: hexadecimal, always with 80 at the end.
            (Some("80"), Some("8180"), "80k"),
            (Some("0080"), Some("008080"), "0080b"),
            (Some("ffff8380"), None, "g"),
            (None, Some("00007f80"), "00007f7zz"),
        ] {
            let made = between(before, after);
            let made = made.as_deref().expect("there is room");
            assert!(
                before.is_none_or(|before| before < made),
                "{before:?} {made}"
            );
            assert!(after.is_none_or(|after| made < after), "{made} {after:?}");
            assert_eq!(made.len(), key.len(), "{made} is as long as {key}");
        }
    }
}
