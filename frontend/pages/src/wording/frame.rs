//! Words of the frame: navigation, sign-in, dialogs, what goes wrong anywhere.
//!
//! Called through `Wording::frame`.

super::wording! {
    /// Frame, sign-in, dialogs, errors.
    Frame {
        product: "Checklists", "Checklisten";
        administration: "Administration", "Verwaltung";
        skip: "Skip to the page", "Zum Inhalt springen";
        pages: "Pages", "Seiten";
        templates: "Templates", "Vorlagen";
        types: "Types", "Typen";
        keys: "Keys", "Schlüssel";
        people: "People", "Personen";
        connections: "Connections", "Verbindungen";
        webhooks: "Webhooks", "Webhooks";
        computers: "Computers", "Rechner";
        runs: "Runs", "Läufe";
        journal: "Journal", "Journal";
        audit: "Audit trail", "Prüfpfad";
        signed_in_as: "Signed in as {name}", "Angemeldet als {name}";
        tenant: "Tenant {tenant}", "Mandant {tenant}";
        sign_out: "Sign out", "Abmelden";
        language: "Language", "Sprache";
        demo_hint: "This is the demo. Its data is yours to play with; enter as its administrator.", "Dies ist die Demo. Ihre Daten sind zum Ausprobieren da; einfach als Administrator eintreten.";
        oidc_hint: "Sign in with your account to write templates, manage keys and read the audit trail.", "Mit dem eigenen Konto anmelden, um Vorlagen zu schreiben, Schlüssel zu verwalten und den Prüfpfad zu lesen.";
        no_sign_in: "No identity provider is set up. The operator of the server can send you a one-time sign-in link (checklist-server admin-link).", "Es ist kein Identitätsanbieter eingerichtet. Der Betreiber des Servers kann Ihnen einen Einmal-Link zur Anmeldung schicken (checklist-server admin-link).";
        sign_in: "Sign in", "Anmelden";
        sign_in_refused: "The sign-in was refused or cancelled. You can try again.", "Die Anmeldung wurde abgelehnt oder abgebrochen. Ein neuer Versuch ist möglich.";
        sign_in_expired: "The sign-in took too long, or was begun in another browser. Please sign in again.", "Die Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Bitte erneut anmelden.";
        sign_in_not_registered: "You don't have access yet. Ask an administrator to add you, and send them these details:", "Sie haben noch keinen Zugriff. Bitten Sie eine Administratorin oder einen Administrator um Freischaltung und geben Sie diese Angaben weiter:";
        issuer: "Issuer", "Aussteller (Issuer)";
        account_id: "Subject", "Kennung (Subject)";
        link_title: "Sign in with a one-time link", "Mit Einmal-Link anmelden";
        link_hint: "This link works once, and only in this browser. Signing in makes you an administrator of {tenant}.", "Dieser Link gilt einmal und nur in diesem Browser. Mit der Anmeldung werden Sie Administrator/in von {tenant}.";
        link_hint_named: "This link works once, and only in this browser. It signs you in as {name} ({tenant}).", "Dieser Link gilt einmal und nur in diesem Browser. Er meldet Sie als {name} ({tenant}) an.";
        link_name: "Your name", "Ihr Name";
        link_name_missing: "Enter your name.", "Geben Sie Ihren Namen ein.";
        link_name_hint: "Shown in the audit trail and to other administrators.", "Erscheint im Prüfpfad und bei anderen Administratoren.";
        link_used: "This link has already been used. Ask the operator of the server for a new one (checklist-server admin-link).", "Dieser Link wurde bereits verwendet. Einen neuen erstellt der Betreiber des Servers (checklist-server admin-link).";
        link_expired: "This link has expired. Ask the operator of the server for a new one (checklist-server admin-link).", "Dieser Link ist abgelaufen. Einen neuen erstellt der Betreiber des Servers (checklist-server admin-link).";
        link_elsewhere: "This link was opened in another browser first. Use it there, or ask the operator of the server for a new one.", "Dieser Link wurde zuerst in einem anderen Browser geöffnet. Verwenden Sie ihn dort oder lassen Sie sich vom Betreiber des Servers einen neuen geben.";
        sign_in_provider_failed: "The sign-in service did not answer as it should. Try again in a while.", "Der Anmeldedienst hat nicht richtig geantwortet. Bitte später erneut versuchen.";
        enter_demo: "Enter as administrator of the demo", "Als Administrator der Demo eintreten";
        ended: "Your session has ended", "Die Sitzung ist abgelaufen";
        ended_hint: "Sign in again to go on. What you have typed stays here.", "Bitte erneut anmelden, um weiterzumachen. Alles Eingegebene bleibt hier stehen.";
        signed_in_there: "I have signed in", "Ich bin angemeldet";
        unreachable: "The server cannot be reached", "Der Server ist nicht erreichbar";
        unreachable_hint: "Check the connection and try again.", "Bitte die Verbindung prüfen und erneut versuchen.";
        try_again: "Try again", "Erneut versuchen";
        loading: "Loading…", "Wird geladen …";
        unknown_title: "There is no such page", "Diese Seite gibt es nicht";
        unknown_hint: "The address may be old or mistyped.", "Die Adresse ist veraltet oder falsch geschrieben.";
        to_start: "Go to the first page", "Zur ersten Seite";
        nothing_to_see: "There is nothing here for your role", "Für diese Rolle gibt es hier nichts";
        nothing_to_see_hint: "Ask an administrator for the role that you need.", "Eine Administratorin oder ein Administrator kann die nötige Rolle vergeben.";
        unsaved: "Leave without saving?", "Ohne Speichern verlassen?";
        unsaved_hint: "What you have changed on this page is not saved yet.", "Die Änderungen auf dieser Seite sind noch nicht gespeichert.";
        leave: "Leave without saving", "Ohne Speichern verlassen";
        save: "Save", "Speichern";
        saving: "Saving…", "Wird gespeichert …";
        cancel: "Cancel", "Abbrechen";
        conflict_title: "Someone else has saved changes", "Jemand anderes hat Änderungen gespeichert";
        conflict_reload: "Load current version", "Aktuelle Version laden";
        conflict_overwrite: "Overwrite with my version", "Mit meiner Version überschreiben";
        conflict_loaded: "Current version loaded.", "Aktuelle Version geladen.";
        copy: "Copy", "Kopieren";
        copied: "Copied.", "Kopiert.";
        failed_network: "The server did not answer. Nothing was lost; try again.", "Der Server hat nicht geantwortet. Es ging nichts verloren; bitte erneut versuchen.";
        failed_permission: "Your role does not allow this.", "Die eigene Rolle erlaubt das nicht.";
        failed_fields: "Some fields need attention.", "Einige Angaben stimmen noch nicht.";
        failed_other: "That did not work: {detail}", "Das hat nicht geklappt: {detail}";
        search: "Search", "Suche";
        search_now: "Search", "Suchen";
        nothing_found: "Nothing matches this search.", "Zu dieser Suche gibt es nichts.";
        load_more: "Load more", "Mehr laden";
        rows: "{n} entry|{n} entries", "{n} Eintrag|{n} Einträge";
        rows_so_far: "{n} entry so far, there are more|{n} entries so far, there are more", "Bisher {n} Eintrag, es gibt weitere|Bisher {n} Einträge, es gibt weitere";
        not_found: "This is not there, or not any more", "Das gibt es nicht oder nicht mehr";
        fault_required: "This is needed.", "Diese Angabe fehlt.";
        fault_duplicate: "This stands here twice.", "Das steht hier doppelt.";
        fault_limit: "This is too long, or there are too many.", "Das ist zu lang, oder es sind zu viele.";
    }
}
