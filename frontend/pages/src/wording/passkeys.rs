//! Words of the page of passkeys.
//!
//! Called through `Wording::passkeys`.

super::wording! {
    /// Passkeys.
    Passkeys {
        title: "Passkeys", "Passkeys";
        intro: "A passkey signs you in with your fingerprint, face, device PIN or security key. Without one, you need a new one-time link each time.", "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht, Geräte-PIN oder Sicherheitsschlüssel an. Ohne Passkey brauchen Sie jedes Mal einen neuen Einmal-Link.";
        not_for_sign_in: "No passkeys for this sign-in", "Keine Passkeys für diese Anmeldung";
        not_for_sign_in_hint: "Passkeys are available after signing in with a one-time link, and only on servers with a host name.", "Passkeys gibt es nur nach der Anmeldung mit einem Einmal-Link und nur auf Servern mit Hostnamen.";
        add: "Add a passkey", "Passkey hinzufügen";
        add_hint: "Your browser will ask you to confirm.", "Der Browser fragt Sie gleich nach einer Bestätigung.";
        go_on: "Continue", "Weiter";
        name: "Name", "Name";
        name_hint: "For example the device: “Laptop”.", "Zum Beispiel das Gerät: „Laptop“.";
        added: "Added", "Hinzugefügt";
        used: "Last used", "Zuletzt verwendet";
        never: "Never", "Nie";
        actions: "Actions", "Aktionen";
        rename: "Rename", "Umbenennen";
        rename_named: "Rename {name}", "{name} umbenennen";
        remove: "Remove", "Entfernen";
        remove_named: "Remove {name}", "{name} entfernen";
        remove_title: "Remove the passkey “{name}”?", "Passkey „{name}“ entfernen?";
        remove_hint: "You can no longer sign in with it. You stay signed in here.", "Sie können sich damit nicht mehr anmelden. Hier bleiben Sie angemeldet.";
        remove_last_hint: "This is your only passkey. Without it, you can sign in only with a new one-time link from the operator of the server (checklist-server admin-link).", "Das ist Ihr einziger Passkey. Ohne ihn können Sie sich nur noch mit einem neuen Einmal-Link anmelden, den der Betreiber des Servers erstellt (checklist-server admin-link).";
        removed: "Passkey removed.", "Passkey entfernt.";
        is_added: "Passkey “{name}” added.", "Passkey „{name}“ hinzugefügt.";
        add_cancelled: "The browser’s prompt was cancelled or timed out. Nothing was added.", "Die Abfrage des Browsers wurde abgebrochen oder ist abgelaufen. Es wurde nichts hinzugefügt.";
        add_present: "This device already has a passkey of yours.", "Dieses Gerät hat bereits einen Passkey von Ihnen.";
        add_elsewhere: "Passkeys work only at the server’s own address, and never at an IP address. Open this page there, for example at localhost instead of 127.0.0.1.", "Passkeys funktionieren nur unter der eigenen Adresse des Servers und nie unter einer IP-Adresse. Öffnen Sie diese Seite dort, zum Beispiel unter localhost statt 127.0.0.1.";
        add_failed: "The browser could not create a passkey.", "Der Browser konnte keinen Passkey erstellen.";
        empty: "No passkeys yet", "Noch keine Passkeys";
        empty_hint: "Add one for this device. You can add more for other devices later.", "Fügen Sie einen für dieses Gerät hinzu. Weitere Geräte können später folgen.";
        unsupported: "This browser has no passkeys", "Dieser Browser kennt keine Passkeys";
        unsupported_hint: "Use a current version of Chrome, Edge, Firefox or Safari.", "Verwenden Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari.";
        sign_in: "Sign in with a passkey", "Mit Passkey anmelden";
        sign_in_hint: "Sign in to write templates, manage keys and read the audit trail.", "Melden Sie sich an, um Vorlagen zu schreiben, Schlüssel zu verwalten und den Prüfpfad zu lesen.";
        lost_passkey_hint: "No passkey on this device? The operator of the server can create a one-time link for you (checklist-server admin-link --subject, with your ID).", "Kein Passkey auf diesem Gerät? Der Betreiber des Servers kann einen Einmal-Link für Sie erstellen (checklist-server admin-link --subject, mit Ihrer ID).";
        ip_address_warning: "This address is a number, and browsers have no passkeys for it: every sign-in will need a new link. Passkeys need a host name, on your own machine http://localhost instead of http://127.0.0.1, in the server’s --base-url.", "Diese Adresse ist eine Zahl, und dafür gibt es in Browsern keine Passkeys: Jede Anmeldung braucht dann einen neuen Link. Passkeys brauchen einen Hostnamen, auf dem eigenen Rechner http://localhost statt http://127.0.0.1, in der Option --base-url des Servers.";
        sign_in_failed: "This passkey doesn’t sign in here. Try again, or ask the operator of the server for a one-time link (checklist-server admin-link --subject, with your ID).", "Mit diesem Passkey ist hier keine Anmeldung möglich. Versuchen Sie es noch einmal oder lassen Sie sich vom Betreiber des Servers einen Einmal-Link geben (checklist-server admin-link --subject, mit Ihrer ID).";
        sign_in_cancelled: "The browser’s prompt was cancelled or timed out.", "Die Abfrage des Browsers wurde abgebrochen oder ist abgelaufen.";
    }
}
