//! The views: what they cost, what they say, that their lists stay as they are, and how calls over all plugins are read.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

#[path = "views/services.rs"]
mod services;

#[path = "views/auto.rs"]
mod auto;
#[path = "views/cost.rs"]
mod cost;
#[path = "views/pins.rs"]
mod pins;
#[path = "views/stable.rs"]
mod stable;
#[path = "views/unified.rs"]
mod unified;
