import { member } from '../../../../../layers/platform/rules/json/json.ts';
import type { OfferedTool } from '../../../../../layers/openapi/model-apis/protocols.ts';
import type { BodyOf, ItemOf } from '../../../api/operation.ts';
import type { Server } from '../frame.tsx';

export type Tool = ItemOf<'GET /deployments/{slug}/tools'>;

export type Override = NonNullable<Server['overrides']>[string];

type Change = Extract<BodyOf<'PATCH /deployments/{slug}'>, { overrides?: unknown }>;
export type Overrides = NonNullable<Change['overrides']>;

/** The key of an operation's override, unless it is stored under method and path. */
const operationOf = ({ operation_id: id, method, path }: Tool): string =>
  id ?? `${method.toUpperCase()} ${path}`;

/** The override of a tool and its key: operationId, or method and path. */
export const overrideOf = (server: Server, tool: Tool): readonly [string, Override] => {
  const { overrides = {} } = server;
  const byPath = `${tool.method.toUpperCase()} ${tool.path}`;
  const key =
    tool.operation_id !== undefined && Object.hasOwn(overrides, byPath)
      ? byPath
      : operationOf(tool);
  return [key, member(overrides, key) ?? {}];
};

/** The members of a tool that clients pass to a model. */
export const offeredOf = ({
  name,
  description,
  input_schema: inputSchema,
}: Pick<Tool, 'description' | 'input_schema' | 'name'>): OfferedTool => ({
  name,
  description,
  inputSchema: inputSchema as OfferedTool['inputSchema'],
});
