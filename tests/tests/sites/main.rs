//! The client of site lists against real servers: each of the nine ways to sign in, with the right
//! password and with a wrong one, with sessions that end in the middle, with many requests at once
//! and with bodies; and who the site then says has done it.
//!
//! What needs Apache and Kerberos stands in `behind_apache`: where they cannot be fetched, that
//! module is left out. What needs the identity provider stands in `with_tokens`, and is left out
//! likewise. What needs a server that was built with the system's Kerberos stands in
//! `with_own_ticket`, which is run by itself.

mod behind_apache;
mod forms;
mod many_at_once;
mod nobody;
mod rebinding;
mod site_online;
mod with_own_ticket;
mod with_tokens;
mod work;
