//! Words of the pages about types.
//!
//! Called through `Wording::platform_types`.

super::wording! {
    /// Types.
    PlatformTypes {
        intro: "A type says which classes its objects include, and from which template the checklist of each purpose is made.", "Ein Typ sagt, welche Klassen seine Objekte umfassen und aus welcher Vorlage die Checkliste zu jedem Zweck entsteht.";
        new: "New type", "Neuer Typ";
        empty: "No types yet", "Noch keine Typen";
        empty_hint: "Add the types of your platform that carry checklists, such as incident.", "Die Typen der Plattform hinzufügen, die Checklisten tragen, etwa incident.";
        name: "Name", "Name";
        name_hint: "As the platform calls it, such as incident. It stays.", "So, wie die Plattform ihn nennt, etwa incident. Er bleibt.";
        name_wrong: "1 to 200 characters, and not a star.", "1 bis 200 Zeichen und kein Stern.";
        classes: "Classes", "Klassen";
        unit_of_work: "Unit of work", "Unit of work";
        unit_of_work_hint: "Its objects have a journal.", "Seine Objekte haben ein Journal.";
        checklist_item: "Checklist item", "Checklist item";
        checklist_item_hint: "Its objects have checklist items.", "Seine Objekte haben Checklisteneinträge.";
        always: "Always write the journal", "Immer ins Journal schreiben";
        always_hint: "Even when a form does not ask for it.", "Auch wenn ein Formular es nicht verlangt.";
        ready: "Changes can be written to the journal.", "Änderungen können ins Journal geschrieben werden.";
        missing: "Nothing can be written to the journal: {classes} is missing.", "Ins Journal kann nichts geschrieben werden: {classes} fehlt.";
        missing_both: "Nothing can be written to the journal: both classes are missing.", "Ins Journal kann nichts geschrieben werden: beide Klassen fehlen.";
        at_once: "A class that is added works at once, without a restart.", "Eine hinzugefügte Klasse wirkt sofort, ohne Neustart.";
        purposes: "Templates by purpose", "Vorlagen nach Zweck";
        purposes_hint: "The empty purpose is the object's default list.", "Der leere Zweck ist die Standardliste des Objekts.";
        purpose: "Purpose", "Zweck";
        default_purpose: "Default list", "Standardliste";
        template: "Template", "Vorlage";
        choose: "Choose a template", "Vorlage wählen";
        add_purpose: "Add purpose", "Zweck hinzufügen";
        remove_purpose: "Remove the purpose “{purpose}”", "Den Zweck „{purpose}“ entfernen";
        no_purposes: "No template yet: lists of this type begin empty.", "Noch keine Vorlage: Listen dieses Typs beginnen leer.";
        twice: "This purpose stands here twice.", "Dieser Zweck steht hier doppelt.";
        no_template: "Choose a template, or remove the purpose.", "Eine Vorlage wählen oder den Zweck entfernen.";
        search_hint: "Name, purpose, template.", "Name, Zweck, Vorlage.";
        taken: "There is a type of this name already.", "Einen Typ mit diesem Namen gibt es schon.";
        changed_title: "Somebody else saved meanwhile", "Jemand anderes hat inzwischen gespeichert";
        changed_hint: "The type is no longer the one that you began with. You can look at theirs, which discards your changes, or replace theirs by yours.", "Der Typ ist nicht mehr der, mit dem hier begonnen wurde. Der andere Stand kann geladen werden, dann sind die eigenen Änderungen weg; oder die eigenen ersetzen ihn.";
        load_theirs: "Load theirs", "Anderen Stand laden";
        overwrite_theirs: "Replace theirs by mine", "Durch meinen ersetzen";
        theirs_loaded: "This is what the others have saved.", "Das ist der Stand der anderen.";
        saved: "Type saved.", "Typ gespeichert.";
        purposes_one: "{n} template", "{n} Vorlage";
        purposes_other: "{n} templates", "{n} Vorlagen";
    }
}
