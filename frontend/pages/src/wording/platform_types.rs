//! Words of the pages about types.
//!
//! Called through `Wording::platform_types`.

super::wording! {
    /// Types.
    PlatformTypes {
        intro: "A type is a kind of object on your platform, for example an incident. It decides which template a new checklist is created from, and whether changes are written to the object's journal.", "Ein Typ ist eine Art von Objekten Ihrer Plattform, zum Beispiel Incident. Er bestimmt, aus welcher Vorlage eine neue Checkliste entsteht und ob Änderungen ins Journal des Objekts geschrieben werden.";
        new: "New type", "Neuer Typ";
        empty: "No types yet", "Noch keine Typen";
        empty_hint: "Add each type of your platform that has checklists, for example incident.", "Fügen Sie jeden Typ Ihrer Plattform hinzu, der Checklisten hat, zum Beispiel incident.";
        name: "Name", "Name";
        name_hint: "Exactly as on your platform, for example incident. It cannot be changed later.", "Genau wie auf Ihrer Plattform, zum Beispiel incident. Der Name kann später nicht geändert werden.";
        name_wrong: "Enter 1 to 200 characters. * alone is not allowed.", "Geben Sie 1 bis 200 Zeichen ein. Ein * allein ist nicht erlaubt.";
        classes: "Journal", "Journal";
        unit_of_work: "Journal", "Journal";
        has_journal: "Objects of this type have a journal", "Objekte dieses Typs haben ein Journal";
        unit_of_work_hint: "Your platform calls this the class UnitOfWork.", "Auf Ihrer Plattform ist das die Klasse UnitOfWork.";
        checklist_item: "Checklist items", "Checklisteneinträge";
        has_items: "Objects of this type have checklist items", "Objekte dieses Typs haben Checklisteneinträge";
        checklist_item_hint: "Your platform calls this the class ChecklistItem.", "Auf Ihrer Plattform ist das die Klasse ChecklistItem.";
        always: "Log every change in the journal", "Jede Änderung ins Journal schreiben";
        always_hint: "Otherwise only changes for which a form or a request asks.", "Sonst nur Änderungen, für die ein Formular oder ein Aufruf es verlangt.";
        ready: "Changes can be written to the journal.", "Änderungen können ins Journal geschrieben werden.";
        missing: "Nothing is written to the journal: “{setting}” is off.", "Ins Journal wird nichts geschrieben: „{setting}“ ist ausgeschaltet.";
        missing_both: "Nothing is written to the journal: both settings are off.", "Ins Journal wird nichts geschrieben: Beide Einstellungen sind ausgeschaltet.";
        at_once: "These settings apply as soon as you save them.", "Diese Einstellungen gelten, sobald Sie speichern.";
        purposes: "Templates by purpose", "Vorlagen nach Zweck";
        purposes_hint: "An object can have several checklists, one for each purpose. Leave the purpose empty for the default list.", "Ein Objekt kann mehrere Checklisten haben, für jeden Zweck eine. Für die Standardliste bleibt der Zweck leer.";
        purpose: "Purpose", "Zweck";
        default_purpose: "Default list", "Standardliste";
        template: "Template", "Vorlage";
        choose: "Select a template", "Vorlage auswählen";
        add_purpose: "Add purpose", "Zweck hinzufügen";
        remove_purpose: "Remove purpose “{purpose}”", "Zweck „{purpose}“ entfernen";
        no_purposes: "No templates yet. Checklists of this type start empty.", "Noch keine Vorlagen. Checklisten dieses Typs sind anfangs leer.";
        duplicate: "This purpose already exists.", "Diesen Zweck gibt es bereits.";
        retired_template: "{name} (retired)", "{name} (zurückgezogen)";
        retired_hint: "A template of this type is retired, so new checklists of that purpose are empty. Choose another template, or offer it again.", "Eine Vorlage dieses Typs ist zurückgezogen, neue Checklisten dieses Zwecks sind daher leer. Wählen Sie eine andere Vorlage, oder bieten Sie sie wieder an.";
        no_template: "Select a template or remove the purpose.", "Wählen Sie eine Vorlage aus oder entfernen Sie den Zweck.";
        search_hint: "Search by name, purpose or template", "Nach Name, Zweck oder Vorlage suchen";
        taken: "A type with this name already exists.", "Einen Typ mit diesem Namen gibt es bereits.";
        changed_hint: "Your changes have not been saved. Load the current version to discard them, or overwrite the other person's changes with yours.", "Ihre Änderungen sind noch nicht gespeichert. Laden Sie die aktuelle Version, um sie zu verwerfen, oder überschreiben Sie die fremden Änderungen mit Ihren eigenen.";
        delete: "Delete", "Löschen";
        delete_title: "Delete the type “{name}”?", "Typ „{name}“ löschen?";
        delete_hint: "Its classes and templates no longer apply. A type that has checklists cannot be deleted.", "Seine Klassen und Vorlagen gelten dann nicht mehr. Ein Typ, zu dem es Checklisten gibt, kann nicht gelöscht werden.";
        delete_now: "Delete type", "Typ löschen";
        deleted: "The type “{name}” was deleted.", "Der Typ „{name}“ wurde gelöscht.";
        saved: "Type saved.", "Typ gespeichert.";
        purposes_count: "{n} template|{n} templates", "{n} Vorlage|{n} Vorlagen";
    }
}
