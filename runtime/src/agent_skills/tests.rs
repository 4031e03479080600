use std::fs;

use super::{
    folder::FileState,
    offered::{Item, Offered},
    *,
};
use crate::ViewKind;

fn item(name: &str, text: &str, reads: bool) -> Item {
    Item {
        name: name.into(),
        text: text.into(),
        reads,
        arguments: None,
    }
}

fn tracker() -> Offered {
    Offered {
        prefix: "tracker".into(),
        about: Some("Issues of a team: \"bugs\" & wishes. For everyone.".into()),
        hint: Some("Labels are free text".into()),
        require_confirm: true,
        listed: true,
        tools: vec![
            item("list_issues", "List issues. Newest first.", true),
            item("get_issue", "One issue,\nwith its `comments`", true),
            item("create_issue", "Create an issue", false),
            item("export", "", true),
        ],
        skills: vec![Item {
            arguments: Some("{ label?: string }".into()),
            ..item("triage", "Sort the open issues by urgency.", true)
        }],
    }
}

fn one(plugin: Offered, options: &AgentSkillOptions) -> AgentSkill {
    made_of(&[plugin], options).remove(0)
}

fn flat() -> AgentSkillOptions {
    AgentSkillOptions {
        view: View {
            kind: ViewKind::Flat,
            plugin: None,
        },
        ..AgentSkillOptions::default()
    }
}

#[test]
fn a_plugin_becomes_a_skill() {
    insta::assert_snapshot!(one(tracker(), &AgentSkillOptions::default()).text);
}

#[test]
fn what_a_person_cannot_see_is_not_passed_on() {
    let hidden = "Lists\u{200b} issues\u{e0041}";
    let plugin = Offered {
        about: Some(hidden.into()),
        hint: Some(hidden.into()),
        skills: vec![Item {
            arguments: Some(hidden.into()),
            ..item("s", hidden, true)
        }],
        tools: vec![item("t", hidden, true)],
        ..tracker()
    };
    let skill = one(plugin, &AgentSkillOptions::default());
    let clean = |text: &str| !text.contains(['\u{200b}', '\u{e0041}']);
    assert!(clean(&skill.text) && clean(&skill.description), "{skill:?}");
    assert_eq!(skill.text.matches("Lists issues").count(), 6);
}

#[test]
fn the_unified_view_is_called_otherwise() {
    let unified = AgentSkillOptions {
        view: View {
            kind: ViewKind::Unified,
            plugin: None,
        },
        ..AgentSkillOptions::default()
    };
    insta::assert_snapshot!(one(tracker(), &unified).text);
}

#[test]
fn the_flat_view_is_called_otherwise() {
    insta::assert_snapshot!(one(tracker(), &flat()).text);
}

#[test]
fn a_plugin_that_was_never_listed_says_what_its_manifest_says() {
    let plugin = Offered {
        prefix: "notes".into(),
        skills: vec![item("tidy-up", "", false)],
        ..Offered::default()
    };
    insta::assert_snapshot!(one(plugin, &AgentSkillOptions::default()).text);
}

#[test]
fn many_plugins_become_one_skill() {
    let mut plugins = vec![tracker()];
    plugins.extend((0..70).map(|number| Offered {
        prefix: format!("service-{number}"),
        ..Offered::default()
    }));
    let options = AgentSkillOptions {
        one: true,
        commands_only: true,
        ..AgentSkillOptions::default()
    };
    let skills = made_of(&plugins, &options);
    assert_eq!(skills.len(), 1);
    let head: Vec<&str> = skills[0].text.lines().take(28).collect();
    insta::assert_snapshot!(head.join("\n"));
}

/// What the specification and clients set as limits, with text that tries to break out.
#[test]
fn no_text_of_a_plugin_breaks_the_file_or_its_limits() {
    let nasty = "a\n---\nname: other\n```\n# \"Heading\"\\ é ".repeat(40);
    let long = |number: usize| item(&format!("{nasty}{number}"), &nasty, false);
    let plugin = Offered {
        prefix: "x".repeat(42),
        about: Some(nasty.clone()),
        hint: Some(nasty.clone()),
        listed: true,
        require_confirm: true,
        tools: (0..3000)
            .map(|n| item(&format!("tool_{n}"), &nasty, false))
            .chain([long(1)])
            .collect(),
        skills: (0..100).map(long).collect(),
    };
    let AgentSkill {
        name,
        description,
        text,
        ..
    } = one(plugin, &AgentSkillOptions::default());
    assert!(name.len() <= 64, "{name}");
    assert!(
        description.chars().count() <= MAX_DESCRIPTION,
        "{description}"
    );
    assert!(
        text.lines().count() <= 500,
        "{} lines",
        text.lines().count()
    );
    let (front, rest) = text
        .strip_prefix("---\n")
        .unwrap()
        .split_once("\n---\n")
        .unwrap();
    let keys: Vec<&str> = front
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(keys, ["name", "description", "metadata", "  generated-by"]);
    assert!(
        rest.lines()
            .all(|line| line != "---" && !line.starts_with("```"))
    );
    let said = front
        .lines()
        .nth(1)
        .unwrap()
        .strip_prefix("description: ")
        .unwrap();
    assert_eq!(serde_json::from_str::<String>(said).unwrap(), description);
}

#[test]
fn only_our_own_files_are_written_and_removed() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join(".claude/skills");
    let states = |written: Written| -> Vec<(String, FileState)> {
        let states = written.files.into_iter();
        states.map(|file| (file.name, file.state)).collect()
    };
    let skill = one(tracker(), &AgentSkillOptions::default());
    let name = skill.name.clone();
    let path = folder.join(&name).join("SKILL.md");

    let skills = [skill];
    assert_eq!(
        states(write(&folder, &skills, false).unwrap()),
        [(name.clone(), FileState::Written)]
    );
    assert_eq!(
        states(write(&folder, &skills, false).unwrap()),
        [(name.clone(), FileState::Unchanged)]
    );
    fs::write(&path, format!("{}\nadded", skills[0].text)).unwrap();
    assert_eq!(
        states(write(&folder, &skills, false).unwrap()),
        [(name.clone(), FileState::Written)]
    );

    // The mark in the text below the frontmatter is no mark.
    let foreign = format!("---\nname: {name}\n---\n  {}: {}\n", MARK.0, MARK.1);
    fs::write(&path, &foreign).unwrap();
    assert_eq!(
        states(write(&folder, &skills, true).unwrap()),
        [(name.clone(), FileState::Foreign)]
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), foreign);
    fs::write(&path, [0xff, 0xfe, 0]).unwrap();
    assert_eq!(
        states(write(&folder, &skills, true).unwrap()),
        [(name.clone(), FileState::Foreign)]
    );

    fs::write(&path, &skills[0].text).unwrap();
    fs::create_dir_all(folder.join("agent-tools-mine")).unwrap();
    fs::write(
        folder.join("agent-tools-mine/SKILL.md"),
        "---\nname: agent-tools-mine\n---\n",
    )
    .unwrap();
    assert_eq!(
        states(write(&folder, &[], false).unwrap()),
        [(name.clone(), FileState::Stale)]
    );
    assert!(path.exists());
    assert_eq!(
        states(write(&folder, &[], true).unwrap()),
        [(name, FileState::Removed)]
    );
    assert!(!path.parent().unwrap().exists());
    assert!(folder.join("agent-tools-mine/SKILL.md").exists());
}
