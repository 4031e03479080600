use serde_json::{Value, json};

use super::*;

fn policy(layers: &[(ChosenBy, Value)]) -> (Policy, Vec<String>) {
    let mut policy = Policy::default();
    let mut warnings = Vec::new();
    for (number, (author, keys)) in layers.iter().enumerate() {
        let keys: PolicyKeys = serde_json::from_value(keys.clone()).unwrap();
        warnings.extend(policy.add(&keys, *author, &format!("{number}.json")));
    }
    (policy, warnings)
}

fn of_user(keys: Value) -> Policy {
    policy(&[(ChosenBy::User, keys)]).0
}

const GITHUB: Named<'_> = Named {
    prefix: "github",
    declared: "github",
    borrowed: false,
};

fn candidate(name: &str, kind: Kind) -> Candidate<'_> {
    Candidate {
        plugin: GITHUB,
        name,
        kind,
        tags: &[],
        trusted: true,
        free: false,
    }
}

fn decision(policy: &Policy, name: &str, kind: Kind) -> Decision {
    policy.judge(&candidate(name, kind)).decision
}

#[test]
fn a_rule_by_tool_goes_before_one_by_group_and_that_before_the_default() {
    let policy = of_user(json!({
        "tools": {"github/delete_draft": "allow", "*/push": "deny"},
        "groups": {"plugin:git*": "ask", "destructive": "deny"},
        "default": "allow",
    }));
    let judge = |name| policy.judge(&candidate(name, Kind::Destructive));
    assert_eq!(judge("delete_draft").decision, Decision::Allow);
    assert!(judge("delete_draft").explicit);
    assert_eq!(judge("push").decision, Decision::Deny);
    assert_eq!(judge("delete_repo").decision, Decision::Deny);
    assert_eq!(
        judge("delete_repo").rule,
        "groups[\"destructive\"]: deny (0.json)"
    );
    assert_eq!(decision(&policy, "create", Kind::Mutating), Decision::Ask);
    let other = Candidate {
        plugin: Named {
            prefix: "slack",
            declared: "slack",
            ..GITHUB
        },
        ..candidate("post", Kind::Mutating)
    };
    let ruling = policy.judge(&other);
    assert_eq!((ruling.decision, ruling.explicit), (Decision::Allow, false));
}

#[test]
fn the_strictest_of_one_level_counts() {
    let policy = of_user(json!({
        "tools": {"github/*": "allow", "github/delete_*": "deny", "*/delete_repo": "ask"},
    }));
    assert_eq!(
        decision(&policy, "delete_repo", Kind::Mutating),
        Decision::Deny
    );
    assert_eq!(decision(&policy, "create", Kind::Mutating), Decision::Allow);
}

#[test]
fn a_project_only_tightens() {
    let project = json!({
        "tools": {"github/*": "allow", "github/push": "deny"},
        "default": "allow",
        "headless": "confirm",
        "trust": ["*"],
        "readonlyTools": ["*/*"],
        "destructiveTools": ["github/merge"],
        "askTimeoutMs": 10,
    });
    let (policy, warnings) = policy(&[
        (ChosenBy::Project, project),
        (
            ChosenBy::User,
            json!({"tools": {"github/create": "allow", "github/drop": "deny"}, "headless": "refuse"}),
        ),
    ]);
    assert_eq!(decision(&policy, "drop", Kind::Mutating), Decision::Deny);
    assert_eq!(decision(&policy, "push", Kind::Mutating), Decision::Deny);
    assert_eq!(decision(&policy, "create", Kind::Mutating), Decision::Allow);
    assert_eq!(decision(&policy, "other", Kind::Mutating), Decision::Ask);
    assert_eq!(policy.trusts(GITHUB), None);
    assert_eq!(policy.calls_read_only(GITHUB, "x"), None);
    assert_eq!(policy.calls_destructive(GITHUB, "merge"), Some("0.json"));
    assert_eq!(policy.asking().headless, Headless::Refuse);
    assert_eq!(policy.asking().timeout, Duration::from_millis(10));
    assert_eq!(warnings.len(), 1);
    for ignored in [
        "tools[\"github/*\"]: allow",
        "default: allow",
        "headless: confirm",
        "trust",
        "readonlyTools",
    ] {
        assert!(warnings[0].contains(ignored), "{ignored}: {}", warnings[0]);
    }
}

#[test]
fn what_a_project_calls_destructive_is_freed_from_no_rule() {
    for (user, kind, wanted) in [
        (
            json!({"groups": {"destructive": "allow"}}),
            Kind::Mutating,
            Decision::Ask,
        ),
        (
            json!({"groups": {"destructive": "ask"}, "default": "deny"}),
            Kind::Mutating,
            Decision::Deny,
        ),
        (
            json!({"groups": {"readOnly": "deny"}}),
            Kind::ReadOnly,
            Decision::Deny,
        ),
        (
            json!({"groups": {"destructive": "deny"}}),
            Kind::Mutating,
            Decision::Deny,
        ),
        (
            json!({"tools": {"*/merge": "allow"}}),
            Kind::Mutating,
            Decision::Allow,
        ),
    ] {
        let project = json!({"destructiveTools": ["github/merge"]});
        let (policy, _) = policy(&[(ChosenBy::User, user.clone()), (ChosenBy::Project, project)]);
        let before = decision(&of_user(user.clone()), "merge", kind);
        let decided = decision(&policy, "merge", Kind::Destructive);
        assert_eq!(decided, wanted, "{user}");
        assert!(decided >= before, "{user}");
        // The user's own word is another matter.
        let mut own = user;
        own["destructiveTools"] = json!(["github/merge"]);
        let own = of_user(own);
        let by_group = own.judge(&candidate("merge", Kind::Destructive));
        assert!(by_group.decision <= decided);
    }
}

#[test]
fn a_project_may_refuse_headless_and_not_wait_longer() {
    let (policy, warnings) = policy(&[(
        ChosenBy::Project,
        json!({"headless": "refuse", "askTimeoutMs": 999_999_999}),
    )]);
    assert_eq!(policy.asking().headless, Headless::Refuse);
    assert_eq!(policy.asking().timeout, ASK_TIMEOUT);
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn who_allows_changes_has_not_allowed_destruction_and_who_denies_them_has() {
    let allowing = of_user(json!({"groups": {"mutating": "allow"}}));
    assert_eq!(decision(&allowing, "x", Kind::Mutating), Decision::Allow);
    assert_eq!(decision(&allowing, "x", Kind::Destructive), Decision::Ask);
    let denying = of_user(json!({"groups": {"mutating": "deny"}}));
    assert_eq!(decision(&denying, "x", Kind::Destructive), Decision::Deny);
    assert_eq!(decision(&denying, "x", Kind::ReadOnly), Decision::Ask);
}

#[test]
fn tags_of_a_plugin_that_is_not_trusted_free_nothing() {
    let tags = ["safe".to_owned(), "Billing".to_owned()];
    let tagged = |trusted| Candidate {
        tags: &tags,
        trusted,
        ..candidate("pay", Kind::Mutating)
    };
    let allowing = of_user(json!({"groups": {"tag:safe": "allow"}}));
    assert_eq!(allowing.judge(&tagged(true)).decision, Decision::Allow);
    assert_eq!(allowing.judge(&tagged(false)).decision, Decision::Ask);
    let denying = of_user(json!({"groups": {"tag:billing": "deny"}}));
    assert_eq!(denying.judge(&tagged(false)).decision, Decision::Deny);
}

#[test]
fn a_plugin_that_needs_no_consent_needs_it_where_a_rule_says_so() {
    let free = |name| Candidate {
        free: true,
        ..candidate(name, Kind::Mutating)
    };
    let policy = of_user(json!({"tools": {"github/push": "ask"}, "default": "ask"}));
    assert_eq!(policy.judge(&free("create")).decision, Decision::Allow);
    assert_eq!(policy.judge(&free("push")).decision, Decision::Ask);
    let closed = of_user(json!({"default": "deny"}));
    assert_eq!(closed.judge(&free("create")).decision, Decision::Deny);
}

#[test]
fn rules_that_cannot_be_read_deny_everything() {
    for (keys, want) in [
        (json!({"tools": {"github/[": "deny"}}), "is no glob"),
        (
            json!({"tools": {"delete_*": "deny"}}),
            "*/delete_* for every plugin",
        ),
        (
            json!({"tools": {"github/": "deny"}}),
            "\"github/\" names no tool; write <prefix>/<tool>, or github/* for every tool",
        ),
        (
            json!({"readonlyTools": ["/get"]}),
            "readonlyTools: \"/get\" names no plugin",
        ),
        (
            json!({"destructiveTools": ["{a/b,c/d}"]}),
            "names no plugin",
        ),
        (
            json!({"trust": [""]}),
            "trust: the name of the plugin is empty",
        ),
        (
            json!({"groups": {"plugin:": "deny"}}),
            "\"plugin:\": the name of the plugin is empty",
        ),
        (
            json!({"groups": {"tag:": "deny"}}),
            "the name of the tag is empty",
        ),
        (
            json!({"groups": {"readonly": "deny"}}),
            "did you mean \"readOnly\"?",
        ),
    ] {
        let (policy, warnings) = policy(&[(ChosenBy::User, keys)]);
        assert!(warnings[0].contains(want), "{}", warnings[0]);
        assert!(!policy.is_whole());
        let ruling = policy.judge(&candidate("get", Kind::ReadOnly));
        assert_eq!(ruling.decision, Decision::Deny);
    }
}

#[test]
fn another_policy_has_another_fingerprint() {
    let fingerprint = |keys| of_user(keys).fingerprint();
    let one = fingerprint(json!({"default": "deny"}));
    assert_eq!(one, fingerprint(json!({"default": "deny"})));
    assert_ne!(one, fingerprint(json!({"default": "ask"})));
    assert_ne!(one, Policy::default().fingerprint());
}

#[test]
fn plugin_and_tool_are_compared_each_for_itself_and_as_text() {
    for (glob, name, want) in [
        ("github/*", "repos/delete.all", Decision::Deny),
        ("*/*", "x", Decision::Deny),
        ("git*/x", "x", Decision::Deny),
        ("*/delete_?", "delete_é", Decision::Deny),
        ("{github,gitlab}/x", "x", Decision::Deny),
        ("github/[.]", ".", Decision::Deny),
        // The `*` of one part takes nothing of the other.
        ("*/delete", "repos/delete", Decision::Ask),
        ("g*e", "delete", Decision::Ask),
        ("*hub/x", "y/hub/x", Decision::Ask),
        ("GitHub/x", "x", Decision::Ask),
    ] {
        if !glob.contains('/') {
            let (_, warnings) = policy(&[(ChosenBy::User, json!({"tools": {glob: "deny"}}))]);
            assert!(warnings[0].contains("names no plugin"), "{glob}");
            continue;
        }
        let policy = of_user(json!({"tools": {glob: "deny"}}));
        assert_eq!(
            decision(&policy, name, Kind::Mutating),
            want,
            "{glob} {name}"
        );
    }
}

#[test]
fn a_rule_may_have_either_spelling_of_a_prefix() {
    let odd = |prefix: &'static str, declared: &'static str| Candidate {
        plugin: Named {
            prefix,
            declared,
            borrowed: false,
        },
        ..candidate("delete", Kind::Mutating)
    };
    let spaced = odd("my_api_ddbe76bd", "my api");
    for keys in [
        json!({"tools": {"my api/delete": "deny"}}),
        json!({"tools": {"my_api_ddbe76bd/delete": "deny"}}),
        json!({"tools": {"my */*": "deny"}}),
        json!({"groups": {"plugin:my api": "deny"}}),
    ] {
        let policy = of_user(keys.clone());
        assert_eq!(policy.judge(&spaced).decision, Decision::Deny, "{keys}");
    }
    let project = json!({"tools": {"my api/delete": "ask"}, "destructiveTools": ["my api/delete"]});
    let (policy, _) = policy(&[(ChosenBy::Project, project)]);
    assert!(policy.judge(&spaced).asks_by_rule());
    assert!(policy.calls_destructive(spaced.plugin, "delete").is_some());
    // Where a prefix is declared with a `/`, it is not known which one divides: both ways forbid, and the first allows.
    let slashed = odd("my_api_12345678", "my/api");
    let denying = of_user(json!({"tools": {"my/api/delete": "deny"}}));
    assert_eq!(denying.judge(&slashed).decision, Decision::Deny);
    let allowing = of_user(json!({
        "tools": {"my/api/delete": "allow"}, "readonlyTools": ["my/api/delete"], "trust": ["my/api"],
    }));
    assert_eq!(allowing.judge(&slashed).decision, Decision::Ask);
    assert_eq!(allowing.calls_read_only(slashed.plugin, "delete"), None);
    assert!(allowing.trusts(slashed.plugin).is_some());
}

#[test]
fn what_the_user_allows_by_name_is_not_for_a_plugin_that_has_only_borrowed_it() {
    let own = candidate("create", Kind::Mutating);
    let borrowed = Candidate {
        plugin: Named {
            borrowed: true,
            ..GITHUB
        },
        ..own
    };
    let decide = |keys: &Value, candidate| of_user(keys.clone()).judge(candidate).decision;
    for keys in [
        json!({"tools": {"github/create": "allow"}}),
        json!({"tools": {"git*/*": "allow"}}),
        json!({"groups": {"plugin:github": "allow"}}),
        // A milder rule by name before a stricter one by group loosens, too.
        json!({"tools": {"github/create": "ask"}, "groups": {"mutating": "deny"}}),
    ] {
        let (for_own, for_other) = (decide(&keys, &own), decide(&keys, &borrowed));
        assert!(for_other > for_own, "{keys}: {for_own:?} {for_other:?}");
    }
    for keys in [
        // These are about every plugin, whatever its name.
        json!({"tools": {"*/create": "allow"}}),
        json!({"groups": {"mutating": "allow"}}),
        json!({"groups": {"plugin:*": "allow"}}),
        // What tightens holds for whoever has the name.
        json!({"tools": {"github/create": "deny"}, "default": "allow"}),
        json!({"groups": {"plugin:github": "deny"}}),
    ] {
        assert_eq!(decide(&keys, &own), decide(&keys, &borrowed), "{keys}");
    }
    let policy = of_user(json!({
        "trust": ["github"], "readonlyTools": ["github/get"], "destructiveTools": ["github/merge"],
    }));
    assert!(policy.trusts(own.plugin).is_some());
    assert_eq!(policy.trusts(borrowed.plugin), None);
    assert!(policy.calls_read_only(own.plugin, "get").is_some());
    assert_eq!(policy.calls_read_only(borrowed.plugin, "get"), None);
    assert!(policy.calls_destructive(borrowed.plugin, "merge").is_some());
    assert!(policy.frees_by_name(borrowed.plugin));
    assert!(!of_user(json!({"tools": {"*/x": "allow", "github/y": "deny"}})).frees_by_name(GITHUB));
}

#[test]
fn no_project_loosens_what_another_says() {
    let strict = json!({"tools": {"github/push": "deny"}, "groups": {"destructive": "deny"}, "headless": "refuse", "askTimeoutMs": 10});
    let mild = json!({"tools": {"github/*": "ask", "github/push": "allow"}, "groups": {"destructive": "ask"}, "headless": "confirm", "askTimeoutMs": 20});
    for order in [[&strict, &mild], [&mild, &strict]] {
        let layers = order.map(|keys| (ChosenBy::Project, keys.clone()));
        let (policy, _) = policy(&layers);
        assert_eq!(decision(&policy, "push", Kind::Mutating), Decision::Deny);
        // A rule by tool of one file goes before no group of another.
        assert_eq!(decision(&policy, "wipe", Kind::Destructive), Decision::Deny);
        assert_eq!(policy.asking().headless, Headless::Refuse);
        assert_eq!(policy.asking().timeout, Duration::from_millis(10));
    }
}

#[test]
fn a_projects_rule_that_asks_is_stricter_than_a_default_that_asks() {
    let (policy, _) = policy(&[
        (ChosenBy::Project, json!({"tools": {"github/get": "ask"}})),
        (ChosenBy::User, json!({"default": "ask"})),
    ]);
    let judge = |name| policy.judge(&candidate(name, Kind::ReadOnly));
    assert!(judge("get").asks_by_rule());
    assert!(!judge("list").asks_by_rule());
}
