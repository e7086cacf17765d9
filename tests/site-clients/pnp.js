// @pnp/sp, as it comes from npm, does its work against a site.
//
// node pnp.js SITE_URL   with a bearer token; then once more by form digest.

import assert from 'node:assert/strict';
import {
  BearerToken,
  BrowserFetchWithRetry,
  DefaultParse,
} from '@pnp/queryable';
import { DefaultHeaders, DefaultInit, RequestDigest, spfi } from '@pnp/sp';
import { createBatch } from '@pnp/sp/batching.js';
import '@pnp/sp/webs/index.js';
import '@pnp/sp/lists/index.js';
import '@pnp/sp/fields/index.js';
import '@pnp/sp/items/index.js';
import '@pnp/sp/site-users/index.js';
import '@pnp/sp/site-groups/index.js';
import '@pnp/sp/attachments/index.js';
import { end, step } from './proof.js';

const site = process.argv[2];

function client(...more) {
  const sp = spfi(site).using(
    DefaultInit(),
    DefaultHeaders(),
    BrowserFetchWithRetry(),
    DefaultParse(),
    ...more,
  );
  return sp;
}

const byToken = client(BearerToken('alice'));
const byDigest = client(RequestDigest());

await step('lists are read, selected and filtered', async () => {
  const lists = await byToken.web.lists.select('Title', 'Id').filter('Hidden eq false')();
  assert.ok(lists.some((list) => list.Title === 'Computers'));
  const list = await byToken.web.lists.getByTitle('All Types')();
  assert.equal(list.ListItemEntityTypeFullName, 'SP.Data.All_x0020_TypesListItem');
  const same = await byToken.web.lists.getById(list.Id).select('Title')();
  assert.equal(same.Title, 'All Types');
  const atPath = await byToken.web.getList(`${new URL(site).pathname}/Lists/All Types`).select('Id')();
  assert.equal(atPath.Id, list.Id);
});

await step('lists are made, ensured, renamed and taken away', async () => {
  const title = "It's a / list & 100%";
  await byToken.web.lists.add(title, 'made', 100);
  const made = await byToken.web.lists.getByTitle(title)();
  assert.equal(made.Title, title);
  const ensured = await byToken.web.lists.ensure('Ensured', '', 100);
  assert.equal(ensured.created, true);
  assert.equal((await byToken.web.lists.ensure('Ensured')).created, false);
  await ensured.list.update({ Description: 'changed' });
  assert.equal((await ensured.list.select('Description')()).Description, 'changed');
  await ensured.list.delete();
  await byToken.web.lists.getByTitle(title).recycle();
  await assert.rejects(byToken.web.lists.getByTitle(title)(), /404/);
});

await step('columns of each kind are made, changed and taken away', async () => {
  await byToken.web.lists.add('Columns', '', 100);
  const fields = byToken.web.lists.getByTitle('Columns').fields;
  await fields.addText('Text', { MaxLength: 50, Group: 'Mine' });
  await fields.addMultilineText('Note', { NumberOfLines: 4, RichText: false });
  await fields.addNumber('Number', { MinimumValue: 0 });
  await fields.addCurrency('Currency', { CurrencyLocaleId: 1033 });
  await fields.addDateTime('DateTime', { DisplayFormat: 0 });
  await fields.addBoolean('Bool');
  await fields.addChoice('Choice', { Choices: ['A', 'B'] });
  await fields.addMultiChoice('MultiChoice', { Choices: ['A', 'B'] });
  await fields.addUrl('Url', {});
  await fields.addUser('User', { SelectionMode: 0 });
  await fields.addCalculated('Calculated', { Formula: '=[Number]*2', OutputType: 9 });
  const other = await byToken.web.lists.getByTitle('Colours').select('Id')();
  await fields.addLookup('Lookup', { LookupListId: other.Id, LookupFieldName: 'Title' });
  await fields.createFieldAsXml(
    '<Field Type="Text" Name="SyncKey" DisplayName="Sync key" Hidden="TRUE" Indexed="TRUE" EnforceUniqueValues="TRUE" />',
  );
  const kinds = {};
  for (const field of await fields.select('Title', 'TypeAsString').filter('FromBaseType eq false')()) {
    kinds[field.Title] = field.TypeAsString;
  }
  assert.equal(kinds.Url, 'URL');
  assert.equal(kinds.User, 'User');
  assert.equal(kinds.Lookup, 'Lookup');
  assert.equal(Object.keys(kinds).length, 13);
  const text = fields.getByInternalNameOrTitle('Text');
  await text.update({ Description: 'changed' });
  assert.equal((await text()).Description, 'changed');
  await text.delete();
  await assert.rejects(text(), /400/);
  await byToken.web.lists.getByTitle('Columns').delete();
});

await step('items are made, read, changed by ETag and taken away', async () => {
  const items = byToken.web.lists.getByTitle('All Types').items;
  const made = await items.add({
    Title: 'From pnp',
    Number: 1.5,
    Bool: true,
    DateTime: new Date('2026-05-06T07:08:09Z'),
    MultiChoice: ['First', 'Second'],
    UserId: 12,
    UserMultiId: [12, 11],
    LookupMultiId: [1],
    Url: { Url: 'https://example.com', Description: 'An example' },
    OData__SpecialField: 'special',
  });
  const item = items.getById(made.Id);
  const read = await item
    .select('*', 'User/Title', 'User/EMail', 'Lookup/Title')
    .expand('User', 'Lookup')();
  assert.equal(read.User.Title, 'Bob Baker');
  assert.deepEqual(read.MultiChoice, ['First', 'Second']);
  assert.equal(read.DateTime, '2026-05-06T07:08:09Z');
  await item.update({ Title: 'Changed' }, '*');
  const etag = (await item())['odata.etag'];
  await item.update({ Title: 'Changed again' }, etag);
  await assert.rejects(item.update({ Title: 'Too late' }, etag), /412/);
  await item.validateUpdateListItem([{ FieldName: 'Title', FieldValue: 'By form' }]);
  assert.equal((await item.select('Title')()).Title, 'By form');
  assert.equal((await item.fieldValuesAsText()).Title, 'By form');
  await item.attachmentFiles.add('a.txt', 'content');
  assert.equal(await item.attachmentFiles.getByName('a.txt').getText(), 'content');
  await item.recycle();
  await assert.rejects(item(), /404/);
});

await step('filters, order and CAML find what they should', async () => {
  const list = byToken.web.lists.getByTitle('All Types');
  const found = await list.items.filter("Title eq 'Everything' and Number gt 1").select('Id')();
  assert.deepEqual(found.map((item) => item.Id), [1]);
  const fluent = await list.items.filter((it) => it.text('Title').equals('Zero')).select('Id')();
  assert.equal(fluent.length, 1);
  const behind = await list.items
    .filter("User/Title eq 'Alice Archer'")
    .select('Id', 'User/Title')
    .expand('User')();
  assert.deepEqual(behind.map((item) => item.Id), [1]);
  const sorted = await list.items.orderBy('Title', false).top(1).select('Title')();
  assert.equal(sorted[0].Title, 'Zero');
  const caml = await list.getItemsByCAMLQuery({
    ViewXml: '<View><Query><Where><Eq><FieldRef Name="Title"/><Value Type="Text">Zero</Value></Eq></Where></Query></View>',
  });
  assert.equal(caml.length, 1);
  await assert.rejects(
    list.items.filter((it) => it.text('Title').equals("a'b"))(),
    /InvalidClientQueryException/,
  );
});

await step('a batch writes a hundred items and reads them back page by page', async () => {
  const [batched, execute] = byToken.batched();
  const list = () => batched.web.lists.getByTitle('Computers');
  const written = [];
  for (let number = 0; number < 100; number += 1) {
    list().items.add({ Title: `PC ${number}` }).then((item) => written.push(item.Id));
  }
  await execute();
  assert.equal(written.length, 100);
  const all = byToken.web.lists.getByTitle('Computers').items;
  let read = 0;
  let pages = 0;
  for await (const page of all.top(30)) {
    read += page.length;
    pages += 1;
  }
  assert.deepEqual([read, pages], [100, 4]);
  const computers = byToken.web.lists.getByTitle('Computers');
  const [changing, change] = createBatch(computers);
  computers.items.getById(written[0]).using(changing).update({ Title: 'changed' });
  computers.items.getById(written[1]).using(changing).delete();
  const missing = computers.items.getById(4711).using(changing)().then(
    () => 'found',
    (error) => error.message,
  );
  await change();
  assert.match(await missing, /404/);
  assert.equal((await computers.items.getById(written[0])()).Title, 'changed');
  assert.equal((await computers.select('ItemCount')()).ItemCount, 99);
});

await step('people and groups are found', async () => {
  const bob = await byToken.web.ensureUser('i:0#.f|membership|bob@demo.test');
  assert.equal((bob.data ?? bob).Id, 12);
  assert.equal((await byToken.web.siteUsers.getById(12)()).Title, 'Bob Baker');
  assert.equal((await byToken.web.siteUsers.getByEmail('bob@demo.test')()).Id, 12);
  const login = await byToken.web.siteUsers.getByLoginName('i:0#.f|membership|bob@demo.test')();
  assert.equal(login.Id, 12);
  assert.equal((await byToken.web.currentUser()).Id, 11);
  const members = await byToken.web.siteGroups.getByName('Demo Members').users();
  assert.equal(members.length, 2);
});

await step('without a token the client fetches a form digest by itself', async () => {
  const items = byDigest.web.lists.getByTitle('Computers').items;
  const made = await items.add({ Title: 'By digest' });
  assert.equal(made.AuthorId, 8);
  const [batched, execute] = byDigest.batched();
  let title;
  batched.web.lists.getByTitle('Computers').items.add({ Title: 'In a batch' }).then((item) => {
    title = item.Title;
  });
  await execute();
  assert.equal(title, 'In a batch');
});

end();
