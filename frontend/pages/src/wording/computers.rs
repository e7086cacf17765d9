//! Words of the pages about computers.
//!
//! Called through `Wording::computers`.

super::wording! {
    /// Computers.
    Computers {
        intro: "The computer inventory. Select computers to export them to a site list.", "Das Inventar der Rechner. Wählen Sie Rechner aus, um sie in eine Site-Liste zu exportieren.";
        import: "Import…", "Importieren …";
        empty: "No computers yet", "Noch keine Rechner";
        empty_hint: "Import a table from your inventory: CSV or JSON with Id, Name, Status, and any other fields. You can preview all changes before anything is saved.", "Importieren Sie eine Tabelle aus Ihrem Inventar: CSV oder JSON mit Id, Name, Status und beliebigen weiteren Feldern. Alle Änderungen sehen Sie vorab in einer Vorschau.";
        search_hint: "Name, serial number, asset tag, assignee, or location.", "Name, Seriennummer, Inventarnummer, Person oder Standort.";
        any_status: "Any", "Alle";
        count_of: "{n} of {total} computers", "{n} von {total} Rechnern";
        count: "{n} computer|{n} computers", "{n} Rechner|{n} Rechner";
        select_named: "Select {name}", "{name} auswählen";
        select_rows: "Select all rows", "Alle Zeilen auswählen";
        select: "Select the computer|Select all {n} computers", "Den Rechner auswählen|Alle {n} Rechner auswählen";
        select_none: "Clear selection", "Auswahl aufheben";
        selected: "{n} computer selected|{n} computers selected", "{n} Rechner ausgewählt|{n} Rechner ausgewählt";
        too_many: "You can export up to {n} computers at once.", "Sie können höchstens {n} Rechner auf einmal exportieren.";
        id: "Id", "Id";
        name: "Name", "Name";
        serial_number: "Serial number", "Seriennummer";
        asset_tag: "Asset tag", "Inventarnummer";
        manufacturer: "Manufacturer", "Hersteller";
        model: "Model", "Modell";
        status: "Status", "Status";
        assigned_to: "Assigned to", "Zugewiesen an";
        department: "Department", "Abteilung";
        location: "Location", "Standort";
        operating_system: "Operating system", "Betriebssystem";
        memory: "Memory (GiB)", "Speicher (GiB)";
        purchased_on: "Purchased on", "Gekauft am";
        warranty_until: "Warranty until", "Garantie bis";
        note: "Note", "Notiz";
        ordered: "Ordered", "Bestellt";
        in_stock: "In stock", "Im Lager";
        in_use: "In use", "In Verwendung";
        in_repair: "In repair", "In Reparatur";
        missing: "Missing", "Vermisst";
        scrapped: "Scrapped", "Verschrottet";
        import_title: "Import computers", "Rechner importieren";
        import_hint: "A table with column names in the first row: Id, Name, Status, and any other fields, in any order. JSON works, too. Computers that are not in the file stay unchanged.", "Eine Tabelle mit Spaltennamen in der ersten Zeile: Id, Name, Status und weitere Felder in beliebiger Reihenfolge (mit englischen Namen). JSON ist ebenfalls möglich. Rechner, die in der Datei fehlen, bleiben unverändert.";
        import_file: "Choose a file", "Datei auswählen";
        import_no_file: "No file chosen (CSV in UTF-8, or JSON)", "Keine Datei ausgewählt (CSV in UTF-8 oder JSON)";
        import_paste: "Paste a table instead", "Stattdessen eine Tabelle einfügen";
        import_text: "Table or JSON", "Tabelle oder JSON";
        import_text_hint: "You can paste cells copied from a spreadsheet.", "Sie können Zellen aus einer Tabellenkalkulation einfügen.";
        import_preview: "Preview", "Vorschau";
        import_invalid_json: "This is not valid JSON: {detail}", "Das ist kein gültiges JSON: {detail}";
        import_count: "Import {n} computer|Import {n} computers", "{n} Rechner importieren|{n} Rechner importieren";
        imported: "Imported: {created} new, {updated} changed.", "Importiert: {created} neu, {updated} geändert.";
        would_create: "New", "Neu";
        would_update: "Changed", "Geändert";
        unchanged: "Unchanged", "Unverändert";
        with_errors: "Errors", "Fehlerhaft";
        errors: "{n} row has errors. Fix it and choose the file again. Until then, nothing is imported.|{n} rows have errors. Fix them and choose the file again. Until then, nothing is imported.", "{n} Zeile ist fehlerhaft. Korrigieren Sie sie und wählen Sie die Datei erneut aus. Bis dahin wird nichts importiert.|{n} Zeilen sind fehlerhaft. Korrigieren Sie sie und wählen Sie die Datei erneut aus. Bis dahin wird nichts importiert.";
        no_errors: "No errors found. Nothing has been imported yet.", "Keine Fehler gefunden. Bisher wurde nichts importiert.";
        nothing_changes: "All of these computers are up to date. There is nothing to import.", "Alle diese Rechner sind auf dem aktuellen Stand. Es gibt nichts zu importieren.";
        rows_with_errors: "Rows with errors", "Fehlerhafte Zeilen";
        changed_rows: "Changes", "Änderungen";
        new_rows: "New computers", "Neue Rechner";
        and_more: "and {n} more", "und {n} weitere";
        row: "Row {n}", "Zeile {n}";
        empty_value: "empty", "leer";
        duplicate_id: "This id already appears in an earlier row.", "Diese Id kommt bereits in einer früheren Zeile vor.";
        invalid_status: "Use Ordered, InStock, InUse, InRepair, Missing, or Scrapped.", "Zulässig sind Ordered, InStock, InUse, InRepair, Missing und Scrapped.";
        invalid_memory: "Enter a whole number of GiB, such as 16.", "Geben Sie eine ganze Zahl in GiB an, etwa 16.";
        invalid_date: "Enter a date such as 2026-11-20.", "Geben Sie ein Datum wie 2026-11-20 an.";
        invalid_text: "Line breaks and control characters are not allowed.", "Zeilenumbrüche und Steuerzeichen sind nicht zulässig.";
        invalid_cells: "More cells than columns. Put cells that contain a separator in quotation marks.", "Mehr Zellen als Spalten. Setzen Sie Zellen, die ein Trennzeichen enthalten, in Anführungszeichen.";
    }
}
