//! How Windows finds a program, and how a batch file is run there.
//!
//! `CreateProcess` knows `.exe` alone: `npx` is `npx.cmd`, which only `cmd.exe` can run. Its command line is parsed by
//! rules of its own, by which arguments could run other programs ("BatBadBut", CVE-2024-24576). All of this is about
//! texts, so that it is tested on every system.

use crate::reply::{Code, Failure};

/// What is tried where no `PATHEXT` is set, and in this order where it is: an `.exe` needs no interpreter. Files of other
/// types cannot be started.
const EXTENSIONS: [&str; 4] = [".exe", ".com", ".cmd", ".bat"];

/// Where a program is looked for.
pub(super) struct Places<'a> {
    /// The child's `PATH`.
    pub path: &'a str,
    /// Its `PATHEXT`.
    pub extensions: Option<&'a str>,
    /// The folder that relative paths start from.
    pub folder: &'a str,
}

impl Places<'_> {
    /// The file of a program: in each folder of `PATH` the name as it stands if it has an extension, then with each.
    pub(super) fn find(&self, program: &str, is_file: impl Fn(&str) -> bool) -> Option<String> {
        let folders: Vec<String> = match program.contains(['\\', '/', ':']) {
            true => vec![String::new()],
            false => self
                .path
                .split(';')
                .map(|entry| entry.trim_matches('"'))
                .filter(|entry| !entry.is_empty())
                .map(|entry| format!("{}\\", entry.trim_end_matches(['\\', '/'])))
                .collect(),
        };
        let names = self.names(program);
        let mut files = folders
            .iter()
            .flat_map(|folder| names.iter().map(move |name| format!("{folder}{name}")))
            .map(|file| self.absolute(file));
        files.find(|file| is_file(file))
    }

    fn names(&self, program: &str) -> Vec<String> {
        let whole = has_extension(program, &EXTENSIONS).then(|| program.to_owned());
        let tried = EXTENSIONS
            .into_iter()
            .filter(|extension| self.tries(extension));
        whole
            .into_iter()
            .chain(tried.map(|extension| format!("{program}{extension}")))
            .collect()
    }

    fn tries(&self, extension: &str) -> bool {
        self.extensions.is_none_or(|listed| {
            listed
                .split(';')
                .any(|one| one.trim().eq_ignore_ascii_case(extension))
        })
    }

    fn absolute(&self, file: String) -> String {
        let rooted = file.starts_with(['\\', '/']) || file.chars().nth(1) == Some(':');
        match rooted {
            true => file,
            false => format!(
                "{}\\{}",
                self.folder.trim_end_matches(['\\', '/']),
                file.trim_start_matches(".\\").trim_start_matches("./")
            ),
        }
    }
}

/// Whether `cmd.exe` must run the file.
pub(super) fn is_batch(file: &str) -> bool {
    has_extension(file, &[".cmd", ".bat"])
}

fn has_extension(file: &str, extensions: &[&str]) -> bool {
    let file = file.to_ascii_lowercase();
    extensions.iter().any(|extension| file.ends_with(extension))
}

/// What stands behind `cmd.exe` to run a batch file with exactly these arguments.
pub(super) fn batch_line(file: &str, args: &[String]) -> Result<String, Failure> {
    // No AutoRun, no delayed expansion (`!x!`); extensions, on which the escape of `%` depends; `/s` takes the outermost
    // quotes away and nothing else.
    let mut line = String::from("/d /e:ON /v:OFF /s /c \"");
    push_quoted(&mut line, file)?;
    for arg in args {
        line.push(' ');
        match !arg.is_empty() && arg.chars().all(is_plain) {
            true => line.push_str(arg),
            false => push_quoted(&mut line, arg)?,
        }
    }
    line.push('"');
    Ok(line)
}

/// Means nothing to `cmd.exe`, quoted or not. A backslash could stand before a quote.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "#$*+-./:?@_".contains(c)
}

fn push_quoted(line: &mut String, text: &str) -> Result<(), Failure> {
    line.push('"');
    let mut backslashes = 0;
    for c in text.chars() {
        match c {
            '\0' | '\r' | '\n' => {
                return Err(Failure::new(
                    Code::ConfigInvalid,
                    "an argument of a batch file cannot hold a line break or a NUL",
                )
                .with_hint("Give the program that the batch file starts as `command` instead."));
            }
            // Two in a row are one; the backslashes before would escape it for the program behind the batch file.
            '"' => {
                line.extend(std::iter::repeat_n('\\', backslashes));
                line.push_str("\"\"");
            }
            // A variable expands even inside quotes, and nothing escapes `%`; so an empty part of one follows it.
            '%' => line.push_str("%%cd:~,%"),
            c => line.push(c),
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    line.extend(std::iter::repeat_n('\\', backslashes));
    line.push('"');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHEXT: &str = ".COM;.EXE;.BAT;.CMD;.VBS;.JS";

    fn find(program: &str, path: &str, extensions: Option<&str>, files: &[&str]) -> Option<String> {
        let places = Places {
            path,
            extensions,
            folder: r"C:\plugin",
        };
        places.find(program, |file| {
            files.iter().any(|known| known.eq_ignore_ascii_case(file))
        })
    }

    #[test]
    fn c070_a_shim_is_found_through_the_extensions() {
        let node = [
            r"C:\nodejs\node.exe",
            r"C:\nodejs\npx",
            r"C:\nodejs\npx.cmd",
            r"C:\nodejs\npx.ps1",
        ];
        let path = r#"C:\Windows;"C:\nodejs\";;D:\x"#;
        for extensions in [Some(PATHEXT), None] {
            let find = |program| find(program, path, extensions, &node);
            // The file without an extension is a script for other systems.
            assert_eq!(find("npx").as_deref(), Some(r"C:\nodejs\npx.cmd"));
            assert_eq!(find("npx.cmd").as_deref(), Some(r"C:\nodejs\npx.cmd"));
            assert_eq!(find("NODE").as_deref(), Some(r"C:\nodejs\NODE.exe"));
            assert_eq!(find("npx.ps1"), None);
            assert_eq!(find("uvx"), None);
        }
        assert_eq!(find("npx", path, Some(".EXE"), &node), None);
    }

    #[test]
    fn c070_an_exe_is_preferred_within_a_folder_and_an_earlier_folder_before_that() {
        let both = [r"C:\a\t.cmd", r"C:\a\t.exe", r"C:\b\t.exe"];
        let found = |path| find("t", path, Some(PATHEXT), &both);
        assert_eq!(found(r"C:\a;C:\b").as_deref(), Some(r"C:\a\t.exe"));
        assert_eq!(
            find(
                "t",
                r"C:\a;C:\b",
                Some(PATHEXT),
                &[r"C:\a\t.cmd", r"C:\b\t.exe"]
            )
            .as_deref(),
            Some(r"C:\a\t.cmd")
        );
        // A dot in a name is no extension.
        let dotted = [r"C:\a\python3.12.exe"];
        assert_eq!(
            find("python3.12", r"C:\a", None, &dotted).as_deref(),
            Some(r"C:\a\python3.12.exe")
        );
    }

    #[test]
    fn a_path_is_not_looked_for() {
        let files = [r"C:\plugin\bin\t.exe", r"D:\t.cmd", r"C:/x/t.exe"];
        let found = |program| find(program, r"C:\plugin\bin", None, &files);
        assert_eq!(found(r".\bin\t").as_deref(), Some(r"C:\plugin\bin\t.exe"));
        assert_eq!(found(r"bin\t.exe").as_deref(), Some(r"C:\plugin\bin\t.exe"));
        assert_eq!(found(r"D:\t").as_deref(), Some(r"D:\t.cmd"));
        assert_eq!(found("C:/x/t.exe").as_deref(), Some("C:/x/t.exe"));
        assert_eq!(found(r"D:\u"), None);
    }

    #[test]
    fn c070_only_batch_files_need_the_interpreter() {
        assert!(is_batch(r"C:\nodejs\npx.CMD") && is_batch("x.bat"));
        // A manifest that names the interpreter itself keeps working: it is a program like any other.
        let cmd = find("cmd", r"C:\W", None, &[r"C:\W\cmd.exe"]).unwrap();
        assert!(!is_batch(&cmd));
    }

    #[test]
    fn c070_arguments_of_a_batch_file_are_quoted_for_its_interpreter() {
        let line = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            batch_line(r"C:\Program Files\nodejs\npx.cmd", &args).unwrap()
        };
        let around = |args: &str| {
            format!(r#"/d /e:ON /v:OFF /s /c ""C:\Program Files\nodejs\npx.cmd"{args}""#)
        };
        assert_eq!(line(&[]), around(""));
        assert_eq!(
            line(&["-y", "@scope/pkg@1.2.3"]),
            around(" -y @scope/pkg@1.2.3")
        );
        for (arg, quoted) in [
            ("", r#""""#),
            ("two words", r#""two words""#),
            ("a&calc", r#""a&calc""#),
            ("a|b>c<d^e(f)", r#""a|b>c<d^e(f)""#),
            (r#"say "hi""#, r#""say ""hi""""#),
            (r#"x\"&calc"#, r#""x\\""&calc""#),
            (r"C:\dir\", r#""C:\dir\\""#),
            ("%PATH%", r#""%%cd:~,%PATH%%cd:~,%""#),
            ("!x!", r#""!x!""#),
            ("key=value,other", r#""key=value,other""#),
            ("日本", r#""日本""#),
        ] {
            assert_eq!(line(&[arg]), around(&format!(" {quoted}")), "{arg}");
        }
        for arg in ["a\nb", "a\rb", "a\0b"] {
            assert!(batch_line("x.cmd", &[arg.to_owned()]).is_err(), "{arg:?}");
        }
        assert!(
            batch_line(r"C:\100%\x.cmd", &[])
                .unwrap()
                .contains(r"100%%cd:~,%\x.cmd")
        );
    }
}
