//! Runs killed with `kill -9` at every failpoint, on SQLite. Needs a server that has failpoints
//! (`cargo build -p checklist-server --features failpoints`), named in `CHECKLIST_SERVER_BIN`.

mod places;
