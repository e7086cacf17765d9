# What webhooks of the checklist server bring into the history of a ticket. A webhook says only that
# something happened; what it was is read from the journal, from where the last one ended. So webhooks
# that are lost, come twice or in another order leave the same history.
package RT::Extension::ChecklistControl::History;

use strict;
use warnings;

use Digest::SHA qw(hmac_sha256);
use JSON ();
use MIME::Base64 qw(decode_base64 encode_base64);
use RT::Date;
use RT::Ticket;
use RT::Transaction;
use URI::Escape qw(uri_escape_utf8);

use RT::Extension::ChecklistControl;
use RT::Extension::ChecklistControl::Client;
use RT::Extension::ChecklistControl::Token;

# The attribute of a ticket that says how far its journal was read.
my $ATTRIBUTE = 'ChecklistControl';

# Standard Webhooks: an older request is a repeated one.
my $TOLERANCE = 5 * 60;

# Characters of a transaction's value, in every database of RT.
my $LONGEST = 255;

# Journal entries that may still be continued, and pages of the journal that one webhook may need.
my ( $REMEMBERED, $PAGES ) = ( 20, 20 );

# Texts of items that a transaction names.
my $NAMED = 3;

# Seconds after which a transaction says when it happened: RT gives every new one the present time.
my $LATE = 60;

# How each reader's history tells the events of a journal, which a transaction keeps by their names.
my %SENTENCES = (
    Added               => 'Checklist: added [_1]',                              # loc
    AssigneeChanged     => 'Checklist: assigned [_1]',                           # loc
    Checked             => 'Checklist: checked [_1]',                            # loc
    Completed           => 'Checklist: completed',                               # loc
    Confirmed           => 'Checklist: confirmed [_1]',                          # loc
    Created             => 'Checklist: begun',                                   # loc
    Deleted             => 'Checklist: deleted [_1]',                            # loc
    DueChanged          => 'Checklist: changed the due date of [_1]',            # loc
    FactsChanged        => 'Checklist: facts of the ticket changed: [_1]',       # loc
    FollowedTemplate    => 'Checklist: updated [_1] from the template',          # loc
    HelpChanged         => 'Checklist: changed the help of [_1]',                # loc
    KindChanged         => 'Checklist: turned into an item or information: [_1]',    # loc
    Locked              => 'Checklist: locked',                                  # loc
    MarkedNotApplicable => 'Checklist: marked as not applicable: [_1]',          # loc
    Moved               => 'Checklist: moved [_1]',                              # loc
    NoteChanged         => 'Checklist: changed the note of [_1]',                # loc
    ReasonChanged       => 'Checklist: changed the reason of [_1]',              # loc
    Refreshed           => 'Checklist: updated to the new version of the template',    # loc
    Reopened            => 'Checklist: unchecked [_1]',                          # loc
    ReopenedList        => 'Checklist: open again',                              # loc
    RequiredChanged     => 'Checklist: made required or optional: [_1]',         # loc
    Restored            => 'Checklist: restored [_1]',                           # loc
    Retired             => 'Checklist: no longer in the template: [_1]',         # loc
    TextChanged         => 'Checklist: changed the text of [_1]',                # loc
    Undone              => 'Checklist: undone: [_1]',                            # loc
    Unlocked            => 'Checklist: unlocked',                                # loc
    Waived              => 'Checklist: open items waived: [_1]',                 # loc
    WaiverRevoked       => 'Checklist: waiver revoked: [_1]',                    # loc
);

# Whether a request was signed with the webhook's secret, a short time ago.
sub is_signed {
    my ( $class, $body, %header ) = @_;
    my ( $id, $time, $signatures ) = @header{qw(id timestamp signature)};
    return 0 unless defined $id && defined $signatures && defined $time && $time =~ /\A[0-9]{1,12}\z/;
    return 0 if abs( time - $time ) > $TOLERANCE;
    my ($key) = RT::Extension::ChecklistControl->secret('WebhookSecretFile') =~ /\Awhsec_(.+)\z/
        or die "The secret of the webhook does not begin with whsec_.\n";
    my $wanted = encode_base64( hmac_sha256( "$id.$time.$body", decode_base64($key) ), '' );
    # After a rotation there are two.
    return scalar grep { _same( $_, "v1,$wanted" ) } split / /, $signatures;
}

# Takes a webhook; the HTTP status to answer with. Anything but 2xx has it sent again.
sub take {
    my ( $class, $id, $body ) = @_;
    my $event = eval { JSON->new->utf8->decode($body) };
    return 400 unless ref $event eq 'HASH' && ref $event->{data} eq 'HASH';
    RT->System->SetAttribute(
        Name    => 'ChecklistControlLastWebhook',
        Content => { Type => $event->{type}, At => time },
    );
    my $context = $event->{data}{Context};
    # Other lists, templates and tests are no business of tickets.
    return 204 unless $context && $context->{ObjectType} eq RT::Extension::ChecklistControl->setting('ObjectType');
    my $number = $context->{ObjectId};
    return 204 unless $number =~ /\A[1-9][0-9]{0,9}\z/;
    # A merged ticket itself: the other one has a list of its own, and shows the transactions of both.
    my $ticket = RT::Extension::ChecklistControl->itself($number);
    return 204 unless $ticket->id;

    $RT::Handle->BeginTransaction;
    my $status = eval {
        # One webhook of a ticket after the other.
        $ticket->LockForUpdate;
        $class->_record( $ticket, $id, $event );
    };
    if ( !$status ) {
        my $words = RT::Extension::ChecklistControl->words( RT->SystemUser, $@ );
        RT->Logger->error("Checklist Control: webhook $id: $words");
        $RT::Handle->Rollback;
        return 503;
    }
    $RT::Handle->Commit;
    return $status;
}

sub _record {
    my ( $class, $ticket, $id, $event ) = @_;
    my $type = $event->{type};
    if ( $type eq 'journal.entry' ) {
        return $class->_read_journal( $ticket, $event->{data}{Context} );
    }
    my $what = {
        'checklist.completed' => 'Completed',
        'checklist.reopened'  => 'ReopenedList',
    }->{$type};
    return 204 unless $what;
    my $before = RT::Transactions->new( RT->SystemUser );
    $before->Limit( FIELD => 'ObjectType', VALUE => 'RT::Ticket' );
    $before->Limit( FIELD => 'ObjectId',   VALUE => $ticket->id );
    $before->Limit( FIELD => 'Type',       VALUE => 'Checklist' );
    $before->Limit( FIELD => 'Field',      VALUE => substr( $id, 0, 40 ) );
    return 204 if $before->Count;
    _write( $ticket, substr( $id, 0, 40 ), $event->{timestamp}, $what );
    return 204;
}

# Writes down what the journal has that was not read yet.
sub _read_journal {
    my ( $class, $ticket, $context ) = @_;
    my $attribute = $ticket->FirstAttribute($ATTRIBUTE);
    my $state     = $attribute ? $attribute->Content : {};
    my $cursor    = $state->{Cursor} || 0;
    my %seen      = %{ $state->{Seen} || {} };
    my $where     = join '&', map { "$_=" . uri_escape_utf8( $context->{$_} ) } qw(ObjectType ObjectId Purpose);
    for ( 1 .. $PAGES ) {
        my ( $page, $reason )
            = RT::Extension::ChecklistControl::Client->call( GET => "Journal?$where&After=$cursor" );
        die RT::Extension::ChecklistControl->words( RT->SystemUser, $reason ) . "\n" unless $page;
        for my $entry ( @{ $page->{Entries} } ) {
            my @events = @{ $entry->{Events} };
            # An entry is continued for two minutes, and comes again then with all that it has.
            splice @events, 0, $seen{ $entry->{Id} } || 0;
            $seen{ $entry->{Id} } = @{ $entry->{Events} };
            my $own = _as_actor( $ticket, $entry->{Actor} );
            _write( $own, 'Journal', $entry->{Until}, @$_ ) for _by_kind(@events);
        }
        $cursor = $page->{Cursor};
        last unless $page->{More};
    }
    my @old = sort { $b <=> $a } keys %seen;
    delete @seen{ splice @old, $REMEMBERED } if @old > $REMEMBERED;
    $ticket->SetAttribute( Name => $ATTRIBUTE, Content => { Cursor => $cursor, Seen => \%seen } );
    return 204;
}

# The events by their kinds, each with the texts of its items: "A; B; C (+2)". Of a waiver, the reason.
sub _by_kind {
    my @events = @_;
    my ( @kinds, %texts );
    for my $event (@events) {
        push @kinds, $event->{What} unless $texts{ $event->{What} };
        my $text = $event->{ $event->{What} =~ /\AWaive/ ? 'After' : 'Text' };
        push @{ $texts{ $event->{What} } }, defined $text ? $text : ();
    }
    return map {
        my @some = @{ $texts{$_} };
        my $more = @some > $NAMED ? sprintf ' (+%d)', @some - $NAMED : '';
        splice @some, $NAMED if $more;
        [ $_, join( '; ', @some ) . $more ];
    } @kinds;
}

# The ticket in the hands of whoever changed the list.
sub _as_actor {
    my ( $ticket, $actor ) = @_;
    my ($id) = ( $actor->{Id} || '' ) =~ /\Auser-([0-9]+)\z/;
    my $is_ours = ( $actor->{Source} || '' ) eq 'EmbedToken'
        && ( $actor->{Issuer} || '' ) eq RT::Extension::ChecklistControl->setting('Issuer');
    my $user  = RT::CurrentUser->new;
    my $is_of = $id && $is_ours && $user->Load($id);
    my $own   = RT::Ticket->new( $is_of ? $user : RT->SystemUser );
    # Rights are no question here: it has happened.
    $own->LoadById( $ticket->id );
    return $own;
}

# Where the extension is gone, RT shows both values: an event without items is the new one.
sub _write {
    my ( $ticket, $field, $time, $what, $text ) = @_;
    ( $what, $text ) = ( undef, $what ) unless defined $text && length $text;
    $text = substr( $text, 0, $LONGEST - 1 ) . "\x{2026}" if length $text > $LONGEST;
    my ( $id, $message ) = $ticket->_NewTransaction(
        Type     => 'Checklist',
        Field    => $field,
        OldValue => $what,
        NewValue => $text,
        Data     => _if_late($time),
    );
    die "$message\n" unless $id;
    return;
}

# The time of an event that comes late; RT reads no fractions of seconds.
sub _if_late {
    my ($text) = @_;
    my $time = RT::Date->new( RT->SystemUser );
    $time->Set( Format => 'iso', Value => substr $text, 0, 19 );
    return $time->IsSet && time - $time->Unix > $LATE ? $time->ISO : undef;
}

# Compares without telling by its time how much was right.
sub _same {
    my ( $given, $wanted ) = @_;
    return 0 unless length $given == length $wanted;
    my $difference = 0;
    $difference |= ord( substr $given, $_, 1 ) ^ ord( substr $wanted, $_, 1 ) for 0 .. length($wanted) - 1;
    return $difference == 0;
}

$RT::Transaction::_BriefDescriptions{Checklist} = sub {
    my $transaction = shift;
    my @sentence = _sentence($transaction);
    my $time = RT::Date->new( $transaction->CurrentUser );
    $time->Set( Format => 'iso', Value => $transaction->Data ) if $transaction->Data;
    return @sentence unless $time->IsSet;
    return ( '[_1] (happened [_2])', $transaction->loc(@sentence), $time->AsString );    # loc
};

sub _sentence {
    my $transaction = shift;
    my ( $what, $texts ) = map { defined $_ ? $_ : '' } $transaction->OldValue, $transaction->NewValue;
    return ( $SENTENCES{$what}, $texts ) if $SENTENCES{$what};
    return $SENTENCES{$texts} if !length $what && $SENTENCES{$texts};
    # A kind that a newer server knows.
    return ( 'Checklist: [_1]', join ' ', grep {length} $what, $texts );    # loc
}

1;
