// Node 20 or newer, nothing to install: node mint.mjs PRIVATE_KEY.pem
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const key = createPrivateKey(readFileSync(process.argv[2]));
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function mint(subject, name, contexts, perm) {
  const now = Math.floor(Date.now() / 1000);
  const signed = [
    part({ alg: 'EdDSA', typ: 'JWT', kid: '{KID}' }),
    part({
      iss: '{TENANT}', aud: '{BASE_URL}', tenant: '{TENANT}',
      sub: subject, name, contexts, perm, iat: now, exp: now + 600, jti: randomUUID(),
    }),
  ].join('.');
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const incident = [{ ObjectType: 'incident', ObjectId: 'INC-1', Purpose: '*' }];
console.log(mint('u-1', 'Anna', incident, ['Read', 'Check', 'Add', 'Edit', 'Delete']));
