//! Edits of the stored audit trail that its verification has to find.
//!
//! Each test function gets `tampered`: it writes a few changes of lists, edits the trail by one
//! statement while the triggers are off, and returns the first row that is not as it was.

/// `hashes` are two wrong values for the column `hash`, as the database writes bytes.
pub async fn each_edit_is_found<F>(hashes: [&str; 2], tampered: impl Fn(String) -> F)
where
    F: Future<Output = Option<u64>>,
{
    assert_eq!(tampered("SELECT 1".to_owned()).await, None);
    let edits = [
        "list_previous = 1",
        "revision = 9",
        "object_type = 'task'",
        "object_id = 'INC-2'",
        "purpose = 'x'",
        "operation_id = 'forged'",
        "actor = replace(actor, 'anna', 'ben')",
        "actor_salt = words_salt",
        "actor = NULL, actor_salt = NULL",
        "at = at + 1",
        "event = replace(event, 'Checked', 'Reopened')",
        "words = replace(words, 'Tell the team', 'Tell nobody')",
        "words = NULL, words_salt = NULL",
        "words_salt = actor_salt",
    ];
    let of_hash = hashes.map(|hash| format!("hash = {hash}"));
    let all = edits
        .iter()
        .copied()
        .chain(of_hash.iter().map(String::as_str));
    for edit in all {
        let change = format!("UPDATE audit SET {edit} WHERE sequence = 6");
        assert_eq!(tampered(change).await, Some(6), "{edit}");
    }
}

/// Administrators' rows belong to no list, so only the stored end of the trail can tell of them.
pub async fn missing_rows_are_found<F>(tampered: impl Fn(String) -> F)
where
    F: Future<Output = Option<u64>>,
{
    let cases = [
        ("DELETE FROM audit WHERE sequence = 5", 5),
        ("DELETE FROM audit WHERE sequence = 1", 1),
        ("DELETE FROM audit WHERE sequence >= 7", 7),
        ("DELETE FROM audit WHERE sequence <= 3", 1),
        ("DELETE FROM audit", 1),
        (
            "DELETE FROM audit WHERE sequence = 6; UPDATE audit SET sequence = sequence - 1 WHERE sequence > 6",
            6,
        ),
        (
            "DELETE FROM audit WHERE sequence >= 7; UPDATE checklist SET audit_sequence = 6",
            7,
        ),
    ];
    for (change, row) in cases {
        assert_eq!(tampered(change.to_owned()).await, Some(row), "{change}");
    }
}
