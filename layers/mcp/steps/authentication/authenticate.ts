import { usageSubject } from '../../../limits/rules/windows.ts';
import { acceptJwt, type AcceptJwtPorts, acceptMintedForLogin } from './accept-jwt.ts';
import type { Accept, PrefetchedToken } from './accept.ts';
import type { Caller } from '../rpc-call.ts';
import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import { checkAccessToken, isAccessToken } from '../../../oauth/rules/tokens/tokens.ts';
import {
  bearerToken,
  checkSingle,
  EndedToken,
  InvalidToken,
  TOOL_SCOPES,
  toolScopesAmong,
} from '../../../tokens/rules/authorization.ts';
import {
  isSlug,
  type ResourceForm,
  resourceMetadataUrl,
} from '../../../platform/rules/addresses.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { RouterRefusal, type RpcIds } from '../../../platform/rules/refusal/router-refusal.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { type McpAuthMethod, offersLogin } from '../../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { onCurrent } from '../../../deployments/steps/current-deployment.ts';
import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import {
  countInvalidToken,
  mayShowToken,
  rememberGoodToken,
} from '../../../tokens/steps/invalid-tokens.ts';

export type AuthenticatePorts = AcceptAccessTokenPorts &
  AcceptJwtPorts &
  PortsOf<typeof countInvalidToken> &
  Pick<DeploymentsPorts, 'deployments'>;

interface Presented {
  readonly deployment: Deployment;
  readonly authorization: string | undefined;
  readonly sourceIp: string;
  /** Which of its addresses the client used (`/messages` or the base URL). */
  readonly form: ResourceForm;
  /** What the address ended with beyond that: a trailing slash, for instance. */
  readonly ending: string;
  readonly prefetched: PrefetchedToken;
  /** The ids that a refusal repeats; parsed only then. */
  readonly answersTo: () => RpcIds;
}

/**
 * Identifies the sender by the deployment's authentication mode. A refusal by a cached deployment is checked against
 * the current one.
 * @returns the deployment as it was read at the admission, which may be newer than the cached one
 * @throws RouterRefusal bad_request, missing_token, invalid_token or rate_limited
 * @throws Fault if a store is down. Source: docs/protocol.md, "Bearer tokens"; docs/decisions/oauth.md, "Challenges";
 *   docs/decisions/limits.md, "Invalid tokens"; docs/decisions/storage.md, "When a change takes effect".
 */
export const authenticate = async (
  ports: AuthenticatePorts,
  presented: Presented,
): Promise<{ readonly deployment: Deployment; readonly caller: Caller }> => {
  checkSingle(presented.authorization);
  const identify = (deployment: Deployment): Promise<Caller> =>
    MODES[deployment.authMethod](ports, { ...presented, deployment });
  try {
    const { deployment, done } = await onCurrent(ports, presented.deployment, identify);
    return { deployment, caller: done };
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw await refusedToken(ports, presented, error);
  }
};

/** @throws InvalidToken, RouterRefusal missing_token or rate_limited; without side effects */
type Authenticate = (ports: AuthenticatePorts, presented: Presented) => Promise<Caller>;

/** Mode `none` ignores the `Authorization` header. */
const anyone: Authenticate = async (_ports, { sourceIp }) => ({
  kind: 'anonymous',
  subject: addressSubject(sourceIp),
});

const bearer =
  (accept: Accept<AuthenticatePorts>): Authenticate =>
  async (ports, presented) => {
    const { authorization, sourceIp } = presented;
    const token = bearerToken(authorization);
    const { login, details } = challengeFor(ports, presented);
    if (token === undefined) {
      throw new RouterRefusal('missing_token', 'This server needs a bearer token.', details);
    }
    const shown = { sourceIp, at: presented.deployment.slug, token };
    const seen = mayShowToken(ports, shown);
    if (!seen.allowed) throw tooManyInvalid(presented, seen.retryAfterSeconds);
    const accepted = await accept(ports, token, presented);
    rememberGoodToken(ports, shown);
    return { kind: 'holder', ...accepted, ...login };
  };

const challengeFor = (
  { settings }: { readonly settings: PlatformSettings },
  { deployment: { authMethod, slug }, form, ending }: Presented,
) => {
  const login = offersLogin(authMethod) && {
    resourceMetadataUrl: resourceMetadataUrl(settings.baseUrl, slug, form, ending),
  };
  return { login, details: { scopes: TOOL_SCOPES, ...login } };
};

const refusedToken = async (
  ports: AuthenticatePorts,
  presented: Presented,
  error: InvalidToken,
): Promise<RouterRefusal> => {
  const { authorization, deployment, sourceIp } = presented;
  const { id: deploymentId, slug } = deployment;
  const shown = { sourceIp, at: slug, token: bearerToken(authorization) ?? '' };
  const counted = await countInvalidToken(ports, shown, error, { deploymentId, slug });
  if (!counted.allowed) return tooManyInvalid(presented, counted.retryAfterSeconds);
  const { details } = challengeFor(ports, presented);
  return new RouterRefusal(
    'invalid_token',
    'The bearer token is not valid here.',
    details,
    error.why,
  );
};

const tooManyInvalid = ({ answersTo }: Presented, retryAfterSeconds: number): RouterRefusal =>
  new RouterRefusal(
    'rate_limited',
    `Too many invalid tokens came from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds, answersTo: answersTo() },
    'invalid_tokens_per_minute_per_ip',
  );

/** Our JWTs begin with `eyJ` (base64 of `{"`), our opaque access tokens never do. */
const JWT = /^eyJ[\w-]*\./;

/** Mode `oauth`: an access token from a login, or a JWT that the owner minted for scripts. */
const acceptForLogin: Accept<AuthenticatePorts> = (ports, text, shown) =>
  (JWT.test(text) ? acceptMintedForLogin : acceptAccessToken)(ports, text, shown);

type AcceptAccessTokenPorts = Pick<
  AccountsPorts,
  'accessTokens' | 'clock' | 'notBefore' | 'signOuts'
>;

/**
 * An access token of our authorization server. The owner's access policy is checked on every request, so that
 * removing a person works at once. Endings by operators and sign-outs are read in parallel with the token, except for
 * a token that this instance sees first: its user is unknown until then. Source: docs/decisions/accounts.md, "Who may
 * use a deployment"; docs/decisions/storage.md, "When a change takes effect"; docs/storage.md, "What reads an index".
 */
const acceptAccessToken: Accept<AcceptAccessTokenPorts> = async (
  { accessTokens, clock, notBefore, signOuts },
  text,
  { deployment, prefetched },
) => {
  if (!isAccessToken(text)) throw new InvalidToken('not an access token');
  const id = fingerprint(text);
  signOuts.expectHolder(id);
  const [found, ended] = await Promise.all([prefetched ?? accessTokens.find(id), notBefore.find()]);
  const token = checkAccessToken(found, deployment.id, clock.now());
  const end = endOfGrant(ended, token);
  if (end !== undefined) throw new EndedToken(end);
  // Also ends grants that the eventually consistent list of grants did not show when a user signed out.
  const signedOutAt = await signOuts.recallHolder(id, token.userId);
  if (isSignedOut({ signedOutAt }, token.grantedAt)) throw new EndedToken('user signed out');
  if (!mayUse(deployment, token)) throw new EndedToken('not in the access policy');
  const { userId: subject, plan, clientId, grantId } = token;
  const usage = usageSubject(token.email);
  const scopes = toolScopesAmong(token.scopes);
  return { subject, plan, usage, scopes, clientId, grantId, bearer: () => text };
};

/**
 * Starts to read an access token while the deployment is read, so that both take one round trip. Nothing is read for
 * a cached deployment: it says at once whether it needs a token. Source: docs/decisions/storage.md, "Latency of a
 * call".
 */
export const prefetchAccessToken = (
  ports: Pick<AuthenticatePorts, 'counters' | 'deployments' | 'goodTokens'> &
    AcceptAccessTokenPorts,
  slug: string,
  authorization: string | undefined,
  sourceIp: string,
): PrefetchedToken => {
  const { accessTokens, deployments, notBefore, signOuts } = ports;
  if (!isSlug(slug) || deployments.knows(slug)) return undefined;
  const token = bearerToken(authorization) ?? '';
  if (!isAccessToken(token)) return undefined;
  if (!mayShowToken(ports, { sourceIp, at: slug, token }).allowed) return undefined;
  const id = fingerprint(token);
  const reading = accessTokens.find(id);
  // Warms the memo: `acceptAccessToken` shares this read.
  notBefore.find().catch(() => undefined);
  signOuts.expectHolder(id);
  // Prevents an unhandled rejection; whoever awaits `reading` still gets the failure.
  reading.catch(() => undefined);
  return reading;
};

const MODES: Readonly<Record<McpAuthMethod, Authenticate>> = {
  none: anyone,
  oauth: bearer(acceptForLogin),
  jwt: bearer(acceptJwt),
};
