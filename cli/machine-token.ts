import { apiAt } from './api/api.ts';
import { patiently } from './api/patiently.ts';
import { EXIT, Failure } from './failure.ts';
import { isJson, parsed, textOf } from './json.ts';
import type { World } from './world.ts';

/**
 * A machine proves itself by a token of GitHub Actions, an STS request signed by an AWS role, or HOSTED_MCP_ID_TOKEN.
 * Source: docs/decisions/accounts.md, "Machines without a secret"; GitHub, "OpenID Connect reference".
 * @returns undefined without HOSTED_MCP_TRUST
 */
export const machineToken = async (
  world: Pick<World, 'environment' | 'fetch'>,
  baseUrl: string,
): Promise<string | undefined> => {
  const { HOSTED_MCP_TRUST: trust, HOSTED_MCP_ID_TOKEN: given } = world.environment;
  if (!trust) return undefined;
  const api = apiAt(world, baseUrl, () => Promise.reject(noToken('it is not asked for')));
  // Pipelines that start at the same time come from one address, whose sign-ins are limited.
  const answer = await patiently(async () => {
    // Asked for anew each time: a token is good once, and the answer to the former may have been lost.
    const token =
      given || (await (isOnAws(world) ? ofRole(world, baseUrl) : ofGitHub(world, baseUrl)));
    return api.callOpenly('POST /sessions/machine', { json: { trust, token } });
  });
  return answer.access_token;
};

const TIMEOUT_MS = 30_000;

/** Whether, outside of GitHub Actions, the environment names a source of AWS credentials. */
const isOnAws = ({ environment }: Pick<World, 'environment'>): boolean =>
  environment['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined &&
  Object.keys(environment).some((name) => ON_AWS.includes(name) && environment[name]);

const ON_AWS = (
  'AWS_ACCESS_KEY_ID AWS_PROFILE AWS_WEB_IDENTITY_TOKEN_FILE ' +
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI'
).split(' ');

/** The role signs an STS request, which the service sends. */
const ofRole = async (world: Pick<World, 'environment'>, baseUrl: string): Promise<string> => {
  const [sdk, { signedQuery }] = await Promise.all([
    import('./admin/aws-sdk.ts'),
    import('./admin/aws-query.ts'),
  ]);
  const { config } = new sdk.LambdaClient();
  const region = await config.region().catch(() => {
    throw noToken('AWS_REGION is not');
  });
  const identity = { region, credentials: () => config.credentials() };
  const query = {
    service: 'sts',
    parameters: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
  } as const;
  const named = { 'x-hosted-mcp-server': baseUrl };
  const { headers } = await signedQuery(world, sdk, identity, query, named).catch(() => {
    throw noToken('AWS gives no credentials here');
  });
  const { 'content-type': _, ...sent } = headers;
  return Buffer.from(JSON.stringify({ region, headers: sent })).toString('base64url');
};

const ofGitHub = async (
  { environment, fetch }: Pick<World, 'environment' | 'fetch'>,
  audience: string,
): Promise<string> => {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: asking } = environment;
  if (!url || !asking) {
    throw noToken(
      'nothing here gives a token: a workflow of GitHub needs the permission id-token: write, others set HOSTED_MCP_ID_TOKEN or run as a role of AWS',
    );
  }
  const address = new URL(url);
  address.searchParams.set('audience', audience);
  const answer = await fetch(address.href, {
    headers: { authorization: `Bearer ${asking}`, accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  const body = answer?.ok ? parsed(await answer.text()) : undefined;
  const value = isJson(body) ? textOf(body.value) : undefined;
  if (value !== undefined) return value;
  throw noToken(`GitHub gave none (HTTP ${answer?.status ?? 'none'})`);
};

const noToken = (why: string): Failure =>
  new Failure(EXIT.notSignedIn, 'not_signed_in', `HOSTED_MCP_TRUST is set, and ${why}.`);
