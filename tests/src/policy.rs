//! The policy of pages on another origin, as the documents say it. Invariant: all of them say the same.

const DOCUMENTS: [&str; 4] = [
    include_str!("../../docs/ELEMENT.md"),
    include_str!("../../frontend/package/README.md"),
    include_str!("../../frontend/package/llms.txt"),
    include_str!("../../frontend/package/skills/checklist-control/SKILL.md"),
];

/// The value of `Content-Security-Policy` for a page that loads the script of the server with this origin.
///
/// # Panics
/// When a document says no policy, or another one.
#[must_use]
#[track_caller]
pub fn documented(server: &str) -> String {
    let [first, others @ ..] = DOCUMENTS.map(|document| {
        let mut quoted = document.split('`');
        quoted
            .find(|text| text.starts_with("script-src "))
            .expect("a policy in each document")
    });
    for other in others {
        assert_eq!(other, first);
    }
    first.replace("https://host", server)
}
