//! Skills over MCP (the extension `io.modelcontextprotocol/skills`, SEP-2640): each `SKILL.md` is a resource, and two
//! methods list them with their digests.

use rmcp::{
    ErrorData,
    model::{
        CacheScope, GetSkillResult, ListSkillsResult, ReadResourceResult, ResourceContents, Skill,
        SkillFrontmatter, SkillResource, SkillResources,
    },
};
use serde_json::json;

use super::handler::protocol_error;
use crate::{
    Runtime, View,
    agent_skills::{self, AgentSkill, AgentSkillOptions},
};

const MARKDOWN: &str = "text/markdown";

/// The skills of the view's plugins.
async fn skills_of(runtime: &Runtime, view: &View) -> Result<Vec<AgentSkill>, ErrorData> {
    let options = AgentSkillOptions {
        view: view.clone(),
        ..AgentSkillOptions::default()
    };
    let skills = runtime.agent_skills(&options).await;
    skills.map_err(|failure| protocol_error(&failure))
}

async fn skill_at(
    runtime: &Runtime,
    view: &View,
    uri: &str,
) -> Result<Option<AgentSkill>, ErrorData> {
    let skills = skills_of(runtime, view).await?;
    Ok(skills.into_iter().find(|skill| uri_of(skill) == uri))
}

fn uri_of(skill: &AgentSkill) -> String {
    format!("skill://{}/SKILL.md", skill.name)
}

/// `skills/list`, on one page.
pub(super) async fn list(runtime: &Runtime, view: &View) -> Result<ListSkillsResult, ErrorData> {
    let skills = skills_of(runtime, view).await?;
    let mut result = ListSkillsResult::with_all_items(skills.iter().map(entry).collect());
    // They change with what is found out about plugins, which nobody announces.
    result.ttl_ms = Some(0);
    result.cache_scope = Some(CacheScope::Private);
    Ok(result)
}

/// `skills/get`.
pub(super) async fn get(
    runtime: &Runtime,
    view: &View,
    uri: &str,
) -> Result<GetSkillResult, ErrorData> {
    match skill_at(runtime, view, uri).await? {
        Some(skill) => Ok(GetSkillResult::new(entry(&skill))
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Private)),
        None => {
            let message = "there is no such skill; skills/list names those that there are";
            Err(ErrorData::invalid_params(
                message,
                Some(json!({ "uri": uri })),
            ))
        }
    }
}

/// `resources/read`.
pub(super) async fn read(
    runtime: &Runtime,
    view: &View,
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let Some(skill) = skill_at(runtime, view, uri).await? else {
        let message = "there is no such resource; skills/list names those that there are";
        return Err(ErrorData::resource_not_found(
            message,
            Some(json!({ "uri": uri })),
        ));
    };
    let contents = ResourceContents::text(skill.text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn entry(skill: &AgentSkill) -> Skill {
    let uri = uri_of(skill);
    let file = SkillResource::from_bytes(uri.clone(), skill.text.as_bytes());
    let frontmatter = SkillFrontmatter::new(skill.name.clone(), skill.description.clone())
        .with_field("metadata", agent_skills::metadata());
    Skill::new(uri, frontmatter, SkillResources::Files(vec![file]))
}
