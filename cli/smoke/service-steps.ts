import { createHash } from 'node:crypto';
import { serverFormsOf } from '../doctor/addresses.ts';
import { ANOTHER_BASE, bearerFault, keysFault, serverFault } from '../doctor/metadata.ts';
import { preflight } from '../doctor/session.ts';
import { type Fault, judged, type Step } from '../doctor/step.ts';
import { statusFault, type Visit, type Visited } from '../doctor/visit.ts';
import { textOf } from '../json.ts';

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
  steps.push(judged('challenge', bearerFault(open), 'a 401 says how to come in'));
  steps.push(await preflightStep(visit, `${issuer}/token`));
  steps.push(...(await tokenErrors(visit, issuer)));
  return steps;
};

const describedFault = (answer: Visited, management: string): Fault | undefined => {
  const wrong = statusFault(answer, [200]);
  if (wrong) return wrong;
  const servers = answer.json?.servers;
  const named = Array.isArray(servers) ? textOf(servers[0]?.url) : undefined;
  if (named === management) return undefined;
  return {
    what: `its description names ${named ?? 'no address'} instead of ${management}`,
    cause: ANOTHER_BASE,
    hint: 'Use the output BaseUrl of the stack, or set domain in config/<stage>.json and deploy.',
  };
};

const preflightStep = async (visit: Visit, url: string): Promise<Step> => {
  const { answer, isGood } = await preflight(visit, url, ['content-type']);
  const wrong = statusFault(answer, [200, 204]) ?? {
    what: 'a preflight is answered without Access-Control-Allow-Origin',
    cause: 'The gateway answers OPTIONS itself (CORS of the HTTP API), or a proxy does.',
    hint: 'Lead OPTIONS requests to the functions: configure no CORS at the API.',
  };
  return judged('CORS preflight', isGood ? undefined : wrong, 'browsers may ask for tokens');
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
  const error = textOf(answer.json?.error);
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
