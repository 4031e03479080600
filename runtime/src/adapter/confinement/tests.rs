//! Real children within limits and in the sandbox.

use std::{
    collections::BTreeMap,
    net::{TcpListener, UdpSocket},
    path::Path,
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, time::timeout};

use super::Confinement;
use crate::adapter::{Children, program};

const PATIENT: Duration = Duration::from_secs(60);

fn confinement(value: Value) -> Confinement {
    serde_json::from_value(value).unwrap()
}

/// What a script prints, and how it ends, in words.
async fn ended(confinement: &Confinement, script: &str, home: &Path) -> (String, String) {
    let environment = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    let args = ["-c".to_owned(), script.to_owned()];
    let command = program::command("bash", &args, &environment, home).unwrap();
    let mut command = confinement.apply(command, home).unwrap();
    command
        .command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let children = Arc::new(Children::default());
    let child = children.spawn(command, "x".into()).unwrap();
    let (_stdin, mut stdout, handle) = child.into_parts().unwrap();
    let mut printed = String::new();
    let whole = timeout(PATIENT, stdout.read_to_string(&mut printed)).await;
    whole.expect("it ends").unwrap();
    timeout(PATIENT, handle.exited()).await.unwrap().unwrap();
    let how = handle.explain_exit().await.unwrap();
    children.kill_all();
    (printed.trim().to_owned(), how)
}

#[tokio::test]
async fn a_child_that_wants_4_gb_gets_what_it_may_have() {
    let limits = confinement(json!({"limits": {"memoryMb": 200}}));
    let temp = tempfile::tempdir().unwrap();
    let script = "ulimit -d; head -c 4G /dev/zero | tail >/dev/null; exit ${PIPESTATUS[1]}";
    let (printed, how) = ended(&limits, script, temp.path()).await;
    // What each process is held back by between two looks.
    assert_eq!(printed, "1458176");
    // Whichever comes first: the look, or the program's own failure to get more.
    let is_told = how.contains("`limits.memoryMb` allows 200") || how.contains("memory exhausted");
    assert!(
        is_told && how.contains("memoryMb") && !how.contains("exit status: 0"),
        "{how}"
    );
}

#[tokio::test]
async fn memory_counts_over_all_processes() {
    let limits = confinement(json!({"limits": {"memoryMb": 200}}));
    let temp = tempfile::tempdir().unwrap();
    // Each of them alone may have what it takes.
    let one = "(head -c 80M /dev/zero; exec sleep 60) | tail >/dev/null";
    let (_, how) = ended(
        &limits,
        &format!("{one} & {one} & {one} & {one} & wait"),
        temp.path(),
    )
    .await;
    assert!(
        how.contains("MB of memory, and `limits.memoryMb` allows 200"),
        "{how}"
    );
    let (_, fine) = ended(
        &limits,
        "head -c 80M /dev/zero | tail >/dev/null",
        temp.path(),
    )
    .await;
    assert!(fine.contains("exit status: 0"), "{fine}");
}

#[tokio::test]
async fn too_many_processes_are_ended() {
    let limits = confinement(json!({"limits": {"processes": 4}}));
    let temp = tempfile::tempdir().unwrap();
    let many = "for i in 1 2 3 4 5 6 7 8; do setsid sleep 60 & done; wait";
    let (_, how) = ended(&limits, many, temp.path()).await;
    assert!(how.contains("`limits.processes` allows 4"), "{how}");
}

#[tokio::test]
async fn cpu_time_and_open_files_end() {
    let limits = confinement(json!({"limits": {"cpuSeconds": 1, "openFiles": 16}}));
    let temp = tempfile::tempdir().unwrap();
    let (printed, how) = ended(&limits, "ulimit -n; while :; do :; done", temp.path()).await;
    assert_eq!(printed, "16");
    assert!(
        how.contains("SIGXCPU") && how.contains("cpuSeconds 1"),
        "{how}"
    );
}

/// Whether the sandbox can be tried here; says so where it cannot.
fn has_sandbox() -> bool {
    let missing = confinement(json!({"sandbox": true})).shortfalls();
    if !missing.is_empty() {
        eprintln!("skipped: {missing:?}");
    }
    missing.is_empty()
}

#[tokio::test]
async fn a_child_in_the_sandbox_reads_and_writes_what_is_named_alone() {
    if !has_sandbox() {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    for folder in ["home/out", "other"] {
        std::fs::create_dir_all(root.join(folder)).unwrap();
    }
    std::fs::write(root.join("home/own"), "own").unwrap();
    std::fs::write(root.join("other/secret"), "CANARY").unwrap();
    let script = r#"
        cat own; echo
        cat ../other/secret || echo unread
        echo x > new || echo unwritten
        echo x > out/new && echo written
        echo x > ../other/new || echo outside
        ln ../other/secret out/link || echo unlinked
        echo x > "$TMPDIR/t" && echo temporary
        rm -f ../other/secret || echo unremoved
        readlink /proc/$PPID/exe || echo unseen
    "#;
    let sandbox = confinement(json!({"sandbox": {"files": {"write": ["./out"]}}}));
    let (printed, how) = ended(&sandbox, script, &root.join("home")).await;
    let words: Vec<&str> = printed.split_whitespace().collect();
    assert_eq!(
        words,
        [
            "own",
            "unread",
            "unwritten",
            "written",
            "outside",
            "unlinked",
            "temporary",
            "unremoved",
            "unseen"
        ],
        "{how}"
    );
    assert!(root.join("home/out/new").exists() && root.join("other/secret").exists());
    // What the script does is possible without.
    let (free, _) = ended(&Confinement::default(), script, &root.join("home")).await;
    assert!(
        free.contains("CANARY") && !free.contains("outside"),
        "{free}"
    );
}

#[tokio::test]
async fn a_child_without_network_opens_no_socket() {
    if !has_sandbox() {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let script = format!(
        "(: > /dev/tcp/127.0.0.1/{}) && echo tcp; (: > /dev/udp/127.0.0.1/{}) && echo udp; echo end",
        listener.local_addr().unwrap().port(),
        udp.local_addr().unwrap().port()
    );
    for (network, want) in [(true, "tcp\nudp\nend"), (false, "end")] {
        let sandbox = confinement(json!({"sandbox": {"network": network}}));
        let (printed, how) = ended(&sandbox, &script, temp.path()).await;
        assert_eq!(printed, want, "{how}");
    }
}

#[tokio::test]
async fn the_rules_stay_with_the_child() {
    if !has_sandbox() {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let sandbox = confinement(json!({"sandbox": {"network": false}, "limits": {"openFiles": 32}}));
    let (printed, how) = ended(
        &sandbox,
        "ulimit -n; echo x > new || echo unwritten",
        temp.path(),
    )
    .await;
    assert_eq!(printed, "32\nunwritten", "{how}");
    std::fs::write(temp.path().join("new"), "x").unwrap();
    TcpListener::bind("127.0.0.1:0").unwrap();
    let (after, _) = ended(
        &Confinement::default(),
        "echo x > new && echo written",
        temp.path(),
    )
    .await;
    assert_eq!(after, "written");
}

#[tokio::test]
async fn a_child_in_the_sandbox_outlives_the_thread_that_started_it_and_is_killed_with_the_others()
{
    if !has_sandbox() {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let sandbox = confinement(json!({"sandbox": {"network": false}}));
    let (printed, how) = ended(&sandbox, "sleep 0.5; echo alive", temp.path()).await;
    assert_eq!(printed, "alive", "{how}");
    let environment = BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]);
    let command = program::command("sleep", &["60".into()], &environment, temp.path()).unwrap();
    let mut command = sandbox.apply(command, temp.path()).unwrap();
    command
        .command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let children = Arc::new(Children::default());
    let child = children.spawn(command, "x".into()).unwrap();
    let (_stdin, _stdout, handle) = child.into_parts().unwrap();
    children.kill_all();
    let status = timeout(PATIENT, handle.exited()).await.unwrap().unwrap();
    assert!(!status.success());
}

#[test]
fn what_is_wrong_is_named() {
    for (value, want) in [
        (json!({"sandbox": {"file": {}}}), "unknown field `file`"),
        (
            json!({"sandbox": {"files": {"reed": []}}}),
            "unknown field `reed`",
        ),
        (json!({"sandbox": "requird"}), "unknown variant `requird`"),
        (json!({"limits": {"memory": 1}}), "unknown field `memory`"),
    ] {
        let error = serde_json::from_value::<Confinement>(value.clone()).unwrap_err();
        assert!(error.to_string().contains(want), "{value}: {error}");
    }
    assert!(confinement(json!({"sandbox": false})).is_none());
    assert!(!confinement(json!({"sandbox": "required"})).is_none());
}
