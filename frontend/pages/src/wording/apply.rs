//! Words of the pages that apply a template to many checklists.
//!
//! Called through `Wording::apply`; states and headings of runs are those of `Wording::runs`.

super::wording! {
    /// Applying a template.
    Apply {
        intro: "Adds the items of a template to many checklists at once. Existing items are never changed or removed, and no checklist gets an item twice.", "Fügt vielen Checklisten auf einmal die Einträge einer Vorlage hinzu. Vorhandene Einträge werden weder geändert noch entfernt, und keine Checkliste erhält einen Eintrag doppelt.";
        choose: "Choose a template", "Vorlage auswählen";
        not_published: "This template is not published any more.", "Diese Vorlage ist nicht mehr veröffentlicht.";
        which: "Checklists", "Checklisten";
        by_ids: "Of certain objects", "Bestimmter Objekte";
        by_filter: "Existing checklists that match a filter", "Vorhandene Checklisten nach Filter";
        type_hint: "For example: incident", "Zum Beispiel: incident";
        purpose_hint: "Leave empty for the default checklist.", "Leer lassen für die Standard-Checkliste.";
        ids: "Object IDs", "Objekt-IDs";
        ids_hint: "One per line, up to 10,000. Checklists that nobody has worked on yet are started.", "Eine pro Zeile, höchstens 10.000. Checklisten, die noch niemand bearbeitet hat, werden begonnen.";
        unusable_name: "“{name}” cannot be used: a name has at most 200 characters and is not “*”.", "„{name}“ geht nicht: Ein Name hat höchstens 200 Zeichen und ist nicht „*“.";
        filter_hint: "Without a filter, all existing checklists are included (up to 10,000).", "Ohne Filter sind alle vorhandenen Checklisten enthalten (höchstens 10.000).";
        preview: "Preview", "Vorschau";
        first: "The first {n} checklists:", "Die ersten {n} Checklisten:";
        apply: "Apply template", "Vorlage anwenden";
        started: "The template is being applied.", "Die Vorlage wird angewendet.";
        no_runs: "No template has been applied yet", "Es wurde noch keine Vorlage angewendet";
        title: "Apply “{template}”", "„{template}“ anwenden";
        no_lists: "No checklists", "Keine Checklisten";
        settled: "{n} of {total} checklists", "{n} von {total} Checklisten";
        stop: "Stop", "Stoppen";
        resume: "Resume", "Fortsetzen";
        items: "1 new item|{n} new items", "1 neuer Eintrag|{n} neue Einträge";
        appended: "Items added", "Ergänzt";
        would_append: "Will be extended", "Wird ergänzt";
        begun: "Started", "Begonnen";
        would_begin: "Will be started", "Wird begonnen";
        unchanged: "Unchanged", "Unverändert";
        skipped: "Skipped", "Übersprungen";
        would_skip: "Will be skipped", "Wird übersprungen";
        why_locked: "The checklist is locked.", "Die Checkliste ist gesperrt.";
        why_limit: "The checklist would exceed the maximum number of items.", "Die Checkliste würde die Höchstzahl an Einträgen überschreiten.";
        why_template: "The template is not published.", "Die Vorlage ist nicht veröffentlicht.";
        why_foreign: "There is no such checklist for you.", "Für Sie gibt es diese Checkliste nicht.";
        why_permission: "Whoever started the run no longer has permission.", "Wer den Lauf gestartet hat, ist dazu nicht mehr berechtigt.";
    }
}
