import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type TableName, tables } from '../../../lambdas/storage-manifest.ts';
import { dynamoAccessTokens } from '../../../layers/tokens/store/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../../../layers/oauth/store/authorization-requests.ts';
import { dynamoClients } from '../../../layers/oauth/store/clients.ts';
import { dynamoCodes } from '../../../layers/oauth/store/codes.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { dynamoMailTokens } from '../../../layers/accounts/store/mail-tokens.ts';
import { dynamoRefreshTokens } from '../../../layers/oauth/store/grant-items.ts';
import { dynamoSessions } from '../../../layers/accounts/store/sessions.ts';
import { dynamoUsers } from '../../../layers/accounts/store/users.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';
import { scryptPasswords } from '../../../layers/accounts/store/passwords.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { aClock, NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import {
  aClient,
  aCode,
  aGrant,
  aMailToken,
  anAccessToken,
  aRefreshToken,
  aRequest,
  aSession,
  aUser,
  kept,
  noted,
} from '../../support/oauth/oauth-fixtures.ts';
import { MAY_SET } from '../../support/oauth/people.ts';
import { aDecision } from '../../support/oauth/oauth-fixtures.ts';
import { committed } from '../../support/aws/committed.ts';

const store = await startStore();
afterAll(() => store.stop());

/** In every form that a careless line might store it in. */
const formsOf = (secret: string) => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
];

const stored = async () => {
  const everything = await Promise.all(
    (Object.keys(tables) as TableName[]).map((name) =>
      store.instance().send(new ScanCommand({ TableName: store.tableName(name) })),
    ),
  );
  return everything.flatMap(({ Items }) => Items ?? []);
};

describe('the tables', () => {
  test('hold no secret of a whole flow: only fingerprints', async () => {
    const dynamo = store.instance();
    const [oauth, users] = [store.tableName('oauth'), store.tableName('users')];
    const random = systemRandom();
    const secrets = Object.fromEntries(
      [
        'password',
        'mail',
        'client secret',
        'ticket',
        'session',
        'code',
        'access',
        'next access',
        'refresh',
        'next refresh',
      ].map((name) => [name, `CANARY-${random.secret()}`]),
    );
    const secret = (name: string) => secrets[name] ?? name;
    const print = (name: string) => fingerprint(secret(name));

    const passwordHash = await scryptPasswords().hash(MAY_SET, secret('password'));
    await dynamoUsers(dynamo, { users, oauth }, DEFAULT_LIMITS).create(aUser({ passwordHash }));
    const mailTokens = dynamoMailTokens(dynamo, users, random);
    await mailTokens.put(print('mail'), aMailToken());
    const { purpose, email } = aMailToken();
    await committed(
      dynamo,
      mailTokens.spending({ purpose, address: fingerprint(email), secret: print('mail') }),
    );
    await dynamoClients(dynamo, oauth, aClock()).put(aClient({ secret: print('client secret') }));
    const requests = dynamoAuthorizationRequests(dynamo, oauth);
    await requests.put(print('ticket'), aRequest());
    await committed(dynamo, requests.answering(print('ticket'), aDecision()));
    await dynamoSessions(dynamo, oauth).put(print('session'), aSession());
    const codes = dynamoCodes(dynamo, oauth);
    await committed(dynamo, codes.storing(print('code'), aCode()));
    await committed(dynamo, codes.spending(print('code'), 'request', NOON));
    const grants = dynamoGrants(dynamo, oauth, DEFAULT_LIMITS);
    await committed(dynamo, grants.beginning(aGrant(), noted(secret('access'))));
    const accessTokens = dynamoAccessTokens(dynamo, oauth);
    await accessTokens.put(print('access'), anAccessToken());
    const refreshTokens = dynamoRefreshTokens(dynamo, oauth);
    await refreshTokens.put(print('refresh'), aRefreshToken());
    await grants.refresh('grant-1', kept(), noted(secret('next access')), NOON);
    await accessTokens.put(print('next access'), anAccessToken());
    await refreshTokens.put(print('next refresh'), aRefreshToken({ generation: 1 }));
    await grants.end('grant-1', NOON);

    const items = await stored();
    // user, e-mail, mail token, client, request, session, code, grant, two of each kind of token
    expect(items).toHaveLength(12);
    const text = JSON.stringify(items);
    expect(text).not.toContain('CANARY');
    for (const form of Object.values(secrets).flatMap(formsOf)) expect(text).not.toContain(form);
  });
});
