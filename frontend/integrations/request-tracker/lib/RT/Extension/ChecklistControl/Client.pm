# Calls of the checklist server, with the API key of this RT. A call never takes longer than the setting
# Timeout, however slowly the server answers, and never dies.
package RT::Extension::ChecklistControl::Client;

use strict;
use warnings;

use JSON ();
use LWP::UserAgent;
use Time::HiRes ();

use RT::Extension::ChecklistControl;

my $CALLS = '/api/Vendor/ChecklistControl';

my $TOO_SLOW = 'The checklist server is too slow.';    # loc

# An answer that is longer is not one of the server's.
my $LONGEST = 8 * 1024 * 1024;

# The answer to a call, or undef and the reason, for loc(). Without a token the API key is sent.
sub call {
    my ( $class, $method, $path, $body, $token ) = @_;
    my ( $answer, $reason );
    # RT's own handler adds the stack to the reason.
    local $SIG{__DIE__};
    eval {
        $token = RT::Extension::ChecklistControl->secret('ApiKeyFile') unless defined $token;
        my $server = RT::Extension::ChecklistControl->setting('Server')
            or die ['The setting [_1] is missing.', 'Server'];
        my $request = HTTP::Request->new( $method, "$server$CALLS/$path" );
        $request->header( Authorization => "Bearer $token", Accept => 'application/json' );
        if ($body) {
            $request->header( 'Content-Type' => 'application/json' );
            $request->content( JSON->new->utf8->encode($body) );
        }
        $answer = _read( _agent()->request($request) );
        1;
    } or $reason = $@;
    return $answer if $answer;
    my $words = RT::Extension::ChecklistControl->words( RT->SystemUser, $reason );
    RT->Logger->warning("Checklist Control: $path: $words");
    return ( undef, $reason );
}

# Lists without their items, by the id of their ticket; undef and the reason if there are none.
sub summaries {
    my ( $class, @tickets ) = @_;
    my %found;
    # As many as the server takes in one call.
    while ( my @some = splice @tickets, 0, 200 ) {
        my ( $answer, $reason ) = $class->call(
            POST => 'GetItems',
            {   Contexts => [ map { RT::Extension::ChecklistControl->context_of($_) } @some ],
                View     => 'Summary',
            }
        );
        return ( undef, $reason ) unless $answer;
        @found{ map { $_->id } @some } = @{ $answer->{Results} };
    }
    return \%found;
}

sub _agent {
    my $seconds  = RT::Extension::ChecklistControl->setting('Timeout');
    my $deadline = Time::HiRes::time() + $seconds;
    my $agent    = LWP::UserAgent->new(
        agent        => "request-tracker-checklist-control/$RT::Extension::ChecklistControl::VERSION",
        timeout      => $seconds,
        max_redirect => 0,
        max_size     => $LONGEST,
    );
    # `timeout` counts from the last byte; this counts from the first.
    $agent->add_handler(
        response_data => sub {
            die "$TOO_SLOW\n" if Time::HiRes::time() > $deadline;
            return 1;
        }
    );
    return $agent;
}

sub _read {
    my ($response) = @_;
    die ['The checklist server does not answer.']    # loc
        if ( $response->header('Client-Warning') || '' ) eq 'Internal response';
    my $died = $response->header('X-Died');
    # LWP keeps the text alone of what a handler dies with.
    die $died eq $TOO_SLOW ? [$died] : "$died\n" if $died;
    my $answer = eval { JSON->new->utf8->decode( $response->content ) };
    if ( !$response->is_success ) {
        my $said = ref $answer eq 'HASH' && $answer->{detail} || $response->message;
        die ['The checklist server refuses the call ([_1]): [_2]', $response->code, $said];    # loc
    }
    return $answer if ref $answer eq 'HASH';
    die ["The checklist server's answer is not JSON."];                                       # loc
}

1;
