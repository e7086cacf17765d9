//! What only PostgreSQL, or several nodes on one database, can show.

mod consent;
mod due_items_of_nodes;
mod dumps;
mod failover;
mod faults;
mod history;
mod load;
mod nodes;
mod partitions;
mod plans;
mod protected;
mod reverse_proxies;
mod runs;
mod starting;
mod template_runs;
mod webhooks_of_nodes;
