//! The demo's 500 computers: the inventory of a company with five sites, with everything that makes
//! matching difficult.
//!
//! Derived from small tables by arithmetic, so that they are the same everywhere. Includes
//! duplicate names, placeholder serial numbers, umlauts, and one scrapped computer in twenty.

use checklist_shared::computer::{Computer, ComputerStatus, Day};

/// The number of computers.
const COUNT: u32 = 500;
/// The year in which the newest were bought.
const NEWEST: u32 = 2026;

/// Manufacturer, model, kind, and the pattern of serial numbers (`#` a digit, `@` a letter).
const MODELS: [(&str, &str, Kind, &str); 12] = [
    ("HP", "EliteBook 840 G8", Kind::Notebook, "5CG####@@@"),
    ("HP", "EliteBook 845 G10", Kind::Notebook, "5CD####@@@"),
    ("Lenovo", "ThinkPad T14 Gen 4", Kind::Notebook, "PF@@####"),
    (
        "Lenovo",
        "ThinkPad X1 Carbon Gen 11",
        Kind::Notebook,
        "PF@#@###",
    ),
    ("Dell", "Latitude 5440", Kind::Notebook, "@@@@###"),
    ("Dell", "Precision 3680 Tower", Kind::Workstation, "@#@#@##"),
    (
        "Apple",
        "MacBook Pro 14\" (M3)",
        Kind::Notebook,
        "@@@@@@####",
    ),
    ("Apple", "Mac mini (M2)", Kind::Desktop, "@@@@@@####"),
    ("Fujitsu", "ESPRIMO D7012", Kind::Desktop, "YM@@######"),
    (
        "HP",
        "Z2 Tower G9 Workstation",
        Kind::Workstation,
        "CZC####@@@",
    ),
    (
        "Selbstbau",
        "Büro-PC mit Mini-ITX-Platine",
        Kind::Desktop,
        "",
    ),
    (
        "Microsoft",
        "Surface Pro 9",
        Kind::Notebook,
        "0############",
    ),
];

/// The letter in computer names, the rooms of the site, and its departments.
const SITES: [(&str, &str, &str); 5] = [
    ("K", "Köln", "Einkauf|IT|Vertrieb|Geschäftsführung"),
    ("Z", "Zürich", "Forschung|Finanzen|IT"),
    ("L", "London", "Sales|Customer Service|Legal"),
    ("W", "Wien", "Logistik|Produktion|Qualitätssicherung"),
    ("M", "Malmö", "Research|Manufacturing"),
];

const FIRST_NAMES: [&str; 20] = [
    "Anna",
    "Björn",
    "Céline",
    "Dmitri",
    "Elif",
    "François",
    "Grzegorz",
    "Hülya",
    "Ingeborg",
    "José",
    "Katharina",
    "Łukasz",
    "Maximilian",
    "Nguyễn",
    "Øystein",
    "Petra",
    "Ruth",
    "Søren",
    "Tomáš",
    "Zoë",
];

const LAST_NAMES: [&str; 17] = [
    "Müller",
    "Schmidt",
    "Weiß",
    "O'Connor",
    "García Márquez",
    "Kowalski",
    "Jørgensen",
    "Öztürk",
    "van der Berg",
    "Nováková",
    "Smith",
    "Dubois",
    "Lindström",
    "Rossi",
    "Größl",
    "Ivanova",
    "Tanaka",
];

/// What firmware reports instead of a serial number.
const PLACEHOLDERS: [&str; 6] = [
    "To be filled by O.E.M.",
    "Default string",
    "System Serial Number",
    "None",
    "0",
    "Not Specified",
];

const NOTES: [&str; 6] = [
    "Akku schwach",
    "Loaner while the other one is in repair",
    "Dockingstation fehlt",
    "Bildschirm gesprungen; Garantiefall 2291 läuft, Rückgabe an den Hersteller nach dem Austausch vereinbart",
    "Belongs to the <test> pool & is handed out per day",
    "Steht im Lager, Regal 7\nNetzteil liegt daneben",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Notebook,
    Desktop,
    Workstation,
}

/// All computers of the demo.
pub fn all() -> Vec<Computer> {
    (0..COUNT).map(computer).collect()
}

/// A pseudo-random number, fixed for a given computer and use.
fn pseudo_random(number: u32, of: u32, below: u32) -> u32 {
    let mut mixed = number
        .wrapping_mul(0x9E37_79B9)
        .wrapping_add(of.wrapping_mul(0x85EB_CA6B));
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x7FEB_352D);
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x846C_A68B);
    (mixed ^ (mixed >> 16)) % below
}

fn pick<T: Copy>(number: u32, of: u32, from: &[T]) -> Option<T> {
    let below = u32::try_from(from.len()).ok().filter(|count| *count > 0)?;
    from.get(usize::try_from(pseudo_random(number, of, below)).ok()?)
        .copied()
}

fn computer(number: u32) -> Computer {
    let (maker, model, kind, serial) = pick(number, 1, &MODELS).unwrap_or(MODELS[0]);
    let (letter, town, departments) = pick(number, 2, &SITES).unwrap_or(SITES[0]);
    let status = status_of(number);
    let mut computer = Computer::new(
        format!("c-{:05}", 10_000 + number * 7),
        name_of(number, letter, kind),
        status,
    );
    computer.serial_number = serial_of(number, serial);
    computer.asset_tag =
        (pseudo_random(number, 3, 12) > 0).then(|| format!("AT-{:06}", 200_000 + number));
    computer.manufacturer = Some(maker.to_owned());
    computer.model = Some(model.to_owned());
    if matches!(
        status,
        ComputerStatus::InUse | ComputerStatus::InRepair | ComputerStatus::Missing
    ) {
        computer.assigned_to = person_of(number);
    }
    let departments: Vec<&str> = departments.split('|').collect();
    computer.department = pick(number, 4, &departments).map(str::to_owned);
    computer.location = location_of(number, town, status);
    computer.operating_system = Some(system_of(number, maker).to_owned());
    computer.memory = pick(
        number,
        5,
        if kind == Kind::Workstation {
            &[64, 128, 256]
        } else {
            &[8, 16, 16, 32]
        },
    );
    if status != ComputerStatus::Ordered {
        let year = NEWEST - pseudo_random(number, 6, 7);
        let (month, day) = (
            1 + pseudo_random(number, 7, 12),
            1 + pseudo_random(number, 8, 28),
        );
        computer.purchased_on = day_of(year, month, day);
        computer.warranty_until = day_of(year + 3, month, day);
    }
    if pseudo_random(number, 9, 9) == 0 {
        computer.note = pick(number, 10, &NOTES).map(str::to_owned);
    }
    computer.normalized()
}

/// One in twenty is scrapped, most are in use.
fn status_of(number: u32) -> ComputerStatus {
    if number % 20 == 13 {
        return ComputerStatus::Scrapped;
    }
    match pseudo_random(number, 11, 20) {
        0 => ComputerStatus::Ordered,
        1..=3 => ComputerStatus::InStock,
        4 => ComputerStatus::InRepair,
        5 if pseudo_random(number, 12, 3) == 0 => ComputerStatus::Missing,
        _ => ComputerStatus::InUse,
    }
}

/// The name follows a scheme, with exceptions. A reinstalled machine sometimes has the name of
/// another.
fn name_of(number: u32, letter: &str, kind: Kind) -> String {
    let kind = match kind {
        Kind::Notebook => "NB",
        Kind::Desktop => "PC",
        Kind::Workstation => "WS",
    };
    match number % 50 {
        7 => format!("DESKTOP-{:05X}{}", number * 7_919, letter),
        // Differs from the previous computer of this pattern only in case.
        17 => format!("pc-empfang-{}", number / 100),
        27 => format!("PC-Empfang-{}", number / 100),
        37 => format!("Prüfstand {} – Meßrechner", 1 + number / 100),
        47 => format!(
            "{letter}{kind}-{number:04} (Besprechungsraum Großer Saal, fest eingebaut, nur nach Rücksprache mit der \
             Haustechnik ausschalten)"
        ),
        _ => format!("{letter}{kind}-{number:04}"),
    }
}

fn serial_of(number: u32, pattern: &str) -> Option<String> {
    if pattern.is_empty() || number % 25 == 4 {
        return pick(number, 13, &PLACEHOLDERS).map(str::to_owned);
    }
    if number % 25 == 9 {
        return None;
    }
    let mut use_of = 100;
    let serial = pattern.chars().map(|letter| {
        use_of += 1;
        let drawn = match letter {
            '#' => char::from_digit(pseudo_random(number, use_of, 10), 10),
            '@' => char::from_digit(10 + pseudo_random(number, use_of, 26), 36),
            other => Some(other),
        };
        drawn.map_or('0', |letter| letter.to_ascii_uppercase())
    });
    Some(serial.collect())
}

fn person_of(number: u32) -> Option<String> {
    let first = pick(number, 14, &FIRST_NAMES)?;
    let last = pick(number, 15, &LAST_NAMES)?;
    let plain = |name: &str| -> String {
        name.to_lowercase()
            .replace('ä', "ae")
            .replace('ö', "oe")
            .replace('ü', "ue")
            .replace('ß', "ss")
            .chars()
            .map(|letter| match letter {
                'ø' => 'o',
                'é' | 'ë' | 'ễ' => 'e',
                'á' | 'å' => 'a',
                'í' => 'i',
                'ç' => 'c',
                'ł' => 'l',
                'š' => 's',
                other => other,
            })
            .filter(char::is_ascii_alphabetic)
            .collect()
    };
    Some(format!("{}.{}@example.org", plain(first), plain(last)))
}

fn location_of(number: u32, town: &str, status: ComputerStatus) -> Option<String> {
    match status {
        ComputerStatus::Ordered => None,
        ComputerStatus::InStock => Some(format!("{town}, Lager")),
        _ if pseudo_random(number, 16, 15) == 0 => Some("Home office".to_owned()),
        _ => Some(format!(
            "{town}, {}.{:02}",
            pseudo_random(number, 17, 6),
            1 + pseudo_random(number, 18, 30)
        )),
    }
}

fn system_of(number: u32, maker: &str) -> &'static str {
    match (maker, pseudo_random(number, 19, 10)) {
        ("Apple", 0..=6) => "macOS 15",
        ("Apple", _) => "macOS 14",
        (_, 0) => "Ubuntu 24.04 LTS",
        (_, 1) => "Windows 10 Enterprise LTSC 2021",
        _ => "Windows 11 Enterprise",
    }
}

fn day_of(year: u32, month: u32, day: u32) -> Option<Day> {
    format!("{year:04}-{month:02}-{day:02}").parse().ok()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn there_are_five_hundred_and_each_could_be_imported() {
        let all = all();
        assert_eq!(all.len(), 500);
        let ids: HashSet<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids.len(), 500);
        for one in &all {
            assert_eq!(one.faults(), [], "{one:?}");
            assert_eq!(*one, one.clone().normalized());
        }
    }

    #[test]
    fn they_are_as_hard_to_tell_apart_as_real_ones() {
        let all = all();
        let count = |what: &dyn Fn(&Computer) -> bool| all.iter().filter(|one| what(one)).count();
        assert_eq!(count(&|one| one.status == ComputerStatus::Scrapped), 25);
        for status in ComputerStatus::ALL {
            assert!(count(&|one| one.status == status) > 1, "{status:?}");
        }
        assert!(count(&|one| one.serial_number.is_none()) > 10);
        for placeholder in PLACEHOLDERS {
            let has = |one: &Computer| one.serial_number.as_deref() == Some(placeholder);
            assert!(count(&has) > 0, "{placeholder}");
        }
        assert!(count(&|one| one.name.chars().count() > 80) > 5);
        assert!(count(&|one| !one.name.is_ascii()) > 5);
        let mut names: HashMap<String, u32> = HashMap::new();
        for one in &all {
            *names.entry(one.name.to_lowercase()).or_default() += 1;
        }
        assert!(names.values().filter(|count| **count > 1).count() >= 5);
        let mut serials: HashSet<&str> = HashSet::new();
        let real = |serial: &&str| !PLACEHOLDERS.contains(serial);
        for serial in all
            .iter()
            .filter_map(|one| one.serial_number.as_deref())
            .filter(real)
        {
            assert!(serials.insert(serial), "{serial} stands there twice");
        }
    }
}
