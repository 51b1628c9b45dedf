import { operationName } from '../../../credentials/rules/deployment-credential.ts';
import type { IndexedTool, ToolIndex } from '../../../openapi/tool-index.ts';
import { nearestName } from '../../../platform/rules/nearest-name.ts';
import { leavesOf } from '../../../platform/rules/json/json.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import type { Credential } from '../../../target/rules/credential.ts';
import { readArguments } from '../../../tools/arguments/read-arguments.ts';
import { prepareTool, type PreparedTool } from '../../../tools/prepare-tool.ts';
import { buildRequest } from '../../../tools/request/build-request.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';

/**
 * Builds the login request from the owner's fields and the description. The finished bytes are stored, since the
 * function that sends them knows no descriptions.
 *
 * @param index - of the served version
 * @throws ApiRefusal invalid_request that names the operation, or the wrong fields, but no value
 */
export const withLoginRequest = (
  credential: Credential,
  { requestHeaders }: Pick<Deployment, 'requestHeaders'>,
  index: ToolIndex | undefined,
): Credential => {
  if (credential.type !== 'session') return credential;
  const { fields = {}, request, ...rest } = credential;
  if (request) throw unusableLogin([REQUEST_GIVEN]);
  const tools = index?.tools ?? [];
  const tool = tools.find(({ operation }) => operationName(operation) === rest.login);
  if (!tool) {
    const nearest = nearestName(
      rest.login,
      tools.map(({ operation }) => operationName(operation)),
    );
    throw unusableLogin([
      {
        where: '/login',
        what: 'no operation of the served version',
        hint:
          nearest === undefined
            ? 'It has to be among the published operations.'
            : `Did you mean ${nearest}?`,
      },
    ]);
  }
  const { method, url, headers, body } = requestOf(
    prepareTool(tool),
    inBody(tool, fields),
    requestHeaders,
  );
  return {
    ...rest,
    request: {
      method,
      url,
      headers: { ...headers },
      ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
      secrets: leavesOf(fields),
    },
  };
};

/** Fields of a body that is one argument stand in that one, unless they are arguments themselves. */
const inBody = (
  { operation }: IndexedTool,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const { source } = operation.body ?? {};
  if (source?.kind !== 'whole' || Object.hasOwn(fields, source.argument)) return fields;
  const isArgument = new Set(operation.parameters.map(({ argument }) => argument));
  const entries = Object.entries(fields);
  const within = entries.filter(([name]) => !isArgument.has(name));
  if (within.length === 0) return fields;
  return Object.fromEntries([
    ...entries.filter(([name]) => isArgument.has(name)),
    [source.argument, Object.fromEntries(within)] as const,
  ]);
};

const REQUEST_GIVEN: Finding = {
  where: '/request',
  what: 'made here',
  hint: 'Give `fields`: what the login wants, by the names of its arguments.',
};

const requestOf = (
  tool: PreparedTool,
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> | undefined,
) => {
  try {
    return buildRequest(tool, readArguments(tool, fields), { ...(headers && { headers }) });
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw unusableLogin(findingsIn(tool, error));
  }
};

const findingsIn = (tool: PreparedTool, { description, data }: RpcRefusal): readonly Finding[] => {
  const errors = Array.isArray(data?.['errors']) ? data['errors'] : [];
  const names = [...tool.argumentNames];
  const found = errors.map(({ path, message }: { path: string; message: string }): Finding => {
    const nearest = nearestName(path.slice(1), names);
    const known = `It takes ${names.slice(0, 10).join(', ')}.`;
    return {
      where: `/fields${path}`,
      what: message,
      hint: nearest === undefined || path.slice(1) === nearest ? known : `Did you mean ${nearest}?`,
    };
  });
  return found.length > 0 ? found : [{ where: '/fields', what: description, hint: '' }];
};

const unusableLogin = (findings: readonly Finding[]) =>
  new ApiRefusal('invalid_request', 'This login cannot be made.', findings);
