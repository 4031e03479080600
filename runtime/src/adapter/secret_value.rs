//! The values of `${secret:NAME}`: read when they are needed, and kept in memory only.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use tokio::runtime::{Handle, RuntimeFlavor};

use super::{Children, program_output::SecretProgram};
use crate::{
    placeholder::{Part, parts},
    reply::{Code, Failure},
    secrets::{Source, file, remember, store},
};

/// What was printed or taken from a keyring, by bound reference. Files are read anew each time.
type Held = Arc<Mutex<Option<String>>>;

static HELD: LazyLock<Mutex<HashMap<String, Held>>> = LazyLock::new(Mutex::default);

/// What a bound reference stands for. Whoever asks meanwhile waits for the same answer.
pub(super) fn secret_value(bound: &str) -> Result<String, Failure> {
    let Some(source) = Source::of(bound) else {
        let name = bound.split('#').next().unwrap_or_default();
        return Err(Failure::new(
            Code::ConfigInvalid,
            format!("the secret {name} is not known here"),
        )
        .with_hint(
            "Secrets are defined under `secrets` of an agent-tools.json and named in its entries; a plugin's own manifest cannot name them.",
        ));
    };
    let value = match source {
        Source::File { path, within } => file::read(&path, within.as_deref()),
        Source::Keyring(name) => held(bound, || store::get(&name)),
        Source::Command { words, dir } => held(bound, || printed(&words, &dir)),
    }?;
    remember(&value);
    Ok(value)
}

/// The services did not take the secrets of these texts: the next use gets them anew.
pub(super) fn forget_secrets<'a>(texts: impl Iterator<Item = &'a String>) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    for part in texts.flat_map(|text| parts(text)) {
        if let Part::Secret(name) = part {
            held.remove(name);
        }
    }
}

fn held(bound: &str, get: impl FnOnce() -> Result<String, Failure>) -> Result<String, Failure> {
    let slot = {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.entry(bound.to_owned()).or_default().clone()
    };
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(value) = &*slot {
        return Ok(value.clone());
    }
    let value = aside(get)?;
    *slot = Some(value.clone());
    Ok(value)
}

/// Does what takes long without keeping other tasks of this thread waiting, where the runtime has other threads.
fn aside<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

/// What a program prints. It runs on a thread of its own, as expanding a text is no asynchronous work.
fn printed(words: &[String], dir: &Path) -> Result<String, Failure> {
    let program = SecretProgram::new("secret's command", words, dir);
    let run = move || -> Result<String, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| program.failed(&error.to_string()))?;
        let children = Arc::new(Children::default());
        let printed = runtime.block_on(program.run(&children));
        children.kill_all();
        printed
    };
    std::thread::spawn(run).join().unwrap_or_else(|_| {
        Err(Failure::new(
            Code::Internal,
            "the program of a secret could not be run",
        ))
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::secrets::{Definitions, OwnSecrets, scrub_known};
    use serde_json::json;

    /// The bound form of `${secret:x}`, where a file defines `x` so.
    fn bound(definition: serde_json::Value, dir: &Path) -> String {
        let definitions: Definitions = serde_json::from_value(json!({ "x": definition })).unwrap();
        let own = OwnSecrets::new(definitions, &dir.join("agent-tools.json"));
        let mut entry = serde_json::Map::from_iter([("env".to_owned(), json!("${secret:x}"))]);
        own.for_user().bind(&mut entry).unwrap();
        entry["env"].as_str().unwrap().to_owned()
    }

    fn expanded(text: &str) -> Result<String, Failure> {
        super::super::environment::expand(text, |_| None)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_program_runs_once_until_what_it_printed_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let script = "echo x >> runs; echo printed-value-$(wc -l < runs)-end | tr -d ' '";
        let text = bound(json!({"command": ["/bin/sh", "-c", script]}), temp.path());
        for _ in 0..2 {
            assert_eq!(expanded(&text).unwrap(), "printed-value-1-end");
        }
        assert_eq!(scrub_known("printed-value-1-end"), "<redacted>");
        forget_secrets([&text].into_iter());
        assert_eq!(expanded(&text).unwrap(), "printed-value-2-end");
    }

    #[tokio::test]
    async fn a_program_that_fails_is_told_and_tried_again() {
        let temp = tempfile::tempdir().unwrap();
        let script = "test -e ready && echo ready-value || { echo ready-value >&2; exit 1; }";
        let text = bound(json!({"command": ["/bin/sh", "-c", script]}), temp.path());
        let failure = expanded(&text).unwrap_err();
        assert!(failure.error.contains("exit status: 1"), "{failure}");
        assert!(!failure.error.contains("ready-value"), "{failure}");
        std::fs::write(temp.path().join("ready"), "").unwrap();
        assert_eq!(expanded(&text).unwrap(), "ready-value");
    }

    #[test]
    fn a_reference_that_no_file_has_bound_has_no_value() {
        for text in ["${secret:x}", "${secret:x#00}"] {
            let failure = expanded(text).unwrap_err();
            assert_eq!(failure.error, "the secret x is not known here");
        }
    }
}
