//! Egress: sends every outgoing request of the server.
//!
//! A request reaches public addresses over https and nothing else: not this machine, not its
//! network, not a cloud's metadata service, however the address is written and whatever its name
//! resolves to. The operator may allow an exact origin (for example the identity provider's) at any
//! address, or a private network for an origin. Redirects are not followed, proxy variables of the
//! environment are ignored, and time and size are limited. Requests carry no trace context.

mod address;
mod authorities;
mod client;
#[cfg(feature = "opentelemetry")]
pub mod collector;
mod egress;
pub mod oauth;
mod origin;
mod private;
mod resolver;
mod site_transport;

pub use address::is_public;
pub use authorities::read_authorities;
pub use egress::Egress;
pub use origin::origin_of;
pub use private::{PrivateRange, PrivateRangeError};
pub use site_transport::{SiteTransport, TlsTrust};

#[cfg(test)]
#[path = "egress_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "corpus_tests.rs"]
mod corpus;
