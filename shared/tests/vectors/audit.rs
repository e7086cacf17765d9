//! The rows, roots and proofs of `shared/vectors/audit.json`.

use std::ops::Range;

use checklist_shared::audit_trail::leaf::{Leaf, commitment};
use checklist_shared::audit_trail::merkle::{self, Frontier, Hash};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "About")]
    _about: String,
    rows: Vec<Row>,
    roots: Vec<String>,
    inclusion: Vec<Inclusion>,
    consistency: Vec<Consistency>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Row {
    tenant: String,
    sequence: u64,
    list_previous: u64,
    object_type: String,
    object_id: String,
    purpose: String,
    revision: u64,
    operation_id: Option<String>,
    at: i64,
    event: String,
    actor: Committed,
    words: Committed,
    leaf: String,
    leaf_hash: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Committed {
    salt: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Inclusion {
    index: u64,
    size: u64,
    hashes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Consistency {
    old: u64,
    size: u64,
    hashes: Vec<String>,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn committed(value: &Committed) -> Hash {
    let salt = u128::from_str_radix(&value.salt, 16).expect("a salt");
    commitment(&salt.to_be_bytes(), &value.value)
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
fn rows_roots_and_proofs_of_an_audit_trail() {
    let file: File =
        serde_json::from_str(include_str!("../../vectors/audit.json")).expect("vectors");
    let mut leaves = Vec::new();
    for row in &file.rows {
        let leaf = Leaf {
            sequence: row.sequence,
            list_previous: row.list_previous,
            revision: row.revision,
            at: row.at,
            tenant: &row.tenant,
            object_type: &row.object_type,
            object_id: &row.object_id,
            purpose: &row.purpose,
            operation_id: row.operation_id.as_deref(),
            event: &row.event,
            actor: &committed(&row.actor),
            words: &committed(&row.words),
        };
        assert_eq!(hex(&leaf.encode()), row.leaf, "row {}", row.sequence);
        assert_eq!(hex(&leaf.hash()), row.leaf_hash, "row {}", row.sequence);
        leaves.push(leaf.hash());
    }
    for (size, root) in file.roots.iter().enumerate() {
        assert_eq!(hex(&Frontier::of(&leaves[..size]).root()), *root, "{size}");
    }
    let hash = |range: Range<u64>| {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).expect("small"));
        hex(&Frontier::of(&leaves[start..end]).root())
    };
    for proof in &file.inclusion {
        let ranges = merkle::inclusion(proof.index, proof.size);
        let hashes: Vec<String> = ranges.into_iter().map(hash).collect();
        assert_eq!(hashes, proof.hashes, "{} in {}", proof.index, proof.size);
    }
    for proof in &file.consistency {
        let ranges = merkle::consistency(proof.old, proof.size);
        let hashes: Vec<String> = ranges.into_iter().map(hash).collect();
        assert_eq!(hashes, proof.hashes, "{} in {}", proof.old, proof.size);
    }
}
