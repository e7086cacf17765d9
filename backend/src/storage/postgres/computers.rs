//! The inventory of computers in PostgreSQL. The statements are in `storage::sql`.

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;

use super::PostgresStore;
use crate::storage::computers::{
    ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial,
};
use crate::storage::sql::computers::{self as rows, computers};
use crate::storage::store::Reply;

computers!(PostgresStore);
