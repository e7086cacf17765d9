//! The table in `docs/TRUST.md`: rendered by `trust`, and parsed to keep the rows that are not run.

use super::promises::Promise;

const HEAD: &str = "# Guarantees\n\
What the product guarantees, and what came out when it was last tested in full. `cargo xtask trust` tests them and writes\n\
this page; `cargo xtask test` tries a short form of each but S9 in every run.\n\n\
| # | promise | figure | commit | date |\n\
|---|---|---|---|---|\n";

/// What the table says where nothing was tried in full yet.
const NOT_YET: &str = "not tried in full yet";
/// Marks a figure from before the last release.
const STALE: &str = "(stale) ";

/// One promise's last figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: String,
    pub figure: String,
    pub commit: String,
    pub date: String,
}

/// The figures that are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Table(Vec<Row>);

impl Table {
    /// What the page says; lines that are no row are passed over.
    pub fn read(page: &str) -> Self {
        Self(page.lines().filter_map(row).collect())
    }

    /// Puts a newer figure in the place of an older one.
    pub fn put(&mut self, row: Row) {
        self.0.retain(|old| old.id != row.id);
        self.0.push(row);
    }

    /// The page, with every promise in its order; `is_stale` judges commits.
    pub fn written(&self, promises: &[Promise], is_stale: &dyn Fn(&str) -> bool) -> String {
        let mut page = HEAD.to_owned();
        for Promise { id, says, .. } in promises {
            let line = match self.0.iter().find(|row| row.id == *id) {
                Some(row) => {
                    let mark = if is_stale(&row.commit) { STALE } else { "" };
                    let (figure, commit, date) = (&row.figure, &row.commit, &row.date);
                    format!("| {id} | {says} | {mark}{figure} | {commit} | {date} |\n")
                }
                None => format!("| {id} | {says} | {NOT_YET} | | |\n"),
            };
            page.push_str(&line);
        }
        page
    }
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
    let [id, _, figure, commit, date, ""] = cells[..] else {
        return None;
    };
    let is_row = id.starts_with(|letter: char| letter.is_ascii_uppercase()) && !commit.is_empty();
    is_row.then(|| Row {
        id: id.to_owned(),
        figure: figure.trim_start_matches(STALE).to_owned(),
        commit: commit.to_owned(),
        date: date.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::promises::PROMISES;
    use super::*;

    fn figure(id: &str, figure: &str) -> Row {
        Row {
            id: id.to_owned(),
            figure: figure.to_owned(),
            commit: "0123456789".to_owned(),
            date: "2026-11-22".to_owned(),
        }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let mut table = Table::default();
        table.put(figure("D1", "0 lost"));
        table.put(figure("W3", "1,000 worlds"));
        let page = table.written(PROMISES, &|_| false);
        assert_eq!(Table::read(&page), table);
        assert!(page.contains("| D2 | No acknowledged write"), "{page}");
        assert!(page.contains(NOT_YET));
    }

    #[test]
    fn a_newer_figure_takes_the_place_of_an_older_one() {
        let mut table = Table::default();
        table.put(figure("D1", "0 lost of 10"));
        table.put(figure("D1", "0 lost of 20"));
        let page = table.written(PROMISES, &|_| false);
        assert!(page.contains("0 lost of 20") && !page.contains("0 lost of 10"));
    }

    #[test]
    fn a_figure_from_before_the_last_release_says_so_once() {
        let mut table = Table::default();
        table.put(figure("D1", "0 lost"));
        let page = table.written(PROMISES, &|_| true);
        let again = Table::read(&page).written(PROMISES, &|_| true);
        assert_eq!(again.matches(STALE).count(), 1);
    }
}
