//! `POST /page/data/answer`: what the person said to a question.

use axum::{
    extract::{Request, State},
    response::Response,
};
use serde::Deserialize;
use serde_json::json;

use super::{Page, data, refusal::Refusal};
use crate::approval::Answer;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    question: String,
    answer: Said,
}

/// The page offers no other: what shall hold for longer is said where it can be looked up, in a policy.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Once,
    No,
}

pub(super) async fn answer(
    State(page): State<Page>,
    request: Request,
) -> Result<Response, Refusal> {
    let Answered { question, answer } = data::read(&page, request).await?;
    let answer = match answer {
        Said::Once => Answer::Once,
        Said::No => Answer::No,
    };
    match page.0.questions.answer(&question, answer) {
        true => Ok(data::json(&json!({ "taken": true }))),
        false => Err(Refusal::NoQuestion),
    }
}
