//! Names of those who did something: an agent is named after the person for whom it acted.

use checklist_shared::item::{Actor, ActorKind};

use super::{Texts, fill};

/// The name, for the screen and for sentences: "Ada Lovelace", "Ada Lovelace (by assistant Finch)".
/// Empty where nobody knows it yet.
#[must_use]
pub fn name_of(actor: &Actor, texts: &Texts) -> String {
    if actor.kind == ActorKind::Erased {
        return texts.erased_person().to_owned();
    }
    let person = actor.on_behalf_of.as_deref();
    match person.filter(|_| actor.kind == ActorKind::Agent) {
        Some(person) => {
            let names = [
                ("who", person.name.as_str()),
                ("agent", actor.name.as_str()),
            ];
            fill(texts.by_assistant(), &names)
        }
        None => actor.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Words;

    #[test]
    fn an_agent_is_named_after_the_person_and_a_program_after_itself() {
        let behind = |kind, name: &str| Actor {
            on_behalf_of: Some(Box::new(Actor::person("ada", "Ada"))),
            ..Actor::of(kind, name, name)
        };
        let agent = behind(ActorKind::Agent, "Finch");
        let english = Words::of("en").texts;
        assert_eq!(name_of(&agent, english), "Ada (by assistant Finch)");
        let german = Words::of("de-AT").texts;
        assert_eq!(name_of(&agent, german), "Ada (durch Assistent Finch)");
        let program = behind(ActorKind::Program, "Automation");
        assert_eq!(name_of(&program, english), "Automation");
        assert_eq!(name_of(&Actor::erased(), english), "erased person");
    }
}
