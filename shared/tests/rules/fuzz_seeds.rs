//! The seeds of the fuzz target that is about ids and times, held in every run.
//!
//! What is held stands beside the target, in `tests/fuzz`.

#[path = "../../../tests/fuzz/src/fragment_id.rs"]
mod fragment_id;

#[test]
#[expect(clippy::disallowed_methods, reason = "the seeds are files")]
fn every_seed_is_refused_or_comes_out_as_it_went_in() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fuzz/seeds/fragment_id"
    );
    let mut count = 0;
    for seed in std::fs::read_dir(folder).expect("the seeds") {
        fragment_id::hold(&std::fs::read(seed.expect("a seed").path()).expect("a seed"));
        count += 1;
    }
    assert!(count > 0);
}
