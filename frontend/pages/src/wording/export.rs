//! Words of the form that exports computers to a site list.
//!
//! Called through `Wording::export`.

super::wording! {
    /// The export of computers to a site list.
    Export {
        title: "Export to site list", "In Site-Liste exportieren";
        one: "One computer is chosen. Its entry in the list is created, changed, or deleted if it is scrapped; other entries stay as they are.", "Ein Rechner ist ausgewählt. Sein Eintrag in der Liste wird angelegt, geändert oder, falls verschrottet, gelöscht; andere Einträge bleiben, wie sie sind.";
        many: "{n} computers are chosen. Their entries in the list are created, changed, or deleted if they are scrapped; other entries stay as they are.", "{n} Rechner sind ausgewählt. Ihre Einträge in der Liste werden angelegt, geändert oder, falls verschrottet, gelöscht; andere Einträge bleiben, wie sie sind.";
        none: "No computers are chosen", "Keine Rechner ausgewählt";
        none_hint: "Choose the computers first; then export them from there.", "Zuerst die Rechner auswählen; von dort aus exportieren.";
        to_computers: "Choose computers", "Rechner auswählen";
        too_many: "At most 10,000 computers go into one run; {n} are chosen.", "Höchstens 10.000 Rechner gehen in einen Lauf; ausgewählt sind {n}.";
        place: "Where to", "Wohin";
        connection: "Service connection", "Verbindung";
        connection_hint: "How this server signs in at the site.", "Wie dieser Server sich bei der Site anmeldet.";
        choose: "Choose…", "Bitte wählen …";
        no_connection: "There is no service connection that can be used.", "Es gibt keine Verbindung, die benutzt werden kann.";
        no_connection_hint: "An export needs one that signs in by itself, because it may last longer than the person stays.", "Ein Export braucht eine, die sich selbst anmeldet, denn er dauert womöglich länger, als die Person bleibt.";
        new_connection: "Make a connection", "Verbindung anlegen";
        to_connections: "To the connections", "Zu den Verbindungen";
        not_offered: "Not offered: {names}.", "Nicht angeboten: {names}.";
        why_sign_in: "{name} (somebody has to sign in)", "{name} (Anmeldung nötig)";
        why_secret: "{name} (its secret is missing)", "{name} (Geheimnis fehlt)";
        why_pass_through: "{name} (needs each caller's own credential)", "{name} (braucht den Ausweis des Aufrufers)";
        list: "List", "Liste";
        list_hint: "The lists that this connection sees.", "Die Listen, die diese Verbindung sieht.";
        list_items: "{list} ({n} items)", "{list} ({n} Einträge)";
        list_item: "{list} (one item)", "{list} (ein Eintrag)";
        no_lists: "This connection sees no lists. Make one on the site, or choose another connection.", "Diese Verbindung sieht keine Listen. Eine auf der Site anlegen oder eine andere Verbindung wählen.";
        open_list: "Open the list on the site", "Liste auf der Site öffnen";
        test_connection: "Test this connection", "Diese Verbindung testen";
        map: "What goes where", "Was wohin kommt";
        map_hint: "Each field of a computer with the column that it goes to. Fields that are left out are not touched in the list.", "Jedes Feld eines Rechners mit der Spalte, in die es kommt. Ausgelassene Felder bleiben in der Liste unberührt.";
        left_out: "Leave out", "Auslassen";
        no_column: "No column of the list can hold this.", "Keine Spalte der Liste kann das aufnehmen.";
        same_column: "“{field}” goes to this column already.", "In diese Spalte kommt schon „{field}“.";
        lacks_statuses: "This column does not take: {statuses}. Computers of that status would fail.", "Diese Spalte nimmt nicht: {statuses}. Rechner mit diesem Status würden scheitern.";
        map_empty: "Let at least one field go to a column.", "Mindestens ein Feld muss in eine Spalte kommen.";
        usual: "Back to the default", "Zurück zum Standard";
        unwritable: "Columns that cannot be written from here: {names}.", "Spalten, die von hier nicht geschrieben werden können: {names}.";
        by_hand: "Entries made by hand", "Von Hand angelegte Einträge";
        by_hand_hint: "An entry that nobody has exported yet can become a computer's own, if exactly one fits. You are asked before that happens.", "Ein Eintrag, den noch niemand exportiert hat, kann zu einem Rechner gehören, wenn genau einer passt. Vorher wird gefragt.";
        by_serial_number: "Find them by serial number", "Nach Seriennummer suchen";
        by_name: "Otherwise by name", "Sonst nach Namen";
        by_nothing: "None is found: every computer without an entry of its own gets a new one.", "Es wird keiner gefunden: Jeder Rechner ohne eigenen Eintrag bekommt einen neuen.";
        key_column: "Column that holds the keys", "Spalte mit den Schlüsseln";
        key_column_usual: "SyncKey (hidden; made when it is missing)", "SyncKey (verborgen; wird angelegt, wenn sie fehlt)";
        key_column_hint: "By its key an entry is found again, whatever people change in it. Other columns are offered when they are indexed and allow no value twice.", "Am Schlüssel wird ein Eintrag wiedererkannt, was auch immer jemand darin ändert. Andere Spalten stehen zur Wahl, wenn sie indiziert sind und keinen Wert zweimal zulassen.";
        more: "More settings", "Weitere Einstellungen";
        dry_run: "Only say what would happen", "Nur sagen, was geschehen würde";
        dry_run_hint: "Nothing is written.", "Es wird nichts geschrieben.";
        export_one: "Export one computer", "Einen Rechner exportieren";
        export_many: "Export {n} computers", "{n} Rechner exportieren";
        look_one: "See what would happen to one computer", "Zeigen, was mit einem Rechner geschähe";
        look_many: "See what would happen to {n} computers", "Zeigen, was mit {n} Rechnern geschähe";
        starting: "Starting…", "Wird begonnen …";
        in_progress: "This list has a run that has not ended yet. Only one goes on at a time.", "Diese Liste hat einen Lauf, der noch nicht zu Ende ist. Es geht immer nur einer zugleich.";
        to_that_run: "Open that run", "Diesen Lauf öffnen";
        gone: "Some of the chosen computers are not in the inventory any more: {names}.", "Einige der ausgewählten Rechner stehen nicht mehr im Inventar: {names}.";
        gone_without: "Go on without them", "Ohne diese weitermachen";
    }
}
