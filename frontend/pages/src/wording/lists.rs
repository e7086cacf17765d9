//! Words of the pages about checklists.
//!
//! Called through `Wording::lists`.

super::wording! {
    /// Checklists.
    Lists {
        intro: "Every checklist that has been started. One that nobody has touched yet exists only as its template.", "Alle begonnenen Checklisten. Eine Checkliste, die noch niemand bearbeitet hat, existiert nur als Vorlage.";
        empty: "No checklists yet", "Noch keine Checklisten";
        empty_hint: "A checklist appears here as soon as someone works on it.", "Eine Checkliste erscheint hier, sobald jemand sie bearbeitet.";
        found_none: "No matching checklists", "Keine passenden Checklisten";
        found_none_hint: "Try the beginning of the object ID, or fewer filters.", "Versuchen Sie es mit dem Anfang der Objekt-ID oder mit weniger Filtern.";
        object: "Object", "Objekt";
        object_type: "Type", "Typ";
        object_id: "Object ID begins with", "Objekt-ID beginnt mit";
        purpose: "Purpose", "Zweck";
        default_purpose: "Default", "Standard";
        template: "Template", "Vorlage";
        template_id: "Template ID", "Vorlagen-ID";
        no_template: "None", "Keine";
        version: "version {n}", "Version {n}";
        newer_version: "version {n} available", "Version {n} verfügbar";
        update: "Template update", "Aktualisierung der Vorlage";
        update_offered: "Available", "Verfügbar";
        update_none: "Up to date", "Aktuell";
        state: "Status", "Status";
        any_state: "Any", "Beliebig";
        open: "Open", "Offen";
        complete: "Completed", "Abgeschlossen";
        without_items: "No items", "Ohne Einträge";
        waived: "Waived", "Ausnahme genehmigt";
        waiver: "Waiver", "Ausnahme";
        locked: "Locked", "Gesperrt";
        progress: "Progress", "Fortschritt";
        done_of: "{done} of {total}", "{done} von {total}";
        changed: "Last change", "Letzte Änderung";
        journal: "Journal", "Journal";
        audit: "Audit trail", "Prüfpfad";
        about: "Details", "Details";
        items: "Items", "Einträge";
        no_items: "This checklist has no items.", "Diese Checkliste hat keine Einträge.";
        not_written: "Nobody has worked on this checklist yet. It is shown as its template.", "Diese Checkliste hat noch niemand bearbeitet. Sie wird so angezeigt, wie die Vorlage sie vorgibt.";
        done: "Done", "Erledigt";
        not_applicable: "Not applicable", "Nicht zutreffend";
        to_do: "Open", "Offen";
        required: "Required", "Pflicht";
        retired: "Removed from the template", "Nicht mehr in der Vorlage";
        by_at: "{name}, {time}", "{name}, {time}";
        assignee: "Assigned to {name}", "Zugewiesen an {name}";
        due: "Due {time}", "Fällig {time}";
        answer: "Answer: {text}", "Antwort: {text}";
        reason: "Reason: {text}", "Grund: {text}";
        note: "Note: {text}", "Notiz: {text}";
        revision: "Revision", "Revision";
        runs: "Runs", "Durchläufe";
        run: "Run {n}", "Durchlauf {n}";
        run_since: "Since {from}", "Seit {from}";
        run_from_to: "{from} to {to}", "{from} bis {to}";
        run_show: "Show run {n}", "Durchlauf {n} anzeigen";
        run_present: "Show current run", "Aktuellen Durchlauf anzeigen";
        runs_older: "Older runs", "Ältere Durchläufe";
        run_closed: "This is run {n}, closed by {name} on {time}. It can’t be changed.", "Das ist Durchlauf {n}, geschlossen von {name} am {time}. Er kann nicht geändert werden.";
        start_again_ask: "Start again…", "Neu beginnen…";
        start_again: "Start again", "Neu beginnen";
        start_again_title: "Start this checklist again?", "Diese Checkliste neu beginnen?";
        start_again_hint: "The current run is closed and stays readable. The next one begins from the newest version of its template; items that people have added don’t come along.", "Der aktuelle Durchlauf wird geschlossen und bleibt lesbar. Der nächste beginnt mit der neuesten Version der Vorlage; von Hand hinzugefügte Einträge kommen nicht mit.";
        start_again_reason: "Reason", "Grund";
        started_again: "The checklist has started again.", "Die Checkliste hat neu begonnen.";
    }
}
