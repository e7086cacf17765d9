//! Words of the pages about webhooks.
//!
//! Called through `Wording::webhooks`.

super::wording! {
    /// Webhooks.
    Webhooks {
        search_hint: "Search by name or URL", "Nach Name oder URL suchen";
        intro: "Notify other systems when something happens here. Deliveries are signed, arrive at least once, and are retried for three days.", "Benachrichtigt andere Systeme, sobald hier etwas geschieht. Zustellungen sind signiert, kommen mindestens einmal an und werden drei Tage lang wiederholt.";
        empty: "No webhooks yet", "Noch keine Webhooks";
        empty_hint: "Create one with the address of the receiving system, and choose the events it gets.", "Legen Sie einen mit der Adresse des Zielsystems an und wählen Sie, welche Ereignisse es erhält.";
        new: "New webhook", "Neuer Webhook";
        edit: "Edit", "Bearbeiten";
        edit_title: "Edit webhook", "Webhook bearbeiten";
        name: "Name", "Name";
        url: "Address", "Adresse";
        url_hint: "Where events are sent, such as https://desk.example/hooks/checklists.", "Wohin Ereignisse gesendet werden, etwa https://desk.example/hooks/checklists.";
        events: "Events", "Ereignisse";
        events_needed: "Select at least one event.", "Wählen Sie mindestens ein Ereignis aus.";
        completed: "Checklist completed", "Checkliste abgeschlossen";
        reopened: "Checklist reopened", "Checkliste wieder geöffnet";
        assigned: "Item assigned", "Eintrag zugewiesen";
        resolved: "Item done or not applicable", "Eintrag erledigt oder nicht zutreffend";
        due: "Item due soon", "Eintrag bald fällig";
        overdue: "Item overdue", "Eintrag überfällig";
        waived: "Open items waived", "Ausnahme genehmigt";
        waiver_revoked: "Waiver revoked", "Ausnahme zurückgenommen";
        journal: "Journal entry written", "Journaleintrag geschrieben";
        published: "Template published", "Vorlage veröffentlicht";
        checkpoint: "Audit trail signed", "Prüfpfad signiert";
        test_event: "Test", "Test";
        enabled: "Send events", "Ereignisse senden";
        enabled_hint: "Events that occur while it is off are sent when you turn it on again.", "Ereignisse, die währenddessen eintreten, werden nach dem Einschalten gesendet.";
        create: "Create webhook", "Webhook anlegen";
        state: "Status", "Status";
        on: "On", "An";
        off: "Off", "Aus";
        failing: "Failing", "Gestört";
        failing_since: "Deliveries have been failing since {time}. They are retried automatically.", "Seit {time} schlagen Zustellungen fehl. Sie werden automatisch wiederholt.";
        turned_off: "This webhook was turned off automatically. {because}", "Dieser Webhook wurde automatisch ausgeschaltet. {because}";
        turn_on: "Turn on again", "Wieder einschalten";
        saved: "Webhook saved.", "Webhook gespeichert.";
        changed: "Someone else has changed this webhook. Reload the page and make your changes again.", "Der Webhook wurde inzwischen von jemand anderem geändert. Laden Sie die Seite neu und nehmen Sie die Änderung noch einmal vor.";
        secret_hint: "Copy this secret now and give it to the receiver, which uses it to verify deliveries. You won't be able to see it again.", "Kopieren Sie das Geheimnis jetzt und hinterlegen Sie es beim Empfänger, der damit Zustellungen prüft. Es wird nicht noch einmal angezeigt.";
        rotate: "New secret", "Neues Geheimnis";
        rotate_title: "Create a new secret for “{name}”?", "Neues Geheimnis für „{name}“ erstellen?";
        rotate_hint: "For 24 hours, deliveries are signed with both secrets, so that the receiver can switch without interruption.", "24 Stunden lang werden Zustellungen mit beiden Geheimnissen signiert, damit der Empfänger unterbrechungsfrei umstellen kann.";
        old_until: "Deliveries are also signed with the previous secret until {time}.", "Zustellungen werden bis {time} zusätzlich mit dem vorherigen Geheimnis signiert.";
        test: "Send a test", "Test senden";
        tested: "Test sent.", "Test gesendet.";
        delete: "Delete", "Löschen";
        delete_title: "Delete “{name}”?", "„{name}“ löschen?";
        delete_hint: "No more events are sent, and its deliveries are deleted. This cannot be undone.", "Es werden keine Ereignisse mehr gesendet, und die Zustellungen werden gelöscht. Das lässt sich nicht rückgängig machen.";
        delete_now: "Delete webhook", "Webhook löschen";
        deleted: "“{name}” was deleted.", "„{name}“ wurde gelöscht.";
        about: "Details", "Details";
        deliveries: "Deliveries", "Zustellungen";
        log_empty: "No deliveries yet", "Noch keine Zustellungen";
        log_empty_hint: "Send a test to check that the receiver accepts deliveries.", "Mit einem Test prüfen, ob der Empfänger Zustellungen annimmt.";
        body: "Request body", "Anfrageinhalt";
        body_hint: "Sent unchanged with every attempt.", "Wird bei jedem Versuch unverändert gesendet.";
        attempt: "Attempt {n}", "Versuch {n}";
        no_attempts: "Not sent yet", "Noch nicht gesendet";
        no_attempts_hint: "The request and the answer appear here after the first attempt.", "Anfrage und Antwort erscheinen hier nach dem ersten Versuch.";
        duration: "{n} ms", "{n} ms";
        request: "Request", "Anfrage";
        response: "Response", "Antwort";
        no_response: "There was no response.", "Es kam keine Antwort.";
        response_body: "Response body", "Antwortinhalt";
        empty_body: "The response had no body.", "Die Antwort hatte keinen Inhalt.";
        is_cut: "Only the beginning is stored.", "Nur der Anfang wird gespeichert.";
        when: "Time", "Zeitpunkt";
        event: "Event", "Ereignis";
        attempts: "Attempts", "Versuche";
        actions: "Actions", "Aktionen";
        pending: "Pending", "Ausstehend";
        delivered: "Delivered", "Zugestellt";
        failed: "Failed", "Fehlgeschlagen";
        next_attempt: "Next attempt: {time}", "Nächster Versuch: {time}";
        replay: "Redeliver", "Erneut zustellen";
        replay_named: "Redeliver: {event}, {time}", "Erneut zustellen: {event}, {time}";
        replayed: "The delivery is sent again.", "Die Zustellung wird wiederholt.";
    }
}
