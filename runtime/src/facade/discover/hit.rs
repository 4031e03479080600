//! One tool or skill that was found, in as many words as there is room for.

use super::{
    Scope,
    links::{self, Link},
};
use crate::{
    catalog::{Entry, Field, Signature, Skill, Tool, one_line, summary},
    facade::{
        search::Offer,
        verbs::{Reach, Spelling, Verb},
    },
    plugin::Plugin,
};

/// How much is said of a hit, in characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Of its description.
    pub sentence: usize,
    /// Of the type of each required field.
    pub kind: usize,
    /// Of the optional fields and rules together; of all fields, where the call is not written out.
    pub fields: usize,
    /// Of why a skill that does the same elsewhere may be better; without it none is named.
    pub links: Option<usize>,
    /// How the call is written.
    pub form: Form,
}

/// How the call of a hit is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole.
    Call,
    /// Without the name of the facade's tool, where that is the same as one line above.
    Body,
    /// Only the name of the tool, with what it takes.
    Name,
}

/// A hit in words.
pub(super) struct Written {
    pub text: String,
    /// Fields or types are cut, which the schema would say.
    pub is_cut: bool,
}

/// A tool or skill that was found.
pub(super) struct Hit<'a> {
    pub plugin: &'a Plugin,
    pub spelling: Spelling<'a>,
    pub entry: &'a Entry<'a>,
    pub takes: Signature,
    /// Skills that do the same elsewhere.
    pub links: Vec<Link>,
}

impl<'a> Offer<'a> {
    pub(in crate::facade) fn name(&self) -> &str {
        match &self.entry {
            Entry::Tool(tool) => &tool.name,
            Entry::Skill(skill) => &skill.name,
        }
    }
}

impl<'a> Hit<'a> {
    pub(super) fn of(offer: &'a Offer<'a>, scope: &Scope<'_>) -> Self {
        let takes = match &offer.entry {
            Entry::Tool(tool) => Signature::of(&tool.input_schema),
            Entry::Skill(skill) => skill
                .input_schema
                .as_ref()
                .map(|schema| Signature::of(schema))
                .unwrap_or_default(),
        };
        let links = match &offer.entry {
            Entry::Tool(_) => Vec::new(),
            Entry::Skill(skill) => links::of(skill, scope),
        };
        Self {
            links,
            plugin: offer.plugin,
            spelling: scope.to(offer.plugin),
            entry: &offer.entry,
            takes,
        }
    }

    pub(super) fn name(&self) -> &'a str {
        match self.entry {
            Entry::Tool(tool) => &tool.name,
            Entry::Skill(skill) => &skill.name,
        }
    }

    pub(super) fn description(&self) -> &'a str {
        match self.entry {
            Entry::Tool(Tool { description, .. }) | Entry::Skill(Skill { description, .. }) => {
                description
            }
        }
    }

    pub(super) fn is_read_only(&self) -> bool {
        match self.entry {
            Entry::Tool(tool) => self.plugin.trusts(tool),
            Entry::Skill(skill) => skill.read_only,
        }
    }

    /// Whether a call is refused without `confirm`.
    pub(super) fn needs_consent(&self) -> bool {
        match self.entry {
            Entry::Tool(tool) => self.plugin.needs_confirm(tool),
            Entry::Skill(skill) => self.plugin.skill_needs_confirm(skill),
        }
    }

    /// The call with a placeholder for each required field, of so many characters at most.
    pub(super) fn call(&self, kind: usize) -> String {
        let arguments = self.takes.placeholders(kind);
        match self.entry {
            Entry::Tool(tool) => self.spelling.call(&tool.name, &arguments, false),
            Entry::Skill(skill) => self.spelling.run_skill(&skill.name, &arguments, false),
        }
    }

    /// The facade's tool that a call of it goes to.
    pub(super) fn tool(&self) -> String {
        self.spelling.name(match self.entry {
            Entry::Tool(_) => Verb::Call,
            Entry::Skill(_) => Verb::RunSkill,
        })
    }

    /// `skill, read-only`, `changes`, `read-only, needs set-up`.
    pub(super) fn marks(&self) -> String {
        let effect = match self.is_read_only() {
            true => "read-only",
            false => "changes",
        };
        let mut marks = match self.entry {
            Entry::Tool(_) => effect.to_owned(),
            Entry::Skill(Skill { error: Some(_), .. }) => "skill, broken".to_owned(),
            Entry::Skill(_) => format!("skill, {effect}"),
        };
        if self.plugin.set_up().is_some() {
            marks.push_str(", needs set-up");
        }
        marks
    }

    /// The hit in words; `above` is the tool that the call above goes to, and becomes that of this one.
    pub(super) fn written(&self, shape: Shape, above: &mut String) -> Written {
        let about = self.about(shape.sentence);
        let required = |required: bool| {
            let fields = self.takes.fields.iter();
            fields.filter(move |field| field.required == required)
        };
        let optional = required(false).map(Field::text);
        if shape.form == Form::Name {
            let parts = required(true).map(Field::text).chain(optional);
            let (fields, is_cut) = listed(parts.chain(self.rules()), shape.fields);
            let of = match self.spelling.reach() {
                Reach::Own => String::new(),
                Reach::Shared => format!("{}/", self.plugin.prefix()),
            };
            let text = format!("{of}{}({fields}) {about}", self.name());
            return Written { text, is_cut };
        }
        let call = self.call(shape.kind);
        let (tool, body) = call.split_once(' ').unwrap_or((&call, "{}"));
        let shown = match shape.form == Form::Body && tool == above {
            true => body,
            false => &call,
        };
        tool.clone_into(above);
        let (extra, is_cut) = listed(optional.chain(self.rules()), shape.fields);
        let extra = match extra.is_empty() {
            true => extra,
            false => format!(" ({extra})"),
        };
        let links: String = match shape.links {
            Some(why) => self.links.iter().map(|link| link.text(why)).collect(),
            None => String::new(),
        };
        let is_cut = is_cut || required(true).any(|field| field.is_cut(shape.kind));
        Written {
            text: format!("{shown}\n  {about}{extra}{links}"),
            is_cut,
        }
    }

    /// `read-only: List issues`
    fn about(&self, sentence: usize) -> String {
        let said = match self.entry {
            Entry::Skill(Skill {
                error: Some(error), ..
            }) => one_line(error, sentence),
            _ => summary(self.description(), sentence),
        };
        match said.is_empty() {
            true => self.marks(),
            false => format!("{}: {said}", self.marks()),
        }
    }

    /// What is said of the arguments besides the fields.
    fn rules(&self) -> impl Iterator<Item = String> {
        let prose = match self.entry {
            Entry::Skill(Skill {
                input_schema: None,
                args,
                ..
            }) => args.as_deref(),
            _ => None,
        };
        let prose = prose.map(|args| one_line(args, usize::MAX));
        self.takes.rules.iter().cloned().chain(prose)
    }
}

/// The parts with commas between, as many as fit in `max` characters, and whether some are left out.
fn listed(parts: impl Iterator<Item = String>, max: usize) -> (String, bool) {
    let mut text = String::new();
    for part in parts {
        let separator = if text.is_empty() { "" } else { ", " };
        if text.chars().count() + separator.len() + part.chars().count() > max {
            text.push_str(separator);
            text.push('…');
            return (text, true);
        }
        text.push_str(separator);
        text.push_str(&part);
    }
    (text, false)
}
