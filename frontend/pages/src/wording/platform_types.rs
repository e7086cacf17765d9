//! Words of the pages about types.
//!
//! Called through `Wording::platform_types`.

super::wording! {
    /// Types.
    PlatformTypes {
        intro: "A type defines which classes its objects have, and which template the checklist for each purpose is created from.", "Ein Typ legt fest, welche Klassen seine Objekte haben und aus welcher Vorlage die Checkliste für jeden Zweck entsteht.";
        new: "New type", "Neuer Typ";
        empty: "No types yet", "Noch keine Typen";
        empty_hint: "Add the types of your platform that have checklists, for example incident.", "Fügen Sie die Typen Ihrer Plattform hinzu, die Checklisten haben, zum Beispiel incident.";
        name: "Name", "Name";
        name_hint: "The type's name on the platform, for example incident. It cannot be changed later.", "Der Name des Typs auf der Plattform, zum Beispiel incident. Er kann später nicht geändert werden.";
        name_wrong: "Enter 1 to 200 characters. A single * is not allowed.", "Geben Sie 1 bis 200 Zeichen ein. Ein einzelnes * ist nicht erlaubt.";
        classes: "Classes", "Klassen";
        unit_of_work: "Unit of work", "Unit of work";
        unit_of_work_hint: "Its objects have a journal.", "Seine Objekte haben ein Journal.";
        checklist_item: "Checklist item", "Checklist item";
        checklist_item_hint: "Its objects have checklist items.", "Seine Objekte haben Checklisteneinträge.";
        always: "Always write the journal", "Immer ins Journal schreiben";
        always_hint: "Even if a form does not request it.", "Auch wenn ein Formular es nicht anfordert.";
        ready: "Changes can be written to the journal: always, or when a form or a call asks for it.", "Änderungen können ins Journal geschrieben werden: immer oder wenn ein Formular oder ein Aufruf es verlangt.";
        missing: "Changes cannot be written to the journal: the class {classes} is missing.", "Änderungen können nicht ins Journal geschrieben werden: Die Klasse {classes} fehlt.";
        missing_both: "Changes cannot be written to the journal: both classes are missing.", "Änderungen können nicht ins Journal geschrieben werden: Beide Klassen fehlen.";
        at_once: "Changes to classes take effect immediately, without a restart.", "Änderungen an den Klassen wirken sofort, ohne Neustart.";
        purposes: "Templates by purpose", "Vorlagen nach Zweck";
        purposes_hint: "Leave the purpose empty for the object's default list.", "Für die Standardliste des Objekts den Zweck leer lassen.";
        purpose: "Purpose", "Zweck";
        default_purpose: "Default list", "Standardliste";
        template: "Template", "Vorlage";
        choose: "Select a template", "Vorlage auswählen";
        add_purpose: "Add purpose", "Zweck hinzufügen";
        remove_purpose: "Remove purpose “{purpose}”", "Zweck „{purpose}“ entfernen";
        no_purposes: "No templates yet. Lists of this type start empty.", "Noch keine Vorlagen. Listen dieses Typs sind anfangs leer.";
        duplicate: "This purpose already exists.", "Diesen Zweck gibt es bereits.";
        no_template: "Select a template or remove the purpose.", "Wählen Sie eine Vorlage aus oder entfernen Sie den Zweck.";
        search_hint: "Search by name, purpose or template", "Nach Name, Zweck oder Vorlage suchen";
        taken: "A type with this name already exists.", "Einen Typ mit diesem Namen gibt es bereits.";
        changed_hint: "Your changes have not been saved. Load the current version to discard them, or overwrite the other person's changes with yours.", "Ihre Änderungen sind noch nicht gespeichert. Laden Sie die aktuelle Version, um sie zu verwerfen, oder überschreiben Sie die fremden Änderungen mit Ihren eigenen.";
        delete: "Delete", "Löschen";
        delete_title: "Delete the type “{name}”?", "Typ „{name}“ löschen?";
        delete_hint: "Its classes and templates no longer apply to new objects. A type that checklists belong to cannot be deleted.", "Seine Klassen und Vorlagen gelten nicht mehr für neue Objekte. Ein Typ, zu dem es Checklisten gibt, kann nicht gelöscht werden.";
        delete_now: "Delete type", "Typ löschen";
        deleted: "The type “{name}” was deleted.", "Der Typ „{name}“ wurde gelöscht.";
        saved: "Type saved.", "Typ gespeichert.";
        purposes_count: "{n} template|{n} templates", "{n} Vorlage|{n} Vorlagen";
    }
}
