//! The file format of SQLite's WAL (<https://www.sqlite.org/fileformat2.html#walformat>): reads
//! committed frames of a WAL that a server appends to, and appends transactions to the replica's.
//!
//! Invariant: a frame counts only if salts and the running checksum fit and a commit follows, so a
//! torn end of either file is ignored, by SQLite too.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// The checksum of its words is computed as little endian; one more for big endian.
const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;

type Checksum = (u32, u32);

/// How far a WAL was read: after a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    salts: [u8; 8],
    /// The number of frames.
    pub(super) frames: u64,
    checksum: Checksum,
    /// The pages of the database after that commit; `None` before the first one.
    pub(super) pages: Option<u32>,
}

/// What was committed since a position.
pub(super) struct Committed {
    /// The new position.
    pub(super) position: Position,
    /// Whether reading continued where the position was. Otherwise these are all frames of a WAL
    /// that has begun anew.
    pub(super) is_continued: bool,
    /// The newest content of each page.
    pub(super) pages: BTreeMap<u32, Vec<u8>>,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(word)
}

/// The running checksum over a whole number of word pairs.
fn add_to(checksum: Checksum, bytes: &[u8], is_big_endian: bool) -> Checksum {
    let (mut first, mut second) = checksum;
    for pair in bytes.chunks_exact(8) {
        let word = |at: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&pair[at..at + 4]);
            if is_big_endian {
                u32::from_be_bytes(word)
            } else {
                u32::from_le_bytes(word)
            }
        };
        first = first.wrapping_add(word(0)).wrapping_add(second);
        second = second.wrapping_add(word(4)).wrapping_add(first);
    }
    (first, second)
}

/// Reads what was committed since `since`; `None` if there is no WAL, or not a whole header.
pub(super) fn read(
    path: &Path,
    page_size: usize,
    since: Option<Position>,
) -> io::Result<Option<Committed>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut header = [0; HEADER];
    if !fill(&mut file, &mut header)? {
        return Ok(None);
    }
    let is_big_endian = word(&header, 0) == MAGIC + 1;
    let is_ours = word(&header, 0) & !1 == MAGIC && word(&header, 4) == VERSION;
    let start = add_to((0, 0), &header[..24], is_big_endian);
    if !is_ours
        || usize::try_from(word(&header, 8)).ok() != Some(page_size)
        || start != (word(&header, 24), word(&header, 28))
    {
        return Ok(None);
    }
    let mut salts = [0; 8];
    salts.copy_from_slice(&header[16..24]);
    let since = since.filter(|since| since.salts == salts);
    let mut position = since.unwrap_or(Position {
        salts,
        frames: 0,
        checksum: start,
        pages: None,
    });
    let frame_size = (FRAME_HEADER + page_size) as u64;
    file.seek(SeekFrom::Start(
        HEADER as u64 + position.frames * frame_size,
    ))?;
    let mut pages = BTreeMap::new();
    let mut uncommitted = BTreeMap::new();
    let mut next = position;
    let mut frame = [0; FRAME_HEADER];
    let mut page = vec![0; page_size];
    while fill(&mut file, &mut frame)? && frame[8..16] == salts && fill(&mut file, &mut page)? {
        let checksum = add_to(next.checksum, &frame[..8], is_big_endian);
        let checksum = add_to(checksum, &page, is_big_endian);
        if checksum != (word(&frame, 16), word(&frame, 20)) {
            break;
        }
        next.checksum = checksum;
        next.frames += 1;
        uncommitted.insert(word(&frame, 0), page.clone());
        let size = word(&frame, 4);
        if size != 0 {
            next.pages = Some(size);
            pages.append(&mut uncommitted);
            position = next;
        }
    }
    Ok(Some(Committed {
        position,
        is_continued: since.is_some(),
        pages,
    }))
}

/// Fills the buffer; `false` if the file ends before.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// A WAL of our own, which is only ever appended to.
pub(super) struct WalWriter {
    file: BufWriter<File>,
    salts: [u8; 8],
    checksum: Checksum,
    /// A page that is written with the next one, or with the commit.
    held: Option<(u32, Vec<u8>)>,
    /// Its length in bytes.
    pub(super) bytes: u64,
}

impl WalWriter {
    /// Begins a new file, which must not exist. The salts have to differ from those of the WAL that
    /// was there before.
    pub(super) fn create(path: &Path, page_size: u32, salts: [u8; 8]) -> io::Result<Self> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = BufWriter::with_capacity(1 << 20, options.open(path)?);
        let mut header = Vec::with_capacity(HEADER);
        for word in [MAGIC, VERSION, page_size, 0] {
            header.extend(word.to_be_bytes());
        }
        header.extend(salts);
        let checksum = add_to((0, 0), &header, false);
        header.extend(checksum.0.to_be_bytes());
        header.extend(checksum.1.to_be_bytes());
        file.write_all(&header)?;
        Ok(Self {
            file,
            salts,
            checksum,
            held: None,
            bytes: HEADER as u64,
        })
    }

    /// Adds a page to the transaction.
    pub(super) fn add(&mut self, number: u32, page: Vec<u8>) -> io::Result<()> {
        match self.held.replace((number, page)) {
            Some((number, page)) => self.frame(number, 0, &page),
            None => Ok(()),
        }
    }

    /// Ends the transaction, after which the database has so many pages, and waits for the disk. An
    /// empty transaction writes nothing.
    pub(super) fn commit(&mut self, pages: u32) -> io::Result<()> {
        if let Some((number, page)) = self.held.take() {
            self.frame(number, pages, &page)?;
        }
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }

    fn frame(&mut self, number: u32, size: u32, page: &[u8]) -> io::Result<()> {
        let mut header = [0; FRAME_HEADER];
        header[..4].copy_from_slice(&number.to_be_bytes());
        header[4..8].copy_from_slice(&size.to_be_bytes());
        header[8..16].copy_from_slice(&self.salts);
        let checksum = add_to(self.checksum, &header[..8], false);
        self.checksum = add_to(checksum, page, false);
        header[16..20].copy_from_slice(&self.checksum.0.to_be_bytes());
        header[20..24].copy_from_slice(&self.checksum.1.to_be_bytes());
        self.file.write_all(&header)?;
        self.file.write_all(page)?;
        self.bytes += (FRAME_HEADER + page.len()) as u64;
        Ok(())
    }
}
