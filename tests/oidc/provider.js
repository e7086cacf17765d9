// An identity provider for the tests: a certified one, on loopback, with a fresh key at each start.
//
// node provider.js [PORT]   prints "listening on URL" as soon as it answers.
//
// Whoever types a name is that person. Programs get access tokens by their client credentials, for
// a resource that says what is in them.

import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider from 'oidc-provider';

const port = Number(process.argv[2] ?? 0);
const server = createServer();
server.listen(port, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration());
  // Tests choose the port of the server that is signed in to at the last moment.
  provider.Client.prototype.redirectUriAllowed = (uri) =>
    /^http:\/\/127\.0\.0\.1:\d+(\/[a-z]+)?\/session\/callback$/.test(uri);
  provider.on('server_error', (_, error) => console.error(error));
  server.on('request', provider.callback());
  console.log(`listening on ${issuer}`);
});

function configuration() {
  return {
    jwks: { keys: [freshKey()] },
    cookies: { keys: ['tests'] },
    clients: [
      {
        client_id: 'checklist',
        client_secret: 'a-secret-of-the-tests',
        redirect_uris: ['http://127.0.0.1/session/callback'],
      },
      program('robot'),
      program('stranger'),
    ],
    claims: { openid: ['sub'], profile: ['name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, name: id }) }),
    loadExistingGrant: grantEverything,
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'https://checks.example/api',
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'lists',
          audience: resource.endsWith('/other') ? 'https://other.example' : 'https://checks.example/api',
          accessTokenTTL: resource.endsWith('/short') ? 2 : 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

function program(id) {
  return {
    client_id: id,
    client_secret: 'a-secret-of-the-tests',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  };
}

function freshKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

// Nobody is asked for consent.
async function grantEverything(ctx) {
  const { client, session, provider } = ctx.oidc;
  if (!session.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile');
  grant.addResourceScope('https://checks.example/api', 'lists');
  await grant.save();
  return grant;
}
