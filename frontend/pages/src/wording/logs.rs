//! Words of the pages about journal and audit trail.
//!
//! Called through `Wording::logs`.

super::wording! {
    /// Journal and audit trail.
    Logs {
        journal_intro: "What people did to lists, entry by entry, as the platform copies it into its records.", "Was mit Listen geschah, Eintrag für Eintrag, so wie die Plattform es in ihre Akten übernimmt.";
        audit_intro: "Every change with its full wording and who made it. Rows are chained, so that an edited row shows.", "Jede Änderung mit vollem Wortlaut und Urheber. Die Zeilen sind verkettet, damit eine veränderte auffällt.";
        search: "Search", "Suchen";
        more_filters: "More filters", "Weitere Filter";
        text: "Words", "Wörter";
        actor: "Person or program", "Person oder Programm";
        object_type: "Type", "Typ";
        object_id: "Object", "Objekt";
        purpose: "Purpose", "Zweck";
        what: "What happened", "Was geschah";
        anything: "Anything", "Alles";
        from: "From", "Von";
        to: "To", "Bis";
        reset: "Reset", "Zurücksetzen";
        csv: "Export as CSV", "Als CSV exportieren";
        verify: "Verify the chain", "Kette prüfen";
        verifying: "Verifying…", "Wird geprüft …";
        sound_one: "The chain is sound: {n} row is what was written.", "Die Kette ist heil: {n} Zeile ist, was geschrieben wurde.";
        sound_other: "The chain is sound: all {n} rows are what was written.", "Die Kette ist heil: alle {n} Zeilen sind, was geschrieben wurde.";
        broken: "The chain is broken at row {n}: {reason}.", "Die Kette ist in Zeile {n} gebrochen: {reason}.";
        when: "When", "Wann";
        who: "Who", "Wer";
        told: "What", "Was";
        list: "List", "Liste";
        details: "Details", "Details";
        details_of: "Details of row {n}", "Details zu Zeile {n}";
        details_of_entry: "Details of entry {n}", "Details zu Eintrag {n}";
        older: "Load older ones", "Ältere laden";
        search_on: "Search further back", "Weiter zurück suchen";
        end: "That is all.", "Das ist alles.";
        journal_empty: "Nothing in the journal yet", "Noch nichts im Journal";
        journal_empty_hint: "Entries appear once a form or a type asks for the journal.", "Einträge erscheinen, sobald ein Formular oder ein Typ das Journal verlangt.";
        audit_empty: "Nothing has changed yet", "Noch hat sich nichts geändert";
        audit_empty_hint: "Every tick, text and lock leaves a row here.", "Jedes Häkchen, jeder Text und jede Sperre hinterlässt hier eine Zeile.";
        found_none: "Nothing found", "Nichts gefunden";
        found_none_hint: "Try fewer words, or a longer time.", "Weniger Wörter oder einen längeren Zeitraum versuchen.";
        said_then: "What the text said", "Wortlaut";
        before: "Before", "Vorher";
        after: "After", "Nachher";
        basis: "Basis", "Grundlage";
        basis_seen: "This wording was on the person's screen", "Dieser Wortlaut stand auf dem Bildschirm der Person";
        basis_assumed: "Assumed: the program did not say what was shown", "Angenommen: das Programm sagte nicht, was zu sehen war";
        revision: "Revision of the list", "Revision der Liste";
        operation: "Operation", "Vorgang";
        item: "Item", "Eintrag";
        hash: "Hash", "Prüfsumme";
        previous_hash: "Hash before", "Prüfsumme davor";
        behalf: "For {name}", "Für {name}";
        automation: "Automation", "Automatik";
        program: "Program", "Programm";
        default_list: "default list", "Standardliste";
        row: "Row", "Zeile";
        only_this: "Only this list", "Nur diese Liste";
        whole_list: "the list", "die Liste";
        was_added: "Added", "Hinzugefügt";
        was_checked: "Checked", "Abgehakt";
        was_reopened: "Reopened", "Wieder geöffnet";
        was_not_applicable: "Not applicable", "Entfällt";
        was_reason: "Reason changed", "Begründung geändert";
        was_text: "Text changed", "Text geändert";
        was_note: "Note changed", "Notiz geändert";
        was_assignee: "Assignee changed", "Zuständigkeit geändert";
        was_due: "Due date changed", "Fälligkeit geändert";
        was_moved: "Moved", "Verschoben";
        was_deleted: "Deleted", "Gelöscht";
        was_restored: "Restored", "Wiederhergestellt";
        was_retired: "No longer in the template", "Nicht mehr in der Vorlage";
        was_followed: "Updated from the template", "Aus der Vorlage übernommen";
        was_created: "List created", "Liste angelegt";
        was_refreshed: "Brought to another version", "Auf andere Version gebracht";
        was_locked: "Locked", "Gesperrt";
        was_unlocked: "Unlocked", "Entsperrt";
        was_undone: "Taken back", "Zurückgenommen";
    }
}
