// @pnp/sp reads a whole list and writes a thousand items in batches, as its documentation says.
//
// node measure.js SITE_URL   prints {"write": ms, "read": ms, "again": ms, "items": how many were read}.

import { BearerToken, BrowserFetchWithRetry, DefaultParse } from '@pnp/queryable';
import { DefaultHeaders, DefaultInit, spfi } from '@pnp/sp';
import { createBatch } from '@pnp/sp/batching.js';
import '@pnp/sp/webs/index.js';
import '@pnp/sp/lists/index.js';
import '@pnp/sp/items/index.js';

const WRITES = 1000;
const IN_A_BATCH = 100;
// What our client reads with every item: all columns, who made it and who changed it last.
const COLUMNS = ['*', 'EncodedAbsUrl', 'FileLeafRef', 'LinkFilename', 'Author/Title', 'Author/EMail', 'Editor/Title', 'Editor/EMail'];

const sp = spfi(process.argv[2]).using(
  DefaultInit(),
  DefaultHeaders(),
  BrowserFetchWithRetry(),
  DefaultParse(),
  BearerToken('alice'),
);
const list = sp.web.lists.getByTitle('Computers');

let items = 0;
const whole = async () => {
  items = 0;
  const pages = list.items.select(...COLUMNS).expand('Author', 'Editor').top(5000);
  for await (const page of pages) items += page.length;
};
const read = await timed(whole);
const again = await timed(whole);
const write = await timed(async () => {
  for (let first = 0; first < WRITES; first += IN_A_BATCH) {
    const [batched, execute] = createBatch(list);
    const target = sp.web.lists.getByTitle('Computers').using(batched);
    for (let number = first; number < first + IN_A_BATCH; number += 1) {
      target.items.add({ Title: `PNP-${number}` });
    }
    await execute();
  }
});
console.log(JSON.stringify({ write, read, again, items }));

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
