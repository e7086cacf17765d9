//! Tests of `sheet`: tables as people save them, and the errors of those that cannot be parsed.
//!
//! Unit tests, without a store.

use proptest::prelude::*;

use super::*;

fn rows(text: &str) -> Vec<ReadRow> {
    read(text.as_bytes()).expect("a table")
}

fn computers(text: &str) -> Vec<Computer> {
    let good = rows(text).into_iter().map(|row| row.computer);
    good.collect::<Result<_, _>>().expect("good rows")
}

/// The error message for a table that cannot be parsed.
fn refused(bytes: &[u8]) -> String {
    let error = read(bytes).expect_err("no table");
    let told = error.problem.errors.iter().map(|error| &error.detail);
    told.cloned().collect::<Vec<_>>().join(" ")
}

/// The pointers and messages for a table of one row.
fn faults(text: &str) -> Vec<(String, String)> {
    let found = rows(text).remove(0).computer.expect_err("a wrong row");
    let told = found.into_iter().map(|it| (it.pointer, it.detail));
    told.collect()
}

#[test]
fn a_whole_row_is_read_into_its_fields() {
    let text = "Id,Name,SerialNumber,AssetTag,Manufacturer,Model,Status,AssignedTo,Department,Location,\
                OperatingSystem,Memory,PurchasedOn,WarrantyUntil,Note\r\n\
                c-17,PC-0815,SN-1,AT-1,Dell,Latitude,In use,anna@example.org,IT,\"Köln, 3\",Windows 11,16,\
                2024-02-29,2027-02-28,\"says \"\"hi\"\"\r\ntwice\"\r\n";
    let some = |text: &str| Some(text.to_owned());
    let computer = Computer {
        serial_number: some("SN-1"),
        asset_tag: some("AT-1"),
        manufacturer: some("Dell"),
        model: some("Latitude"),
        assigned_to: some("anna@example.org"),
        department: some("IT"),
        location: some("Köln, 3"),
        operating_system: some("Windows 11"),
        memory: Some(16),
        purchased_on: "2024-02-29".parse().ok(),
        warranty_until: "2027-02-28".parse().ok(),
        note: some("says \"hi\"\ntwice"),
        ..Computer::new("c-17", "PC-0815", ComputerStatus::InUse)
    };
    assert_eq!(computers(text), [computer]);
}

#[test]
fn semicolons_tabs_a_mark_and_any_order_of_headings_are_understood() {
    let expected = [Computer {
        serial_number: Some("SN, 1".to_owned()),
        ..Computer::new("c-1", "PC", ComputerStatus::InStock)
    }];
    for text in [
        "\u{feff}name;SERIAL NUMBER;id;Status\nPC;SN, 1;c-1;instock\n",
        "Status\tname\tserial_number\tID\nIn Stock\tPC\tSN, 1\tc-1",
        "Id,Name,Serial-Number,Status,,\r\nc-1,PC,\"SN, 1\",InStock,,\r\n,,,,,\r\n\r\n",
    ] {
        assert_eq!(computers(text), expected, "{text}");
    }
}

#[test]
fn rows_are_known_by_the_line_in_which_they_begin() {
    let text =
        "\n\nId,Name,Status,Note\n\na,A,InUse,\"one\ntwo\nthree\"\n\n\nb,B,InUse,\nc,C,InUse,";
    let lines: Vec<u32> = rows(text).iter().map(|row| row.place).collect();
    assert_eq!(lines, [5, 10, 11]);
    let windows = text.replace('\n', "\r\n");
    let lines: Vec<u32> = rows(&windows).iter().map(|row| row.place).collect();
    assert_eq!(lines, [5, 10, 11]);
}

#[test]
fn each_wrong_cell_of_a_row_is_told_with_its_column() {
    let text = "Id,Name,Status,Memory,PurchasedOn,WarrantyUntil\n\
                ,PC,broken,16 GB,29.02.2024,2026-02-30\n";
    let at = |field: &str, detail: &str| (format!("/{field}"), detail.to_owned());
    assert_eq!(
        faults(text),
        [
            at(
                "Status",
                "'broken' is none of Ordered, InStock, InUse, InRepair, Missing, Scrapped."
            ),
            at("Memory", "'16 GB' is no whole number of GiB such as 16."),
            at("PurchasedOn", "'29.02.2024' is no day such as 2026-11-20."),
            at(
                "WarrantyUntil",
                "'2026-02-30' is no day such as 2026-11-20."
            ),
            at("Id", "This has to be there."),
        ]
    );
    assert_eq!(
        faults("Id,Name,Status\na,PC,\n"),
        [at("Status", "This has to be there.")]
    );
    assert_eq!(
        faults("Id,Name,Status\na,PC\n"),
        [at("Status", "This has to be there.")]
    );
}

#[test]
fn a_cell_too_many_is_told_and_not_lost() {
    let told = faults("Id,Name,Status\na,PC,InUse,Köln\n");
    assert!(told[0].1.contains("4 cells for 3 columns"), "{told:?}");
    let told = faults("Id,Name,Status,\na,PC,InUse,Köln\n");
    assert!(told[0].1.contains("4 cells for 3 columns"), "{told:?}");
}

#[test]
fn headings_that_nobody_knows_stand_twice_or_are_missing_are_named() {
    let told = refused(b"Id,Name,Colour,name\na,b,c,d\n");
    assert_eq!(
        told,
        "No field is called 'Colour'. The column 'name' stands there twice. The column Status is missing."
    );
}

#[test]
fn another_encoding_is_told_with_its_line() {
    let latin = b"Id,Name,Status\na,PC,InUse\nb,B\xfcro,InUse\n";
    assert!(refused(latin).starts_with("Line 3 is not UTF-8."));
    assert!(refused(b"\xff\xfeI\0d\0").contains("UTF-16"));
}

#[test]
fn a_quotation_mark_that_is_never_closed_swallows_nothing() {
    let told = refused(b"Id,Name,Status,Note\na,PC,InUse,\"so\nb,PC,InUse,\nc,PC,InUse,\n");
    assert!(told.contains("line 2 is never closed"), "{told}");
}

#[test]
fn an_empty_file_is_told() {
    for nothing in ["", "\u{feff}", "\n\n", ";;;\n"] {
        assert!(
            refused(nothing.as_bytes()).contains("is empty"),
            "{nothing}"
        );
    }
    assert_eq!(rows("Id,Name,Status\n"), []);
}

#[test]
fn ten_thousand_rows_are_read_and_one_more_is_refused() {
    let mut text = "Id,Name,Status\n".to_owned();
    for number in 0..MOST_ROWS {
        text.push_str(&format!("c-{number},PC,InUse\n"));
    }
    assert_eq!(rows(&text).len(), MOST_ROWS);
    text.push_str("one,more,InUse\n");
    let error = read(text.as_bytes()).expect_err("too many");
    assert_eq!(error.code(), ProblemCode::LimitExceeded);
}

/// Any text that fits in a cell of one line.
fn text() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[^\\p{C}]{0,30}")
}

proptest! {
    #[test]
    fn what_a_spreadsheet_writes_is_read_back(
        id in "[a-z0-9/ ,;\"\\-]{1,20}",
        name in "[^\\p{C}]{1,40}",
        status in 0..6_usize,
        texts in (text(), text(), text(), text()),
        memory in proptest::option::of(1..1_000_000_u32),
        note in proptest::option::of("[^\\p{C}\"]{0,20}(\n[^\\p{C}]{0,20})?"),
        delimiter in proptest::sample::select(vec![b',', b';', b'\t']),
        mark in proptest::bool::ANY,
    ) {
        let computer = Computer {
            serial_number: texts.0,
            model: texts.1,
            location: texts.2,
            assigned_to: texts.3,
            memory,
            note,
            ..Computer::new(id, name, ComputerStatus::ALL[status])
        };
        prop_assume!(computer.clone().normalized().faults().is_empty());
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let fields = ComputerField::ALL;
        writer.write_record(fields.map(ComputerField::name)).expect("a head row");
        let cells = fields.map(|field| computer.text(field).unwrap_or_default());
        writer.write_record(&cells).expect("a row");
        let mut bytes = if mark { MARK.to_vec() } else { Vec::new() };
        bytes.extend(writer.into_inner().expect("a table"));
        let rows = read(&bytes).expect("a table");
        prop_assert_eq!(rows.len(), 1);
        prop_assert_eq!(&rows[0].computer, &Ok(computer.normalized()));
    }

    #[test]
    fn no_bytes_at_all_break_the_reader(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let _ = read(&bytes);
    }

    #[test]
    fn no_rows_at_all_break_the_reader(rows in "(Id|Name|Status|Memory|[,;\t\n\"a-z0-9]){0,60}") {
        let head = format!("Id,Name,Status,Memory\n{rows}");
        let _ = read(head.as_bytes());
    }
}
