//! Words of the frame: navigation, sign-in, dialogs, what goes wrong anywhere.
//!
//! Called through `Wording::frame`.

super::wording! {
    /// Frame, sign-in, dialogs, errors.
    Frame {
        product: "Checklists", "Checklisten";
        administration: "Administration", "Verwaltung";
        skip: "Skip to content", "Zum Inhalt springen";
        pages: "Pages", "Seiten";
        menu: "Menu", "Menü";
        overview: "Overview", "Übersicht";
        of_lists: "Checklists", "Checklisten";
        of_access: "Access", "Zugriff";
        of_extensions: "Extensions", "Erweiterungen";
        of_logs: "Logs", "Protokolle";
        open_items: "Open items", "Offene Einträge";
        lists: "All checklists", "Alle Checklisten";
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
        documentation: "Documentation", "Dokumentation";
        signed_in_as: "Signed in as {name}", "Angemeldet als {name}";
        tenant: "Tenant {tenant}", "Mandant {tenant}";
        sign_out: "Sign out", "Abmelden";
        language: "Language", "Sprache";
        demo_hint: "This is a demo with sample data. Change whatever you like.", "Dies ist eine Demo mit Beispieldaten. Sie können alles ausprobieren und ändern.";
        oidc_hint: "Sign in with your account to manage templates, keys and connections.", "Melden Sie sich mit Ihrem Konto an, um Vorlagen, Schlüssel und Verbindungen zu verwalten.";
        no_sign_in: "No identity provider is set up. The operator of the server can send you a one-time sign-in link (checklist-server admin-link).", "Es ist kein Identitätsanbieter eingerichtet. Der Betreiber des Servers kann Ihnen einen Einmal-Link zur Anmeldung schicken (checklist-server admin-link).";
        sign_in: "Sign in", "Anmelden";
        sign_in_refused: "The sign-in was declined or cancelled. Try again.", "Die Anmeldung wurde abgelehnt oder abgebrochen. Versuchen Sie es erneut.";
        sign_in_expired: "The sign-in took too long or was started in another browser. Sign in again.", "Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Melden Sie sich erneut an.";
        sign_in_not_registered: "You don't have access yet. Ask an administrator to add you, and send them these details:", "Sie haben noch keinen Zugriff. Bitten Sie eine Administratorin oder einen Administrator um Freischaltung und geben Sie diese Angaben weiter:";
        sign_in_no_role: "Your account has no role here yet. Ask an administrator to add you to a group that has one, and send them these details:", "Ihr Konto hat hier noch keine Rolle. Bitten Sie eine Administratorin oder einen Administrator um Aufnahme in eine berechtigte Gruppe und geben Sie diese Angaben weiter:";
        sign_in_groups_left_out: "Your account is in too many groups for the sign-in service to list them, so your role is unknown. Send these details to an administrator:", "Ihr Konto ist in so vielen Gruppen, dass der Anmeldedienst sie nicht auflistet; Ihre Rolle ist deshalb nicht bekannt. Geben Sie diese Angaben an eine Administratorin oder einen Administrator weiter:";
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
        sign_in_provider_failed: "The identity provider returned an unexpected response. Try again later.", "Der Identitätsanbieter hat unerwartet geantwortet. Versuchen Sie es später erneut.";
        enter_demo: "Continue as demo administrator", "Als Demo-Administrator fortfahren";
        ended: "Your session has expired", "Ihre Sitzung ist abgelaufen";
        ended_hint: "Sign in again to continue. Anything you have entered is kept.", "Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben bleiben erhalten.";
        signed_in_there: "I have signed in", "Ich habe mich angemeldet";
        unreachable: "The server cannot be reached", "Der Server ist nicht erreichbar";
        unreachable_hint: "Check your connection and try again.", "Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.";
        try_again: "Try again", "Erneut versuchen";
        loading: "Loading…", "Wird geladen …";
        unknown_title: "Page not found", "Seite nicht gefunden";
        unknown_hint: "The address may be outdated or mistyped.", "Die Adresse ist vielleicht veraltet oder falsch geschrieben.";
        to_start: "Go to the start page", "Zur Startseite";
        nothing_to_see: "You don't have access to this page", "Sie haben keinen Zugriff auf diese Seite";
        nothing_to_see_hint: "Ask an administrator for the role you need.", "Bitten Sie eine Administratorin oder einen Administrator um die nötige Rolle.";
        unsaved: "Leave without saving?", "Ohne Speichern verlassen?";
        unsaved_hint: "Your changes on this page have not been saved.", "Ihre Änderungen auf dieser Seite sind nicht gespeichert.";
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
        failed_network: "The server did not respond. Nothing was lost. Try again.", "Der Server hat nicht geantwortet. Es ging nichts verloren. Versuchen Sie es erneut.";
        failed_busy: "The server is busy. Try again in {n} second.|The server is busy. Try again in {n} seconds.", "Der Server ist ausgelastet. Versuchen Sie es in {n} Sekunde erneut.|Der Server ist ausgelastet. Versuchen Sie es in {n} Sekunden erneut.";
        failed_permission: "You don't have permission to do this.", "Sie haben dafür keine Berechtigung.";
        failed_fields: "Check the marked fields.", "Prüfen Sie die markierten Felder.";
        failed_other: "Something went wrong: {detail}", "Etwas ist schiefgegangen: {detail}";
        in_use: "It cannot be deleted: {n} checklist uses it.|It cannot be deleted: {n} checklists use it.", "Löschen nicht möglich: {n} Checkliste verwendet es.|Löschen nicht möglich: {n} Checklisten verwenden es.";
        in_use_by_types: "It cannot be deleted: a type uses it. Remove it from the type first.", "Löschen nicht möglich: Ein Typ verwendet es. Entfernen Sie es zuerst aus dem Typ.";
        search: "Search", "Suche";
        search_now: "Search", "Suchen";
        nothing_found: "No matches found.", "Keine Treffer.";
        load_more: "Load more", "Mehr laden";
        rows: "{n} entry|{n} entries", "{n} Eintrag|{n} Einträge";
        rows_so_far: "{n} entry loaded, more available|{n} entries loaded, more available", "{n} Eintrag geladen, weitere vorhanden|{n} Einträge geladen, weitere vorhanden";
        not_found: "Not found. It may have been deleted.", "Nicht gefunden. Möglicherweise wurde es gelöscht.";
        fault_required: "This field is required.", "Dieses Feld ist erforderlich.";
        fault_duplicate: "This value appears more than once.", "Dieser Wert kommt mehrfach vor.";
        fault_limit: "This exceeds the allowed length or number.", "Die zulässige Länge oder Anzahl ist überschritten.";
    }
}
