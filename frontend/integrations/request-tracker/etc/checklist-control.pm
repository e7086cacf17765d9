# Checklist Control: copy to /etc/request-tracker5/RT_SiteConfig.d/80-checklist-control.pm
Plugin('RT::Extension::ChecklistControl');
Set(%ChecklistControl,
    # The base URL of the checklist server, as browsers and RT reach it.
    Server            => 'https://checks.example.org/platform',
    Tenant            => 'acme',

    # Secrets, readable for the user of RT alone.
    PrivateKeyFile    => '/etc/request-tracker5/checklist-control/host-1.private.pem',
    ApiKeyFile        => '/etc/request-tracker5/checklist-control/api-key',
    WebhookSecretFile => '/etc/request-tracker5/checklist-control/webhook-secret',

    # Which template the tickets of a queue have; '*' stands for all other queues.
    Templates         => { 'General' => 'general-request' },

    # No ticket gets one of these statuses while its list is not completed.
    Statuses          => ['resolved'],

    # If the server does not answer: 'refuse' those statuses, with the reason, or 'allow' them.
    WhenUnreachable   => 'refuse',
    Timeout           => 3,    # seconds
);
1;
