import { storedCredential } from '../support/aws/stored-credential.ts';
import { envelopeVault } from '../../layers/credentials/store/envelopes.ts';
import { DAY } from '../../layers/platform/rules/time.ts';
import { dynamoKnownDevices } from '../../layers/accounts/store/known-devices.ts';
import { dynamoLockouts } from '../../layers/accounts/store/lockouts.ts';
import { dynamoOperatorMarks } from '../../layers/accounts/store/operator-marks.ts';
import { dynamoInvitations } from '../../layers/deployments/store/invitations.ts';
import { dynamoUndeliverables } from '../../layers/accounts/store/undeliverables.ts';
import { dynamoMailTokens } from '../../layers/accounts/store/mail-tokens.ts';
import { dynamoEvents } from '../../layers/events/store/events.ts';
import { dynamoTokens } from '../../layers/connections/store/tokens.ts';
import { dynamoRecordedCallStore } from '../../layers/activity/store/recorded-calls.ts';
import { dynamoRecordingKeys } from '../../layers/activity/store/recording-keys.ts';
import { dynamoCredentialMarks } from '../../layers/credentials/store/credential-marks.ts';
import type { CaseRun } from '../../layers/servers/rules/cases.ts';
import { dynamoCases } from '../../layers/servers/store/cases.ts';
import { dynamoRefreshes } from '../../layers/deployments/store/versions/refreshes.ts';
import type { CallRecord } from '../../layers/events/rules/call-record.ts';
import { countedCallStore, tallyPorts } from '../support/aws/counted-calls.ts';
import { dynamoSweepProgress } from '../../layers/maintenance/store/sweep-progress.ts';
import { dynamoIdempotencyRecords } from '../../layers/api/store/idempotency-records.ts';
import { dynamoPrompts } from '../../layers/contents/store/prompts.ts';
import { dynamoResources } from '../../layers/contents/store/resources.ts';
import { dynamoMailCounts } from '../../layers/accounts/store/mail-counts.ts';
import { dynamoSentMails } from '../../layers/accounts/store/sent-mails.ts';
import { dynamoCounters } from '../../layers/limits/store/counters.ts';
import { dynamoLeases } from '../../layers/limits/store/leases.ts';
import { dynamoPublicRequests } from '../../layers/limits/store/public-requests.ts';
import { dynamoUsage } from '../../layers/limits/store/usage.ts';
import { dynamoAccessTokens } from '../../layers/tokens/store/access-tokens.ts';
import { dynamoAuthorizationRequests } from '../../layers/oauth/store/authorization-requests.ts';
import { dynamoClientAssertions } from '../../layers/oauth/store/client-assertions.ts';
import { dynamoClients } from '../../layers/oauth/store/clients.ts';
import {
  type CommandLineCode,
  dynamoCommandLineCodes,
} from '../../layers/accounts/store/command-line-codes.ts';
import { dynamoConsoleLinks } from '../../layers/accounts/store/console-links.ts';
import { dynamoCodes } from '../../layers/oauth/store/codes.ts';
import type { IdentityProvider } from '../../layers/identity/rules/providers.ts';
import { dynamoIdentityProviders } from '../../layers/identity/store/providers.ts';
import { dynamoKeptPersons } from '../../layers/identity/store/kept-persons.ts';
import { dynamoProviderSecrets } from '../../layers/identity/store/provider-secrets.ts';
import { type CompanySignIn, dynamoCompanySignIns } from '../../layers/identity/store/sign-ins.ts';
import { anIdentityProviderOf } from '../support/oauth/identity-provider.ts';
import { dynamoNotBefore } from '../../layers/tokens/store/not-before.ts';
import type { NotBefore } from '../../layers/tokens/rules/not-before.ts';
import { dynamoGrants } from '../../layers/oauth/store/grants.ts';
import { dynamoMintedTokens } from '../../layers/tokens/store/minted-tokens.ts';
import { dynamoRefreshTokens } from '../../layers/oauth/store/grant-items.ts';
import { dynamoSigningKeyRoles } from '../../layers/tokens/store/signing-key-roles.ts';
import type { PersonalToken } from '../../layers/accounts/rules/personal-token.ts';
import { dynamoPersonalTokens } from '../../layers/accounts/store/personal-tokens.ts';
import type { Trust } from '../../layers/accounts/rules/trust.ts';
import { dynamoTrusts } from '../../layers/accounts/store/trusts.ts';
import { dynamoSessions } from '../../layers/accounts/store/sessions.ts';
import { systemRandom } from '../../layers/platform/system/random.ts';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import type { MailToken, Session, User } from '../../layers/accounts/rules/user.ts';
import type { Prompt, Resource } from '../../layers/contents/rules/contents.ts';
import type { Deployment } from '../../layers/deployments/rules/deployment.ts';
import { fingerprint } from '../../layers/platform/rules/fingerprint.ts';
import type { SigningKeyRoles } from '../../layers/tokens/rules/signing-keys.ts';
import type {
  AuthorizationCode,
  AuthorizationRequest,
  Grant,
  MintedToken,
  OAuthClient,
} from '../../layers/tokens/rules/oauth-records.ts';
import type { ServiceEvent } from '../../layers/events/rules/service-event.ts';
import type { StoredVersion } from '../../layers/deployments/rules/versions.ts';
import {
  aClock,
  aDeployment,
  anIndex,
  aReport,
  aVersionNotes,
  contentTables,
  editorOf,
  home,
  incompressible,
  NOON,
  PLENTY,
  type Store,
  usersOf,
} from '../support/aws/dynamodb-fixtures.ts';
import {
  aClient,
  aCode,
  aGrant,
  aMailToken,
  aMintedToken,
  anAccessToken,
  aRefreshToken,
  aRequest,
  aSession,
  aUser,
  noted,
  shown,
} from '../support/oauth/oauth-fixtures.ts';
import { aDecision } from '../support/oauth/oauth-fixtures.ts';
import { committed } from '../support/aws/committed.ts';

/**
 * Has the stores write an item of every kind, once with all that it may hold and once with no more than it
 * must. `Required` has the compiler name what a record has gained since.
 */
export const storeOneOfEverything = async (store: Store): Promise<void> => {
  await storeAccounts(store);
  await storeOAuth(store);
  await storeDeployments(store);
  await storeLimits(store);
  await storeActivity(store);
  await storeCredential(store);
};

const random = systemRandom();

const dataKeys = {
  generate: async () => ({ key: Buffer.alloc(32), wrapped: Buffer.alloc(64) }),
  unwrap: async () => Buffer.alloc(32),
};

const WHOLE_ASSERTIONS = {
  issuer: 'https://org.acme.example',
  jwks_uri: 'https://org.acme.example/keys',
  tenant: 't1',
  public_clients: true,
} as const;

const WHOLE_SIGN_IN = {
  client_id: 'mcp',
  client_auth: 'basic',
  scopes: ['openid', 'email'],
  authorize: { access_type: 'offline' },
  secret_ends: '2027-11-30',
} as const;
const WHOLE_ENDPOINTS = {
  authorization_endpoint: 'https://idp.acme.example/authorize',
  token_endpoint: 'https://idp.acme.example/token',
  userinfo_endpoint: 'https://idp.acme.example/userinfo',
  authorization_response_iss_parameter_supported: true,
} as const;

const storeAccounts = async (store: Store): Promise<void> => {
  const table = store.tableName('users');
  const users = usersOf(store);
  const subject = fingerprint('subject');
  const whole: Required<User> = {
    ...aUser({ id: 'whole', email: 'w@example.com' }),
    name: 'Ada',
    sessionsEndedAt: NOON,
    trustsEndedAt: NOON,
    operator: true,
    mayLink: { issuer: 'https://idp.example.com', until: NOON },
    identities: [
      {
        issuer: 'https://idp.example.com',
        subject,
        claim: 'oid',
        addressAt: NOON,
        signedIn: true,
        checkedAt: NOON,
        lastSignIn: NOON,
        checkable: true,
        endedAt: NOON,
        leftAt: NOON,
        opensOperator: true,
      },
    ],
  };
  await users.create(whole);
  await dynamoOperatorMarks(store.instance(), table).put(whole.id);
  await users.link({ ...whole, revision: whole.revision + 1 }, subject);
  await users.endSessions({ ...whole, revision: whole.revision + 2 });
  await users.create(aUser());
  await users.signOut({ ...aUser(), signedOutAt: NOON, revision: 2 });

  const mailTokens = dynamoMailTokens(store.instance(), table, random);
  const mailed: Required<MailToken> = aMailToken({ email: 'w@example.com' });
  const { purpose } = mailed;
  const secret = fingerprint('whole');
  await mailTokens.put(secret, mailed);
  const wanted = { purpose, address: fingerprint(mailed.email), secret };
  await mailTokens.hold(wanted, NOON + 30, NOON);
  await committed(store.instance(), mailTokens.spending(wanted));
  await mailTokens.put(fingerprint('least'), aMailToken());

  const invitations = dynamoInvitations(store.instance(), store.tableName('deployments'));
  await invitations.add('invited@example.com', { slug: 'whole', deploymentId: 'whole' }, NOON);
  const undeliverables = dynamoUndeliverables(store.instance(), table);
  await undeliverables.put('gone@example.com', { reason: 'bounce', since: NOON });

  const email = 'ada@example.com';
  await dynamoLockouts(store.instance(), table).reserve(email, NOON);
  await dynamoKnownDevices(store.instance(), table).remember(fingerprint('device'), {
    email,
    createdAt: NOON,
    expiresAt: NOON + 90 * DAY,
  });
};

const storeOAuth = async (store: Store): Promise<void> => {
  const table = store.tableName('oauth');
  const dynamo = store.instance();

  const clients = dynamoClients(dynamo, table, aClock());
  const client: Required<OAuthClient> = {
    ...aClient({ id: 'whole' }),
    secret: fingerprint('s'),
    keys: { uri: 'https://client.example/jwks.json' },
    withoutRefresh: true,
  };
  await clients.put(client);
  await clients.put({ ...client, id: 'with its keys', keys: { list: [{ kty: 'EC' }] } });
  await clients.put(aClient());

  const requests = dynamoAuthorizationRequests(dynamo, table);
  const request: Required<AuthorizationRequest> = {
    ...aRequest(),
    onDevice: true,
    state: 's',
    slug: 'weather',
    clientAuthMethod: 'private_key_jwt',
    withoutRefresh: true,
    offlineAccess: true,
    nonce: 'n',
  };
  await requests.put(fingerprint('whole'), request);
  await committed(dynamo, requests.answering(fingerprint('whole'), aDecision()));
  await requests.put(fingerprint('least'), aRequest());
  const { slug: _, ...denied } = aDecision({ decision: 'deny' });
  await requests.put(fingerprint('denied'), aRequest());
  await committed(dynamo, requests.answering(fingerprint('denied'), denied));

  const links = dynamoConsoleLinks(dynamo, table, random);
  const link = { session: fingerprint('session'), expiresAt: NOON + 60 };
  await links.put(fingerprint('followed'), link);
  await committed(dynamo, links.spending(fingerprint('followed')));
  await links.put(fingerprint('least'), link);

  const forPrograms = dynamoCommandLineCodes(dynamo, table, random);
  const forProgram: Required<CommandLineCode> = { ...link, challenge: 'c' };
  await forPrograms.put(fingerprint('spent'), forProgram);
  await committed(dynamo, forPrograms.spending(fingerprint('spent')));
  await forPrograms.put(fingerprint('least'), forProgram);

  const codes = dynamoCodes(dynamo, table);
  await committed(dynamo, codes.storing(fingerprint('used'), aCode()));
  await committed(dynamo, codes.spending(fingerprint('used'), 'request', NOON));
  const signed: Required<Grant> = {
    ...aGrant(),
    clientAuthMethod: 'private_key_jwt',
    withoutRefresh: true,
    offlineAccess: true,
  };
  const code: Omit<Required<AuthorizationCode>, 'usedAt'> = {
    ...aCode({ grant: signed }),
    nonce: 'n',
    authTime: NOON,
  };
  await committed(dynamo, codes.storing(fingerprint('unused'), code));

  const assertions = dynamoClientAssertions(dynamo, table, random);
  await assertions.use({ clientId: 'mcp_client', keyId: undefined, jti: 'once', endsAt: NOON });

  const ended: Required<NotBefore> = {
    tokens: NOON,
    sessions: NOON,
    parties: [{ kind: 'client', id: 'whole', before: NOON, expiresAt: NOON + DAY }],
    revision: 1,
  };
  await dynamoNotBefore(dynamo, table).replace(ended);

  const grants = dynamoGrants(dynamo, table, DEFAULT_LIMITS);
  await committed(
    dynamo,
    grants.beginning(aGrant({ id: 'whole' }), noted('first'), fingerprint('0')),
  );
  await grants.refresh('whole', shown('0', '1'), noted('not-stored-yet'), NOON);
  await grants.endRefresh('whole', NOON);
  await grants.end('whole', NOON);
  await committed(dynamo, grants.beginning(signed, noted('live')));
  await committed(
    dynamo,
    grants.beginning(aGrant({ id: 'unused' }), noted('unused'), fingerprint('unused')),
  );
  await grants.end('ended-before-it-began', NOON);

  await dynamoAccessTokens(dynamo, table).put(fingerprint('live'), anAccessToken());
  await dynamoRefreshTokens(dynamo, table).put(fingerprint('refresh'), aRefreshToken());
  await dynamoSessions(dynamo, table).put(fingerprint('session'), aSession());
  const session: Required<Session> = {
    ...aSession(),
    userAgent: 'a browser',
    signedInAt: NOON,
    askedAnew: true,
    provider: 'acme',
  };
  await dynamoSessions(dynamo, table).put(fingerprint('whole'), session);

  const personal: Required<PersonalToken> = {
    userId: 'user-1',
    name: 'pipeline',
    scope: 'declare',
    slugs: ['orders-*'],
    trust: 'trust-1',
    createdAt: NOON,
    expiresAt: NOON + DAY,
    usedOn: '2026-01-15',
  };
  await dynamoPersonalTokens(dynamo, table).put(fingerprint('personal'), personal);
  const trust: Required<Trust> = {
    userId: 'user-1',
    name: 'orders',
    issuer: 'https://issuer.example',
    jwksUri: 'https://issuer.example/keys',
    claims: { project_id: '4711' },
    scope: 'declare',
    slugs: ['orders-*'],
    createdAt: NOON,
    endedAt: NOON,
    usedOn: '2026-01-15',
  };
  const trusts = dynamoTrusts(dynamo, table);
  await trusts.put('whole', trust);
  await trusts.end('whole', NOON);

  const providers: readonly Required<IdentityProvider>[] = [
    {
      ...anIdentityProviderOf(),
      plan: 'pro',
      assertions: WHOLE_ASSERTIONS,
      sign_in: WHOLE_SIGN_IN,
      endpoints: WHOLE_ENDPOINTS,
      passwords: 'refused',
      exceptions: ['ci@acme.example'],
    },
  ];
  const believed = dynamoIdentityProviders(dynamo, table);
  await believed.replace({ providers, passwords: 'off', breakGlass: ['user-1'], revision: 1 });

  const place = { provider: 'acme', issuer: 'i', clientId: 'c', tokenOrigin: 'o' };
  await dynamoProviderSecrets(dynamo, table, dataKeys, random).put(place, 'a secret');
  const signIn: Required<CompanySignIn> = {
    provider: 'acme',
    issuer: 'https://idp.acme.example',
    browser: fingerprint('kept'),
    freshFrom: NOON,
    expiresAt: NOON + 600,
  };
  const signIns = dynamoCompanySignIns(dynamo, table, random);
  await signIns.put(fingerprint('state'), signIn);
  await signIns.claim(fingerprint('state'));
  await signIns.put(fingerprint('under way'), {
    provider: 'acme',
    issuer: 'https://idp.acme.example',
    browser: fingerprint('under way'),
    expiresAt: NOON + 600,
  });

  const register = dynamoSigningKeyRoles(dynamo, table, ['first', 'second', 'third']);
  const roles: Required<SigningKeyRoles> = {
    current: 'second',
    next: { keyId: 'third', publishedAt: NOON },
    former: [{ keyId: 'first', endsAt: NOON }],
    revision: 1,
  };
  await register.replace(roles);

  const minted = dynamoMintedTokens(dynamo, table);
  const token: Required<MintedToken> = {
    ...aMintedToken({ jti: 'whole' }),
    name: 'nightly',
    ownKey: true,
    minterSignedOutAt: 0,
  };
  await minted.put(token);
  await minted.put(aMintedToken());
};

const storeDeployments = async (store: Store): Promise<void> => {
  const progress = dynamoSweepProgress(store.instance(), store.tableName('deployments'));
  await progress.advance(undefined, { id: 'round', step: 'files', after: 'deployments/x' });

  const editor = editorOf(store);
  const whole: Required<Deployment> = {
    ...aDeployment({ id: 'whole', slug: 'whole' }),
    answerTokenBudget: 12_000,
    accessTokenSeconds: 43_200,
    casesRight: 90,
    ownerUsage: 'hash-of-an-email',
    sealedFor: 'first-owner',
    transfer: { from: 'first-owner', at: NOON },
    instructions: 'Ask for a city first.',
    description: 'The weather of the day',
    websiteUrl: 'https://weather.example',
    network: 'orders',
    managedBy: {
      by: 'github.com/acme/orders:servers.yaml',
      at: NOON,
      isAdopted: true,
      isProtected: true,
    },
    apiTexts: { instructions: 'Weather\n\nOf the day.', description: 'Of the day.' },
    completions: 1,
    access: { mode: 'allow_list', emails: ['a@example.com'], domains: ['example.com'] },
    jwtIssuer: {
      issuer: 'https://issuer.example',
      jwksUri: 'https://issuer.example/keys',
      audience: 'weather',
      algorithms: ['ES256'],
    },
    credential: {
      type: 'api_key',
      name: 'X-Key',
      in: 'header',
      origins: ORIGINS,
      schemes: ['appKey'],
      version: 'v1',
      setAt: NOON,
      refusedAt: NOON + 60,
    },
    credentials: {
      'tenant-key': { type: 'bearer', origins: ORIGINS, version: 'v1', setAt: NOON },
    },
    credentialNames: ['tenant-key'],
    recording: {
      publicKey: 'MCowBQYDK2VuAyEA',
      since: NOON,
      until: NOON + 86_400,
      tool: 'getForecast',
      subjects: ['a@example.com', 'user-1'],
    },
  };
  await editor.create(whole, { version: versionOf('whole', 'small') });
  await editor.create(aDeployment({ id: 'large', slug: 'large' }), {
    version: versionOf('large', incompressible(500_000)),
  });
  const credential = { type: 'bearer', origins: ORIGINS, version: 'v1', setAt: NOON } as const;
  const apiTexts = { instructions: 'Weather' };
  await editor.create(aDeployment({ slug: 'with-token', status: 'paused', credential, apiTexts }));

  const gone = aDeployment({
    id: 'gone',
    slug: 'gone',
    ownerId: 'former',
    credentialNames: ['tenant-key'],
  });
  const bare = aDeployment({ id: 'bare', slug: 'bare', ownerId: 'former' });
  for (const one of [gone, bare]) {
    await editor.create(one);
    await editor.replace(one, { ...one, status: 'removing', revision: 2 });
    await editor.remove(one, NOON);
  }

  const given = aDeployment({ id: 'given', slug: 'given', ownerId: 'giver' });
  await editor.create(given);
  await editor.replace(given, { ...given, ownerId: 'taker', revision: 2 });

  const resources = dynamoResources(store.instance(), contentTables(store));
  const resource: Required<Resource> = {
    name: 'whole',
    uri: 'docs://whole/{city}',
    title: 'Whole',
    description: 'All there is',
    mimeType: 'text/plain',
    audience: ['user'],
    priority: 0.5,
    variables: [{ name: 'city', values: ['Prague'] }],
    updatedAt: NOON,
    content: 'text',
    encoding: 'text',
  };
  const least: Resource = { name: 'least', uri: 'docs://least', content: '', encoding: 'text' };
  await resources.create(home('whole'), resource, PLENTY);
  await resources.create(home('whole'), least, PLENTY);

  const prompts = dynamoPrompts(store.instance(), contentTables(store));
  const prompt: Required<Prompt> = {
    name: 'whole',
    title: 'Whole',
    description: 'All there is',
    arguments: [
      { name: 'city', required: true, title: 'City', values: ['Prague'], description: 'Which' },
    ],
    template: '{{city}}',
  };
  await prompts.create(home('whole'), prompt, PLENTY);
  await prompts.create(home('whole'), { name: 'least', arguments: [], template: '' }, PLENTY);
};

/** @param text - in every part, and so large or small as the part will be */
const versionOf = (deploymentId: string, text: string): StoredVersion => ({
  deploymentId,
  version: 1,
  index: anIndex(text),
  searchIndex: { format: 1, operations: [], isReadOnly: true, ranked: text },
  report: aReport({ name: 'getForecast', notes: [{ what: text, why: 'why' }] }),
  description: text,
  inline: true,
  notes: aVersionNotes({ warnings: [{ where: '/', what: text, hint: 'hint' }] }),
});

const storeLimits = async (store: Store): Promise<void> => {
  const table = store.tableName('limits');
  const dynamo = store.instance();
  await dynamoCounters(dynamo, table, DEFAULT_LIMITS).take(
    'registration_per_hour_per_ip',
    '192.0.2.1',
    NOON,
  );
  await dynamoMailCounts(dynamo, table, DEFAULT_LIMITS).take('ada@example.com', 'request', NOON);
  const sentMails = dynamoSentMails(dynamo, table, random);
  await sentMails.begin('under-way', NOON);
  const begun = await sentMails.begin('sent', NOON);
  if (typeof begun === 'object') await begun.sent();
  await dynamoUsage(dynamo, table, DEFAULT_LIMITS).take('user-1', 'free', 1, NOON);
  const requests = dynamoPublicRequests(dynamo, table, 1);
  const to = { deploymentId: 'whole', slug: 'whole' };
  await requests.count({ ...to, subject: '192.0.2.1' }, 1, NOON);
  await requests.count({ ...to, subject: '192.0.2.2' }, 5, NOON);
  await requests.count({ ...to, subject: '192.0.2.3' }, 50, NOON);

  const leases = dynamoLeases(dynamo, table, DEFAULT_LIMITS, random);
  await leases.take('trials_at_once_per_user', 'user-1', 30, NOON);

  const records = dynamoIdempotencyRecords(dynamo, table);
  const request = { userId: 'user-1', key: 'whole', requestHash: 'a'.repeat(64) };
  await records.begin(request, 'attempt', NOON);
  await records.finish(request, 'attempt', {
    statusCode: 201,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    isBase64Encoded: false,
  });
  await records.begin({ ...request, key: 'least' }, 'attempt', NOON);
};

type Kept<Type extends ServiceEvent['type']> = Required<Extract<ServiceEvent, { type: Type }>>;

const storeActivity = async (store: Store): Promise<void> => {
  const table = store.tableName('security-events');
  const ports = { clock: aClock(), log: { write: () => undefined }, random };
  const events = dynamoEvents(ports, store.instance(), table, 90);
  const on = { deploymentId: 'whole', slug: 'whole' };
  const security: Kept<'security'> = {
    type: 'security',
    event: 'login_failed',
    ...on,
    accountId: 'user-1',
    operatorId: 'user-2',
    subject: '192.0.2.1',
    why: 'wrong password',
  };
  const change: Kept<'change'> = {
    type: 'change',
    ...on,
    subject: 'user-1',
    operation: 'changeDeployment',
    members: 'name',
  };
  const warning: Kept<'quota_warning'> = {
    type: 'quota_warning',
    ...on,
    subject: 'user-1',
    plan: 'free',
    window: 'hour',
    limit: 20,
  };
  const access: Kept<'credential_access'> = {
    type: 'credential_access',
    deploymentId: 'whole',
    name: 'tenant-key',
    version: 'v1',
    user: 'user-1',
    ip: '192.0.2.1',
    userAgent: 'agent',
    requestId: 'request-1',
    instance: 'router-1',
    outcome: 'limited',
    why: 'too many',
    kind: 'oauth_client',
    code: 'invalid_client',
    durationMs: 5,
  };
  const command: Kept<'operator_command'> = {
    type: 'operator_command',
    subject: 'operators',
    command: 'set-plan',
    target: 'ada@example.com',
    outcome: 'refused',
    code: 'not_found',
    claimedActor: 'arn:aws:sts::000000000000:assumed-role/operator/ada',
    requestId: 'request-2',
  };
  for (const event of [change, security, warning, access, command]) events.record(event);
  const guess = { type: 'security', event: 'authentication_failed', subject: '192.0.2.1' } as const;
  events.record({ ...guess, ...on, why: 'unknown token' });
  events.record({ type: 'security', event: 'ip_blocked', subject: '192.0.2.1', why: 'limit' });
  await events.flush();

  const whole: Required<CallRecord> = {
    ...aCall(),
    withoutTool: true,
    trial: true,
    status: 500,
    reason: 'timeout',
    origin: 'https://page.example',
    clientId: 'mcp_client',
    grantId: 'grant-1',
    tokenId: 'jti-1',
    network: 'orders',
    credentialVersion: 'v1',
    credentials: [{ name: 'tenant-key', type: 'bearer', version: 'v1' }],
    answerTokens: 512,
    faults: [{ argument: 'title', keyword: 'type', sent: 'object' }],
    words: ['invoice'],
  };
  const refreshes = dynamoRefreshes(store.instance(), store.tableName('deployment-content'));
  await refreshes.put('dep-1', {
    at: NOON,
    outcome: 'failed',
    why: 'It answered HTTP 404.',
    seen: 'a1',
    failingSince: NOON,
    toldOf: 'b2',
  });
  await refreshes.put('dep-2', { at: NOON, outcome: 'unchanged' });

  const cases = dynamoCases(store.instance(), store.tableName('deployment-content'));
  const wish = 'What will the weather be?';
  const kept = [{ wish, tool: 'getForecast', arguments: { city: 'Prague' } }] as const;
  await cases.replace('dep-1', kept, undefined);
  const run: Required<CaseRun> = {
    at: NOON,
    model: 'openai/one',
    version: 1,
    toolsHash: 'a'.repeat(64),
    casesRevision: 'revision',
    right: 1,
    cases: 1,
    inputTokens: 100,
    outputTokens: 10,
  };
  await cases.addRun('dep-1', run, [{ wish, right: true }], 'attempt');
  const calls = countedCallStore(store);
  await calls.store([whole, { ...aCall(), index: 1 }], 'log-stream');
  await calls.store([{ ...aCall(), index: 2, outcome: 'unfinished' }], 'log-stream');
  await tallyPorts(store).callTally.raiseDone('2026-11-20T11:55');
  const begun = { minute: '2026-11-20T11:56', counted: [1] };
  await tallyPorts(store).callTally.noteBegun('2026-11-20T11:55', begun);
  const recorded = dynamoRecordedCallStore(store.instance(), store.tableName('recorded-calls'));
  const { at, requestId, index, deploymentId, subject } = aCall();
  const sealed = Buffer.from('sealed');
  const until = NOON + 86_400;
  const person = fingerprint(subject);
  await recorded.store([{ at, requestId, index, deploymentId, until, person, sealed }]);
  const keys = dynamoRecordingKeys(store.instance(), store.tableName('limits'));
  const both = await keys.changing('whole', NOON, () => [
    { publicKey: 'a', privateKey: 'b', since: NOON, until, endedAt: NOON + 60 },
    { publicKey: 'c', privateKey: 'd', since: NOON, until },
  ]);
  await committed(store.instance(), both);
  const marks = dynamoCredentialMarks(store.instance(), store.tableName('calls'));
  await marks.put({ deploymentId: 'dep-1', version: 'v1', since: 1_800_000_000 });
};

const aCall = (): CallRecord => ({
  at: NOON,
  requestId: 'request-1',
  index: 0,
  deploymentId: 'whole',
  version: 1,
  tool: 'getForecast',
  outcome: 'ok',
  durationMs: 5,
  subject: 'user-1',
  network: 'orders',
  ip: '192.0.2.1',
});
const ORIGINS = ['https://api.example.com'];

const storeCredential = async (store: Store): Promise<void> => {
  const table = store.tableName('credentials');
  const vault = envelopeVault(store.instance(), table, dataKeys, random);
  const place = { deploymentId: 'whole', name: 'main', from: 'store' } as const;
  const ref = { ...place, ownerId: 'user-1', sealedFor: 'user-1', version: 'v1' };
  for (const at of [{}, { name: 'tenant-key' }, { from: 'connections' } as const]) {
    const credential = { type: 'bearer', token: 'token', origins: ORIGINS } as const;
    await storedCredential(store.instance(), vault, { ...ref, ...at }, credential);
  }

  const tokens = dynamoTokens(store.instance(), store.tableName('connections'), dataKeys, random);
  const lease = { holder: 'request-1', generation: 0, now: NOON, until: NOON + 10 };
  const token = {
    sent: { type: 'bearer', token: 'token', origins: ORIGINS } as const,
    credentialVersion: 'v1',
    givenAt: NOON,
    expiresAt: NOON + 600,
    scopes: ['orders:read'],
    clientAuth: 'post' as const,
  };
  const failed = {
    at: NOON,
    version: 'v1',
    reason: 'token_refused',
    code: 'invalid_client',
  } as const;
  for (const subject of [undefined, fingerprint('user-1')]) {
    const its = { deploymentId: 'whole', name: 'main', subject };
    await tokens.lease(its, lease);
    await tokens.put(its, lease, await tokens.newKey(its), token);
    await tokens.lease(its, { ...lease, generation: 1 });
    if (subject) await tokens.fail(its, lease, failed);
  }
  await tokens.lease({ deploymentId: 'least', name: 'main' }, lease);
  await storePersons(store);
};

const storePersons = async (store: Store): Promise<void> => {
  const table = store.tableName('connections');
  const persons = dynamoKeptPersons(store.instance(), table, dataKeys, random);
  const [issuer, tokenEndpoint] = ['https://idp.acme.example', 'https://idp.acme.example/token'];
  const at = { provider: 'acme', issuer, clientId: 'hosted-mcp', tokenEndpoint };
  const kept = { refreshToken: 'a refresh token', sub: 'U1' };
  const lease = { holder: 'request-1', generation: 1 };
  for (const name of ['least', 'whole']) {
    const place = { ...at, subject: fingerprint(name) };
    await persons.signedIn(place, await persons.newKey(place), kept, NOON);
    if (name === 'least') continue;
    const times = { now: NOON, until: NOON + 20 };
    await persons.lease(place.subject, lease, times);
    await persons.answered(place, lease, { as: 'unavailable', why: 'no answer' }, NOON);
    await persons.lease(place.subject, { ...lease, generation: 2 }, times);
  }
};
