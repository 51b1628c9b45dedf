import { bearerToken, checkSingle } from '../../domain/access/authorization.ts';
import { addressSubject } from '../../domain/access/subject.ts';
import { type ResourceForm, resourceMetadataUrl } from '../../domain/addresses.ts';
import type { Deployment, McpAuthMethod } from '../../domain/deployment.ts';
import { TOOL_SCOPES } from '../../domain/oauth/index.ts';
import { RouterRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';

export type AuthenticatePorts = Pick<Ports, 'events' | 'settings'>;

/** What a request shows of its sender. */
export interface Presented {
  readonly deployment: Deployment;
  readonly authorization: string | undefined;
  /** As the gateway saw it. */
  readonly sourceIp: string;
  /** By which of its names the client called the deployment. */
  readonly form: ResourceForm;
}

/** Who a request comes from, and whom its limits count. */
export interface Caller {
  readonly kind: 'anonymous';
  /** An IPv4 address, or the /64 of an IPv6 one. */
  readonly subject: string;
}

type Authenticate = (ports: AuthenticatePorts, presented: Presented) => Promise<Caller>;

/**
 * Who sent a request, by the deployment's mode.
 *
 * @throws RouterRefusal bad_request, missing_token or invalid_token
 *
 * Source: spec, "Authentication"; D3; T9.
 */
export const authenticate: Authenticate = async (ports, presented) => {
  checkSingle(presented.authorization);
  return MODES[presented.deployment.authMethod](ports, presented);
};

/** `none` ignores what the `Authorization` header says. */
const anyone: Authenticate = async (_ports, { sourceIp }) => ({
  kind: 'anonymous',
  subject: addressSubject(sourceIp),
});

/** No token has been issued yet: the authorization server comes with the protected modes. */
const bearer: Authenticate = async ({ events, settings }, presented) => {
  const { deployment, authorization, sourceIp, form } = presented;
  const details = {
    scopes: TOOL_SCOPES,
    ...(deployment.authMethod === 'oauth' && {
      resourceMetadataUrl: resourceMetadataUrl(settings.baseUrl, deployment.slug, form),
    }),
  };
  if (bearerToken(authorization) === undefined) {
    throw new RouterRefusal('missing_token', 'This server needs a bearer token.', details);
  }
  const why = 'unknown token';
  events.record({
    type: 'security',
    event: 'authentication_failed',
    slug: deployment.slug,
    subject: addressSubject(sourceIp),
    why,
  });
  throw new RouterRefusal('invalid_token', 'The bearer token is not valid here.', details, why);
};

const MODES: Readonly<Record<McpAuthMethod, Authenticate>> = {
  none: anyone,
  oauth: bearer,
  jwt: bearer,
};
