//! Words of the overview.
//!
//! Called through `Wording::overview`.

super::wording! {
    /// The overview.
    Overview {
        start: "Get started", "Erste Schritte";
        start_hint: "{done} of {total} steps completed", "{done} von {total} Schritten erledigt";
        is_done: "Done", "Erledigt";
        is_open: "To do", "Offen";
        template: "Create a template", "Vorlage anlegen";
        template_hint: "A template holds the items that every new checklist starts with.", "Eine Vorlage enthält die Einträge, mit denen jede neue Checkliste beginnt.";
        published: "Publish the template", "Vorlage veröffentlichen";
        published_hint: "Checklists use published versions only. Drafts can be changed without affecting anyone.", "Checklisten verwenden nur veröffentlichte Versionen. Entwürfe lassen sich ändern, ohne dass es jemanden betrifft.";
        kind: "Create a type (optional)", "Typ anlegen (optional)";
        kind_action: "Create a type", "Typ anlegen";
        kind_hint: "A type stands for a kind of record in your application, such as an incident, and chooses its template. Without one, the page names the template.", "Ein Typ steht für eine Art von Datensatz Ihrer Anwendung, etwa eine Störung, und bestimmt die Vorlage. Ohne Typ nennt die Seite die Vorlage.";
        key: "Add a key", "Schlüssel hinzufügen";
        key_hint: "Your application signs its users in with an embed key or calls the API with an API key.", "Ihre Anwendung meldet Personen mit einem Plattformschlüssel an oder ruft die API mit einem API-Schlüssel auf.";
        first_list: "Work on the first checklist", "Erste Checkliste bearbeiten";
        first_list_hint: "Embed the checklist in a form of your application and check off an item.", "Betten Sie die Checkliste in ein Formular Ihrer Anwendung ein und haken Sie einen Eintrag ab.";
        first_list_action: "Open the guide", "Anleitung öffnen";
        vault: "Set up the vault (optional)", "Tresor einrichten (optional)";
        vault_hint: "Webhooks and service connections need it to store their secrets. The operator of the server creates its key with: checklist-server vault new-key", "Webhooks und Dienstverbindungen brauchen ihn, um ihre Geheimnisse zu speichern. Der Betreiber des Servers erzeugt den Schlüssel mit: checklist-server vault new-key";
        retired: "These types name a retired template, so their new checklists are empty:", "Diese Typen nennen eine zurückgezogene Vorlage, ihre neuen Checklisten sind daher leer:";
        figures: "Figures", "Kennzahlen";
        lists: "Checklists", "Checklisten";
        open: "Open", "Offen";
        complete: "Completed", "Abgeschlossen";
        waived: "Waived", "Ausnahme genehmigt";
        people: "Active people", "Aktive Personen";
        keys: "Active keys", "Aktive Schlüssel";
        failing: "Webhooks with problems", "Webhooks mit Problemen";
        at_least: "{n}+", "{n}+";
        counted_first: "Only the first {n} checklists are counted.", "Es werden nur die ersten {n} Checklisten gezählt.";
        activity: "Recent activity", "Letzte Aktivitäten";
        all_activity: "View audit trail", "Prüfpfad anzeigen";
        no_activity: "Nothing has happened yet.", "Bisher ist nichts passiert.";
    }
}
