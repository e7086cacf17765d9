//! The built-in pages as one application: templates, types, keys, journal and audit trail.
//!
//! `index.html` loads `start.js`, which loads this. What decides without a browser compiles
//! natively too and is tested there; what draws is WASM alone.
