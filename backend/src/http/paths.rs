//! Where each part of the API lives below the base URL.
//!
//! Clients and the API document depend on these paths: they do not change.

/// Where the checklist web services live below the base URL.
pub const PREFIX: &str = "/api/Vendor/ChecklistControl";
/// Where site-list activities and service connections live below the base URL.
pub const SITES: &str = "/api/Vendor/SiteActivities";
/// Where the inventory of computers lives below the base URL.
pub const COMPUTERS: &str = "/api/Vendor/Computers";
/// Where workflows live below the base URL.
pub const WORKFLOWS: &str = "/api/Vendor/Workflows";
/// Where webhooks live below the base URL.
pub const WEBHOOKS: &str = "/api/Vendor/Webhooks";
/// Where what they were sent lives below the base URL.
pub const DELIVERIES: &str = "/api/Vendor/WebhookDeliveries";
