//! The preview: a template drawn without any list behind it.
