//! What a plugin offers: tools and skills, and the search over them.

mod cache;
mod condition;
mod cost;
mod defaults;
mod dialect;
mod glob;
mod hidden;
mod name_filter;
mod schema;
pub mod search;
mod signature;
mod skill;
mod summary;
mod tool;

pub(crate) use cache::{CatalogueCache, Kept};
pub(crate) use condition::condition_of;
pub(crate) use defaults::drop_impossible_defaults;
pub(crate) use glob::{Glob, slashes};
pub(crate) use hidden::{is_hidden, split_tags, tagged_text, without_hidden};
pub(crate) use name_filter::NameFilter;
pub use schema::Schema;
pub use signature::signature;
pub(crate) use signature::{Field, Signature};
pub use skill::{Related, Skill};
pub(crate) use summary::{one_line, summary};
pub use tool::{Hints, Tool};

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use serde_json::Value;

use crate::reply::Failure;
use search::{Document, Section, SectionStore, Server};

/// What the model can find by a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry<'a> {
    /// A tool of the service.
    Tool(&'a Tool),
    /// A skill of the plugin.
    Skill(&'a Skill),
}

/// Everything one plugin offers, as of one listing.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Tools by name, in the service's order.
    pub tools: IndexMap<String, Tool>,
    /// Skills by name, in the manifest's order.
    pub skills: IndexMap<String, Skill>,
    /// Context the adapter wants shown with every discover reply.
    pub context: Option<Value>,
    /// Why a part of the catalogue is missing, when one is.
    pub problem: Option<Failure>,
    section: OnceLock<Arc<Section>>,
}

impl Catalogue {
    /// Builds the catalogue. Of two tools with one name the first is kept.
    pub fn new(tools: Vec<Tool>, skills: Vec<Skill>, context: Option<Value>) -> Self {
        let mut catalogue = Self {
            context,
            ..Self::default()
        };
        for tool in tools {
            catalogue.tools.entry(tool.name.clone()).or_insert(tool);
        }
        for skill in skills {
            catalogue.skills.entry(skill.name.clone()).or_insert(skill);
        }
        catalogue
    }

    /// The same catalogue, known to be incomplete.
    #[must_use]
    pub fn with_problem(mut self, problem: Option<Failure>) -> Self {
        self.problem = problem;
        self
    }

    /// What a search needs of it, made or read from disk at the first search: listing tools never waits for it.
    pub(crate) fn section(&self, server: &Server, kept: Option<&SectionStore>) -> Arc<Section> {
        let section = || match kept {
            Some(kept) => kept.section(server, &self.documents()),
            None => Section::build(server, &self.documents()),
        };
        self.section.get_or_init(|| Arc::new(section())).clone()
    }

    /// Whether the section has been made.
    pub(crate) fn is_prepared(&self) -> bool {
        self.section.get().is_some()
    }

    /// The tool or skill of a document of the section.
    pub fn entry(&self, position: usize) -> Option<Entry<'_>> {
        match self.tools.get_index(position) {
            Some((_, tool)) => Some(Entry::Tool(tool)),
            None => self
                .skills
                .get_index(position - self.tools.len())
                .map(|(_, skill)| Entry::Skill(skill)),
        }
    }

    /// The texts that a search looks into: those of the tools, then those of the skills.
    pub fn documents(&self) -> Vec<Document> {
        let tools = self.tools.values().map(Document::of_tool);
        let skills = self.skills.values().map(Document::of_skill);
        tools.chain(skills).collect()
    }
}
