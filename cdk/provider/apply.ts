import type { ServerRequest, ServerProperties } from './event.ts';
import { Failure } from './failure.ts';
import {
  secretField,
  secretIn,
  UnusableSecret,
} from '../../layers/credentials/rules/secret-text.ts';
import { jsonOrUndefined, parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

/** What the function reaches. */
export interface Reached {
  /** The text of an object in S3. */
  readonly object: (place: { readonly Bucket: string; readonly Key: string }) => Promise<string>;
  /** The text of a secret. */
  readonly secret: (arn: string) => Promise<string>;
  /** What the role shows to sign in. */
  readonly question: (baseUrl: string) => string;
  readonly fetch: typeof fetch;
}

/** What CloudFormation is answered of a server. */
export interface AppliedServer {
  readonly PhysicalResourceId: string;
  readonly Data: Readonly<Record<string, string>>;
}

const PREFIX = 'hosted-mcp/';

/** Another slug is another resource: CloudFormation then has the old one deleted. */
export const physicalId = ({ Slug }: ServerProperties): string => `${PREFIX}${Slug}`;

/**
 * What the stack wants of a server, done: as a whole, and again with the same end.
 *
 * @throws Failure that says what went wrong and who mends it
 *
 * Source: AWS CloudFormation User Guide, "Custom resource request types".
 */
export const applied = async (request: ServerRequest, reached: Reached): Promise<AppliedServer> => {
  const properties = request.ResourceProperties;
  if (request.RequestType === 'Delete') {
    await removed(request, reached);
    return { PhysicalResourceId: request.PhysicalResourceId ?? physicalId(properties), Data: {} };
  }
  const { Declaration, ApiBaseUrl, Adopt, Digest } = properties;
  const [text, token] = await Promise.all([
    reached.object(Declaration),
    tokenOf(properties, reached),
  ]);
  const { credentials, ...declaration } = parsedJson(text) as {
    readonly credentials?: Readonly<Record<string, object>>;
  };
  const answer = await call(reached, properties, token, 'PUT', '/declaration', {
    declaration: {
      ...declaration,
      ...(credentials && { credentials: await withSecrets(credentials, properties, reached) }),
      ...(ApiBaseUrl !== undefined && { api_base_url: ApiBaseUrl }),
    },
    managed_by: managerOf(request),
    adopt: Adopt === 'true',
  });
  return {
    PhysicalResourceId: physicalId(properties),
    Data: {
      Url: String(answer['mcp_url']),
      Version: String(answer['version']),
      ToolCount: String(answer['tool_count']),
      Digest,
    },
  };
};

/** The token of a secret, or one for a quarter of an hour that the role is given for what it is. */
const tokenOf = async (
  { BaseUrl, Token, Trust }: ServerProperties,
  { fetch: send, question, secret }: Reached,
): Promise<string> => {
  if (Token !== undefined) return tokenIn(await secret(Token), Token);
  const answer = await send(`${BaseUrl}/mcp-management/sessions/machine`, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ trust: Trust, token: question(BaseUrl) }),
  });
  const { access_token: token, detail } = jsonOf(await answer.text());
  if (typeof token === 'string') return token;
  throw new Failure(
    `The service does not let the role in (HTTP ${answer.status}). ${String(detail ?? '')}`.trim(),
  );
};

/** What a header can hold. `fetch` would quote what it cannot send. */
const TOKEN = /^[\x21-\x7e]+$/;

const tokenIn = (text: string, arn: string): string => {
  const token = text.trim();
  if (TOKEN.test(token)) return token;
  throw new Failure(
    `The secret ${arn} holds no token: make a personal access token of scope declare, and put it into the secret as a text and nothing else.`,
  );
};

/** The stack without the id that it gets anew, and which of its resources it is. */
const managerOf = ({ StackId, LogicalResourceId }: ServerRequest): string =>
  `${StackId.split('/').slice(0, 2).join('/')}/${LogicalResourceId}`;

/** A server that never came to be, or that is not this resource's, is nothing to remove. */
const removed = async (request: ServerRequest, reached: Reached): Promise<void> => {
  const { ResourceProperties: properties, PhysicalResourceId = '' } = request;
  if (!PhysicalResourceId.startsWith(PREFIX)) return;
  const at = { ...properties, Slug: PhysicalResourceId.slice(PREFIX.length) };
  const token = await tokenOf(properties, reached);
  const found = await call(reached, at, token, 'GET', '/declaration').catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });
  if (found?.['managed_by'] !== managerOf(request)) return;
  const by = `?managed_by=${encodeURIComponent(managerOf(request))}`;
  if (properties.Removal === 'destroy') await call(reached, at, token, 'DELETE', by);
  else await call(reached, at, token, 'DELETE', '/manager');
};

const withSecrets = async (
  credentials: Readonly<Record<string, object>>,
  { Secrets = [] }: ServerProperties,
  { secret }: Reached,
): Promise<object> => {
  const complete = Object.entries(credentials).map(async ([name, open]) => {
    const members = Secrets.filter(({ Credential }) => Credential === name).map(
      async (reference) =>
        [reference.Member, secretOf(reference, await secret(reference.Arn))] as const,
    );
    return [name, { ...open, ...Object.fromEntries(await Promise.all(members)) }] as const;
  });
  return Object.fromEntries(await Promise.all(complete));
};

type SecretReference = NonNullable<ServerProperties['Secrets']>[number];

/** @throws Failure for a secret that is not as its reference says */
const secretOf = ({ Member, Arn, Field }: SecretReference, text: string): unknown => {
  try {
    return secretIn(Member, Field === undefined ? text : secretField(text, Field));
  } catch (error) {
    if (!(error instanceof UnusableSecret)) throw error;
    throw new Failure(`The secret ${Arn} cannot be used for ${Member}: ${error.message}.`);
  }
};

/** The service said no. */
class Refused extends Failure {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const call = async (
  reached: Reached,
  { BaseUrl, Slug }: ServerProperties,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> => {
  const url = `${BaseUrl}/mcp-management/deployments/${encodeURIComponent(Slug)}${path}`;
  const answer = await reached.fetch(url, {
    method,
    redirect: 'error',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/gzip' }),
    },
    ...(body && { body: await packed(JSON.stringify(body)) }),
  });
  const text = await answer.text();
  const read = jsonOf(text);
  if (answer.ok) return read;
  throw new Refused(answer.status, refusalText(answer.status, read));
};

const packed = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

const jsonOf = (text: string): Readonly<Record<string, unknown>> =>
  (jsonOrUndefined(text) ?? {}) as Readonly<Record<string, unknown>>;

const refusalText = (status: number, { detail, findings }: Record<string, unknown>): string => {
  if (status === 401) {
    return 'The service does not take the token: make a personal access token of scope declare, and put it into the secret.';
  }
  const listed = Array.isArray(findings) ? (findings as readonly Record<string, unknown>[]) : [];
  const lines = listed.map(({ where, what, hint }) => `${where}: ${what}. ${hint}`);
  const said = typeof detail === 'string' ? detail : `The service answered HTTP ${status}.`;
  return [said, ...lines].join(' ');
};
