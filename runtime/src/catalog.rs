//! What a plugin offers: tools, skills, and an index to find them.

mod cache;
mod condition;
mod cost;
mod dialect;
mod index;
mod name_filter;
mod schema;
mod signature;
mod skill;
mod tool;
mod words;

pub(crate) use cache::{CatalogueCache, Kept};
pub(crate) use condition::condition_of;
pub use index::SearchIndex;
pub(crate) use name_filter::NameFilter;
pub use schema::Schema;
pub use signature::signature;
pub use skill::{Related, Skill};
pub use tool::{Hints, Tool};

use indexmap::IndexMap;
use serde_json::Value;

use crate::reply::Failure;

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
    index: SearchIndex,
}

impl Catalogue {
    /// Builds the catalogue and its index. Of two tools with one name the first is kept.
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
        catalogue.index = SearchIndex::build(
            catalogue
                .tools
                .values()
                .map(Tool::searchable)
                .chain(catalogue.skills.values().map(Skill::searchable)),
        );
        catalogue
    }

    /// The same catalogue, known to be incomplete.
    #[must_use]
    pub fn with_problem(mut self, problem: Option<Failure>) -> Self {
        self.problem = problem;
        self
    }

    /// The best `limit` entries for a query, best first.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Entry<'_>> {
        self.index
            .search(query, limit)
            .into_iter()
            .filter_map(|position| self.entry(position))
            .collect()
    }

    fn entry(&self, position: usize) -> Option<Entry<'_>> {
        match self.tools.get_index(position) {
            Some((_, tool)) => Some(Entry::Tool(tool)),
            None => self
                .skills
                .get_index(position - self.tools.len())
                .map(|(_, skill)| Entry::Skill(skill)),
        }
    }
}
