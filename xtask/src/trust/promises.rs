//! The guarantees, in the order of the table, each with the tests that verify it.

/// A guarantee of the product.
pub struct Promise {
    pub id: &'static str,
    /// The guarantee, as a sentence for the table.
    pub says: &'static str,
    /// Parts of `cargo xtask test` with the filters that choose the tests, or [`COMMANDS`] with
    /// their arguments, apart by spaces.
    pub runs: &'static [(&'static str, &'static [&'static str])],
}

/// Parts that are commands of their own and not parts of `test`.
pub const COMMANDS: [&str; 2] = ["fuzz", "mutants"];

const fn promise(
    id: &'static str,
    says: &'static str,
    runs: &'static [(&'static str, &'static [&'static str])],
) -> Promise {
    Promise { id, says, runs }
}

pub const PROMISES: &[Promise] = &[
    promise(
        "D1",
        "No acknowledged write is lost or doubled when the server is killed",
        &[
            (
                "native",
                &["no_acknowledged_write_is_lost_or_doubled_by_kills"],
            ),
            (
                "postgres",
                &["no_acknowledged_write_is_lost_or_doubled_by_kills"],
            ),
        ],
    ),
    promise(
        "D2",
        "No acknowledged write is missing after a loss of power",
        &[("native", &["power::"])],
    ),
    promise(
        "D3",
        "A full disk refuses writes whole, reads go on, and it recovers by itself",
        &[("native", &["when_the_disk_is_full"])],
    ),
    promise(
        "D4",
        "A stop ends within ten seconds and truncates no answer",
        &[("native", &["a_stop_finishes_the_requests_in_flight"])],
    ),
    promise(
        "D5",
        "Whoever loses a race for a text is told; nothing is overwritten silently",
        &[("native", &["of_many_who_reword_at_once_one_wins"])],
    ),
    promise(
        "D6",
        "A repeated operation has one effect, also after a crash and on another node",
        &[
            ("native", &["of_parallel_repeats_one_takes_effect"]),
            ("postgres", &["an_operation_sent_to_both_nodes_at_once"]),
        ],
    ),
    promise(
        "D7",
        "Three nodes on one PostgreSQL, killed and stopped, answer like one server",
        &[("postgres", &["history::"])],
    ),
    promise(
        "D8",
        "Each due item is announced once, by three nodes on one PostgreSQL, also when one is killed",
        &[("postgres", &["due_items_of_nodes::"])],
    ),
    promise(
        "D9",
        "A standby of PostgreSQL takes over when the primary is killed, lost or frozen, with all that was acknowledged",
        &[("postgres", &["failover::"])],
    ),
    promise(
        "D10",
        "Hours of slow and full disks, jumping clocks and kills lose nothing, double nothing, and memory stays flat",
        &[("native", &["endurance::"]), ("postgres", &["endurance::"])],
    ),
    promise(
        "W1",
        "Whatever the site answers, the list becomes what it should be, without duplicates",
        &[("native", &["faults::"])],
    ),
    promise(
        "W2",
        "A run killed at any point ends with the same list",
        &[("native", &["kills::"]), ("postgres", &["kills::"])],
    ),
    promise(
        "W3",
        "Random worlds of faults, kills and human edits converge",
        &[("native", &["worlds::"])],
    ),
    promise(
        "W4",
        "An empty or partial read deletes nothing that nobody confirmed",
        &[("native", &["partial::"])],
    ),
    promise(
        "S1",
        "Nobody reaches anything by an id that is not theirs",
        // Who may call what is decided before the database is asked.
        &[("native", &["matrix::"])],
    ),
    promise(
        "S2",
        "No request of the server reaches an address that it must not",
        &[("native", &["corpus::", "rebinding::"])],
    ),
    promise(
        "S3",
        "No secret shows in logs, answers, streams, panics or the database",
        &[("native", &["canaries::"]), ("postgres", &["canaries::"])],
    ),
    promise(
        "S4",
        "No text that anybody writes is executed",
        &[("browser", &["scripts_in_texts::"])],
    ),
    promise(
        "S5",
        "The control and the pages hold a strict policy and Trusted Types",
        // Every test of a page fails when the browser kept the page from something.
        &[("browser", &[""])],
    ),
    promise(
        "S6",
        "The server answers as its OpenAPI document says, whatever it is asked",
        &[("native", &["conformance::"])],
    ),
    promise(
        "S7",
        "Nothing that strangers send makes a reader of it panic or run on",
        &[("fuzz", &["--seconds=120"])],
    ),
    promise(
        "S8",
        "Bombs, deep nesting and slow clients are refused and cost little memory",
        &[("native", &["hostile_bodies::", "slow_readers::"])],
    ),
    promise(
        "S9",
        "Tests notice when the rules, what is sent again, or the vault are changed",
        &[(
            "mutants",
            &[
                "--package=checklist-shared --part=0/16",
                "--package=site-lists --part=0/4",
                "--package=checklist-vault",
            ],
        )],
    ),
    promise(
        "S10",
        "A live stream ends soon after its right to be there",
        &[("native", &["live_revoked::", "live_ends::"])],
    ),
    promise(
        "S11",
        "Bad tokens, foreign origins, what other pages send along with a session, and climbing ids are refused",
        &[("native", &["bad_credentials::", "origins::", "sessions::"])],
    ),
];
