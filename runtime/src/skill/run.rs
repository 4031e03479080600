//! Running a document: step after step, each call through the caller.

use serde_json::{Map, Value, json};

use super::{
    Outcome, ToolCaller,
    document::{Action, Call, Document, Each, From, MAX_CALLS, Make, Step, Until},
    names::ARGS,
    path::kind,
    scope::{Scope, Trouble},
};
use crate::reply::{Code, Failure, UpstreamResult};

/// A value in a failure is cut to this many characters: a failure explains, it does not answer.
const SHOWN_CHARS: usize = 2000;

/// Runs the skill.
pub(super) async fn run(
    document: &Document,
    arguments: Map<String, Value>,
    caller: &dyn ToolCaller,
) -> Result<Outcome, Failure> {
    let mut run = Run {
        caller,
        scope: Scope::default(),
        calls: 0,
        notes: Vec::new(),
    };
    run.scope.set(ARGS, Value::Object(arguments));
    for step in &document.steps {
        if let Some(value) = run.step(step).await? {
            return Ok(run.ended(value));
        }
    }
    let value = document
        .result
        .render(&run.scope)
        .map_err(|trouble| failed(trouble).with("stage", "result"))?;
    Ok(run.ended(value))
}

/// Why a call gave no value.
enum Ended {
    /// The call failed, which a step may pass over.
    ByCall(Failure),
    /// What no step may pass over: nobody waits any more, a person's consent is missing, or the skill itself is wrong.
    Always(Failure),
}

impl core::convert::From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        match failure.code {
            Code::Cancelled | Code::Closed | Code::ConfirmRequired => Self::Always(failure),
            _ => Self::ByCall(failure),
        }
    }
}

impl core::convert::From<Trouble> for Ended {
    fn from(trouble: Trouble) -> Self {
        Self::Always(failed(trouble))
    }
}

struct Run<'a> {
    caller: &'a dyn ToolCaller,
    scope: Scope,
    calls: usize,
    notes: Vec<String>,
}

impl Run<'_> {
    fn ended(self, value: Value) -> Outcome {
        Outcome {
            value,
            notes: self.notes,
        }
    }

    /// Does one step; a value ends the skill.
    async fn step(&mut self, step: &Step) -> Result<Option<Value>, Failure> {
        let at_stage = |failure: Failure| failure.with("stage", step.stage.as_str());
        match &step.action {
            Action::Make(make) => {
                let value = match &make.each {
                    None => self.one(make).await,
                    Some(each) => self.all(make, each).await,
                };
                self.scope.set(&make.id, value.map_err(at_stage)?);
            }
            Action::Require { condition, message } => {
                let holds = condition.holds(&self.scope).map_err(failed);
                if !holds.map_err(at_stage)? {
                    let message = message
                        .render(&self.scope)
                        .map_err(failed)
                        .map_err(at_stage)?;
                    let message = message
                        .as_str()
                        .map_or_else(|| message.to_string(), str::to_owned);
                    return Err(at_stage(Failure::new(Code::SkillFailed, message)));
                }
            }
            Action::StopWhen { condition, result } => {
                let holds = condition.holds(&self.scope).map_err(failed);
                if holds.map_err(at_stage)? {
                    return result
                        .render(&self.scope)
                        .map(Some)
                        .map_err(failed)
                        .map_err(at_stage);
                }
            }
        }
        Ok(None)
    }

    /// The value of a step that is done once; `null` when its condition does not hold.
    async fn one(&mut self, make: &Make) -> Result<Value, Failure> {
        let made = self.make(make).await?;
        Ok(made.unwrap_or(Value::Null))
    }

    /// The values of a step that is done for each item.
    async fn all(&mut self, make: &Make, each: &Each) -> Result<Value, Failure> {
        let items = match each.list.render(&self.scope).map_err(failed)? {
            Value::Array(items) => items,
            other => {
                let what = format!("`forEach` needs a list, and was given {}", kind(&other));
                return Err(Failure::new(Code::SkillFailed, what));
            }
        };
        let total = items.len();
        let mut values = Vec::new();
        for (index, item) in items.into_iter().enumerate() {
            if values.len() == each.limit {
                self.notes.push(format!(
                    "{}: stopped after {} items, the step's limit; {} of {total} were not looked at",
                    make.id,
                    each.limit,
                    total - index
                ));
                break;
            }
            // Long lists of quick steps must not keep others waiting, nor outlive a cancellation.
            tokio::task::yield_now().await;
            self.scope.set(&each.name, item);
            let made = self
                .make(make)
                .await
                .map_err(|failure| failure.with("index", index))?;
            values.extend(made);
        }
        self.scope.forget(&each.name);
        Ok(Value::Array(values))
    }

    /// One value, unless the step's condition does not hold.
    async fn make(&mut self, make: &Make) -> Result<Option<Value>, Failure> {
        if let Some(when) = &make.when
            && !when.holds(&self.scope).map_err(failed)?
        {
            return Ok(None);
        }
        match &make.from {
            From::Value(value) => value.render(&self.scope).map(Some).map_err(failed),
            From::Test(condition) => condition
                .holds(&self.scope)
                .map(|holds| Some(Value::Bool(holds)))
                .map_err(failed),
            From::Call(call) => self.call(&make.id, call).await.map(Some),
        }
    }

    async fn call(&mut self, id: &str, call: &Call) -> Result<Value, Failure> {
        let arguments = match call.arguments.render(&self.scope).map_err(failed)? {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        let answer = match &call.until {
            None => self.answer(call, arguments).await,
            Some(until) => self.awaited(id, call, arguments, until).await,
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(Ended::ByCall(failure)) if call.continues => {
                let mut error = Map::new();
                failure.write_into(&mut error);
                let value = json!({ "error": error });
                self.scope.charge(&value).map_err(failed)?;
                return Ok(value);
            }
            Err(Ended::ByCall(failure) | Ended::Always(failure)) => return Err(failure),
        };
        let Some(value) = &call.value else {
            return Ok(answer);
        };
        self.scope.set(id, answer);
        value.render(&self.scope).map_err(failed)
    }

    /// Calls until the condition holds.
    async fn awaited(
        &mut self,
        id: &str,
        call: &Call,
        arguments: Map<String, Value>,
        until: &Until,
    ) -> Result<Value, Ended> {
        for left in (0..until.tries).rev() {
            let answer = self.answer(call, arguments.clone()).await?;
            self.scope.set(id, answer.clone());
            if until.condition.holds(&self.scope)? {
                return Ok(answer);
            }
            if left == 0 {
                let what = format!(
                    "{} was called {} times, {} ms apart, and what the skill waits for did not come; `last` is the last answer",
                    call.tool,
                    until.tries,
                    until.wait.as_millis()
                );
                return Err(Failure::new(Code::SkillFailed, what)
                    .with("last", shown(answer))
                    .with_hint("Look again later.")
                    .into());
            }
            tokio::time::sleep(until.wait).await;
        }
        Ok(Value::Null)
    }

    /// One call's answer as a value.
    async fn answer(&mut self, call: &Call, arguments: Map<String, Value>) -> Result<Value, Ended> {
        let tool = &call.tool;
        if self.calls == MAX_CALLS {
            let what = format!(
                "{tool} was not called: the skill has made {MAX_CALLS} calls, which is the limit"
            );
            return Err(Failure::new(Code::SkillFailed, what)
                .with_hint("Ask the skill for less at once.")
                .into());
        }
        self.calls += 1;
        let result = self.caller.call(tool, arguments).await?;
        let is_error = result.is_error;
        let value = value_of(result);
        if is_error {
            return Err(Failure::new(
                Code::ToolFailed,
                format!("{tool} reported an error; `result` holds what it said"),
            )
            .with("result", shown(value))
            .into());
        }
        self.scope.charge(&value)?;
        Ok(value)
    }
}

/// Structured content if there is some, else the one text, as JSON where it is JSON, else the list of parts.
fn value_of(mut result: UpstreamResult) -> Value {
    if let Some(structured) = result.structured_content {
        return structured;
    }
    match result.content.as_slice() {
        [] => Value::Null,
        [part] if part.get("type").and_then(Value::as_str) == Some("text") => {
            let text = part.get("text").and_then(Value::as_str).unwrap_or_default();
            serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
        }
        _ => Value::Array(std::mem::take(&mut result.content)),
    }
}

fn failed(trouble: Trouble) -> Failure {
    let failure = Failure::new(Code::SkillFailed, trouble.to_string());
    match trouble {
        Trouble::TooMuch => failure.with_hint("Ask the skill for less at once."),
        Trouble::Missing(_) | Trouble::Unfit(_) => failure,
    }
}

fn shown(value: Value) -> Value {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        None => value,
        Some((end, _)) => Value::from(format!("{}…", &text[..end])),
    }
}

#[cfg(test)]
mod tests;
