//! Any rules of any files, and any names of plugins and tools. What is decided is what `docs/policy.md` says, whatever the
//! order of the files, and a project's file only tightens what all others say.
//!
//! Each line is `FILE KEY [VALUE …] [DECISION]`, `tag TAG` or `ask PLUGIN NAME`; a file whose name begins with `project` is
//! a project's.

#![no_main]

use agent_tools_runtime::{
    approval::Kind,
    config::ChosenBy,
    fuzzing::{Asked, Rules},
    policy::{Decision, Headless, PolicyKeys},
};
use agent_tools_runtime_fuzz::{divided, glob_matches};
use libfuzzer_sys::fuzz_target;

const KINDS: [Kind; 3] = [Kind::Destructive, Kind::Mutating, Kind::ReadOnly];

#[derive(Default)]
struct Input<'a> {
    files: Vec<(&'a str, PolicyKeys)>,
    tags: Vec<String>,
    asked: Vec<(&'a str, &'a str)>,
}

fuzz_target!(|input: &str| {
    let input = Input::read(input);
    let all = input.rules(|_| true);
    let files = &input.files;
    let without: Vec<Rules> = (0..files.len())
        .filter(|number| is_of_project(files[*number].0))
        .map(|number| input.rules(|other| other != number))
        .collect();
    let backwards = Rules::new(files.iter().rev().map(|(file, keys)| (author(file), keys)));
    for less in &without {
        let ((headless, timeout), (before, longest)) = (all.asking(), less.asking());
        assert!(headless == before || headless == Headless::Refuse);
        assert!(timeout <= longest);
        assert!(less.is_whole() || !all.is_whole());
    }
    for asked in input.every_question() {
        let decision = all.judge(asked);
        assert_eq!(decision, backwards.judge(asked), "{asked:?}");
        if all.is_whole() {
            assert_eq!(decision, input.documented(asked), "{asked:?}");
        } else {
            assert_eq!(decision, Decision::Deny);
        }
        let Asked { plugin, name, .. } = asked;
        for less in &without {
            // What a project calls destructive is that, and not allowed by it.
            let before = less.judge(kind_of(less, asked));
            assert!(all.judge(kind_of(&all, asked)) >= before, "{asked:?}");
            assert_eq!(all.trusts(plugin), less.trusts(plugin));
            let reads = all.calls_read_only(plugin, name);
            assert_eq!(reads, less.calls_read_only(plugin, name));
        }
    }
});

fn is_of_project(file: &str) -> bool {
    file.starts_with("project")
}

fn author(file: &str) -> ChosenBy {
    match is_of_project(file) {
        true => ChosenBy::Project,
        false => ChosenBy::User,
    }
}

/// The same, as the rules see what it may do.
fn kind_of<'a>(rules: &Rules, asked: Asked<'a>) -> Asked<'a> {
    let Asked { plugin, name, .. } = asked;
    let kind = match (
        rules.calls_destructive(plugin, name),
        rules.calls_read_only(plugin, name),
    ) {
        (true, _) => Kind::Destructive,
        (_, true) => Kind::ReadOnly,
        _ => asked.kind,
    };
    Asked { kind, ..asked }
}

impl<'a> Input<'a> {
    fn read(text: &'a str) -> Self {
        let mut input = Self::default();
        for line in text.lines().take(24) {
            let Some((first, rest)) = line.split_once(' ') else {
                continue;
            };
            match first {
                "tag" => input.tags.push(rest.to_owned()),
                "ask" => input.asked.push(rest.split_once(' ').unwrap_or((rest, ""))),
                file => {
                    let position = input.files.iter().position(|(known, _)| *known == file);
                    let position = position.unwrap_or_else(|| {
                        input.files.push((file, PolicyKeys::default()));
                        input.files.len() - 1
                    });
                    let _ = add(&mut input.files[position].1, rest);
                }
            }
        }
        input
    }

    fn rules(&self, counts: impl Fn(usize) -> bool) -> Rules {
        let files = self.files.iter().enumerate();
        let files = files.filter(|(number, _)| counts(*number));
        Rules::new(files.map(|(_, (file, keys))| (author(file), keys)))
    }

    fn every_question(&self) -> impl Iterator<Item = Asked<'_>> {
        let asked = self.asked.iter().take(4);
        asked.flat_map(move |(plugin, name)| {
            (0..24).map(move |number| Asked {
                plugin,
                borrowed: number % 8 < 4,
                name,
                kind: KINDS[number % 3],
                tags: &self.tags,
                trusted: number % 4 < 2,
                free: number % 2 == 0,
            })
        })
    }

    /// What `docs/policy.md` says.
    fn documented(&self, asked: Asked<'_>) -> Decision {
        let destructive = |of_project: bool| {
            let globs = self.of(of_project).flat_map(|keys| &keys.destructive_tools);
            globs.into_iter().any(|glob| names(glob, asked, false))
        };
        // A project's word that something destroys frees it from no rule about what it is besides.
        let doubtful = asked.kind == Kind::Destructive && destructive(true) && !destructive(false);
        let besides = KINDS.into_iter().filter(|_| doubtful);
        let decisions = besides.chain([asked.kind]).map(|kind| {
            let asked = Asked { kind, ..asked };
            let users = self.of(false).flat_map(|keys| matching(keys, asked));
            let (borrowed, meant): (Vec<_>, Vec<_>) =
                users.partition(|rule| asked.borrowed && rule.by_name);
            let own = match strictest(meant) {
                Some(rule) if rule.level < 2 || rule.decision == Decision::Deny => rule.decision,
                _ if asked.free => Decision::Allow,
                default => default.map_or(Decision::Ask, |rule| rule.decision),
            };
            let projects = self.of(true).map(|keys| matching(keys, asked));
            let stricter = projects.chain([borrowed]).filter_map(strictest);
            stricter.map(|rule| rule.decision).fold(own, Ord::max)
        });
        decisions.max().unwrap_or(Decision::Deny)
    }

    fn of(&self, project: bool) -> impl Iterator<Item = &PolicyKeys> {
        let files = self.files.iter();
        let files = files.filter(move |(file, _)| is_of_project(file) == project);
        files.map(|(_, keys)| keys)
    }
}

struct Rule {
    level: usize,
    decision: Decision,
    /// It is about plugins of some names, and not about all that there are.
    by_name: bool,
}

fn strictest(rules: Vec<Rule>) -> Option<Rule> {
    let first = rules.iter().map(|rule| rule.level).min()?;
    let rules = rules.into_iter().filter(|rule| rule.level == first);
    rules.max_by_key(|rule| rule.decision)
}

fn matching(keys: &PolicyKeys, asked: Asked<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut add = |level, decision: &Decision, plugin: &str| {
        rules.push(Rule {
            level,
            decision: *decision,
            by_name: plugin.chars().any(|c| c != '*'),
        });
    };
    for (glob, decision) in &keys.tools {
        // What can be read in two ways allows in the first alone.
        if names(glob, asked, *decision == Decision::Allow) {
            add(0, decision, divided(glob)[0].0);
        }
    }
    for (group, decision) in &keys.groups {
        let allows = *decision == Decision::Allow;
        let (kind, value) = group.split_once(':').unwrap_or((group, ""));
        let holds = match (kind, asked.kind) {
            ("plugin", _) => matches(value, asked.plugin),
            ("tag", _) => {
                let has = asked.tags.iter().any(|own| own.eq_ignore_ascii_case(value));
                has && (asked.trusted || !allows)
            }
            ("readOnly", Kind::ReadOnly) | ("mutating", Kind::Mutating) => true,
            ("destructive", Kind::Destructive) => true,
            ("mutating", Kind::Destructive) => !allows,
            _ => false,
        };
        if holds {
            add(1, decision, if kind == "plugin" { value } else { "*" });
        }
    }
    for decision in &keys.default {
        add(2, decision, "*");
    }
    rules
}

fn names(glob: &str, asked: Asked<'_>, first_alone: bool) -> bool {
    let mut ways = divided(glob);
    ways.truncate(if first_alone { 1 } else { ways.len() });
    let mut ways = ways.into_iter();
    ways.any(|(plugin, name)| matches(plugin, asked.plugin) && matches(name, asked.name))
}

fn matches(glob: &str, text: &str) -> bool {
    glob_matches(glob, text).unwrap_or_else(|| panic!("{glob:?} is no glob, and was read"))
}

/// Adds what a line says to a file.
fn add(keys: &mut PolicyKeys, line: &str) -> Option<()> {
    let decision = |word: &str| match word {
        "allow" => Some(Decision::Allow),
        "ask" => Some(Decision::Ask),
        "deny" => Some(Decision::Deny),
        _ => None,
    };
    let (key, value) = line.split_once(' ')?;
    match key {
        "tools" | "groups" => {
            let (glob, word) = value.rsplit_once(' ')?;
            let rules = match key {
                "tools" => &mut keys.tools,
                _ => &mut keys.groups,
            };
            rules.insert(glob.to_owned(), decision(word)?);
        }
        "default" => keys.default = Some(decision(value)?),
        "headless" => {
            keys.headless = Some(match value {
                "refuse" => Headless::Refuse,
                _ => Headless::Confirm,
            });
        }
        "timeout" => keys.ask_timeout_ms = Some(value.parse().ok()?),
        "trust" => keys.trust.push(value.to_owned()),
        "readonly" => keys.readonly_tools.push(value.to_owned()),
        "destructive" => keys.destructive_tools.push(value.to_owned()),
        _ => {}
    }
    Some(())
}
