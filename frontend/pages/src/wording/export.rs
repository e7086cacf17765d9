//! Words of the form that exports computers to a site list.
//!
//! Called through `Wording::export`.

super::wording! {
    /// The export of computers to a site list.
    Export {
        title: "Export to site list", "In Site-Liste exportieren";
        intro: "1 computer is selected. Its entry in the list is created or updated, or deleted if the computer is scrapped. Other entries stay unchanged.|{n} computers are selected. Their entries in the list are created or updated, or deleted if the computer is scrapped. Other entries stay unchanged.", "1 Rechner ist ausgewählt. Sein Eintrag in der Liste wird angelegt oder aktualisiert – oder gelöscht, falls der Rechner verschrottet ist. Andere Einträge bleiben unverändert.|{n} Rechner sind ausgewählt. Ihre Einträge in der Liste werden angelegt oder aktualisiert – oder gelöscht, falls der Rechner verschrottet ist. Andere Einträge bleiben unverändert.";
        none: "No computers selected", "Keine Rechner ausgewählt";
        none_hint: "Select the computers you want to export, then come back here.", "Wählen Sie zuerst die Rechner aus, die Sie exportieren möchten.";
        to_computers: "Select computers", "Rechner auswählen";
        too_many: "You can export up to 10,000 computers at once; {n} are selected.", "Sie können höchstens 10.000 Rechner auf einmal exportieren; ausgewählt sind {n}.";
        place: "Destination", "Ziel";
        connection: "Service connection", "Verbindung";
        connection_hint: "How this server signs in to the site.", "Damit meldet sich dieser Server bei der Site an.";
        choose: "Select…", "Bitte auswählen …";
        no_connection: "No service connection can be used for exports", "Für Exporte ist keine Verbindung verfügbar";
        no_connection_hint: "An export runs in the background. It needs a connection that works while nobody is signed in.", "Ein Export läuft im Hintergrund. Er braucht eine Verbindung, die auch funktioniert, wenn niemand angemeldet ist.";
        new_connection: "Create a connection", "Verbindung anlegen";
        to_connections: "Go to connections", "Zu den Verbindungen";
        not_offered: "Not available: {names}.", "Nicht verfügbar: {names}.";
        why_sign_in: "{name} (sign-in required)", "{name} (Anmeldung erforderlich)";
        why_secret: "{name} (secret missing)", "{name} (Geheimnis fehlt)";
        why_pass_through: "{name} (uses each caller's own credentials)", "{name} (verwendet die Anmeldedaten des jeweiligen Aufrufers)";
        list: "List", "Liste";
        list_hint: "The lists this connection has access to.", "Die Listen, auf die diese Verbindung zugreifen kann.";
        list_items: "{list} ({n} items)", "{list} ({n} Einträge)";
        list_item: "{list} (1 item)", "{list} (1 Eintrag)";
        no_lists: "This connection has no access to any list. Create one on the site, or select another connection.", "Diese Verbindung hat auf keine Liste Zugriff. Legen Sie auf der Site eine an oder wählen Sie eine andere Verbindung.";
        open_list: "Open the list on the site", "Liste auf der Site öffnen";
        test_connection: "Test this connection", "Diese Verbindung testen";
        map: "Column mapping", "Spaltenzuordnung";
        map_hint: "Select a column of the list for each field. Columns without a field are not changed.", "Wählen Sie zu jedem Feld eine Spalte der Liste. Spalten ohne Feld werden nicht geändert.";
        left_out: "Don't export", "Nicht exportieren";
        no_column: "The list has no suitable column.", "Die Liste hat keine passende Spalte.";
        same_column: "“{field}” is already mapped to this column.", "Dieser Spalte ist bereits „{field}“ zugeordnet.";
        lacks_statuses: "This column does not accept: {statuses}. Computers with that status will fail.", "Diese Spalte lässt nicht zu: {statuses}. Rechner mit diesem Status schlagen fehl.";
        map_empty: "Select a column for at least one field.", "Wählen Sie für mindestens ein Feld eine Spalte.";
        reset_map: "Reset to default", "Auf Standard zurücksetzen";
        unwritable: "Columns that cannot be written to: {names}.", "Nicht beschreibbare Spalten: {names}.";
        by_hand: "Existing entries", "Vorhandene Einträge";
        by_hand_hint: "Entries that were added manually can be matched to a computer if exactly one entry fits. You are asked to confirm before they are changed.", "Manuell angelegte Einträge können einem Rechner zugeordnet werden, wenn genau einer passt. Vor der Änderung werden Sie um Bestätigung gebeten.";
        by_serial_number: "Match by serial number", "Nach Seriennummer zuordnen";
        by_name: "Otherwise by name", "Andernfalls nach Namen";
        by_nothing: "Nothing is matched: every computer without an entry from an earlier export gets a new one.", "Es wird nichts zugeordnet: Jeder Rechner ohne Eintrag aus einem früheren Export erhält einen neuen.";
        key_column: "Key column", "Schlüsselspalte";
        key_column_default: "SyncKey (hidden, created if missing)", "SyncKey (verborgen, wird bei Bedarf angelegt)";
        key_column_hint: "The key identifies an entry even if its other values change. Only indexed columns with unique values can be used.", "Am Schlüssel wird ein Eintrag erkannt, auch wenn sich seine übrigen Werte ändern. Möglich sind indizierte Spalten mit eindeutigen Werten.";
        more: "Advanced settings", "Erweiterte Einstellungen";
        dry_run: "Dry run", "Probelauf";
        dry_run_hint: "Shows what would change. Nothing is written.", "Zeigt, was sich ändern würde. Es wird nichts geschrieben.";
        export: "Export 1 computer|Export {n} computers", "1 Rechner exportieren|{n} Rechner exportieren";
        preview: "Start dry run with 1 computer|Start dry run with {n} computers", "Probelauf mit 1 Rechner starten|Probelauf mit {n} Rechnern starten";
        starting: "Starting…", "Wird gestartet …";
        gone: "Some of the selected computers are no longer in the inventory: {names}.", "Einige der ausgewählten Rechner sind nicht mehr im Inventar: {names}.";
        gone_without: "Remove them from the selection", "Aus der Auswahl entfernen";
    }
}
