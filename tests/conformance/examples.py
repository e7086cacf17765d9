"""Holds every JSON example of an API document against the schema beside it.

The validator is that of schemathesis (JSON Schema 2020-12, formats included). Prints what is
wrong, a line each, and at the end how many examples it has looked at; run by the test
`conformance::every_example_is_valid_by_the_schema_beside_it` with the path of a document.
"""

import json
import sys

import jsonschema_rs

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
count = 0


def check(place, content):
    global count
    for kind, media in content.items():
        if not kind.endswith("json") or "schema" not in media:
            continue
        schema = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": document["components"],
            "allOf": [media["schema"]],
        }
        validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        named = [example["value"] for example in media.get("examples", {}).values()]
        for example in [media["example"]] if "example" in media else named:
            count += 1
            for error in validator.iter_errors(example):
                where = "/".join(str(part) for part in error.instance_path)
                print(f"{place} at /{where}: {error.message}")


for path, item in document["paths"].items():
    for verb, operation in item.items():
        place = f"{verb} {path}"
        check(f"{place}, request", operation.get("requestBody", {}).get("content", {}))
        for status, response in operation["responses"].items():
            check(f"{place}, {status}", response.get("content", {}))
for name, response in document["components"]["responses"].items():
    check(name, response.get("content", {}))
print(f"{count} examples")
