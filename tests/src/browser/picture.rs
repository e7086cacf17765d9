//! Pictures of a page: taken of a part of it, kept in few colours, and held against those that
//! were kept before.
//!
//! A picture belongs to a major version of the browser, because each draws letters in its own way.
//! `CHECKLIST_BASELINES=update` keeps what is seen; otherwise what differs fails, and what was seen
//! and where it differs lie under `target/screenshots`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};
use serde_json::json;

use super::driver::Browser;

/// Up to here two values of a channel are the same: letters are smoothed a little differently.
const SAME: u8 = 40;
/// How many colours a kept picture has as they were, and how coarse all others are.
const EXACT: usize = 32;
const STEP: u8 = 32;
/// The share of pixels that may differ.
const TOLERANCE: f64 = 0.001;

/// Pixels in red, green and blue.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Browser {
    /// A picture of the first element that a selector names.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[track_caller]
    pub fn picture(&self, selector: &str) -> Picture {
        let place = self.value(&format!(
            "(({{ left, top, width, height }}) => ({{ x: Math.floor(left + scrollX), y: Math.floor(top + scrollY), \
               width: Math.ceil(width), height: Math.ceil(height), scale: 1 }}))(document.querySelector({}).getBoundingClientRect())",
            json!(selector)
        ));
        let taken = self.command(
            "Page.captureScreenshot",
            json!({ "format": "png", "clip": place, "captureBeyondViewport": true }),
        );
        let data = taken["data"].as_str().expect("a picture");
        Picture::read(&STANDARD.decode(data).expect("base64"))
    }

    /// The browser's major version.
    ///
    /// # Panics
    /// When it does not say.
    #[must_use]
    #[track_caller]
    pub fn major(&self) -> u32 {
        let said = self.command("Browser.getVersion", json!({}));
        let product = said["product"].as_str().unwrap_or_default();
        let version = product.split_once('/').map_or("", |(_, version)| version);
        let major = version
            .split('.')
            .next()
            .and_then(|major| major.parse().ok());
        major.unwrap_or_else(|| panic!("the browser is of no version: {said}"))
    }
}

impl Picture {
    fn read(bytes: &[u8]) -> Self {
        let mut decoder = Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
        let mut reader = decoder.read_info().expect("a PNG");
        let size = reader.output_buffer_size().expect("a picture that fits in");
        let mut data = vec![0; size];
        let frame = reader.next_frame(&mut data).expect("a whole PNG");
        let step = frame.color_type.samples();
        assert!(step >= 3, "a picture in colours");
        let pixels = data[..frame.buffer_size()].chunks_exact(step);
        Self {
            width: frame.width,
            height: frame.height,
            pixels: pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect(),
        }
    }

    /// Writes it in few colours: the most frequent ones as they are, shades between them roughly.
    fn write(&self, path: &Path) {
        let palette = self.palette();
        let mut places: HashMap<[u8; 3], u8> = HashMap::new();
        let nearest = |colour: &[u8; 3]| {
            let far = |other: &[u8; 3]| -> u32 {
                let apart = colour.iter().zip(other);
                apart.map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
            };
            let place = (0..palette.len()).min_by_key(|at| far(&palette[*at]));
            u8::try_from(place.unwrap_or(0)).expect("256 colours")
        };
        let indices: Vec<u8> = self
            .pixels
            .iter()
            .map(|pixel| *places.entry(*pixel).or_insert_with(|| nearest(pixel)))
            .collect();
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        let file = fs::File::create(path).expect("a writable file");
        let mut encoder = Encoder::new(file, self.width, self.height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette.concat());
        encoder.set_compression(Compression::High);
        // Flat grounds and letters: lines repeat, and no filter makes them smaller.
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().expect("a PNG can be begun");
        writer
            .write_image_data(&indices)
            .expect("a PNG can be written");
    }

    /// The grounds and the inks as they are, and what letters are smoothed with in coarse steps:
    /// nobody sees those, and they are most of the bytes.
    fn palette(&self) -> Vec<[u8; 3]> {
        let frequent = |colours: &mut dyn Iterator<Item = [u8; 3]>, most: usize| {
            let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
            for colour in colours {
                *counts.entry(colour).or_default() += 1;
            }
            let mut sorted: Vec<_> = counts.into_iter().collect();
            sorted.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
            let colours = sorted.into_iter().take(most).map(|(colour, _)| colour);
            colours.collect::<Vec<_>>()
        };
        let coarse = |value: u8| value / STEP * STEP + STEP / 2;
        let mut palette = frequent(&mut self.pixels.iter().copied(), EXACT);
        let mut shades = self.pixels.iter().map(|pixel| pixel.map(coarse));
        palette.extend(frequent(&mut shades, 256 - EXACT));
        palette
    }

    /// Which of its pixels are other than those of a picture of the same size, and their share.
    fn other_than(&self, kept: &Self) -> (Vec<bool>, f64) {
        let apart =
            |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > SAME);
        let other: Vec<bool> = self.pixels.iter().zip(&kept.pixels).map(apart).collect();
        let count = other.iter().filter(|other| **other).count();
        let share = count as f64 / other.len().max(1) as f64;
        (other, share)
    }

    fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn is_like(&self, kept: &Self) -> bool {
        self.size() == kept.size() && self.other_than(kept).1 <= TOLERANCE
    }

    /// What is wrong with it, held against the picture that was kept under this name.
    fn differs_from(&self, kept: &Self, difference: &Path) -> Option<String> {
        if self.size() != kept.size() {
            return Some(format!(
                "{} x {} pixels instead of {} x {}",
                self.width, self.height, kept.width, kept.height
            ));
        }
        let (other, share) = self.other_than(kept);
        if share <= TOLERANCE {
            return None;
        }
        let count = other.iter().filter(|other| **other).count();
        let pixels = self
            .pixels
            .iter()
            .zip(&other)
            .map(|(pixel, other)| match other {
                true => [230, 0, 60],
                false => pixel.map(|value| 200 + value / 5),
            });
        let marked = Self {
            pixels: pixels.collect(),
            ..*self
        };
        marked.write(difference);
        Some(format!("{count} pixels differ, {:.2} %", share * 100.0))
    }
}

/// The first picture that is as it should be, or else the one that two in a row agree on.
fn settled(take: impl Fn() -> Picture, is_right: impl Fn(&Picture) -> bool) -> Picture {
    let mut picture = take();
    for _ in 0..5 {
        if is_right(&picture) {
            break;
        }
        let again = take();
        if again == picture {
            break;
        }
        picture = again;
    }
    picture
}

/// The pictures that were kept of one version of the browser.
pub struct Baselines {
    kept: PathBuf,
    seen: PathBuf,
    update: bool,
    differences: Vec<String>,
}

impl Baselines {
    /// Those of this browser's version; `None` when none were kept and none are to be.
    #[must_use]
    pub fn of(browser: &Browser) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = format!("chromium-{}", browser.major());
        let kept = root.join("baselines").join(&folder);
        let update = std::env::var("CHECKLIST_BASELINES").is_ok_and(|wish| wish == "update");
        (update || kept.is_dir()).then(|| Self {
            kept,
            seen: root.join("../target/screenshots").join(folder),
            update,
            differences: Vec::new(),
        })
    }

    /// Takes a picture and holds it against the one of its name, or keeps it. What differs is told at the
    /// end: what two pictures in a row show, since what lies outside of the window may be painted late.
    pub fn hold(&mut self, name: &str, take: impl Fn() -> Picture) {
        let file = |folder: &Path, what: &str| folder.join(format!("{name}{what}.png"));
        let kept = file(&self.kept, "");
        if self.update {
            settled(take, |_| false).write(&kept);
            return;
        }
        let (seen, difference) = (file(&self.seen, ""), file(&self.seen, ".difference"));
        let _ = (fs::remove_file(&seen), fs::remove_file(&difference));
        let kept = fs::read(&kept).ok().map(|bytes| Picture::read(&bytes));
        let picture = settled(take, |picture| {
            kept.as_ref().is_some_and(|kept| picture.is_like(kept))
        });
        let told = match kept {
            Some(kept) => picture.differs_from(&kept, &difference),
            None => Some("was never kept".to_owned()),
        };
        if let Some(told) = told {
            picture.write(&seen);
            self.differences.push(format!("{name}: {told}"));
        }
    }

    /// Fails when anything looked other than before.
    ///
    /// # Panics
    /// Then.
    #[track_caller]
    pub fn agree(self) {
        assert!(
            self.differences.is_empty(),
            "looks other than before; see {} (CHECKLIST_BASELINES=update keeps what is seen now):\n{}",
            self.seen.display(),
            self.differences.join("\n")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixels: Vec<[u8; 3]>) -> Picture {
        Picture {
            width: 100,
            height: u32::try_from(pixels.len() / 100).unwrap(),
            pixels,
        }
    }

    #[test]
    fn a_picture_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let drawn = picture(
            (0..1000)
                .map(|at| [u8::try_from(at % 30).unwrap(), 7, 9])
                .collect(),
        );
        drawn.write(&path);
        assert!(Picture::read(&fs::read(&path).unwrap()) == drawn);
    }

    #[test]
    fn a_shade_is_the_same_and_a_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let difference = folder.path().join("difference.png");
        let white = picture(vec![[255; 3]; 10_000]);
        let shaded = picture(vec![[230, 240, 250]; 10_000]);
        assert_eq!(shaded.differs_from(&white, &difference), None);
        let mut lined = white.clone();
        lined.pixels[300..400].fill([0; 3]);
        let told = lined.differs_from(&white, &difference).unwrap();
        assert_eq!(told, "100 pixels differ, 1.00 %");
        assert!(difference.is_file());
        let lower = picture(vec![[255; 3]; 9_900]);
        let told = lower.differs_from(&white, &difference).unwrap();
        assert_eq!(told, "100 x 99 pixels instead of 100 x 100");
    }
}
