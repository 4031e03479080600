//! Reading on, the way a reply says.

use agent_tools_runtime::Reply;
use serde_json::Value;

use crate::service::{Service, payload};

/// The whole text that a reply's instruction leads to, page by page. It is the call spelled out: `name {…}`.
pub fn read_on(service: &Service, instruction: &str) -> String {
    let mut whole = String::new();
    let mut next = Some(instruction.to_owned());
    while let Some(call) = next {
        let (name, arguments) = call.split_once(' ').expect("a call spelled out");
        let arguments: Value = serde_json::from_str(arguments).expect("its arguments");
        let reply: Reply = match name {
            "read_more" => service.call_flat(name, arguments),
            _ => service.call(name, arguments),
        };
        let page = payload(&reply);
        assert_eq!(page["isError"], false, "{page:?}");
        whole.push_str(page["text"].as_str().expect("a page"));
        next = page
            .get("next")
            .map(|next| next.as_str().expect("a call").to_owned());
    }
    whole
}

/// The call behind `words` in an instruction, up to `end`.
pub fn instruction<'a>(text: &'a str, words: &str, end: &str) -> Option<&'a str> {
    let (_, behind) = text.rsplit_once(words)?;
    Some(behind.rsplit_once(end).map_or(behind, |(call, _)| call))
}

/// What is left of a text in its reply, once it is cut.
pub struct Remains<'a> {
    pub head: &'a str,
    pub omitted: &'a str,
    pub tail: &'a str,
}

impl Remains<'_> {
    /// Whether these are the ends of `whole`, and what is said about the rest is right.
    pub fn are_of(&self, whole: &str) -> Result<(), String> {
        let rest = whole
            .strip_prefix(self.head)
            .ok_or("the head is another text's")?;
        let omitted = rest
            .strip_suffix(self.tail)
            .ok_or("the tail is another text's")?;
        let counted = format!(
            "{} characters in {} lines",
            omitted.chars().count(),
            omitted.lines().count()
        );
        match counted == self.omitted {
            true => Ok(()),
            false => Err(format!("{counted} are left out, and not {}", self.omitted)),
        }
    }
}
