//! Words of the pages about webhooks.
//!
//! Called through `Wording::webhooks`.

super::wording! {
    /// Webhooks.
    Webhooks {
        intro: "Tells other systems as soon as something has happened here: signed, at least once, tried again for three days.", "Sagt anderen Systemen Bescheid, sobald hier etwas geschehen ist: unterschrieben, mindestens einmal, drei Tage lang wiederholt.";
        empty: "No webhooks yet", "Noch keine Webhooks";
        empty_hint: "Make one with the address of the system that wants to know, and choose what it is told.", "Einen anlegen, mit der Adresse des Systems, das Bescheid wissen will, und auswählen, was es erfährt.";
        new: "New webhook", "Neuer Webhook";
        edit: "Edit", "Bearbeiten";
        edit_title: "Edit the webhook", "Webhook bearbeiten";
        name: "Name", "Name";
        url: "Address", "Adresse";
        url_hint: "Where events are sent, such as https://desk.example/hooks/checklists.", "Wohin Ereignisse gesendet werden, etwa https://desk.example/hooks/checklists.";
        events: "Events", "Ereignisse";
        events_needed: "Choose at least one event.", "Mindestens ein Ereignis wählen.";
        completed: "A list is completed", "Eine Liste ist erledigt";
        reopened: "A list is open again", "Eine Liste ist wieder offen";
        journal: "The journal has an entry", "Das Journal hat einen Eintrag";
        published: "A template is published", "Eine Vorlage ist veröffentlicht";
        test_event: "Test", "Test";
        enabled: "Send events", "Ereignisse senden";
        enabled_hint: "What waits while it is off is sent when it is on again.", "Was wartet, solange er aus ist, wird gesendet, wenn er wieder an ist.";
        create: "Create webhook", "Webhook anlegen";
        state: "State", "Stand";
        on: "On", "An";
        off: "Off", "Aus";
        failing: "Not taken", "Wird nicht angenommen";
        failing_since: "Nothing has been taken since {time}. It is tried again by itself.", "Seit {time} wurde nichts angenommen. Es wird von selbst weiter versucht.";
        turned_off: "The server has turned this webhook off. {because}", "Der Server hat diesen Webhook ausgeschaltet. {because}";
        turn_on: "Turn on again", "Wieder einschalten";
        saved: "The webhook is saved.", "Der Webhook ist gespeichert.";
        changed: "Somebody else has changed it meanwhile. Load it again and repeat your change.", "Jemand anderes hat ihn inzwischen geändert. Neu laden und die Änderung wiederholen.";
        secret_hint: "Copy it now and give it to the receiver, which proves with it that an event comes from here. It cannot be shown again.", "Jetzt kopieren und dem Empfänger geben; er prüft damit, dass ein Ereignis von hier kommt. Es kann nicht noch einmal gezeigt werden.";
        rotate: "New secret", "Neues Geheimnis";
        rotate_title: "Give “{name}” a new secret?", "„{name}“ ein neues Geheimnis geben?";
        rotate_hint: "For 24 hours events are signed with both, so that the receiver can change over without a gap.", "24 Stunden lang sind Ereignisse mit beiden unterschrieben, damit der Empfänger ohne Lücke wechseln kann.";
        old_until: "The secret before signs as well until {time}.", "Das vorige Geheimnis unterschreibt noch bis {time}.";
        test: "Send a test", "Test senden";
        tested: "A test is on its way.", "Ein Test ist unterwegs.";
        delete: "Delete", "Löschen";
        delete_title: "Delete “{name}”?", "„{name}“ löschen?";
        delete_hint: "Nothing more is sent, and what it was sent is forgotten.", "Es wird nichts mehr gesendet, und was gesendet wurde, ist vergessen.";
        delete_now: "Delete webhook", "Webhook löschen";
        deleted: "“{name}” is deleted.", "„{name}“ ist gelöscht.";
        about: "About it", "Was er tut";
        deliveries: "What was sent", "Was gesendet wurde";
        log_empty: "Nothing was sent yet. Send a test to see whether the receiver takes it.", "Noch wurde nichts gesendet. Ein Test zeigt, ob der Empfänger annimmt.";
        when: "When", "Wann";
        event: "Event", "Ereignis";
        attempts: "Attempts", "Versuche";
        actions: "Actions", "Aktionen";
        pending: "Waits", "Wartet";
        delivered: "Taken", "Angenommen";
        failed: "Given up", "Aufgegeben";
        next_attempt: "Next attempt {time}", "Nächster Versuch {time}";
        replay: "Send again", "Erneut senden";
        replay_named: "Send again: {event}, {time}", "Erneut senden: {event}, {time}";
        replayed: "It is sent again.", "Es wird erneut gesendet.";
        older: "Older", "Ältere";
    }
}
