//! A program as a child gets it: found in the child's own `PATH`, in a folder that is there, with no more than its own
//! environment.

#[cfg(any(windows, test))]
mod windows;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use tokio::process::Command;

use super::{
    confinement::{ChildLimits, Jail},
    environment::{expand, from_process},
};
use crate::reply::{Code, Failure};

/// A command for [`Children`](super::Children), and what its child lives under.
pub(super) struct ChildCommand {
    pub command: Command,
    pub limits: Option<ChildLimits>,
    pub jail: Option<Jail>,
}

/// Arguments and variables may be secrets.
impl fmt::Debug for ChildCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChildCommand")
            .field("program", &self.program())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl From<Command> for ChildCommand {
    fn from(command: Command) -> Self {
        Self {
            command,
            limits: None,
            jail: None,
        }
    }
}

impl ChildCommand {
    /// The program's file.
    pub(super) fn program(&self) -> PathBuf {
        self.command.as_std().get_program().into()
    }

    /// The folder that it is started in.
    pub(super) fn folder(&self) -> PathBuf {
        let folder = self.command.as_std().get_current_dir();
        folder.map_or_else(|| ".".into(), Path::to_owned)
    }

    /// The value that the program gets of a variable.
    pub(super) fn variable(&self, name: &str) -> Option<OsString> {
        let mut variables = self.command.as_std().get_envs();
        let found = variables.find(|(key, _)| *key == name);
        found.and_then(|(_, value)| value.map(OsStr::to_owned))
    }

    /// Has another program start this one, in the same folder and environment.
    pub(super) fn through(
        self,
        program: &str,
        args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Self {
        let inner = self.command.as_std();
        let mut command = Command::new(program);
        command
            .args(args)
            .arg(inner.get_program())
            .args(inner.get_args())
            .env_clear();
        for (name, value) in inner.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        if let Some(folder) = inner.get_current_dir() {
            command.current_dir(folder);
        }
        Self { command, ..self }
    }

    /// Has the program write its temporary files there.
    pub(super) fn with_temporary_folder(mut self, folder: &Path) -> Self {
        for name in ["TMPDIR", "TMP", "TEMP"] {
            self.command.env(name, folder);
        }
        self
    }
}

/// A command that is ready to be spawned. `program` is a name to be looked for in `PATH`, or a path that may be relative
/// to `folder`; the child sees `environment` alone.
pub(super) fn command(
    program: &str,
    args: &[String],
    environment: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<ChildCommand, Failure> {
    if !folder.is_dir() {
        return Err(Failure::new(
            Code::ConfigInvalid,
            format!(
                "{program} cannot be started in the folder {}, which {}",
                folder.display(),
                if folder.exists() {
                    "is none"
                } else {
                    "does not exist"
                }
            ),
        )
        .with_hint("Create the folder, or correct `cwd`."));
    }
    let mut command = launched(program, args, environment, folder)?;
    command.env_clear().envs(environment).current_dir(folder);
    Ok(command.into())
}

/// Whether a program of that name is found in `PATH`, which may be given as it is configured.
pub(crate) fn is_installed(program: &str, path: Option<&str>) -> bool {
    let path = path.map_or_else(
        || from_process("PATH"),
        |configured| expand(configured, from_process).ok(),
    );
    let mut environment = BTreeMap::from([("PATH".to_owned(), path.unwrap_or_default())]);
    environment
        .extend(from_process("PATHEXT").map(|extensions| ("PATHEXT".to_owned(), extensions)));
    launched(program, &[], &environment, Path::new(".")).is_ok()
}

/// Why a command of [`command`] could not be spawned.
pub(super) fn spawn_failure(program: &str, error: &std::io::Error) -> Failure {
    if error.kind() == ErrorKind::ArgumentListTooLong {
        return Failure::new(
            Code::ArgValidationFailed,
            format!(
                "the arguments are longer than the system can hand to {program}; nothing was run"
            ),
        )
        .with_hint("Give less at once.");
    }
    let failure = Failure::new(
        Code::PluginUnavailable,
        format!("\"{program}\" could not be started: {error}"),
    );
    // The file itself was found before.
    failure.with_hint(match error.kind() {
        ErrorKind::NotFound => {
            "The interpreter in the first line of the file (#!…) is missing; install it, or give it as `command` and the file as an argument."
        }
        _ => "Check that the file is a program for this system and may be executed.",
    })
}

#[cfg(not(windows))]
fn launched(
    program: &str,
    args: &[String],
    environment: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<Command, Failure> {
    let mut command = Command::new(locate(program, environment, folder)?);
    command.args(args);
    Ok(command)
}

/// The file of a program. As execvp(3), but a relative path and relative folders of `PATH` start from the child's
/// folder, and an empty entry of `PATH` is none.
#[cfg(not(windows))]
fn locate(
    program: &str,
    environment: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<PathBuf, Failure> {
    let path = environment.get("PATH").map_or("", String::as_str);
    let candidates: Vec<PathBuf> = match program.contains('/') {
        true => vec![folder.join(program)],
        false => path
            .split(':')
            .filter(|entry| !entry.is_empty())
            .map(|entry| folder.join(entry).join(program))
            .collect(),
    };
    let files = || candidates.iter().filter(|candidate| candidate.is_file());
    if let Some(found) = files().find(|file| is_executable(file)) {
        return Ok(found.clone());
    }
    Err(match files().next() {
        Some(file) => Failure::new(
            Code::PluginUnavailable,
            format!("{} may not be executed", file.display()),
        )
        .with_hint(format!("Run: chmod +x {}", file.display())),
        None if program.contains('/') => not_found(
            program,
            &format!("there is no {}", folder.join(program).display()),
        ),
        None => not_found(program, &format!("looked in PATH={path}")),
    })
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    nix::unistd::access(file, nix::unistd::AccessFlags::X_OK).is_ok()
}

#[cfg(windows)]
fn launched(
    program: &str,
    args: &[String],
    environment: &BTreeMap<String, String>,
    folder: &Path,
) -> Result<Command, Failure> {
    // The names of variables have no case there.
    let variable = |name: &str| {
        let found = environment
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    };
    let path = variable("PATH").unwrap_or_default();
    let places = windows::Places {
        path,
        extensions: variable("PATHEXT"),
        folder: &folder.to_string_lossy(),
    };
    let file = places
        .find(program, |file| Path::new(file).is_file())
        .ok_or_else(|| not_found(program, &format!("looked in PATH={path}")))?;
    if !windows::is_batch(&file) {
        let mut command = Command::new(file);
        command.args(args);
        return Ok(command);
    }
    let interpreter = variable("SYSTEMROOT").map_or_else(
        || "cmd.exe".to_owned(),
        |root| format!(r"{root}\System32\cmd.exe"),
    );
    let mut command = Command::new(interpreter);
    command.raw_arg(windows::batch_line(&file, args)?);
    Ok(command)
}

fn not_found(program: &str, looked: &str) -> Failure {
    let failure = Failure::new(
        Code::PluginUnavailable,
        format!("command not found: \"{program}\"; {looked}"),
    );
    if drive_without_separator(program) {
        return failure.with_hint(
            "There is no separator after the drive letter: a shell has eaten the backslashes. Write C:/folder/program.exe, or \\\\ for each backslash.",
        );
    }
    failure.with_hint(
        "Install it, give its full path as `command`, or add its folder to the server's `env`: {\"PATH\": \"/its/folder:${PATH}\"}.",
    )
}

/// `C:Usersmefake.exe`, which nobody writes by intent.
fn drive_without_separator(program: &str) -> bool {
    let mut chars = program.chars();
    let drive = chars.next().is_some_and(|c| c.is_ascii_alphabetic()) && chars.next() == Some(':');
    drive && chars.next().is_some_and(|c| c != '\\' && c != '/')
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn file(path: &Path, mode: u32) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn path(value: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("PATH".to_owned(), value.to_owned())])
    }

    #[test]
    fn c120_a_program_is_looked_for_in_the_childs_own_path() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        file(&root.join("first/tool"), 0o644);
        file(&root.join("second/tool"), 0o755);
        file(&root.join("third/tool"), 0o755);
        std::fs::create_dir(root.join("first/folder")).unwrap();
        let everywhere = path("first::second:third:/nowhere");
        assert_eq!(
            locate("tool", &everywhere, root).unwrap(),
            root.join("second/tool")
        );
        assert_eq!(
            locate("./third/tool", &everywhere, root).unwrap(),
            root.join("./third/tool")
        );
        let absolute = root.join("third/tool");
        assert_eq!(
            locate(absolute.to_str().unwrap(), &path(""), Path::new("/")).unwrap(),
            absolute
        );
        let failure = locate("tool", &path("first"), root).unwrap_err();
        assert!(failure.error.contains("first/tool may not be executed"));
        assert!(failure.hint.unwrap().contains("chmod +x"));
        for (program, environment) in [
            ("folder", path("first")),
            ("tool", path("/nowhere")),
            ("tool", BTreeMap::new()),
            ("./tool", everywhere.clone()),
        ] {
            let failure = locate(program, &environment, root).unwrap_err();
            assert_eq!(failure.code, Code::PluginUnavailable);
            assert!(
                failure
                    .error
                    .contains(&format!("command not found: \"{program}\"")),
                "{}",
                failure.error
            );
        }
        let failure = locate("nothing", &everywhere, root).unwrap_err();
        assert!(failure.error.contains("PATH=first::second:third:/nowhere"));
        assert!(failure.hint.unwrap().contains("${PATH}"));
    }

    #[test]
    fn what_is_installed_is_found_in_path() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().to_str().unwrap();
        file(&temp.path().join("there"), 0o755);
        file(&temp.path().join("data"), 0o644);
        for (program, path, installed) in [
            ("there", Some(folder), true),
            ("data", Some(folder), false),
            ("there", Some("${NOBODY_SETS_THIS}"), false),
            ("there", None, false),
            ("sh", None, true),
            ("sh", Some("${PATH}"), true),
        ] {
            assert_eq!(
                is_installed(program, path),
                installed,
                "{program} in {path:?}"
            );
        }
    }

    #[test]
    fn a_folder_that_is_missing_is_named() {
        let failure = command("sh", &[], &path("/bin"), Path::new("/no/such/folder")).unwrap_err();
        assert_eq!(failure.code, Code::ConfigInvalid);
        assert!(
            failure
                .error
                .contains("/no/such/folder, which does not exist")
        );
        assert!(failure.hint.unwrap().contains("cwd"));
    }

    #[test]
    fn an_interpreter_that_is_missing_is_told_from_a_missing_file() {
        let temp = tempfile::tempdir().unwrap();
        let script = temp.path().join("script");
        file(&script, 0o755);
        std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
        let error = command("./script", &[], &path(""), temp.path())
            .unwrap()
            .command
            .as_std_mut()
            .spawn()
            .unwrap_err();
        let failure = spawn_failure("./script", &error);
        assert!(failure.hint.unwrap().contains("#!"));
    }

    #[test]
    fn arguments_that_are_too_long_are_the_callers() {
        let error = std::io::Error::from(ErrorKind::ArgumentListTooLong);
        assert_eq!(
            spawn_failure("tool", &error).code,
            Code::ArgValidationFailed
        );
    }

    #[test]
    fn c126_a_drive_letter_without_a_separator_is_noted() {
        let hint = |program: &str| not_found(program, "").hint.unwrap();
        for program in ["C:UsersmeFake.exe", "d:x"] {
            assert!(hint(program).contains("drive letter"), "{program}");
        }
        for program in [r"C:\Users\me\fake.exe", "C:/fake.exe", "npx", "C:", "ab:c"] {
            assert!(!hint(program).contains("drive letter"), "{program}");
        }
    }
}
