//! Words of the page about open items.
//!
//! Called through `Wording::open_items`.

super::wording! {
    /// Open items.
    OpenItems {
        intro: "What is still to be done, across all checklists that have been started.", "Was noch zu tun ist, in allen begonnenen Checklisten.";
        show: "Show", "Anzeigen";
        mine: "Assigned to me", "Mir zugewiesen";
        late: "Overdue", "Überfällig";
        proposed: "Waiting for a decision", "Zu entscheiden";
        all: "All open items", "Alle offenen Einträge";
        text: "Words in the item", "Wörter im Eintrag";
        object_type: "Type", "Typ";
        item: "Item", "Eintrag";
        list: "Checklist", "Checkliste";
        due: "Due", "Fällig";
        overdue: "Overdue", "Überfällig";
        assignee: "Assignee", "Zuständig";
        actions: "Actions", "Aktionen";
        done: "Mark as done", "Erledigt";
        done_name: "Mark “{item}” as done", "„{item}“ als erledigt markieren";
        was_done: "“{item}” is done.", "„{item}“ ist erledigt.";
        awaits_second: "“{item}” is waiting for a second person.", "„{item}“ wartet auf eine zweite Person.";
        accept: "Accept", "Annehmen";
        accept_name: "Accept the proposal for “{item}”", "Vorschlag für „{item}“ annehmen";
        decline: "Decline", "Ablehnen";
        decline_name: "Decline the proposal for “{item}”", "Vorschlag für „{item}“ ablehnen";
        was_accepted: "The proposal for “{item}” was accepted.", "Der Vorschlag für „{item}“ wurde angenommen.";
        was_declined: "The proposal for “{item}” was declined.", "Der Vorschlag für „{item}“ wurde abgelehnt.";
        confirm: "Confirm", "Bestätigen";
        confirm_name: "Confirm “{item}”", "„{item}“ bestätigen";
        send_back: "Send back", "Zurückgeben";
        send_back_name: "Send back “{item}”", "„{item}“ zurückgeben";
        was_confirmed: "“{item}” was confirmed.", "„{item}“ wurde bestätigt.";
        was_sent_back: "“{item}” was sent back.", "„{item}“ wurde zurückgegeben.";
        first_done: "First person: {name} (done)", "Erste Person: {name} (erledigt)";
        first_not_applicable: "First person: {name} (not applicable)", "Erste Person: {name} (nicht zutreffend)";
        proposes_done: "{name} proposes: done", "{name} schlägt vor: erledigt";
        proposes_not_applicable: "{name} proposes: not applicable", "{name} schlägt vor: nicht zutreffend";
        proposes_open: "{name} proposes: open again", "{name} schlägt vor: wieder offen";
        changed_meanwhile: "“{item}” has changed in the meantime. The list has been reloaded.", "„{item}“ wurde inzwischen geändert. Die Liste wurde neu geladen.";
        not_changed: "“{item}” was not changed: {reason}", "„{item}“ wurde nicht geändert: {reason}";
        none_mine: "Nothing is assigned to you", "Ihnen ist nichts zugewiesen";
        none_mine_hint: "Items that are assigned to you appear here, those that are due first. A typed name is not enough: they are found by your ID.", "Hier erscheinen Einträge, die Ihnen zugewiesen sind, die zuerst fälligen oben. Ein getippter Name genügt nicht: Gefunden werden sie über Ihre Kennung.";
        none_late: "Nothing is overdue", "Nichts ist überfällig";
        none_late_hint: "Open items whose due date has passed appear here.", "Hier erscheinen offene Einträge, deren Fälligkeit vorbei ist.";
        none_proposed: "Nothing is waiting for a decision", "Es steht keine Entscheidung aus";
        none_proposed_hint: "What programs and assistants propose for an item, and what waits for a second person, appears here until somebody decides.", "Was Programme und Assistenten für einen Eintrag vorschlagen und was auf eine zweite Person wartet, erscheint hier, bis jemand entscheidet.";
        none_all: "Nothing is open", "Nichts ist offen";
        none_all_hint: "A checklist that nobody has worked on yet is not counted: it exists only as its template.", "Eine Checkliste, an der noch niemand gearbeitet hat, zählt nicht mit: Sie existiert nur als Vorlage.";
    }
}
