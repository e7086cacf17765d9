//! Many changes in rounds, so that no two of a round concern one item.

use std::collections::HashMap;

use crate::protocol::PreparedChange;

/// Changes in rounds, in none of which an item occurs twice; the order of those that concern one
/// item is kept.
pub(super) fn split_rounds(
    changes: Vec<(usize, PreparedChange)>,
) -> Vec<Vec<(usize, PreparedChange)>> {
    let mut rounds: Vec<Vec<(usize, PreparedChange)>> = Vec::new();
    let mut last: HashMap<i64, usize> = HashMap::new();
    for (index, change) in changes {
        let id = change.action.id();
        let at = id.and_then(|id| last.get(&id)).map_or(0, |round| round + 1);
        if at == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[at].push((index, change));
        if let Some(id) = id {
            last.insert(id, at);
        }
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::WriteAction;

    #[test]
    fn changes_of_one_item_come_one_after_the_other() {
        let edit = |id| PreparedChange {
            action: WriteAction::Edit { id, etag: None },
            fields: Vec::new(),
        };
        let add = || PreparedChange {
            action: WriteAction::Add,
            fields: Vec::new(),
        };
        let changes = [edit(1), add(), edit(2), edit(1), add(), edit(1)];
        let rounds = split_rounds(changes.into_iter().enumerate().collect());
        let order: Vec<Vec<usize>> = rounds
            .iter()
            .map(|round| round.iter().map(|(index, _)| *index).collect())
            .collect();
        assert_eq!(order, [vec![0, 1, 2, 4], vec![3], vec![5]]);
    }
}
