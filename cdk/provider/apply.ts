import type { ServerRequest, ServerProperties } from './event.ts';
import { Failure, toldOf } from './failure.ts';
import { isTemporary, Refused, soonerThan, triedAgain, type Until } from './retry.ts';
import {
  secretField,
  secretIn,
  UnusableSecret,
} from '../../layers/credentials/rules/secret-text.ts';
import { jsonOrUndefined, parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Reached {
  readonly object: (place: { readonly Bucket: string; readonly Key: string }) => Promise<string>;
  readonly secret: (arn: string) => Promise<string>;
  /** Signed STS request by which the role proves who it is. */
  readonly question: (baseUrl: string) => string;
  readonly fetch: typeof fetch;
}

export interface AppliedServer {
  readonly PhysicalResourceId: string;
  readonly Data: Readonly<Record<string, string>>;
}

export interface Course {
  /** A declaration was sent and not refused: the server may exist although no answer came. */
  mayHaveMade: boolean;
}

interface Work {
  readonly request: ServerRequest;
  readonly reached: Reached;
  readonly until: Until;
}

/** Prefix of a server's physical id. Another slug is another id, so CloudFormation deletes the old server. */
const MADE = 'hosted-mcp/';
/** Prefix of a server's physical id where the answer to its creation never came. */
const PERHAPS_MADE = 'hosted-mcp-perhaps/';
const NOT_MADE = 'hosted-mcp-not-made';
/** Time limit for a clean-up, for which no stack should wait long. */
const BRIEFLY_MS = 60_000;

/**
 * CloudFormation deletes what failed to be created. The id says whether there is anything to delete, since a rollback
 * must not fail for the reason that began it.
 */
export const idOfFailed = (
  { PhysicalResourceId, ResourceProperties: { Slug } }: ServerRequest,
  { mayHaveMade }: Course,
): string => PhysicalResourceId ?? (mayHaveMade ? `${PERHAPS_MADE}${Slug}` : NOT_MADE);

/**
 * CloudFormation may repeat a request, so each is idempotent. Source: AWS CloudFormation User Guide, "Custom resource
 * request types".
 * @param course - updated as the request proceeds
 * @throws Failure that says what went wrong and who mends it
 */
export const applied = async (work: Work, course: Course): Promise<AppliedServer> => {
  const { request, reached, until } = work;
  const { RequestType, ResourceProperties: properties, PhysicalResourceId = '' } = request;
  if (RequestType === 'Delete') {
    await removed(work);
    return { PhysicalResourceId, Data: {} };
  }
  const patient = patientlyReached(reached, until);
  const { Declaration, ApiBaseUrl, Adopt, Digest, Slug } = properties;
  const [text, token] = await Promise.all([
    patient.object(Declaration),
    tokenOf(properties, patient, until),
  ]);
  const { credentials, ...declaration } = parsedJson(text) as {
    readonly credentials?: Readonly<Record<string, object>>;
  };
  const body = {
    declaration: {
      ...declaration,
      ...(credentials && { credentials: await withSecrets(credentials, properties, patient) }),
      ...(ApiBaseUrl !== undefined && { api_base_url: ApiBaseUrl }),
    },
    managed_by: managerOf(request),
    adopt: Adopt === 'true',
  };
  const call = serviceOf(properties, patient, until, token);
  course.mayHaveMade = true;
  const answer = await call('PUT', '/declaration', body).catch(async (error: unknown) => {
    course.mayHaveMade = isTemporary(error);
    throw await explained(error, request, call);
  });
  await removeFailed(work);
  return {
    PhysicalResourceId: `${MADE}${Slug}`,
    Data: {
      Url: String(answer['mcp_url']),
      Version: String(answer['version']),
      ToolCount: String(answer['tool_count']),
      Digest,
    },
  };
};

const patientlyReached = (reached: Reached, until: Until): Reached => ({
  ...reached,
  object: (place) => triedAgain(() => reached.object(place), until),
  secret: (arn) =>
    triedAgain(() => reached.secret(arn), until).catch((error: unknown) => {
      throw new Failure(`The secret ${arn} cannot be read. ${toldOf(error)}${hintOf(error)}`, {
        cause: error,
      });
    }),
});

/** Secrets Manager names no key that it may not use for the function. */
const hintOf = (error: unknown): string =>
  error instanceof Error && error.message.includes('KMS')
    ? '. A key of its own encrypts it: in the app, key.grantDecrypt(server) lets the function of the server use it.'
    : '';

/** The token from a secret, or one for 15 minutes in exchange for the role's proof. */
const tokenOf = async (
  { BaseUrl, Token, Trust }: ServerProperties,
  { fetch: send, question, secret }: Reached,
  until: Until,
): Promise<string> => {
  if (Token !== undefined) return tokenIn(await secret(Token), Token);
  const url = `${BaseUrl}/mcp-management/sessions/machine`;
  const { access_token: token } = await exchanged(send, until, url, () => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // A proof is good once, so each attempt is signed anew.
    body: JSON.stringify({ trust: Trust, token: question(BaseUrl) }),
  })).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    throw new Failure(
      `The service does not let the role in (HTTP ${error.status}). ${error.message}`.trim(),
      { cause: error },
    );
  });
  return String(token);
};

/** Characters an HTTP header can hold. The error of `fetch` would quote a token with others. */
const TOKEN = /^[\x21-\x7e]+$/;

const tokenIn = (text: string, arn: string): string => {
  const token = text.trim();
  if (TOKEN.test(token)) return token;
  throw new Failure(
    `The secret ${arn} holds no token: make a personal access token of scope declare, and put it into the secret as a text and nothing else.`,
  );
};

/** The stack's ARN without the id at its end, which each creation changes, and the resource's logical id. */
const managerOf = (request: ServerRequest): string =>
  `${stackOf(request)}/${request.LogicalResourceId}`;

/** Limits a removal to what this manager declared: a token of scope `declare` may remove no more. */
const byManager = (request: ServerRequest): string =>
  `?managed_by=${encodeURIComponent(managerOf(request))}`;

const stackOf = ({ StackId }: ServerRequest): string => StackId.split('/').slice(0, 2).join('/');

/** Deletes the server, unless it was never created or something else manages it. */
const removed = async (work: Work): Promise<void> => {
  const { request } = work;
  const { ResourceProperties: properties, PhysicalResourceId = '' } = request;
  const made = after(PhysicalResourceId, MADE);
  const perhapsMade = after(PhysicalResourceId, PERHAPS_MADE);
  if (perhapsMade !== undefined) await removePerhapsMade(work, properties);
  if (made === undefined) return;
  const at = { ...properties, Slug: made };
  if (properties.Removal === 'destroy') {
    await removeOwn(work, at, byManager(request)).catch((error: unknown) => {
      throw new Failure(
        `The server ${made} is to go with its resource, and could not be removed: ${toldOf(error)} To leave it where it is, deploy it with RemovalPolicy.RETAIN first.`,
        { cause: error },
      );
    });
    return;
  }
  await letGo(work, at);
};

/** Leaves the server without a manager. Errors are only logged: a service that is gone must not block a stack. */
const letGo = async (work: Work, at: ServerProperties): Promise<void> => {
  await removeOwn(briefly(work), at, '/manager').catch((error: unknown) => {
    warn(
      `The server ${at.Slug} stays and still says that ${managerOf(work.request)} manages it, since the service could not be told: ${toldOf(error)}`,
    );
  });
};

/**
 * Removes the server of a creation without an answer. A server to retain stays managed for the next creation, and one
 * that may be older stays, too.
 */
const removePerhapsMade = async (work: Work, at: ServerProperties): Promise<void> => {
  const { Slug, Removal, Adopt } = at;
  const found = `The server ${Slug} may have come to be in a deployment that has failed`;
  if (Removal !== 'destroy' || Adopt === 'true') {
    warn(`${found}: it stays, and the next deployment goes on with it.`);
    return;
  }
  await removeOwn(briefly(work), at, byManager(work.request)).catch((error: unknown) => {
    warn(`${found}, and it could not be removed: ${toldOf(error)}`);
  });
};

const briefly = ({ until, ...work }: Work): Work => ({
  ...work,
  until: soonerThan(until, BRIEFLY_MS),
});

/** In the rollback of a failed slug change nobody else removes the server of the new slug. */
const removeFailed = async (work: Work): Promise<void> => {
  const { OldResourceProperties: failed, ResourceProperties, PhysicalResourceId } = work.request;
  const isThere = PhysicalResourceId === `${MADE}${ResourceProperties.Slug}`;
  if (!isThere || !failed || failed.Slug === ResourceProperties.Slug) return;
  await removePerhapsMade(work, failed);
};

/** Deletes only what exists and what this resource manages. */
const removeOwn = async (
  { request, reached, until }: Work,
  at: ServerProperties,
  path: string,
): Promise<void> => {
  const patient = patientlyReached(reached, until);
  const call = serviceOf(at, patient, until, await tokenOf(at, patient, until));
  const unlessGone = (error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  };
  const found = await call('GET', '/declaration').catch(unlessGone);
  if (found?.['managed_by'] === managerOf(request)) await call('DELETE', path).catch(unlessGone);
};

const after = (text: string, prefix: string): string | undefined =>
  text.startsWith(prefix) ? text.slice(prefix.length) : undefined;

const warn = (message: string): void => {
  console.log(JSON.stringify({ level: 'WARN', message }));
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

/** @throws Failure for a secret that is not as its reference says; never with what is in it */
const secretOf = ({ Member, Arn, Field }: SecretReference, text: string): unknown => {
  try {
    return secretIn(Member, Field === undefined ? text : secretField(text, Field));
  } catch (error) {
    if (!(error instanceof UnusableSecret)) throw error;
    throw new Failure(`The secret ${Arn} cannot be used for ${Member}: ${error.message}.`);
  }
};

type Json = Readonly<Record<string, unknown>>;
type Call = (method: string, path: string, body?: object) => Promise<Json>;

const serviceOf =
  (
    { BaseUrl, Slug }: ServerProperties,
    { fetch: send }: Reached,
    until: Until,
    token: string,
  ): Call =>
  async (method, path, body) => {
    const url = `${BaseUrl}/mcp-management/deployments/${encodeURIComponent(Slug)}${path}`;
    const sent = body && (await packed(JSON.stringify(body)));
    return exchanged(send, until, url, () => ({
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(sent && { 'content-type': 'application/gzip' }),
      },
      ...(sent && { body: sent }),
    }));
  };

/** Timeout that is longer than the service takes for any answer. */
const ATTEMPT_MS = 35_000;

const exchanged = (
  send: typeof fetch,
  until: Until,
  url: string,
  init: () => RequestInit,
): Promise<Json> =>
  triedAgain(async (signal) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    const answer = await send(url, { ...init(), redirect: 'error', signal: patience });
    const read = jsonOf(await answer.text());
    if (answer.ok) return read;
    throw new Refused(refusalText(answer.status, read), {
      status: answer.status,
      code: String(read['code']),
      retryAfterMs: millisecondsOf(answer.headers.get('retry-after')),
    });
  }, until);

/** Source: RFC 9110 §10.2.3, the form in seconds, which the service writes. */
const millisecondsOf = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;

/** Explains the refusal `managed` after a construct has moved: the service still knows its former logical id. */
const explained = async (error: unknown, request: ServerRequest, call: Call): Promise<unknown> => {
  if (!(error instanceof Refused) || error.code !== 'managed') return error;
  const found = await call('GET', '/declaration').catch(() => undefined);
  const former = after(String(found?.['managed_by']), `${stackOf(request)}/`);
  if (former === undefined) return error;
  return new Failure(
    `The server is ${former} of this stack, and this is ${request.LogicalResourceId}: its construct has moved. Keep its logical id: (server.node.defaultChild as CfnResource).overrideLogicalId('${former}').`,
    { cause: error },
  );
};

const packed = async (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

const jsonOf = (text: string): Json => (jsonOrUndefined(text) ?? {}) as Json;

const refusalText = (status: number, { detail, findings }: Record<string, unknown>): string => {
  if (status === 401) {
    return 'The service does not take the token: make a personal access token of scope declare, and put it into the secret.';
  }
  const listed = Array.isArray(findings) ? (findings as readonly Record<string, unknown>[]) : [];
  const lines = listed.map(({ where, what, hint }) => `${where}: ${what}. ${hint}`);
  const said = typeof detail === 'string' ? detail : `The service answered HTTP ${status}.`;
  return [said, ...lines].join(' ');
};
