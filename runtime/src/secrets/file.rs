//! Secrets in files, which nobody but their owner may read or replace.

use std::{
    fs::{File, Metadata},
    io::Read,
    path::Path,
};

use crate::reply::{Code, Failure};

/// A secret is shorter; what is longer is another file.
const MAX_BYTES: u64 = 64 * 1024;

/// The text of a file, without one newline at its end. With `within`, the file must not lie outside that folder.
pub(crate) fn read(path: &Path, within: Option<&Path>) -> Result<String, Failure> {
    let broken = |error: std::io::Error| failed(path, &error.to_string());
    // A link may lead elsewhere.
    let real = path.canonicalize().map_err(broken)?;
    if let Some(folder) = within {
        let folder = folder.canonicalize().map_err(broken)?;
        if !real.starts_with(folder) {
            return Err(failed(path, "it lies outside the project").with_hint(
                "A project's file may name only files of its own folder; define the secret in your own agent-tools.json.",
            ));
        }
    }
    // Opening a pipe could wait for ever.
    if !real.metadata().map_err(broken)?.is_file() {
        return Err(failed(path, "it is no file"));
    }
    let file = File::open(&real).map_err(broken)?;
    check(&file.metadata().map_err(broken)?, &real)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(broken)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(failed(path, "it is longer than 64 KB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| failed(path, "it is no UTF-8 text"))?;
    let text = text
        .strip_suffix("\r\n")
        .or(text.strip_suffix('\n'))
        .unwrap_or(&text);
    match text.is_empty() {
        true => Err(failed(path, "it is empty")),
        false => Ok(text.to_owned()),
    }
}

/// Refuses a file that others could have read or replaced.
#[cfg(unix)]
fn check(found: &Metadata, path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let mode = found.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(failed(
            path,
            &format!("others may read or write it (mode {mode:o})"),
        )
        .with_hint(format!(
            "Run: chmod 600 {}. Replace the secret if somebody may have read it.",
            quoted(path)
        )));
    }
    let user = nix::unistd::geteuid().as_raw();
    if found.uid() != user && found.uid() != 0 {
        return Err(failed(path, "it belongs to another user")
            .with_hint(format!("Run: sudo chown {user} {}", quoted(path))));
    }
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    let mode = folder
        .metadata()
        .map_err(|error| failed(folder, &error.to_string()))?
        .mode();
    // In a folder such as /tmp (with the sticky bit) only the owner replaces a file.
    if mode & 0o002 != 0 && mode & 0o1000 == 0 {
        return Err(failed(path, "everybody may replace it in its folder")
            .with_hint(format!("Run: chmod o-w {}", quoted(folder))));
    }
    Ok(())
}

/// Access lists are not looked at.
#[cfg(not(unix))]
fn check(_found: &Metadata, _path: &Path) -> Result<(), Failure> {
    Ok(())
}

#[cfg(unix)]
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

fn failed(path: &Path, why: &str) -> Failure {
    Failure::new(
        Code::ConfigInvalid,
        format!("the secret's file {} cannot be used: {why}", path.display()),
    )
    .with_hint("Correct the file, or `secrets` in agent-tools.json.")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{
        fs::{Permissions, create_dir, set_permissions, write},
        os::unix::fs::{PermissionsExt, symlink},
    };

    #[test]
    fn only_a_file_that_nobody_else_reads_is_used() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("it's");
        write(&path, "value\n\n").unwrap();
        for (mode, fine) in [
            (0o600, true),
            (0o400, true),
            (0o640, false),
            (0o604, false),
            (0o620, false),
        ] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let read = read(&path, None);
            assert_eq!(read.is_ok(), fine, "{mode:o}");
            match read {
                Ok(text) => assert_eq!(text, "value\n"),
                Err(failure) => {
                    assert!(failure.error.contains("others may read"), "{failure}");
                    let hint = failure.hint.unwrap();
                    assert!(
                        hint.contains("chmod 600 '") && hint.contains("it'\\''s'"),
                        "{hint}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_folder_in_which_everybody_writes_is_refused_unless_it_is_sticky() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("open");
        create_dir(&folder).unwrap();
        let path = folder.join("a");
        write(&path, "x").unwrap();
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        let failure = read(&path, None).unwrap_err();
        assert!(failure.hint.unwrap().contains("chmod o-w"));
        set_permissions(&folder, Permissions::from_mode(0o1777)).unwrap();
        assert!(read(&path, None).is_ok());
    }

    #[test]
    fn a_project_reaches_no_file_of_the_user() {
        let temp = tempfile::tempdir().unwrap();
        let project = temp.path().join("project");
        create_dir(&project).unwrap();
        let secret = temp.path().join("secret");
        write(&secret, "x").unwrap();
        set_permissions(&secret, Permissions::from_mode(0o600)).unwrap();
        symlink(&secret, project.join("link")).unwrap();
        for path in [
            secret.clone(),
            project.join("../secret"),
            project.join("link"),
        ] {
            let failure = read(&path, Some(&project)).unwrap_err();
            assert!(failure.error.contains("outside the project"), "{failure}");
        }
        assert!(read(&secret, None).is_ok());
    }

    #[test]
    fn what_is_no_secret_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a");
        for (bytes, why) in [
            (&b""[..], "empty"),
            (b"\n", "empty"),
            (b"\xff", "UTF-8"),
            (&[b'a'; 70_000], "64 KB"),
        ] {
            write(&path, bytes).unwrap();
            set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            let failure = read(&path, None).unwrap_err();
            assert!(failure.error.contains(why), "{failure}");
        }
        assert!(
            read(temp.path(), None)
                .unwrap_err()
                .error
                .contains("no file")
        );
        assert!(
            read(&temp.path().join("gone"), None)
                .unwrap_err()
                .error
                .contains("No such file")
        );
    }
}
