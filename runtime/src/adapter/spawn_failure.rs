//! Why a program could not be started. The system says "no such file" of the program, of its interpreter and of the
//! working folder alike; here they are told apart.

use std::{
    collections::BTreeMap,
    io::{Error, ErrorKind},
    path::Path,
};

use crate::reply::{Code, Failure};

/// The failure of starting `program` in the folder `cwd` (this process's own when `None`) with that environment.
pub(super) fn spawn_failure(
    program: &str,
    cwd: Option<&Path>,
    environment: &BTreeMap<String, String>,
    error: &Error,
) -> Failure {
    let failed = |why: String| {
        Failure::new(
            Code::PluginUnavailable,
            format!("{program} could not be started: {why}"),
        )
    };
    let (missing, not_folder) = (
        error.kind() == ErrorKind::NotFound,
        error.kind() == ErrorKind::NotADirectory,
    );
    if let Some(cwd) = cwd.filter(|cwd| (missing || not_folder) && !cwd.is_dir()) {
        let what = if cwd.exists() {
            "is no folder"
        } else {
            "does not exist"
        };
        return failed(format!("its working folder {} {what}", cwd.display()))
            .with_hint("Create that folder, or change `cwd` in the plugin's manifest.");
    }
    match error.kind() {
        ErrorKind::NotFound
            if program.contains(std::path::is_separator) && Path::new(program).is_file() =>
        {
            failed("the interpreter that its first line (`#!`) names does not exist".into())
                .with_hint("Install that interpreter, or correct the line.")
        }
        ErrorKind::NotFound => failed(error.to_string()).with_hint(format!(
            "Install {program}, or give its full path in the plugin's manifest; looked in PATH={}.",
            environment.get("PATH").map_or("", String::as_str)
        )),
        ErrorKind::ArgumentListTooLong => Failure::new(
            Code::ArgValidationFailed,
            format!(
                "the arguments are longer than the system can hand to {program}; nothing was run"
            ),
        )
        .with_hint("Give less at once."),
        _ => failed(error.to_string()).with_hint("Check that the file exists and may be executed."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("script");
        std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
        let environment = BTreeMap::from([("PATH".to_owned(), "/here:/there".to_owned())]);
        let failure = |program: &str, cwd: &Path, kind: ErrorKind| {
            spawn_failure(program, Some(cwd), &environment, &Error::from(kind))
        };
        let missing = failure("tool", &dir.path().join("gone"), ErrorKind::NotFound);
        assert!(missing.error.contains("gone does not exist"), "{missing}");
        assert!(missing.hint.unwrap().contains("`cwd`"));
        let file = failure("tool", &script, ErrorKind::NotADirectory);
        assert!(file.error.contains("is no folder"), "{file}");
        let program = failure("tool", dir.path(), ErrorKind::NotFound);
        assert!(program.hint.unwrap().contains("Install tool"));
        let program = failure("tool", dir.path(), ErrorKind::NotFound);
        assert!(program.hint.unwrap().contains("PATH=/here:/there."));
        let interpreter = failure(script.to_str().unwrap(), dir.path(), ErrorKind::NotFound);
        assert!(interpreter.error.contains("`#!`"), "{interpreter}");
        let long = failure("tool", dir.path(), ErrorKind::ArgumentListTooLong);
        assert_eq!(long.code, Code::ArgValidationFailed);
    }
}
