//! Search over tools and skills: words in common and nearness in meaning, put together and explained.
//!
//! Documents in, positions out: it knows nothing of plugins, calls or files. How it ranks, and why, is in `docs/search.md`.

mod confidence;
mod document;
mod explain;
mod fields;
mod fusion;
mod index;
mod lexical;
mod lists;
mod names;
mod plugins;
mod query;
mod section;
mod spelling;
mod stop_words;
mod store;
mod terms;
mod vectors;
mod words;

pub use document::{Document, Server};
pub use explain::{Explanation, Match, Part, WordMatch};
pub use fields::Field;
pub use index::{Found, Hit, SearchIndex};
pub use query::Via;
pub use section::Section;
pub use store::SectionStore;
pub(crate) use words::{singular, words};

#[cfg(test)]
mod tests;
