import { bearerToken, checkSingle } from '../../domain/access/authorization.ts';
import { addressSubject } from '../../domain/access/subject.ts';
import { type ResourceForm, resourceMetadataUrl } from '../../domain/addresses.ts';
import type { Deployment, McpAuthMethod } from '../../domain/deployment.ts';
import { InvalidToken } from '../../domain/invalid-token.ts';
import { RouterRefusal } from '../../domain/refusal.ts';
import { TOOL_SCOPES } from '../../domain/tool-scopes.ts';
import type { Ports } from '../../ports.ts';
import type { Accept } from './accept.ts';
import { acceptAccessToken, type AcceptAccessTokenPorts } from './accept-access-token.ts';
import { acceptJwt, type AcceptJwtPorts } from './accept-jwt.ts';
import type { Caller } from './caller.ts';
import type { Ahead } from './read-ahead.ts';

export type AuthenticatePorts = AcceptAccessTokenPorts & AcceptJwtPorts & Pick<Ports, 'events'>;

/** What a request shows of its sender. */
export interface Presented {
  readonly deployment: Deployment;
  readonly authorization: string | undefined;
  /** As the gateway saw it. */
  readonly sourceIp: string;
  /** By which of its names the client called the deployment. */
  readonly form: ResourceForm;
  readonly ahead: Ahead;
}

type Authenticate = (ports: AuthenticatePorts, presented: Presented) => Promise<Caller>;

/**
 * Who sent a request, by the deployment's mode.
 *
 * @throws RouterRefusal bad_request, missing_token or invalid_token
 * @throws Fault when what tells is down
 *
 * Source: spec, "Authentication"; D3; T9; S.
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

const bearer =
  (accept: Accept<AuthenticatePorts>): Authenticate =>
  async (ports, presented) => {
    const { deployment, authorization, sourceIp, form } = presented;
    const { id: deploymentId, slug, authMethod } = deployment;
    const login = authMethod === 'oauth' && {
      resourceMetadataUrl: resourceMetadataUrl(ports.settings.baseUrl, slug, form),
    };
    const details = { scopes: TOOL_SCOPES, ...login };
    const token = bearerToken(authorization);
    if (token === undefined) {
      throw new RouterRefusal('missing_token', 'This server needs a bearer token.', details);
    }
    try {
      return { kind: 'holder', ...(await accept(ports, token, presented)), ...login };
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      const { why } = error;
      const subject = addressSubject(sourceIp);
      ports.events.record({
        type: 'security',
        event: 'authentication_failed',
        deploymentId,
        slug,
        subject,
        why,
      });
      throw new RouterRefusal('invalid_token', 'The bearer token is not valid here.', details, why);
    }
  };

const MODES: Readonly<Record<McpAuthMethod, Authenticate>> = {
  none: anyone,
  oauth: bearer(acceptAccessToken),
  jwt: bearer(acceptJwt),
};
