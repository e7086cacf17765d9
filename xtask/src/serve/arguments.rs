//! The command line of the server: the user's options, completed by the demo's defaults. An
//! option that the user gave is not added again, so the user's value wins.

const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// The arguments of `checklist-server`, beginning with `serve`.
pub fn complete(given: &[String], data_dir: &str) -> Vec<String> {
    let mut arguments = vec!["serve".to_owned()];
    // Whoever brings a key wants a server for real, not the demo that gives tokens to everybody.
    if !has(given, "--demo") && !has(given, "--embed-key") {
        arguments.push("--demo".to_owned());
    }
    for (option, value) in [("--listen", DEFAULT_LISTEN), ("--data-dir", data_dir)] {
        if !has(given, option) {
            arguments.extend([option.to_owned(), value.to_owned()]);
        }
    }
    arguments.extend_from_slice(given);
    arguments
}

fn has(given: &[String], option: &str) -> bool {
    given
        .iter()
        .any(|argument| argument == option || argument.starts_with(&format!("{option}=")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(given: &[&str]) -> String {
        let given: Vec<String> = given.iter().map(|&text| text.to_owned()).collect();
        complete(&given, "data").join(" ")
    }

    #[test]
    fn without_options_the_demo_listens_on_its_usual_address() {
        assert_eq!(
            completed(&[]),
            "serve --demo --listen 127.0.0.1:8080 --data-dir data"
        );
    }

    #[test]
    fn an_option_that_was_given_is_not_given_again() {
        assert_eq!(
            completed(&["--listen", "[::1]:9000"]),
            "serve --demo --data-dir data --listen [::1]:9000"
        );
        assert_eq!(
            completed(&["--demo", "--data-dir=here"]),
            "serve --listen 127.0.0.1:8080 --demo --data-dir=here"
        );
    }

    #[test]
    fn a_key_of_ones_own_turns_the_demo_off() {
        assert!(!completed(&["--embed-key", "key.pem"]).contains("--demo"));
    }
}
