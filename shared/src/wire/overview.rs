//! What a tenant has, and what is still missing before its first list can be ticked.

use serde::{Deserialize, Serialize};

/// `GET /Overview`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Overview {
    /// The templates, drafts too.
    pub templates: u64,
    /// The templates with a published version.
    pub published_templates: u64,
    /// The types.
    pub types: u64,
    /// The types that name a retired template: lists of theirs that were never written are empty.
    #[serde(default)]
    pub types_with_retired_templates: Vec<String>,
    /// The API keys that can be used.
    pub api_keys: u64,
    /// The keys of host platforms that can be used, without those of the server's configuration.
    pub embed_keys: u64,
    /// The people who may sign in.
    pub people: u64,
    /// Whether this server has a vault, which service connections and webhooks need.
    pub has_vault: bool,
    /// The written lists.
    pub lists: ListFigures,
    /// The webhooks.
    pub webhooks: WebhookFigures,
    /// Whether this is a demo, which gives everybody a token, so that nobody needs a key.
    #[serde(default)]
    pub demo: bool,
}

/// How many written lists there are, by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ListFigures {
    /// All that were counted.
    pub total: u64,
    /// Those with something left to do.
    pub open: u64,
    /// Those that are completed.
    pub complete: u64,
    /// Those that are not completed, and that somebody has waived.
    pub waived: u64,
    /// Those without an item that counts.
    pub empty: u64,
    /// Whether there are more: 10,000 are counted at most.
    pub has_more: bool,
}

/// How many webhooks there are, and how many need attention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WebhookFigures {
    /// All of them.
    pub total: u64,
    /// Those that are on and whose receiver has not taken the last delivery.
    pub failing: u64,
    /// Those that the server has turned off.
    pub turned_off: u64,
}
