import { isHeaderValue } from '../../target/rules/protected-headers.ts';
import { RpcRefusal } from '../../platform/rules/refusal/rpc-refusal.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import { MAX_REQUEST_HEAD_BYTES, type TargetRequest } from '../../target/rules/target.ts';
import { type PlacedCredential, placeCredential } from './place-credential.ts';
import { invalidArguments } from '../arguments/invalid-arguments.ts';
import type { Pair } from './parameter-pairs.ts';
import type { PreparedTool } from '../prepare-tool.ts';
import type { Arguments } from '../arguments/read-arguments.ts';
import { requestBody } from './request-body.ts';
import { constantHeaders, cookiesFrom, fixedHeaders, headersFrom } from './request-headers.ts';
import { requestUrl } from './request-url.ts';

const USER_AGENT = 'hosted-mcp/0.1.0';

/** What a deployment adds to each of its requests. */
export interface RequestTerms {
  readonly credential?: StoredCredential | undefined;
  /** By their names, in any case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The HTTP request that a call stands for, complete with what the deployment adds. Arguments that
 * are not given are not sent, defaults included; those named like a header of the deployment's are not either.
 *
 * @param args - as `readArguments` returned them
 * @throws RpcRefusal for arguments that the request cannot carry where the description wants them, or
 *   that make its head larger than any server takes
 * Source: docs/tools.md, "Calling".
 */
export const buildRequest = (
  tool: PreparedTool,
  args: Arguments,
  { credential, headers: constant = {} }: RequestTerms = {},
): TargetRequest => {
  const { operation } = tool;
  const placed = placeCredential(credential);
  const constants = constantHeaders(constant, placed.isHeader);

  const url = requestUrl(tool, args, placed.isQuery, placed.query);
  const cookies = [...cookiesFrom(tool, args, placed.isCookie), ...placed.cookies];
  const body = operation.body && requestBody(reserving(tool, placed), operation.body, args);
  if (body && !isHeaderValue(body.contentType)) {
    throw new RpcRefusal('server_error', 'The media type of this tool cannot be sent.');
  }

  const headers = {
    'user-agent': USER_AGENT,
    ...fixedHeaders(operation, placed.isHeader),
    ...constants.over(headersFrom(operation, args, placed.isHeader)),
    accept: tool.accept,
    ...(body ? { 'content-type': body.contentType } : {}),
    ...(cookies.length > 0 ? { cookie: cookieHeader(cookies) } : {}),
    ...placed.headers,
  };
  refuseLargeHead(url, headers);
  return {
    method: operation.method,
    url,
    headers,
    ...(body ? { body: body.content } : {}),
    ...(credential ? { credentialOrigins: credential.origins } : {}),
  };
};

/** Some servers read query and form as one, so the name of a key in the query is reserved in the body too. */
const reserving = (tool: PreparedTool, { query, isQuery }: PlacedCredential): PreparedTool =>
  query.length === 0
    ? tool
    : {
        ...tool,
        reservedNames: {
          has: (place, name) =>
            tool.reservedNames.has(place, name) || (place === 'body' && isQuery(name)),
        },
      };

/** Of the caller's making, so that the caller is told, and nothing is sent. */
const refuseLargeHead = (url: string, headers: Readonly<Record<string, string>>): void => {
  const head = [url, ...Object.entries(headers).flat()];
  if (head.reduce((bytes, { length }) => bytes + length, 0) > MAX_REQUEST_HEAD_BYTES) {
    const message = `take more than ${MAX_REQUEST_HEAD_BYTES} bytes of path, query and headers`;
    throw invalidArguments([{ path: '', message }]);
  }
};

const cookieHeader = (cookies: readonly Pair[]): string =>
  cookies.map(([name, value]) => `${name}=${value}`).join('; ');
