// Prints the text of a PDF as JSON, page by page.
import { readFile } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";

const pdf = await getDocumentProxy(new Uint8Array(await readFile(process.argv[2])));
const { text } = await extractText(pdf, { mergePages: false });
process.stdout.write(JSON.stringify(text));
