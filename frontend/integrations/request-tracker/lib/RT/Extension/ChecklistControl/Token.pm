# Embed tokens for the people of RT: who somebody is and what they may do with a ticket's list is what RT
# says at that moment. A token ends after five minutes; the control asks for the next one.
package RT::Extension::ChecklistControl::Token;

use strict;
use warnings;

use Crypt::PK::Ed25519;
use Crypt::PRNG ();
use JSON        ();
use MIME::Base64 qw(encode_base64url);
use POSIX ();

use RT::Extension::ChecklistControl;

my $SECONDS = 5 * 60;

# As many lists as a token may name.
my $MOST = 200;

# The subject that tokens name a person by: what the journal says of them leads back to them.
sub subject_of {
    my ( $class, $user ) = @_;
    return 'user-' . $user->id;
}

# The answer to the control's wish for a token, or undef and an HTTP status.
sub answer {
    my ( $class, $user, $wish ) = @_;
    my $contexts = ref $wish eq 'HASH' ? $wish->{Contexts} : undef;
    return ( undef, 400 ) unless ref $contexts eq 'ARRAY' && @$contexts && @$contexts <= $MOST;
    my $type   = RT::Extension::ChecklistControl->setting('ObjectType');
    my $rights = 'ModifyTicket';
    my $waives = 1;
    my @granted;
    for my $context (@$contexts) {
        next unless ref $context eq 'HASH' && ( $context->{ObjectType} || '' ) eq $type;
        my $id = $context->{ObjectId};
        next unless defined $id && $id =~ /\A[1-9][0-9]{0,9}\z/;
        my $ticket = RT::Ticket->new($user);
        # The number of a merged ticket leads to the other one, whose rights count for both lists.
        next unless $ticket->Load($id);
        next unless $ticket->CurrentUserHasRight('ShowTicket');
        my $extension = 'RT::Extension::ChecklistControl';
        my $itself    = $extension->itself($id);
        my $template  = $extension->template_of($itself);
        next unless defined $template;
        # The list of a resolved ticket is a record: it is read, and changed once the ticket is open again.
        my $is_open = !$extension->is_closed($ticket);
        # One token has the same permissions for all of its lists, so the least of them counts.
        $rights = 'ShowTicket' unless $is_open && $ticket->CurrentUserHasRight('ModifyTicket');
        $waives &&= $is_open && $ticket->CurrentUserHasRight('WaiveChecklist');
        # Nobody begins the list with a template other than the queue's, which the gate relies on.
        my %list = ( ObjectType => $type, ObjectId => "$id", Purpose => $context->{Purpose} || '' );
        push @granted, { %list, TemplateId => "$template", Facts => $extension->facts_of($itself) };
    }
    return ( undef, 403 ) unless @granted;
    my @permissions = @{ RT::Extension::ChecklistControl->setting('Permissions')->{$rights} };
    push @permissions, 'Waive' if $waives;
    return $class->mint( $user, \@granted, \@permissions );
}

# A signed token. Dies if there is no key.
sub mint {
    my ( $class, $user, $contexts, $permissions ) = @_;
    my $extension = 'RT::Extension::ChecklistControl';
    my $pem       = $extension->secret('PrivateKeyFile');
    my $now       = time;
    my %claims    = (
        iss      => $extension->setting('Issuer'),
        aud      => $extension->setting('Server'),
        tenant   => $extension->setting('Tenant'),
        sub      => $class->subject_of($user),
        name     => $user->UserObj->RealName || $user->Name,
        contexts => $contexts,
        perm     => $permissions,
        journal  => JSON::true,
        iat      => $now,
        exp      => $now + $SECONDS,
        lang     => $extension->language_of($user),
        jti      => unpack( 'H*', Crypt::PRNG::random_bytes(16) ),
    );
    my %header = ( alg => 'EdDSA', typ => 'JWT', kid => $extension->setting('KeyId') );
    my $signed = join '.', map { encode_base64url( JSON->new->utf8->encode($_) ) } \%header, \%claims;
    my $key    = Crypt::PK::Ed25519->new( \$pem );
    return {
        Token     => $signed . '.' . encode_base64url( $key->sign_message($signed) ),
        ExpiresAt => POSIX::strftime( '%Y-%m-%dT%H:%M:%SZ', gmtime $claims{exp} ),
    };
}

1;
