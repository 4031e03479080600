//! What several fuzz targets need.

mod glob;
mod http_answers;
mod project;
mod service;

pub use glob::{divided, glob_matches};
pub use http_answers::{HttpAnswer, http_answers};
pub use project::Project;
pub use service::Service;

/// The parts of an input: texts with a line `%%` between them. Those that are missing are empty.
pub fn parts<const N: usize>(input: &str) -> [&str; N] {
    let mut parts = input.splitn(N, "\n%%\n");
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}
