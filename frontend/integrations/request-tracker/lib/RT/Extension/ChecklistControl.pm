# Checklists of Checklist Control on tickets of Request Tracker: settings, and the places where RT is
# extended from Perl. What the pages show is in html/.
#
# Secrets lie in files, never in the settings: RT shows settings to its administrators.
package RT::Extension::ChecklistControl;

use strict;
use warnings;

our $VERSION = '0.2.0';

my %DEFAULTS = (
    ObjectType      => 'ticket',
    Issuer          => undef,          # that of Tenant
    KeyId           => 'host-1',
    Statuses        => ['resolved'],
    Templates       => {},
    Timeout         => 3,
    WhenUnreachable => 'refuse',
    Permissions     => {
        ModifyTicket => [qw(Read Check UncheckOthers Add Edit Delete Reorder Refresh)],
        ShowTicket   => [qw(Read)],
    },
);

# The value of a setting; the server's address has no slash at its end.
sub setting {
    my ( $class, $name ) = @_;
    my %given = RT->Config->Get('ChecklistControl');
    my $value = defined $given{$name} ? $given{$name} : $DEFAULTS{$name};
    $value = $given{Tenant} if $name eq 'Issuer' && !defined $value;
    $value =~ s{/+\z}{} if $name eq 'Server' && defined $value;
    return $value;
}

# What a file holds that a setting names, without the end of its line. Dies with what loc() takes if it
# cannot be read.
sub secret {
    my ( $class, $name ) = @_;
    my $file = $class->setting($name) or die ['The setting [_1] is missing.', $name];    # loc
    open my $handle, '<', $file
        or die ['The file of [_1] cannot be read: [_2]', $name, "$!"];                    # loc
    local $/;
    my $text = <$handle>;
    close $handle;
    $text =~ s/\s+\z//;
    return $text;
}

# The template of a ticket, by its queue. Tickets of other queues have no checklist.
sub template_of {
    my ( $class, $ticket ) = @_;
    my $templates = $class->setting('Templates');
    my $queue     = $ticket->QueueObj->Name;
    return exists $templates->{$queue} ? $templates->{$queue} : $templates->{'*'};
}

# Whether a ticket has a status that needed a completed list. The list is a record then.
sub is_closed {
    my ( $class, $ticket ) = @_;
    return scalar grep { lc eq lc $ticket->Status } @{ $class->setting('Statuses') };
}

# The tickets with a checklist that were merged into a ticket, the oldest first.
sub merged_into {
    my ( $class, $ticket ) = @_;
    return grep { defined $class->template_of($_) } map { $class->itself($_) } sort { $a <=> $b } $ticket->Merged;
}

# A ticket itself, where Load() leads from a merged one to the other. The other's rights count for both.
sub itself {
    my ( $class, $id ) = @_;
    my $ticket = RT::Ticket->new( RT->SystemUser );
    $ticket->LoadById($id);
    return $ticket;
}

# The list of a ticket, as calls name it. One that nobody has begun is what applies by the ticket.
sub context_of {
    my ( $class, $ticket ) = @_;
    return {
        ObjectType => $class->setting('ObjectType'),
        ObjectId   => '' . $ticket->id,
        TemplateId => $class->template_of($ticket),
        Facts      => $class->facts_of($ticket),
    };
}

# What the conditions of templates can ask of a ticket, and what due dates can count from.
sub facts_of {
    my ( $class, $ticket ) = @_;
    return {
        Queue    => $ticket->QueueObj->Name,
        Status   => $ticket->Status,
        Priority => 0 + ( $ticket->Priority || 0 ),
        Created  => $ticket->CreatedObj->W3CDTF,
    };
}

# The language in which RT speaks to a person, as tags spell it: of their settings, else of their browser.
sub language_of {
    my ( $class, $user ) = @_;
    my $tag = $user->LanguageHandle->language_tag;
    return $tag =~ /\A[a-z]{2,3}(?:-[a-z0-9]{2,8})*\z/i ? $tag : 'en';
}

# An error in the language of a person: what loc() takes, or the text of a program.
sub words {
    my ( $class, $user, $error ) = @_;
    my $text = ref $error eq 'ARRAY' ? $user->loc(@$error) : "$error";
    $text =~ s/\s+\z//;
    return $text;
}

# Lets a ticket be resolved although items of its list are open.
require RT::Queue;
RT::Queue->AddRight( Staff => WaiveChecklist => 'Waive open items of checklists' );    # loc

require RT::Extension::ChecklistControl::Gate;
require RT::Extension::ChecklistControl::History;
require RT::Extension::ChecklistControl::Progress;
require RT::Extension::ChecklistControl::Token;

# Both are called by a POST that brings no form. A token is of use only to whoever may read the answer,
# which pages of other origins may not; the webhook brings a signature.
$RT::Interface::Web::IS_WHITELISTED_COMPONENT{'/Helpers/ChecklistControl/Token'} = 1;

1;
