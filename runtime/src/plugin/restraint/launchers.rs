//! The programs with which MCP servers are usually started, and how each is made to run what stands in its arguments.

use crate::placeholder::{Part, parts};

/// A program that a project's file may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Launcher {
    /// Runs a script.
    Interpreter(Options),
    /// Runs a program of a package; where `commands`, its first argument says what it does (`npm exec`, `uv run`).
    Packages { commands: bool },
    /// Runs a program in a container, where a shell is none of the user's.
    Container,
    /// Runs nothing out of its arguments.
    Plain,
}

/// How an interpreter reads what stands before its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Options {
    /// Short options after which code stands.
    code_letters: &'static str,
    /// Long options and words after which code stands.
    code_words: &'static [&'static str],
    /// Options after which a value stands that is no script; `None` for any that is not known to have none.
    with_value: Option<&'static [&'static str]>,
}

const NODE: Launcher = Launcher::Interpreter(Options {
    code_letters: "ep",
    code_words: &["--eval", "--print", "eval", "repl"],
    with_value: None,
});
const PYTHON: Launcher = Launcher::Interpreter(Options {
    code_letters: "c",
    code_words: &[],
    with_value: Some(&["-W", "-X", "--check-hash-based-pycs"]),
});
const RUNNER: Launcher = Launcher::Packages { commands: false };
const MANAGER: Launcher = Launcher::Packages { commands: true };

const KNOWN: &[(&str, Launcher)] = &[
    ("bun", NODE),
    ("bunx", RUNNER),
    ("deno", NODE),
    ("dnx", RUNNER),
    ("docker", Launcher::Container),
    ("java", Launcher::Plain),
    ("node", NODE),
    ("npm", MANAGER),
    ("npx", RUNNER),
    ("pipx", MANAGER),
    ("pnpm", MANAGER),
    ("pnpx", RUNNER),
    ("podman", Launcher::Container),
    ("python", PYTHON),
    ("python3", PYTHON),
    ("uv", MANAGER),
    ("uvx", RUNNER),
    ("yarn", MANAGER),
];

/// Options of launchers that have no value. After any other one a word may be its value or the script.
const WITHOUT_VALUE: &[&str] = &[
    "-y",
    "--yes",
    "-q",
    "--quiet",
    "-s",
    "--silent",
    "--verbose",
    "--offline",
    "--prefer-offline",
    "--prefer-online",
    "--no",
    "--isolated",
    "--bun",
    "--trace-warnings",
    "--inspect",
    "--watch",
    "--enable-source-maps",
    "--no-install",
    "--no-warnings",
    "--experimental-strip-types",
    "--no-cache",
    "-A",
    "--allow-all",
];

const SHELLS: &[&str] = &[
    "ash",
    "bash",
    "cmd",
    "csh",
    "dash",
    "fish",
    "ksh",
    "powershell",
    "pwsh",
    "sh",
    "tcsh",
    "zsh",
];

/// The launcher of that name. A path is none: it may lead to any program.
pub(super) fn known(command: &str) -> Option<Launcher> {
    let name = without_extension(command);
    let found = KNOWN.iter().find(|(known, _)| *known == name);
    found.map(|(_, launcher)| *launcher)
}

/// The argument that makes the launcher run what stands in its arguments, or a shell. A `${VAR:-default}` counts as its
/// default, so that no option hides in one.
pub(super) fn code_in_arguments<'a>(
    launcher: Launcher,
    args: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let args: Vec<String> = args.map(as_by_default).collect();
    code_in(launcher, &args).cloned()
}

fn code_in(launcher: Launcher, args: &[String]) -> Option<&String> {
    match launcher {
        Launcher::Interpreter(options) => {
            let is_code = |arg: &&String| {
                has_letter(arg, options.code_letters)
                    || is_one_of(arg, options.code_words)
                    || arg.contains("data:")
            };
            before_the_script(args, options.with_value).find(is_code)
        }
        Launcher::Packages { commands } => {
            let call =
                |arg: &&String| has_letter(arg, "c") || is_one_of(arg, &["--call", "--shell-mode"]);
            let own = args.get(usize::from(commands)..).unwrap_or_default();
            before_the_script(own, None)
                .find(call)
                .or_else(|| run_by_name(args))
        }
        Launcher::Container | Launcher::Plain => None,
    }
}

/// A shell among the words, or an interpreter that gets code: `uv run python -c …`.
fn run_by_name(args: &[String]) -> Option<&String> {
    args.iter().enumerate().find_map(|(at, arg)| {
        let name = arg.rsplit(['/', '\\']).next().unwrap_or(arg);
        if SHELLS.contains(&without_extension(name)) {
            return Some(arg);
        }
        match known(name) {
            Some(launcher @ Launcher::Interpreter(_)) => code_in(launcher, &args[at + 1..]),
            _ => None,
        }
    })
}

/// The arguments up to the script or the package: what follows is that one's business.
fn before_the_script<'a>(
    args: &'a [String],
    with_value: Option<&'static [&'static str]>,
) -> impl Iterator<Item = &'a String> {
    let mut value_may_follow = false;
    let mut over = false;
    args.iter().take_while(move |arg| {
        if over {
            return false;
        }
        let is_option = arg.starts_with('-') && arg.len() > 1;
        // The script itself is looked at too: `deno eval`. A module of Python's is one.
        over = (!is_option && !value_may_follow) || arg.as_str() == "--" || arg.starts_with("-m");
        value_may_follow = is_option
            && match with_value {
                Some(known) => known.contains(&arg.as_str()),
                None => !arg.contains('=') && !WITHOUT_VALUE.contains(&arg.as_str()),
            };
        true
    })
}

/// Whether it is a group of short options with one of these: `-pe`, and with the value in it, `-cprint(1)`.
fn has_letter(arg: &str, letters: &str) -> bool {
    let short = arg.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let group = short
        .unwrap_or_default()
        .split('=')
        .next()
        .unwrap_or_default();
    group.contains(|c| letters.contains(c))
}

fn is_one_of(arg: &str, words: &[&str]) -> bool {
    words.contains(&arg.split('=').next().unwrap_or(arg))
}

/// Windows starts `npx.cmd` for `npx`.
fn without_extension(name: &str) -> &str {
    let extensions = [".exe", ".cmd", ".bat", ".EXE", ".CMD", ".BAT"];
    extensions
        .iter()
        .find_map(|extension| name.strip_suffix(extension))
        .unwrap_or(name)
}

fn as_by_default(text: &str) -> String {
    parts(text)
        .map(|part| match part {
            Part::Text(text) => text,
            Part::Variable { default, .. } => default.unwrap_or_default(),
            Part::Secret(_) => "",
            Part::Unclosed => "${",
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(line: &str) -> Option<String> {
        let mut words = line.split(' ');
        let launcher = known(words.next().unwrap()).unwrap();
        code_in_arguments(launcher, words)
    }

    #[test]
    fn names_are_known_and_paths_are_not() {
        for name in ["npx", "npx.cmd", "node", "uvx", "python3", "docker"] {
            assert!(known(name).is_some(), "{name}");
        }
        for name in [
            "sh",
            "bash",
            "cmd",
            "powershell",
            "./node",
            "/usr/bin/npx",
            "env",
            "curl",
            "",
            "node ",
        ] {
            assert!(known(name).is_none(), "{name}");
        }
    }

    #[test]
    fn code_in_the_arguments_is_found() {
        for line in [
            "node -e x",
            "node -pe x",
            "node --eval=x",
            "node --no-warnings -e x",
            "node -r ./a.js --eval x",
            "node --import=data:text/javascript,x a.js",
            "node --import data:text/javascript,x",
            "node ${NONE:--e} x",
            "node -${NONE:-e} x",
            "python -c x",
            "python3 -Ic x",
            "python3 -cprint(1)",
            "python3 -W ignore -c x",
            "bun -e x",
            "deno eval x",
            "npx -c x",
            "npx -y --call=x",
            "npx -p pkg -c x",
            "npm exec -c x",
            "npx sh -c x",
            "uv run /bin/bash -c x",
            "uv run python -c x",
            "uv run --with mcp python3 -c x",
            "npx node -e x",
        ] {
            assert!(code(line).is_some(), "{line}");
        }
        for line in [
            "node server.js -e production",
            "node --enable-source-maps server.js -p 80",
            "node -r tsx server.ts",
            "node --env-file=.env server.js",
            "python -m server -c config.toml",
            "python3 -u server.py -c config.toml",
            "npx -y @scope/server -c config.json",
            "npx -y @scope/server .",
            "npx --package=@scope/server server",
            "uvx --from git+https://example.com/x server",
            "uv run --directory . server.py",
            "uv run server.py -c config.toml",
            "deno run -A server.ts",
            "docker run -i --rm image sh -c x",
            "java -jar server.jar",
            "bun run server.ts",
        ] {
            assert_eq!(code(line), None, "{line}");
        }
    }
}
