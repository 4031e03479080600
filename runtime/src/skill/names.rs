//! The names that an expression may use at its place in a document.

use super::{
    expression::{Expression, Operand},
    path::{Path, Segment},
    problem::{At, Problems},
};
use crate::guard::closest;

/// The name of the skill's own arguments.
pub(super) const ARGS: &str = "args";

/// What is known at one place, and what is not known yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    known: Vec<String>,
    /// Ids of steps, wherever they stand.
    steps: Vec<String>,
    /// The arguments that there can be; `None` when there can be any.
    arguments: Option<Vec<String>>,
}

impl Names {
    pub(super) fn new(steps: Vec<String>, arguments: Option<Vec<String>>) -> Self {
        Self {
            known: vec![ARGS.to_owned()],
            steps,
            arguments,
        }
    }

    /// The same names and one more.
    pub(super) fn and(&self, name: &str) -> Self {
        let mut more = self.clone();
        more.known.push(name.to_owned());
        more
    }

    pub(super) fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|known| known == name)
    }

    pub(super) fn is_step(&self, name: &str) -> bool {
        self.steps.iter().any(|step| step == name)
    }

    /// Checks that an expression refers only to what is known.
    pub(super) fn check(&self, expression: &Expression, at: &At, problems: &mut Problems) {
        for operand in &expression.alternatives {
            if let Operand::Path(path) = operand {
                self.check_path(path, at, problems);
            }
        }
        let last = expression.alternatives.len() - 1;
        let final_at = expression
            .alternatives
            .iter()
            .position(|operand| !matches!(operand, Operand::Path(_)));
        if final_at.is_some_and(|position| position < last) {
            problems.add(
                at,
                "what follows the first default is never used; take it out",
            );
        }
    }

    fn check_path(&self, path: &Path, at: &At, problems: &mut Problems) {
        let root = path.root.as_str();
        if !self.knows(root) {
            let what = if self.is_step(root) {
                format!(
                    "{{{{{path}}}}} needs the value of the step {root:?}, which is not made yet; refer to earlier steps only"
                )
            } else {
                let known = self.known.join(", ");
                match closest(root, self.known.iter().map(String::as_str)) {
                    Some(near) => format!(
                        "nothing here is called {root:?}; did you mean {near:?}? Known here: {known}"
                    ),
                    None => format!("nothing here is called {root:?}. Known here: {known}"),
                }
            };
            problems.add(at, what);
        }
        if root == ARGS
            && let (Some(arguments), Some(Segment::Key(key))) =
                (&self.arguments, path.segments.first())
            && !arguments.contains(key)
        {
            let near = match closest(key, arguments.iter().map(String::as_str)) {
                Some(near) => format!("; did you mean args.{near}?"),
                None => "; add it to its properties".into(),
            };
            problems.add(at, format!("inputSchema has no argument {key:?}{near}"));
        }
    }
}
