use super::*;
use crate::catalog::search::vectors::WordVectors;

fn server(name: &str) -> Server {
    Server {
        name: name.into(),
        text: String::new(),
    }
}

fn section(name: &str, tools: &[(&str, &str)]) -> std::sync::Arc<Section> {
    let documents: Vec<Document> = tools
        .iter()
        .map(|(name, description)| Document::new(name, description, None))
        .collect();
    Section::build(&server(name), &documents).into()
}

fn github() -> std::sync::Arc<Section> {
    section(
        "github",
        &[
            ("create_issue", "Create an issue in a repository"),
            ("list_issues", "List the issues of a repository"),
            (
                "get_repository",
                "Everything about a repository, issues included",
            ),
            ("merge_pull_request", "Merge a pull request"),
            ("fork", "Fork a repository"),
            ("list_commits", "The history of a branch"),
        ],
    )
}

fn mail() -> std::sync::Arc<Section> {
    section(
        "mail",
        &[
            ("send_message", "Send an email to someone"),
            ("list_messages", "List the messages of a folder"),
            ("delete_message", "Move a message to the trash"),
        ],
    )
}

fn first(index: &SearchIndex, query: &str) -> (usize, usize) {
    let found = index.search(query, 5);
    assert!(found.fits, "{query}");
    (found.hits[0].section, found.hits[0].entry)
}

#[test]
fn what_is_meant_comes_first() {
    let index = SearchIndex::new(vec![github(), mail()]);
    for (query, expected) in [
        ("list open issues", (0, 1)),
        ("open a new issue", (0, 0)),
        ("repository details", (0, 2)),
        ("write an e-mail to my boss", (1, 0)),
        ("remove a message", (1, 2)),
        ("commit history", (0, 5)),
        // Spanish.
        ("borrar un mensaje", (1, 2)),
        ("crear una incidencia en el repositorio", (0, 0)),
        // Slips.
        ("mergee a pul request", (0, 3)),
        ("list comits", (0, 5)),
    ] {
        assert_eq!(first(&index, query), expected, "{query}");
    }
}

#[test]
fn a_name_is_found_in_any_spelling() {
    let index = SearchIndex::new(vec![github(), mail()]);
    for query in [
        "list_issues",
        "listIssues",
        "LIST-ISSUES",
        "listissues",
        "list issues",
        "please run list_issues on the repository and create something",
        "call github.listIssues now",
    ] {
        assert_eq!(first(&index, query), (0, 1), "{query}");
    }
    assert_eq!(first(&index, "fork"), (0, 4));
    assert_eq!(first(&index, "use the fork"), (0, 4));
}

#[test]
fn nothing_fits_what_no_tool_is_for() {
    let index = SearchIndex::new(vec![github(), mail()]);
    for query in [
        "order a pizza",
        "asdf qwer",
        "the meaning of life",
        "weather in Paris",
    ] {
        let found = index.search(query, 5);
        assert!(!found.fits, "{query}: {found:?}");
        assert_eq!(found.nearest.len(), 2);
    }
    for query in ["", " … ", "?!"] {
        let found = index.search(query, 5);
        assert!(!found.fits && found.hits.is_empty(), "{query:?}");
    }
}

#[test]
fn catalogues_of_any_size_can_be_searched() {
    let none = SearchIndex::new(Vec::new());
    assert!(none.is_empty() && none.search("list issues", 5).hits.is_empty());
    let empty = SearchIndex::new(vec![section("empty", &[]), github()]);
    assert_eq!(first(&empty, "list issues"), (1, 1));
    assert_eq!(empty.search("order a pizza", 5).nearest, [1]);

    let one = SearchIndex::new(vec![section(
        "weather",
        &[("forecast", "The weather of the next days")],
    )]);
    assert_eq!(
        first(&one, "will it rain tomorrow, what is the weather"),
        (0, 0)
    );
    assert!(!one.search("merge a pull request", 5).fits);

    let three = SearchIndex::new(vec![mail()]);
    assert_eq!(first(&three, "send an email"), (0, 0));
    assert!(!three.search("resize an image", 5).fits);

    let names: Vec<String> = (0..20)
        .map(|n| format!("tool_{n}_{}", ["red", "blue"][n % 2]))
        .collect();
    let tools: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let twenty = SearchIndex::new(vec![section("many", &tools)]);
    assert_eq!(first(&twenty, "tool 6 red"), (0, 6));
}

#[test]
fn no_more_than_the_limit_and_equals_in_their_order() {
    let index = SearchIndex::new(vec![section(
        "a",
        &[("get_x", ""), ("get_x", ""), ("get_x", "")],
    )]);
    let entries = |limit| -> Vec<usize> {
        index
            .search("get_x", limit)
            .hits
            .iter()
            .map(|hit| hit.entry)
            .collect()
    };
    assert_eq!(entries(0), Vec::<usize>::new());
    assert_eq!(entries(2), [0, 1]);
    assert_eq!(entries(usize::MAX), [0, 1, 2]);
}

#[test]
fn words_alone_do_where_there_are_no_vectors() {
    let documents = [
        Document::new("list_issues", "List the issues", None),
        Document::new("fork", "", None),
    ];
    let section = Section::with_vectors(&server("github"), &documents, None);
    let index = SearchIndex::with_vectors(vec![section.into()], None);
    assert_eq!(first(&index, "show issues"), (0, 0));
    assert!(
        index
            .explain("show issues", 0, 0)
            .unwrap()
            .meaning
            .is_none()
    );
}

/// Everything that a search does to rank an entry is in its explanation.
#[test]
fn an_explanation_adds_up_to_the_score() {
    let index = SearchIndex::new(vec![github(), mail()]);
    for query in [
        "list open issues",
        "borrar mensajes",
        "repositry detials",
        "remove mail",
    ] {
        for hit in index.search(query, 9).hits {
            let why = index.explain(query, hit.section, hit.entry).unwrap();
            let meaning = why.meaning.unwrap();
            let sum = why.lexical.standard + 2.0 * meaning.standard + why.plugin;
            assert!(
                (sum - hit.score).abs() < 1e-3 && why.score == hit.score,
                "{query} {why:?}"
            );
            let words = why.words.iter().filter_map(|word| word.matched.as_ref());
            let mut lexical = 0.0;
            for word in words {
                let fields: f32 = word.fields.iter().map(|(_, value)| value).sum();
                assert!((fields - word.value).abs() < 1e-4);
                lexical += word.value;
            }
            assert!((lexical - why.lexical.value).abs() < 1e-4);
        }
    }
    assert!(index.explain("x", 0, 6).is_none() && index.explain("x", 2, 0).is_none());
}

#[test]
fn an_explanation_says_which_words_stood_in() {
    let index = SearchIndex::new(vec![github(), mail()]);
    let via = |query: &str, section, entry| {
        let why = index.explain(query, section, entry).unwrap();
        let matches = why.words.into_iter().filter_map(|word| word.matched);
        matches
            .map(|found| (found.via, found.shown))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        via("borrar mensaje", 1, 2)[0],
        (Via::Glossary, "delete".into())
    );
    assert_eq!(via("erase", 1, 2)[0], (Via::Synonym, "delete".into()));
    assert_eq!(
        via("repositry", 0, 2)[0],
        (Via::Correction, "repository".into())
    );
    assert_eq!(via("Issues", 0, 1)[0].0, Via::Word);
}

#[test]
fn an_explanation_as_json() {
    let index = SearchIndex::new(vec![github(), mail()]);
    let mut why = index.explain("list isues quickly", 0, 1).unwrap();
    // What vectors add is no matter of form.
    why.meaning = None;
    insta::assert_json_snapshot!(rounded(serde_json::json!(why)));
}

/// The last digits are no matter of form either.
fn rounded(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(number) => ((number.as_f64().unwrap() * 100.0).round() / 100.0).into(),
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, rounded(value)))
            .collect(),
        other => other,
    }
}

#[test]
fn the_shipped_table_is_in_use() {
    assert!(WordVectors::shipped().is_some());
    let index = SearchIndex::new(vec![mail()]);
    let why = index.explain("post a letter", 0, 0).unwrap();
    assert!(
        why.meaning.unwrap().value > 0.2,
        "no word in common, and near in meaning: {why:?}"
    );
}
