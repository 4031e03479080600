//! Programs that start another one in a sandbox: bubblewrap on Linux, `sandbox-exec` on macOS.

#[cfg(any(target_os = "linux", target_os = "macos", test))]
use std::path::Path;

#[cfg(any(target_os = "linux", target_os = "macos", test))]
use super::roots::Roots;

/// Part of macOS.
#[cfg(target_os = "macos")]
pub(super) const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";
#[cfg(target_os = "linux")]
pub(super) const BUBBLEWRAP: &str = "bwrap";

/// Whether bubblewrap is installed and may do its work: many systems forbid it to users without privileges.
#[cfg(target_os = "linux")]
pub(super) fn bubblewrap_works() -> bool {
    use std::process::{Command, Stdio};
    let tried = Command::new(BUBBLEWRAP)
        .args(["--ro-bind", "/", "/", "--unshare-net", "--", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}

/// The arguments of bubblewrap before the program. `--die-with-parent` is not among them: it ends the child with the
/// thread that started it. The child's group is killed with bubblewrap in it, and with that its process namespace.
#[cfg(any(target_os = "linux", test))]
pub(super) fn bubblewrap_arguments(roots: &Roots, network: bool, folder: &Path) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut arguments: Vec<String> = ["--unshare-pid", "--unshare-ipc"].map(str::to_owned).into();
    if !network {
        arguments.push("--unshare-net".into());
    }
    for (option, paths) in [("--ro-bind-try", &roots.read), ("--bind-try", &roots.write)] {
        for path in paths {
            // It makes its own of these.
            if !path.starts_with("/dev") && !path.starts_with("/proc") {
                arguments.extend([option.into(), text(path), text(path)]);
            }
        }
    }
    arguments.extend(["--dev", "/dev", "--proc", "/proc", "--chdir"].map(str::to_owned));
    arguments.extend([text(folder), "--".into()]);
    arguments
}

/// The arguments of `sandbox-exec` before the program. Programs on macOS need a lot that is no file, so that what is not
/// named is allowed but for writing, the files of users, and the network.
#[cfg(any(target_os = "macos", test))]
pub(super) fn sandbox_exec_arguments(roots: &Roots, network: bool) -> Vec<String> {
    let mut profile = String::from(
        "(version 1)(allow default)(deny file-write*)(deny file-read* (subpath \"/Users\") (subpath \"/Volumes\") (subpath \"/private/tmp\") (subpath \"/private/var/folders\"))(allow file-read-metadata)",
    );
    for path in &roots.read {
        profile.push_str(&format!("(allow file-read* (subpath {}))", quoted(path)));
    }
    for path in &roots.write {
        profile.push_str(&format!(
            "(allow file-read* file-write* (subpath {}))",
            quoted(path)
        ));
    }
    if !network {
        profile.push_str("(deny network*)(allow network* (local unix) (remote unix))");
    }
    vec!["-p".into(), profile]
}

/// A string of the profile language.
#[cfg(any(target_os = "macos", test))]
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Roots {
        Roots {
            read: ["/proc", "/usr", "/var/p"].map(Into::into).into(),
            write: ["/dev/null", "/var/p/\"out\""].map(Into::into).into(),
        }
    }

    #[test]
    fn bubblewrap_gets_the_roots_and_no_network_and_no_death_with_a_thread() {
        let arguments = bubblewrap_arguments(&roots(), false, Path::new("/var/p")).join(" ");
        assert_eq!(
            arguments,
            "--unshare-pid --unshare-ipc --unshare-net --ro-bind-try /usr /usr --ro-bind-try /var/p /var/p \
             --bind-try /var/p/\"out\" /var/p/\"out\" --dev /dev --proc /proc --chdir /var/p --"
        );
        let open = bubblewrap_arguments(&roots(), true, Path::new("/var/p"));
        assert!(!open.contains(&"--unshare-net".to_owned()));
        assert!(!open.contains(&"--die-with-parent".to_owned()));
    }

    #[test]
    fn sandbox_exec_gets_a_profile_in_which_no_path_can_break_out_of_its_quotes() {
        let [option, profile] = &sandbox_exec_arguments(&roots(), false)[..] else {
            panic!("two arguments")
        };
        assert_eq!(option, "-p");
        insta::assert_snapshot!(profile.replace(")(", ")\n("));
        assert!(!sandbox_exec_arguments(&roots(), true)[1].contains("network"));
    }
}
