import { apiAt } from './api/api.ts';
import { EXIT, Failure } from './failure.ts';
import { isJson, parsed, textOf } from './json.ts';
import type { World } from './world.ts';

/**
 * Signs a pipeline in by what its own platform says of it: GitHub Actions is asked, others give a token.
 *
 * @returns undefined where nothing says by which trust
 * @throws Failure not signed in
 *
 * Source: docs/decisions/accounts.md, "Machines without a secret"; GitHub, "OpenID Connect reference".
 */
export const machineToken = async (
  world: Pick<World, 'environment' | 'fetch'>,
  baseUrl: string,
): Promise<string | undefined> => {
  const { HOSTED_MCP_TRUST: trust, HOSTED_MCP_ID_TOKEN: given } = world.environment;
  if (!trust) return undefined;
  const token = given || (await ofGitHub(world, baseUrl));
  const api = apiAt(world, baseUrl, () => Promise.reject(noToken('it is not asked for')));
  const answer = await api.callOpenly('POST /sessions/machine', { json: { trust, token } });
  return answer.access_token;
};

const TIMEOUT_MS = 30_000;

const ofGitHub = async (
  { environment, fetch }: Pick<World, 'environment' | 'fetch'>,
  audience: string,
): Promise<string> => {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: asking } = environment;
  if (!url || !asking) {
    throw noToken(
      'nothing here gives a token: a workflow of GitHub needs the permission id-token: write, others set HOSTED_MCP_ID_TOKEN',
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
