//! Plugins that come, change and go while the runtime is open, with real servers as child processes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use agent_tools_runtime::{Call, Options, Runtime, View, ViewKind};
use serde_json::{Value, json};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../e2e/life/server.sh");
const LONG: Duration = Duration::from_secs(20);

/// Plugins in a folder, each with a server of its own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn dir(&self, prefix: &str) -> PathBuf {
        self.0
            .path()
            .join(format!("plugins/agent-tools-plugin-{prefix}"))
    }

    fn add(&self, prefix: &str, more: &Value) {
        std::fs::create_dir_all(self.dir(prefix)).unwrap();
        if !self.tools_file(prefix).exists() {
            self.offer(prefix, &["look"]);
        }
        let mut manifest = json!({
            "prefix": prefix,
            "requireConfirm": false,
            "mcp": {"command": "sh", "args": [SERVER, self.tools_file(prefix), self.starts_file(prefix)]},
        });
        for (key, value) in more.as_object().unwrap() {
            manifest[key] = value.clone();
        }
        self.write(prefix, &manifest.to_string());
    }

    fn write(&self, prefix: &str, manifest: &str) {
        std::fs::write(self.dir(prefix).join("plugin.json"), manifest).unwrap();
    }

    fn offer(&self, prefix: &str, tools: &[&str]) {
        let tools: Vec<Value> = tools
            .iter()
            .map(|name| json!({"name": name, "annotations": {"readOnlyHint": *name == "look"}}))
            .collect();
        std::fs::write(self.tools_file(prefix), Value::from(tools).to_string()).unwrap();
    }

    fn tools_file(&self, prefix: &str) -> PathBuf {
        self.0.path().join(format!("{prefix}.tools.json"))
    }

    fn starts_file(&self, prefix: &str) -> PathBuf {
        self.0.path().join(format!("{prefix}.starts"))
    }

    fn starts(&self, prefix: &str) -> usize {
        let log = std::fs::read_to_string(self.starts_file(prefix)).unwrap_or_default();
        log.lines().count()
    }

    fn open(&self, more: &Value) -> Runtime {
        let mut options = json!({
            "pluginDirs": [self.0.path().join("plugins")],
            "cacheDir": self.0.path().join("cache"),
            "dataDir": self.0.path().join("data"),
            // Servers change here as they like. That a change waits for the user is tested elsewhere.
            "trust": { "definitions": "off" },
        });
        for (key, value) in more.as_object().unwrap() {
            options[key] = value.clone();
        }
        let options: Options = serde_json::from_value(options).unwrap();
        Runtime::open(options, None)
    }
}

async fn answer(runtime: &Runtime, tool: &str, arguments: Value) -> Value {
    let reply = runtime.call(Call::to(tool).arguments(arguments)).await;
    let reply = reply.expect("a known tool");
    serde_json::from_str(reply.content[0]["text"].as_str().unwrap()).unwrap()
}

/// The process that answered.
async fn call(runtime: &Runtime, prefix: &str, tool: &str) -> Value {
    let name = format!("agent_tools_{prefix}_call");
    let answer = answer(runtime, &name, json!({"toolName": tool})).await;
    assert_eq!(answer["isError"], false, "{answer}");
    answer["result"].clone()
}

async fn names(runtime: &Runtime) -> Vec<String> {
    let tools = runtime.tools(&View::default()).await.unwrap();
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap());
    names
        .filter_map(|name| {
            Some(
                name.strip_suffix("_call")?
                    .strip_prefix("agent_tools_")?
                    .to_owned(),
            )
        })
        .collect()
}

fn lives(pid: &Value) -> bool {
    let pid = pid["raw"].as_str().map_or(pid.to_string(), str::to_owned);
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.trim_matches('"')).join("stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + LONG;
    while !holds().await {
        assert!(Instant::now() < end, "not within {LONG:?}: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plugins_come_and_go_and_the_others_go_on() {
    let folder = Folder::new();
    folder.add("a", &json!({}));
    folder.add("b", &json!({}));
    let runtime = folder.open(&json!({}));
    let (a, b) = (
        call(&runtime, "a", "look").await,
        call(&runtime, "b", "look").await,
    );

    folder.add("c", &json!({}));
    std::fs::remove_dir_all(folder.dir("b")).unwrap();
    runtime.reload().await.unwrap();
    assert_eq!(names(&runtime).await, ["a", "c"]);
    assert_eq!(call(&runtime, "a", "look").await, a, "the same process");
    call(&runtime, "c", "look").await;
    until("the removed plugin's child is gone", async || !lives(&b)).await;
    assert!(lives(&a));
    assert_eq!(folder.starts("a"), 1);
    runtime.close().await;
    until("no child is left", async || !lives(&a)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_plugin_is_another_one_and_its_calls_end_first() {
    let folder = Folder::new();
    folder.offer("a", &["look", "slow"]);
    folder.add("a", &json!({"timeoutMs": 10_000}));
    let runtime = folder.open(&json!({}));
    let old = call(&runtime, "a", "look").await;
    let under_way = tokio::spawn({
        let runtime = runtime.clone();
        async move { call(&runtime, "a", "slow").await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;

    folder.add("a", &json!({"description": "Changed."}));
    runtime.reload().await.unwrap();
    let new = call(&runtime, "a", "look").await;
    assert_ne!(new, old);
    assert_eq!(
        under_way.await.unwrap(),
        old,
        "the old process answers what it was asked"
    );
    until("the old child is gone", async || !lives(&old)).await;
    assert!(lives(&new));
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_manifest_leaves_the_plugin_as_it_was_and_is_told() {
    let folder = Folder::new();
    folder.add("a", &json!({}));
    folder.add("b", &json!({}));
    let runtime = folder.open(&json!({}));
    let before = call(&runtime, "a", "look").await;
    for broken in ["", "{", r#"{"prefix":"a"}"#] {
        folder.write("a", broken);
        runtime.reload().await.unwrap();
        assert_eq!(names(&runtime).await, ["a", "b"]);
        assert_eq!(call(&runtime, "a", "look").await, before);
        let warnings = runtime.status()["warnings"].to_string();
        assert!(warnings.contains("plugin.json"), "{warnings}");
        assert!(
            warnings.contains("the plugin a goes on as it was"),
            "{warnings}"
        );
    }
    folder.add("a", &json!({}));
    runtime.reload().await.unwrap();
    assert_eq!(runtime.status()["warnings"], json!([]));
    assert_eq!(
        call(&runtime, "a", "look").await,
        before,
        "it is what it was"
    );
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watched_folder_is_loaded_again_and_listeners_are_told() {
    let folder = Folder::new();
    folder.add("a", &json!({}));
    let runtime = folder.open(&json!({"watch": true}));
    let told = Arc::new(AtomicUsize::new(0));
    runtime.on_change(Arc::new({
        let told = told.clone();
        move || {
            told.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let a = call(&runtime, "a", "look").await;

    // First the folder, and what is in it later.
    std::fs::create_dir_all(folder.dir("b")).unwrap();
    tokio::time::sleep(Duration::from_millis(700)).await;
    folder.add("b", &json!({}));
    until("b is there", async || names(&runtime).await == ["a", "b"]).await;
    until("that was told", async || told.load(Ordering::Relaxed) == 1).await;

    folder.add("b", &json!({"discoverHint": "A word more."}));
    until("b is changed", async || {
        let tools = runtime.tools(&View::default()).await.unwrap();
        Value::from(tools).to_string().contains("A word more.")
    })
    .await;
    std::fs::remove_dir_all(folder.dir("b")).unwrap();
    until("b is gone", async || names(&runtime).await == ["a"]).await;
    until("that was told", async || told.load(Ordering::Relaxed) == 3).await;
    assert_eq!(call(&runtime, "a", "look").await, a);
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_announces_other_tools_is_listed_again_without_being_asked() {
    let folder = Folder::new();
    folder.offer("a", &["look", "announce"]);
    folder.add("a", &json!({}));
    let runtime = folder.open(&json!({}));
    let told = Arc::new(AtomicUsize::new(0));
    runtime.on_change(Arc::new({
        let told = told.clone();
        move || {
            told.fetch_add(1, Ordering::Relaxed);
        }
    }));
    call(&runtime, "a", "announce").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(told.load(Ordering::Relaxed), 0, "nothing is different");
    folder.offer("a", &["look", "announce", "more"]);
    call(&runtime, "a", "announce").await;
    until("it was told", async || told.load(Ordering::Relaxed) == 1).await;
    let view = View {
        kind: ViewKind::Flat,
        plugin: Some("a".into()),
    };
    let tools = Value::from(runtime.tools(&view).await.unwrap()).to_string();
    assert!(tools.contains("\"more\""), "{tools}");
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_earlier_run_kept_is_shown_before_anything_starts() {
    let folder = Folder::new();
    folder.add("a", &json!({}));
    let first = folder.open(&json!({}));
    let discover = |runtime: &Runtime| {
        let runtime = runtime.clone();
        async move {
            let reply = runtime.call(Call::to("agent_tools_a_discover")).await;
            reply.unwrap().meta.unwrap()["agent-tools/discover"].clone()
        }
    };
    let live = discover(&first).await;
    assert_eq!(live["state"], Value::Null);
    first.close().await;
    assert_eq!(folder.starts("a"), 1);

    let second = folder.open(&json!({}));
    assert_eq!(second.status()["plugins"][0]["tools"], 1);
    let kept = discover(&second).await;
    assert_eq!(kept["matches"], live["matches"]);
    assert_eq!(kept["state"], "idle");
    assert_eq!(second.status()["plugins"][0]["state"], "idle");
    let view = View {
        kind: ViewKind::Flat,
        plugin: None,
    };
    let flat = Value::from(second.tools(&view).await.unwrap()).to_string();
    assert!(flat.contains("a_look"), "{flat}");
    assert_eq!(folder.starts("a"), 1, "nothing was started");
    call(&second, "a", "look").await;
    assert_eq!(folder.starts("a"), 2);
    assert_eq!(discover(&second).await["state"], Value::Null);
    second.close().await;

    let without = folder.open(&json!({"cache": false}));
    assert_eq!(without.status()["plugins"][0]["tools"], Value::Null);
    without.close().await;
}
