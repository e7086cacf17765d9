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

# What a file holds that a setting names, without the end of its line. Dies if it cannot be read.
sub secret {
    my ( $class, $name ) = @_;
    my $file = $class->setting($name) or die "The setting $name is missing.\n";
    open my $handle, '<', $file or die "The file of $name cannot be read: $!\n";
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

# The list of a ticket, as every call names it.
sub context_of {
    my ( $class, $ticket ) = @_;
    return {
        ObjectType => $class->setting('ObjectType'),
        ObjectId   => '' . $ticket->id,
        TemplateId => $class->template_of($ticket),
    };
}

# The language that a person has chosen in RT, if they have chosen one.
sub language_of {
    my ( $class, $user ) = @_;
    my $language = $user->UserObj->Lang || '';
    $language =~ tr/_/-/;
    return $language =~ /\A[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*\z/ ? $language : undef;
}

# A list of words for people: "A; B and 3 more".
sub few_of {
    my ( $class, $shown, @all ) = @_;
    my @first = splice @all, 0, $shown;
    my $more  = @all;
    my $text  = join '; ', @first;
    return $more ? "$text and $more more" : $text;
}

require RT::Extension::ChecklistControl::Gate;
require RT::Extension::ChecklistControl::History;
require RT::Extension::ChecklistControl::Progress;
require RT::Extension::ChecklistControl::Token;

# Both are called by a POST that brings no form. A token is of use only to whoever may read the answer,
# which pages of other origins may not; the webhook brings a signature.
$RT::Interface::Web::IS_WHITELISTED_COMPONENT{'/Helpers/ChecklistControl/Token'} = 1;

1;
