//! Tiles: the hashes of the tree as C2SP tlog-tiles divides them, 256 by 256.
//!
//! Level 0 has the hashes of leaves, level 1 the hashes of complete tiles of level 0, and so on. A
//! complete tile never changes. `entries` are the leaves themselves.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::merkle::Node;

/// The number of hashes in a complete tile.
pub const WIDTH: u32 = 256;
/// The height of a complete tile.
const HEIGHT: u8 = 8;

/// A tile, as far as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// The level: subtrees of 256^`level` leaves.
    pub level: u8,
    /// The number of tiles of the level before it.
    pub number: u64,
    /// The number of hashes, from the first on: 1 to 256.
    pub width: u32,
}

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TilePath {
    /// Hashes: `0/x001/234`.
    Hashes(Tile),
    /// Leaves: `entries/x001/234.p/5`.
    Entries(Tile),
}

impl Tile {
    /// The tile that has the hashes below a node, and where in it they are. The node's hash is that
    /// of the tree of these hashes.
    #[must_use]
    pub fn below(node: Node) -> (Self, Range<usize>) {
        let height = node.height % HEIGHT;
        let first = node.index << height;
        let place = u32::try_from(first % u64::from(WIDTH)).unwrap_or(0);
        let end = place + (1 << height);
        let tile = Self {
            level: node.height / HEIGHT,
            number: first / u64::from(WIDTH),
            width: end,
        };
        (tile, place as usize..end as usize)
    }

    /// The number of hashes that a level has in a tree of `size` leaves.
    #[must_use]
    pub const fn hashes_at(level: u8, size: u64) -> u64 {
        match size.checked_shr(HEIGHT as u32 * level as u32) {
            Some(hashes) => hashes,
            None => 0,
        }
    }

    /// Whether a tree of `size` leaves has all these hashes.
    #[must_use]
    pub const fn is_within(self, size: u64) -> bool {
        match self.number.checked_mul(WIDTH as u64) {
            Some(first) => {
                first.saturating_add(self.width as u64) <= Self::hashes_at(self.level, size)
            }
            None => false,
        }
    }
}

/// A path is no tile's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTilePath;

impl FromStr for TilePath {
    type Err = BadTilePath;

    /// Reads what follows `tile/` in C2SP tlog-tiles; every tile has one path only.
    fn from_str(path: &str) -> Result<Self, BadTilePath> {
        let (kind, rest) = path.split_once('/').ok_or(BadTilePath)?;
        let (number, width) = match rest.split_once(".p/") {
            Some((number, width)) => (number, width.parse().map_err(|_| BadTilePath)?),
            None => (rest, WIDTH),
        };
        let mut tile = Tile {
            level: 0,
            number: 0,
            width,
        };
        for part in number.split('/') {
            let digits = part.trim_start_matches('x').parse::<u64>();
            let digits = digits.map_err(|_| BadTilePath)?;
            tile.number = tile
                .number
                .checked_mul(1_000)
                .and_then(|above| above.checked_add(digits))
                .ok_or(BadTilePath)?;
        }
        let named = if kind == "entries" {
            Self::Entries(tile)
        } else {
            tile.level = kind.parse().map_err(|_| BadTilePath)?;
            Self::Hashes(tile)
        };
        let is_tile = (1..=WIDTH).contains(&width) && tile.level < 64;
        if is_tile && named.to_string() == path {
            return Ok(named);
        }
        Err(BadTilePath)
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Hashes(tile) | Self::Entries(tile)) = self;
        match self {
            Self::Hashes(tile) => write!(out, "{}", tile.level)?,
            Self::Entries(_) => out.write_str("entries")?,
        }
        let mut parts = vec![format!("{:03}", tile.number % 1_000)];
        let mut rest = tile.number / 1_000;
        while rest > 0 {
            parts.push(format!("x{:03}", rest % 1_000));
            rest /= 1_000;
        }
        for part in parts.iter().rev() {
            write!(out, "/{part}")?;
        }
        if tile.width == WIDTH {
            return Ok(());
        }
        write!(out, ".p/{}", tile.width)
    }
}
