# The progress of a ticket's list, for a column of searches. All tickets of a page are asked for in one
# call: each ticket that a search finds knows which others were found with it.
package RT::Extension::ChecklistControl::Progress;

use strict;
use warnings;

use RT::Tickets;
use Scalar::Util qw(weaken);

use RT::Extension::ChecklistControl;
use RT::Extension::ChecklistControl::Client;

# "3/5", and why there is nothing to show where that is so; nothing for tickets without a list.
sub of {
    my ( $class, $ticket ) = @_;
    return '' unless defined RT::Extension::ChecklistControl->template_of($ticket);
    my $page = $ticket->{checklist_control_page};
    my $read = $page && $page->{read};
    if ( !$read ) {
        my @tickets = $page && $page->{tickets} ? @{ $page->{tickets} } : $ticket;
        @tickets = grep { defined RT::Extension::ChecklistControl->template_of($_) } @tickets;
        my ($found) = RT::Extension::ChecklistControl::Client->summaries(@tickets);
        # A server that does not answer is not asked again for the next row.
        $read = $found || {};
        $page->{read} = $read if $page;
    }
    my $counts = $read->{ $ticket->id } && $read->{ $ticket->id }{Counts};
    return $ticket->loc('unknown') unless $counts;
    return $counts->{Done} + $counts->{NotApplicable} . '/' . $counts->{Total};
}

{
    no warnings 'redefine';
    my $search = RT::Tickets->can('_DoSearch');
    *RT::Tickets::_DoSearch = sub {
        my $tickets = shift;
        my @result  = $tickets->$search(@_);
        my $page    = { tickets => $tickets->{items} };
        weaken( $page->{tickets} );
        $_->{checklist_control_page} = $page for @{ $tickets->{items} || [] };
        return wantarray ? @result : $result[-1];
    };
}

1;
