import { createHash } from 'node:crypto';
import { serverFormsOf } from '../doctor/addresses.ts';
import { keysFault, serverFault } from '../doctor/metadata.ts';
import { failed, type Fault, judged, ok, type Step } from '../doctor/step.ts';
import { statusFault, type Visit, type Visited } from '../doctor/visit.ts';
import { textOf } from '../json.ts';

/** Where the parts of a service are. */
export interface ServiceAddresses {
  readonly base: string;
  readonly issuer: string;
  readonly management: string;
}

export const serviceAddresses = (base: string): ServiceAddresses => ({
  base,
  issuer: `${base}/mcp-oauth-server`,
  management: `${base}/mcp-management`,
});

/** Nobody listens there: no code ever comes. Source: RFC 8252 §7.3. */
export const REDIRECT_URI = 'http://127.0.0.1:6277/callback';

/** All that can be asked of a service without an account. */
export const serviceSteps = async (
  visit: Visit,
  addresses: ServiceAddresses,
): Promise<readonly Step[]> => {
  const { issuer, management } = addresses;
  const described = await visit.get(`${management}/openapi.json`);
  const steps: Step[] = [
    judged('management API', describedFault(described, management), 'describes itself'),
  ];
  for (const form of serverFormsOf(issuer)) {
    const fault = serverFault(await visit.get(form.url), issuer);
    steps.push(judged(`server metadata ${form.name}`, fault, `issuer ${issuer}`));
  }
  const keys = await visit.get(`${issuer}/.well-known/jwks.json`);
  steps.push(judged('signing keys', keysFault(keys), 'there are keys'));
  const open = await visit.get(`${issuer}/userinfo`);
  steps.push(judged('challenge', bearerChallengeFault(open), 'a 401 says how to come in'));
  steps.push(await preflight(visit, `${issuer}/token`));
  steps.push(...(await tokenErrors(visit, issuer)));
  return steps;
};

const describedFault = (answer: Visited, management: string): Fault | undefined => {
  const wrong = statusFault(answer, [200]);
  if (wrong) return wrong;
  const servers = answer.json?.['servers'];
  const named = Array.isArray(servers) ? textOf(servers[0]?.url) : undefined;
  if (named === management) return undefined;
  return {
    what: `its description names ${named ?? 'no address'} instead of ${management}`,
    cause: 'The service was set up with another base URL than the one it is reached at.',
    hint: 'Use the output BaseUrl of the stack, or set domain in config/<stage>.json and deploy.',
  };
};

const REMAPPED = 'x-amzn-remapped-www-authenticate';

/** Source: RFC 6750 §3; docs/decisions/oauth.md, "Challenges". */
const bearerChallengeFault = (answer: Visited): Fault | undefined => {
  const wrong = statusFault(answer, [401]);
  if (wrong) return wrong;
  const challenge = answer.header('www-authenticate');
  if (challenge?.toLowerCase().startsWith('bearer')) return undefined;
  const isRemapped = answer.header(REMAPPED) !== undefined;
  const isBeside = answer.header('x-mcp-challenge') !== undefined;
  return {
    what:
      challenge === undefined
        ? `the 401 has no WWW-Authenticate${isRemapped ? `: the gateway has renamed it to ${REMAPPED}` : ''}`
        : `the challenge is "${challenge}" and not for a Bearer token`,
    cause: isRemapped
      ? 'API Gateway renames this header of functions.'
      : isBeside
        ? 'Something in front of the service removes the header; X-Mcp-Challenge, which says the same, is there.'
        : 'Something in front of the service removes or replaces the header.',
    hint:
      isRemapped || isBeside
        ? 'Set "challenge_mapping": true in config/<stage>.json and deploy again.'
        : 'Let the header pass as it is: clients learn from it how to log in.',
  };
};

const ORIGIN = 'https://inspector.example';

const preflight = async (visit: Visit, url: string): Promise<Step> => {
  const answer = await visit.preflight(url, {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  });
  const allowed = answer.header('access-control-allow-origin');
  const isGood = answer.status < 300 && (allowed === '*' || allowed === ORIGIN);
  return judged(
    'CORS preflight',
    isGood
      ? undefined
      : (statusFault(answer, [200, 204]) ?? {
          what: 'a preflight is answered without Access-Control-Allow-Origin',
          cause: 'The gateway answers OPTIONS itself (CORS of the HTTP API), or a proxy does.',
          hint: 'Lead OPTIONS requests to the functions: configure no CORS at the API.',
        }),
    'browsers may ask for tokens',
  );
};

const tokenErrors = async (visit: Visit, issuer: string): Promise<readonly Step[]> => {
  const unknown = createHash('sha256').update(issuer).digest('hex');
  const errors = [
    [
      'an unknown client',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: `mcp_${unknown}` },
      401,
      'invalid_client',
    ],
    [
      'an unknown grant type',
      { grant_type: 'password', client_id: 'x' },
      400,
      'unsupported_grant_type',
    ],
  ] as const;
  const steps: Step[] = [];
  for (const [name, fields, status, code] of errors) {
    const answer = await visit.postForm(`${issuer}/token`, fields);
    steps.push(
      judged(`token errors: ${name}`, errorFault(answer, status, code), `${status} ${code}`),
    );
  }
  return steps;
};

/** Source: RFC 6749 §5.2. */
const errorFault = (answer: Visited, status: number, code: string): Fault | undefined => {
  const wrong = statusFault(answer, [status]);
  if (wrong) return wrong;
  const error = textOf(answer.json?.['error']);
  if (error !== code) {
    return {
      what: `the error is ${error ?? 'no OAuth error'} instead of ${code}`,
      cause: 'Something in front of the service answers in its place, or changes the request.',
      hint: 'Let requests and answers pass as they are, bodies and content types included.',
    };
  }
  return answer.header('cache-control')?.includes('no-store')
    ? undefined
    : {
        what: 'the answer may be cached: Cache-Control: no-store is missing',
        cause: 'A proxy or CDN changes caching headers.',
        hint: 'Let Cache-Control pass as it is, and cache nothing below this address.',
      };
};

/** A client for this run. Source: RFC 7591 §3.2.1. */
export const registerClient = async (
  visit: Visit,
  { issuer }: ServiceAddresses,
): Promise<{ readonly step: Step; readonly clientId?: string }> => {
  const answer = await visit.postJson(`${issuer}/register`, {
    client_name: 'hosted-mcp smoke',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  });
  const clientId = textOf(answer.json?.['client_id']);
  const fault = statusFault(answer, [201]);
  if (fault) return { step: failed('registration', fault) };
  if (clientId !== undefined) return { step: ok('registration', `made ${clientId}`), clientId };
  return {
    step: failed('registration', {
      what: 'the answer has no client_id',
      cause: 'Something in front of the service changes the answer.',
      hint: 'Let answers pass as they are.',
    }),
  };
};
