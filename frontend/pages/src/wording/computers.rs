//! Words of the pages about computers.
//!
//! Called through `Wording::computers`.

super::wording! {
    /// Computers.
    Computers {
        intro: "The inventory that site lists are kept in step with. Choose computers here to export them.", "Das Inventar, mit dem Site-Listen abgeglichen werden. Hier Rechner auswählen, um sie zu exportieren.";
        import: "Import…", "Importieren …";
        empty: "No computers yet", "Noch keine Rechner";
        empty_hint: "Import a table from your inventory: CSV or JSON with Id, Name, Status and whatever else is known. You see what will change before anything does.", "Eine Tabelle aus dem Inventar importieren: CSV oder JSON mit Id, Name, Status und allem, was sonst bekannt ist. Vorher ist zu sehen, was sich ändert.";
        found_none: "Nothing found", "Nichts gefunden";
        found_none_hint: "Try fewer words, or any status.", "Weniger Wörter oder einen beliebigen Status versuchen.";
        search: "Search", "Suche";
        search_hint: "Name, serial number, asset tag, assignee, location.", "Name, Seriennummer, Inventarnummer, Person, Standort.";
        search_now: "Search", "Suchen";
        any_status: "Any", "Beliebig";
        reset: "Show all", "Alle zeigen";
        more: "Show more", "Mehr zeigen";
        shown_of: "{n} of {total} are shown.", "{n} von {total} werden gezeigt.";
        found_one: "{n} computer", "{n} Rechner";
        found_other: "{n} computers", "{n} Rechner";
        choose: "Choose {name}", "{name} auswählen";
        choose_shown: "Choose all that are shown", "Alle gezeigten auswählen";
        choose_one: "Choose the one found", "Den gefundenen auswählen";
        choose_other: "Choose all {n} found", "Alle {n} gefundenen auswählen";
        choose_none: "Clear the selection", "Auswahl aufheben";
        chosen_one: "{n} computer chosen", "{n} Rechner ausgewählt";
        chosen_other: "{n} computers chosen", "{n} Rechner ausgewählt";
        too_many: "At most {n} computers can be exported at once.", "Höchstens {n} Rechner lassen sich auf einmal exportieren.";
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
        in_use: "In use", "In Benutzung";
        in_repair: "In repair", "In Reparatur";
        missing: "Missing", "Vermisst";
        scrapped: "Scrapped", "Verschrottet";
        import_title: "Import computers", "Rechner importieren";
        import_hint: "A table whose first row names the columns: Id, Name, Status and any other field, in any order. Or JSON. Computers that it does not name stay as they are.", "Eine Tabelle, deren erste Zeile die Spalten nennt: Id, Name, Status und weitere Felder in beliebiger Reihenfolge (englische Namen). Oder JSON. Rechner, die nicht darin stehen, bleiben, wie sie sind.";
        import_choose: "Choose a file", "Datei wählen";
        import_none: "No file chosen: CSV in UTF-8, or JSON", "Keine Datei gewählt: CSV in UTF-8 oder JSON";
        import_paste: "Paste a table instead", "Stattdessen eine Tabelle einfügen";
        import_text: "Table or JSON", "Tabelle oder JSON";
        import_text_hint: "Cells copied from a spreadsheet work as they are.", "Aus einer Tabellenkalkulation kopierte Zellen gehen, wie sie sind.";
        import_look: "Look at it", "Ansehen";
        import_broken: "This is no JSON that can be read: {detail}", "Das ist kein lesbares JSON: {detail}";
        import_one: "Import {n} computer", "{n} Rechner importieren";
        import_other: "Import {n} computers", "{n} Rechner importieren";
        imported: "Imported: {created} new, {updated} changed.", "Importiert: {created} neu, {updated} geändert.";
        would_create: "New", "Neu";
        would_update: "Changed", "Geändert";
        stays: "As they are", "Wie gehabt";
        is_wrong: "Wrong", "Falsch";
        wrong_one: "{n} row is wrong. Mend it and choose the file again; until then nothing is imported.", "{n} Zeile ist falsch. Bitte berichtigen und die Datei neu wählen; bis dahin wird nichts importiert.";
        wrong_other: "{n} rows are wrong. Mend them and choose the file again; until then nothing is imported.", "{n} Zeilen sind falsch. Bitte berichtigen und die Datei neu wählen; bis dahin wird nichts importiert.";
        all_well: "Every row can be read. Nothing has been changed yet.", "Jede Zeile ist lesbar. Noch wurde nichts geändert.";
        nothing_changes: "All of these computers are in the inventory just so. There is nothing to import.", "Alle diese Rechner stehen genau so im Inventar. Es gibt nichts zu importieren.";
        wrong_rows: "Wrong rows", "Falsche Zeilen";
        changed_rows: "What changes", "Was sich ändert";
        new_rows: "New computers", "Neue Rechner";
        and_more: "and {n} more", "und {n} weitere";
        row: "Row {n}", "Zeile {n}";
        nothing: "nothing", "nichts";
        wrong_double: "This id stands in an earlier row already.", "Diese Id steht schon in einer früheren Zeile.";
        wrong_status: "One of Ordered, InStock, InUse, InRepair, Missing, Scrapped.", "Eines von Ordered, InStock, InUse, InRepair, Missing, Scrapped.";
        wrong_memory: "A whole number of GiB, such as 16.", "Eine ganze Zahl von GiB, etwa 16.";
        wrong_day: "A day such as 2026-11-20.", "Ein Tag wie 2026-11-20.";
        wrong_text: "No line breaks and no control characters.", "Keine Zeilenumbrüche und keine Steuerzeichen.";
        wrong_cells: "More cells than columns; a cell with a separator in it has to stand in quotation marks.", "Mehr Zellen als Spalten; eine Zelle mit Trennzeichen muss in Anführungszeichen stehen.";
    }
}
