//! Typings for the templates of frameworks: `react.d.ts`, `react18.d.ts`, `vue.d.ts` and
//! `svelte.d.ts`. Each declares the elements' attributes, properties and events for one framework,
//! based on the types (`…Attributes`, `…Properties`, `…EventMap`) that `typings` renders.

use std::fmt::Write as _;

use super::elements::Element;

const HEAD: &str = "// Generated from custom-elements.json by `cargo xtask describe`.\n";

/// Handlers as React 19 and Svelte 5 spell them: `on` and the name of the event. What every
/// element has (`input`, `change`) is described by the framework itself.
const LISTENERS: &str = "\
type Listeners<Host extends HTMLElement, Events> = {
  [Name in keyof Events & string as Name extends keyof HTMLElementEventMap ? never : `on${Name}`]?:
    | ((event: Events[Name] & { currentTarget: Host }) => void)
    | undefined;
};
";

/// One of the files: its name without `.d.ts`, and how it is rendered.
pub type Framework = (&'static str, fn(&[&Element]) -> String);

/// Every framework with typings of its own.
pub const FRAMEWORKS: [Framework; 4] = [
    ("react", react),
    ("react18", react18),
    ("vue", vue),
    ("svelte", svelte),
];

fn react(elements: &[&Element]) -> String {
    let tags = tags(elements, "      ", |name| {
        format!("Props<{name}, {name}Attributes & {name}Properties, {name}EventMap>")
    });
    format!(
        "{HEAD}import type {{ DetailedHTMLProps, HTMLAttributes }} from \"react\";\n{}\n{LISTENERS}\n\
         type Props<Host extends HTMLElement, Own, Events> = Omit<DetailedHTMLProps<HTMLAttributes<Host>, Host>, keyof Own> &\n  \
         Own &\n  Listeners<Host, Events>;\n\n\
         declare module \"react\" {{\n  namespace JSX {{\n    interface IntrinsicElements {{\n{tags}    }}\n  }}\n}}\n",
        imports(elements, &["", "Attributes", "EventMap", "Properties"])
    )
}

/// React 18 writes attributes only; what is an object, and what listens, goes through a `ref`.
fn react18(elements: &[&Element]) -> String {
    let tags = tags(elements, "      ", |name| {
        format!("Props<{name}, {name}Attributes, {name}EventMap>")
    });
    format!(
        "{HEAD}import type {{ DetailedHTMLProps, HTMLAttributes }} from \"react\";\n{}\n\
         /** React 18 would write handlers into attributes. */\n\
         type Unheard<Events> = {{\n  \
         [Name in keyof Events & string as Name extends keyof HTMLElementEventMap ? never : `on${{Name}}`]?: never;\n}};\n\n\
         type Props<Host extends HTMLElement, Own, Events> = Omit<DetailedHTMLProps<HTMLAttributes<Host>, Host>, keyof Own | \"className\"> &\n  \
         Own &\n  Unheard<Events> & {{ class?: string | undefined }};\n\n\
         declare module \"react\" {{\n  namespace JSX {{\n    interface IntrinsicElements {{\n{tags}    }}\n  }}\n}}\n",
        imports(elements, &["", "Attributes", "EventMap"])
    )
}

fn vue(elements: &[&Element]) -> String {
    let tags = tags(elements, "    ", |name| {
        format!("Described<{name}, {name}Attributes & {name}Properties, {name}EventMap>")
    });
    format!(
        "{HEAD}import type {{ EmitFn, HTMLAttributes, PublicProps }} from \"vue\";\n{}\n\
         type Described<Host extends HTMLElement, Own, Events> = new () => Host & {{\n  \
         /** For templates; at run time there is no such property. */\n  \
         $props: HTMLAttributes & Own & PublicProps;\n  \
         /** For templates; at run time there is no such method. */\n  \
         $emit: EmitFn<{{ [Name in keyof Events]: (event: Events[Name]) => void }}>;\n}};\n\n\
         declare module \"vue\" {{\n  interface GlobalComponents {{\n{tags}  }}\n}}\n",
        imports(elements, &["", "Attributes", "EventMap", "Properties"])
    )
}

fn svelte(elements: &[&Element]) -> String {
    let tags = tags(elements, "    ", |name| {
        format!("Props<{name}, {name}Attributes & {name}Properties, {name}EventMap>")
    });
    format!(
        "{HEAD}import type {{ HTMLAttributes }} from \"svelte/elements\";\n{}\n{LISTENERS}\n\
         type Props<Host extends HTMLElement, Own, Events> = Omit<HTMLAttributes<Host>, keyof Own> & Own & Listeners<Host, Events>;\n\n\
         declare module \"svelte/elements\" {{\n  export interface SvelteHTMLElements {{\n{tags}  }}\n}}\n",
        imports(elements, &["", "Attributes", "EventMap", "Properties"])
    )
}

/// What is taken from the elements' own typings. Those of the first script are handed on.
fn imports(elements: &[&Element], endings: &[&str]) -> String {
    let mut text = String::new();
    let mut scripts: Vec<&str> = elements.iter().map(|one| one.script.as_str()).collect();
    scripts.dedup();
    for script in &scripts {
        text.push_str("import type {\n");
        for element in elements.iter().filter(|one| one.script == *script) {
            for ending in endings {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {}{ending},", element.class);
            }
        }
        let _ = writeln!(text, "}} from \"./{script}\";");
    }
    if let Some(script) = scripts.first() {
        let _ = writeln!(text, "\nexport * from \"./{script}\";");
    }
    text
}

/// A line for each element.
fn tags(elements: &[&Element], indent: &str, kind: impl Fn(&str) -> String) -> String {
    let line = |element: &&Element| {
        let kind = kind(&element.class);
        format!("{indent}\"{}\": {kind};\n", element.tag)
    };
    elements.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::elements;

    #[test]
    fn every_framework_learns_of_every_element() {
        let manifest = elements::example();
        for (name, render) in FRAMEWORKS {
            let text = render(&manifest.elements());
            for expected in ["\"a-b\": ", "\"c-d\": ", "  Ab,", "  CdAttributes,"] {
                assert!(
                    text.contains(expected),
                    "{name}: {expected} is missing in\n{text}"
                );
            }
        }
    }
}
