// @microsoft/microsoft-graph-client, as it comes from npm, does its work against a site.
//
// NODE_EXTRA_CA_CERTS=ca.pem node graph.js https://localhost:PORT   the client insists on TLS.

import assert from 'node:assert/strict';
import graph from '@microsoft/microsoft-graph-client';
import { end, step } from './proof.js';

const { BatchRequestContent, BatchResponseContent, Client, PageIterator } = graph;
const origin = process.argv[2];

const client = Client.init({
  baseUrl: `${origin}/`,
  customHosts: new Set([new URL(origin).hostname]),
  authProvider: (done) => done(null, 'alice'),
});

const found = await client.api('/sites/localhost:/sites/demo').get();
const site = `/sites/${found.id}`;

await step('lists and columns are read', async () => {
  const lists = await client.api(`${site}/lists`).get();
  assert.ok(lists.value.some((list) => list.displayName === 'Computers'));
  const list = await client.api(`${site}/lists/All Types`).expand('columns').get();
  assert.ok(list.columns.some((column) => column.name === 'Text' && column.text));
  await assert.rejects(client.api(`${site}/lists/Nowhere`).get(), { code: 'itemNotFound', statusCode: 404 });
});

await step('a list is made with its columns, and one is added', async () => {
  const list = await client.api(`${site}/lists`).post({
    displayName: 'From graph',
    columns: [{ name: 'Maker', text: {} }, { name: 'Pages', number: {} }],
    list: { template: 'genericList' },
  });
  const columns = `${site}/lists/${list.id}/columns`;
  const key = await client.api(columns).post({
    name: 'SyncKey', text: {}, hidden: true, indexed: true, enforceUniqueValues: true,
  });
  assert.equal(key.enforceUniqueValues, true);
  await client.api(`${columns}/${key.id}`).patch({ displayName: 'Sync key' });
  assert.equal((await client.api(`${columns}/${key.id}`).get()).displayName, 'Sync key');
  const items = `${site}/lists/${list.id}/items`;
  await client.api(items).post({ fields: { Title: 'one', SyncKey: 'k' } });
  await assert.rejects(client.api(items).post({ fields: { Title: 'two', SyncKey: 'k' } }), { statusCode: 400 });
  await client.api(`${site}/lists/${list.id}`).delete();
});

const items = `${site}/lists/All Types/items`;

await step('an item is made, read, changed by ETag and taken away', async () => {
  const made = await client.api(items).post({
    fields: {
      Title: 'From graph',
      Number: 1.5,
      'MultiChoice@odata.type': 'Collection(Edm.String)',
      MultiChoice: ['First', 'Second'],
      UserLookupId: '12',
      'UserMultiLookupId@odata.type': 'Collection(Edm.Int32)',
      UserMultiLookupId: [12, 11],
    },
  });
  assert.equal(made.fields.UserLookupId, '12');
  const read = await client.api(`${items}/${made.id}`).expand('fields($select=Title,User,UserMulti)').get();
  assert.equal(read.fields.User, 'Bob Baker');
  assert.equal(read.fields.UserMulti[1].LookupValue, 'Alice Archer');
  const fields = client.api(`${items}/${made.id}/fields`).header('If-Match', made.eTag);
  assert.equal((await fields.patch({ Title: 'Changed' })).Title, 'Changed');
  const late = client.api(`${items}/${made.id}/fields`).header('If-Match', made.eTag);
  await assert.rejects(late.patch({ Title: 'Too late' }), { statusCode: 412 });
  await client.api(`${items}/${made.id}`).delete();
  await assert.rejects(client.api(`${items}/${made.id}`).get(), { statusCode: 404 });
});

await step('filters find what is indexed, and more when the caller says so', async () => {
  const query = (filter) => client.api(items).expand('fields').filter(filter);
  const indexed = await query("fields/Text eq 'It''s a / text'").get();
  assert.deepEqual(indexed.value.map((item) => item.id), ['1']);
  await assert.rejects(query("fields/Title eq 'Zero'").get(), /not indexed/);
  const prefer = 'HonorNonIndexedQueriesWarningMayFailRandomly';
  const found = await query("fields/Title eq 'Zero'").header('Prefer', prefer).get();
  assert.equal(found.value.length, 1);
});

const computers = `${site}/lists/Computers/items`;

await step('batches write items, and pages bring all of them back', async () => {
  for (let first = 0; first < 60; first += 20) {
    const content = new BatchRequestContent();
    for (let number = first; number < first + 20; number += 1) {
      const request = new Request(`${origin}${computers}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ fields: { Title: `PC ${number}` } }),
      });
      content.addRequest({ id: String(number), request });
    }
    const answer = await client.api('/$batch').post(await content.getContent());
    const answers = new BatchResponseContent(answer);
    for (let number = first; number < first + 20; number += 1) {
      assert.equal(answers.getResponseById(String(number)).status, 201);
    }
  }
  const titles = [];
  const first = await client.api(computers).expand('fields($select=Title)').top(25).get();
  const pages = new PageIterator(client, first, (item) => {
    titles.push(item.fields.Title);
    return true;
  });
  await pages.iterate();
  assert.equal(titles.length, 60);
  assert.equal(titles[59], 'PC 59');
});

end();
