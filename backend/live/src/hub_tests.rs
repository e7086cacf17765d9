//! The hub with a feed that the test controls: who gets which note, and who may subscribe.
//!
//! `tests/store/conformance` has tests with the feed of a real store.

use checklist_shared::context::Context;
use tokio::sync::broadcast;

use super::*;

struct Desk {
    hub: Arc<Hub>,
    feed: broadcast::Sender<Arc<Announcement>>,
}

fn list(id: &str) -> ListKey {
    ListKey::of("acme", &Context::new("incident", id, ""))
}

fn written(id: &str, revision: u64, sequence: u64) -> Commit {
    Commit::List {
        list: list(id),
        revision,
        sequence,
        operation: None,
    }
}

impl Desk {
    fn new(behind: usize) -> Self {
        Self {
            hub: Arc::default(),
            feed: broadcast::Sender::new(behind),
        }
    }

    fn follow(&self, tenant: &str, ids: &[&str]) -> Result<Subscription, SubscribeError> {
        let lists = ids
            .iter()
            .map(|id| ListKey {
                tenant: tenant.to_owned(),
                ..list(id)
            })
            .enumerate()
            .collect();
        let follower = SubscriptionRequest {
            tenant,
            caller: "anna",
            person: None,
            lists,
        };
        self.hub.subscribe(follower, || FeedSource {
            feed: self.feed.subscribe(),
            voice: None,
        })
    }

    fn say(&self, commits: Vec<Commit>) {
        let _ = self.feed.send(Arc::new(Announcement::Commits(commits)));
    }
}

#[tokio::test]
async fn a_commit_is_heard_by_those_alone_who_follow_the_list() {
    let desk = Desk::new(16);
    let one = desk.follow("acme", &["a", "b"]).expect("a place");
    let other = desk.follow("acme", &["c"]).expect("a place");
    let foreign = desk.follow("other", &["b"]).expect("a place");
    desk.say(vec![written("b", 7, 40), written("x", 1, 41)]);
    one.mailbox.wait_for_notes().await;
    let notes = one.mailbox.take();
    assert_eq!(notes.lists.keys().collect::<Vec<_>>(), [&1]);
    assert_eq!((notes.lists[&1].revision, notes.sequence), (7, 40));
    for silent in [other, foreign] {
        assert!(silent.mailbox.take().lists.is_empty());
    }
}

#[tokio::test]
async fn a_published_template_concerns_everybody_of_its_tenant() {
    let desk = Desk::new(16);
    let mine = desk.follow("acme", &["a"]).expect("a place");
    let foreign = desk.follow("other", &["a"]).expect("a place");
    desk.say(vec![Commit::Template {
        tenant: "acme".to_owned(),
        id: "t".to_owned(),
    }]);
    mine.mailbox.wait_for_notes().await;
    assert!(mine.mailbox.take().templates);
    assert!(!foreign.mailbox.take().templates);
}

#[tokio::test]
async fn while_nobody_follows_anything_nobody_holds_a_feed() {
    let desk = Desk::new(16);
    assert_eq!(desk.feed.receiver_count(), 0);
    let one = desk.follow("acme", &["a"]).expect("a place");
    let other = desk.follow("acme", &["a"]).expect("a place");
    assert_eq!(desk.feed.receiver_count(), 1);
    drop((one, other));
    desk.say(vec![written("a", 1, 1)]);
    while desk.feed.receiver_count() > 0 {
        tokio::task::yield_now().await;
    }
    let again = desk.follow("acme", &["a"]).expect("a place");
    desk.say(vec![written("a", 2, 2)]);
    again.mailbox.wait_for_notes().await;
    assert_eq!(again.mailbox.take().sequence, 2);
}

#[tokio::test]
async fn whoever_was_overtaken_by_the_feed_is_told_of_a_gap() {
    let desk = Desk::new(2);
    let one = desk.follow("acme", &["a"]).expect("a place");
    for revision in 1..=10 {
        desk.say(vec![written("a", revision, revision)]);
    }
    one.mailbox.wait_for_notes().await;
    assert!(one.mailbox.take().gap);
}

#[tokio::test]
async fn a_caller_has_so_many_streams_and_gets_another_when_one_ends() {
    let desk = Desk::new(16);
    let mut all: Vec<_> = (0..STREAMS_A_CALLER)
        .map(|_| desk.follow("acme", &["a"]).expect("a place"))
        .collect();
    assert_eq!(
        desk.follow("acme", &["a"]).err(),
        Some(SubscribeError::TooManyOfOne)
    );
    assert!(desk.follow("other", &["a"]).is_ok());
    all.pop();
    assert!(desk.follow("acme", &["a"]).is_ok());
}

#[tokio::test]
async fn when_the_server_stops_streams_end_and_none_begins() {
    let desk = Desk::new(16);
    let one = desk.follow("acme", &["a"]).expect("a place");
    desk.hub.close();
    one.mailbox.wait_for_notes().await;
    assert!(one.mailbox.take().over);
    assert_eq!(
        desk.follow("acme", &["a"]).err(),
        Some(SubscribeError::Closed)
    );
}
