# A ticket gets none of the statuses of the setting Statuses while its list is neither completed nor waived. This holds
# wherever RT changes a status: pages, bulk updates, REST 2, mail, scrips; all of them call SetStatus.
package RT::Extension::ChecklistControl::Gate;

use strict;
use warnings;

use RT::Ticket;
use Time::HiRes ();

use RT::Extension::ChecklistControl;
use RT::Extension::ChecklistControl::Client;

# Items that a refusal names.
my $NAMED = 5;

# A server that has kept a call waiting until its end is not asked again for so many seconds: a bulk update
# waits once, not for each ticket.
my $PAUSE = 10;
my ( $paused_until, $reason_of_pause ) = (0);

# Why a ticket may not get a status, or undef if it may.
sub refusal {
    my ( $class, $ticket, $status ) = @_;
    my $extension = 'RT::Extension::ChecklistControl';
    $status = lc( defined $status ? $status : '' );
    return undef unless grep { lc eq $status } @{ $extension->setting('Statuses') };
    return undef if lc( $ticket->__Value('Status') || '' ) eq $status;
    return undef if ( $ticket->__Value('Type') || '' ) ne 'ticket';
    return undef unless defined $extension->template_of($ticket);

    my $user = $ticket->CurrentUser;
    my ( $list, $reason ) = $class->_summary($ticket);
    if ( !$list ) {
        return undef if lc $extension->setting('WhenUnreachable') eq 'allow';
        return $ticket->loc( 'The status stays as it is, because the checklist cannot be read: [_1]',
            $extension->words( $user, $reason ) );
    }
    return undef if $list->{Completed} || ( $list->{State} || '' ) eq 'Waived';
    my @open = map { $_->{Text} } @{ $list->{Blockers} };
    return $ticket->loc('The checklist is not completed: it has no items') unless @open;
    # The answer names the first of them; `Counts` has all.
    my $total = $list->{Counts}{RequiredOpen} || $list->{Counts}{Open} || 0;
    $total = @open if $total < @open;
    splice @open, $NAMED if @open > $NAMED;
    my ( $named, $more ) = ( join( '; ', @open ), $total - @open );
    return $more
        ? $ticket->loc( 'The checklist is not completed. Still open: [_1] and [_2] more', $named, $more )
        : $ticket->loc( 'The checklist is not completed. Still open: [_1]', $named );
}

# The list of a ticket without its items, or undef and the reason.
sub _summary {
    my ( $class, $ticket ) = @_;
    my $extension = 'RT::Extension::ChecklistControl';
    my $began     = Time::HiRes::time();
    return ( undef, $reason_of_pause ) if $began < $paused_until;
    my ( $list, $reason ) = RT::Extension::ChecklistControl::Client->call(
        POST => 'GetItems',
        {   Context  => $extension->context_of($ticket),
            View     => 'Summary',
            Language => $extension->language_of( $ticket->CurrentUser ),
        }
    );
    my $now = Time::HiRes::time();
    if ( !$list && $now - $began >= $extension->setting('Timeout') ) {
        ( $paused_until, $reason_of_pause ) = ( $now + $PAUSE, $reason );
    }
    return ( $list, $reason );
}

{
    no warnings 'redefine';
    my $set_status = RT::Ticket->can('SetStatus');
    *RT::Ticket::SetStatus = sub {
        my $ticket  = shift;
        my %args    = @_ == 1 ? ( Status => $_[0] ) : @_;
        my $refusal = __PACKAGE__->refusal( $ticket, $args{Status} );
        return ( 0, $refusal ) if defined $refusal;
        return $ticket->$set_status(@_);
    };
}

1;
