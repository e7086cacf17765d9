//! The inventory of computers in the SQLite file. The statements are in `storage::sql`.

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;

use super::SqliteStore;
use crate::computers::{ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial};
use crate::sql::computers::{self as rows, computers};
use crate::store::Reply;

computers!(SqliteStore);
