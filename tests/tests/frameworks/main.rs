//! The elements as their users have them: packed for npm, in pages that each framework has built,
//! on another origin than the server.
//!
//! `pages` drives all of them by one script, `package` looks at what is packed, `typings` at what
//! TypeScript makes of it, `documentation` at the guide that shows the pages' sources.

mod documentation;
mod fallback;
mod package;
mod pages;
mod typings;
