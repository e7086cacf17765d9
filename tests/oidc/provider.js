// An identity provider for the tests: a certified one, on loopback, with a fresh key at each start.
//
// node provider.js [PORT]   prints "listening on URL" as soon as it answers.
//
// Whoever types a name is that person; PUT /claims/NAME says what else the tokens of that person (or
// program) claim, such as groups. Programs get access tokens by their client credentials, for
// a resource that says what is in them. The client `site-app` is granted access to sites: for the
// origin that stands before its scope, as today's identity platforms do it, by tokens that live two
// seconds and refresh tokens that work once; `site-app-minute` by tokens that live longer.
// GET /granted tells how often tokens were given, by kind of grant; GET /client-key the private key
// that `site-app-certified` has to show a certificate of, GET /client-key-curve that of
// `site-app-certified-curve`.

import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider from 'oidc-provider';

const clientKey = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curveKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
// What tokens claim beside the usual, by the name of the person or program.
const more = new Map();
const port = Number(process.argv[2] ?? 0);
const server = createServer();
server.listen(port, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration());
  // Tests choose the port of the server that is signed in to at the last moment.
  provider.Client.prototype.redirectUriAllowed = (uri) =>
    /^http:\/\/127\.0\.0\.1:\d+(\/[a-z]+)?\/(session|connections)\/callback$/.test(uri);
  provider.on('server_error', (_, error) => console.error(error));
  const granted = {};
  provider.on('grant.success', (ctx) => {
    const kind = ctx.oidc.params.grant_type;
    granted[kind] = (granted[kind] ?? 0) + 1;
  });
  const answer = provider.callback();
  server.on('request', async (request, response) => {
    const [, of] = /^\/claims\/(\w+)$/.exec(request.url) ?? [];
    if (of && request.method === 'PUT') {
      more.set(of, JSON.parse(Buffer.concat(await request.toArray()).toString()));
      return response.end('{}');
    }
    const told = {
      '/granted': () => granted,
      '/client-key': () => ({ pem: clientKey.privateKey.export({ type: 'pkcs8', format: 'pem' }) }),
      '/client-key-curve': () => ({ pem: curveKey.privateKey.export({ type: 'pkcs8', format: 'pem' }) }),
    }[request.url];
    if (!told) return answer(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(told()));
  });
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
      siteApp('site-app'),
      siteApp('site-app-minute'),
      certified('site-app-certified', clientKey, 'PS256'),
      certified('site-app-certified-curve', curveKey, 'ES256'),
      program('robot'),
      program('stranger'),
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'oid', 'groups', 'roles', 'realm_access'],
      teams: ['teams'],
    },
    // As most providers do it: the ID token claims what the scopes ask for.
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: id, ...more.get(id) }),
    }),
    extraTokenClaims: (ctx, token) => more.get(token.clientId),
    loadExistingGrant: (ctx) =>
      isSiteApp(ctx) ? grantedByThePerson(ctx) : grantEverything(ctx),
    rotateRefreshToken: true,
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => siteIn(ctx.oidc.params?.scope) ?? 'https://checks.example/api',
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => ({
          ...(isSiteApp(ctx) ? ofSite(resource, ctx.oidc.client.clientId) : ofLists(resource)),
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

const SITE_SCOPE = /(?:^| )(\S+)\/(?:AllSites\.FullControl|Sites\.FullControl\.All|Sites\.Selected|\.default)(?= |$)/;

// The origin of the site that a scope is for.
function siteIn(scope) {
  return SITE_SCOPE.exec(scope ?? '')?.[1];
}

// Says who it is by a certificate; the test makes one for the key.
function certified(id, pair, alg) {
  const { client_secret: _, ...client } = siteApp(id);
  const key = pair.publicKey.export({ format: 'jwk' });
  return {
    ...client,
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: alg,
    jwks: { keys: [{ ...key, kid: 'certified', use: 'sig', alg }] },
  };
}

function siteApp(id) {
  return {
    client_id: id,
    client_secret: 'a-secret-of-the-tests',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    redirect_uris: ['http://127.0.0.1/connections/callback'],
  };
}

function isSiteApp(ctx) {
  return ctx.oidc.client.clientId.startsWith('site-app');
}

function ofSite(resource, client) {
  const names = ['AllSites.FullControl', 'Sites.FullControl.All', 'Sites.Selected', '.default'];
  return {
    scope: names.map((name) => `${resource}/${name}`).join(' '),
    audience: resource,
    accessTokenTTL: client === 'site-app-minute' ? 40 : 2,
  };
}

function ofLists(resource) {
  return {
    scope: 'lists',
    audience: resource.endsWith('/other') ? 'https://other.example' : 'https://checks.example/api',
    accessTokenTTL: resource.endsWith('/short') ? 2 : 600,
  };
}

// What the person has agreed to on the provider's page.
async function grantedByThePerson(ctx) {
  const { client, result, session, provider } = ctx.oidc;
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
  return id ? provider.Grant.find(id) : undefined;
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
  grant.addOIDCScope('openid profile teams');
  grant.addResourceScope('https://checks.example/api', 'lists');
  await grant.save();
  return grant;
}
