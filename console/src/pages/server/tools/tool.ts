import type { BodyOf, ItemOf } from '../../../api/operation.ts';
import type { Server } from '../frame.tsx';

export type Tool = ItemOf<'GET /deployments/{slug}/tools'>;

/** What an owner has changed of an operation's tool. */
export type Override = NonNullable<Server['overrides']>[string];

type Change = Extract<BodyOf<'PATCH /deployments/{slug}'>, { overrides?: unknown }>;
export type Overrides = NonNullable<Change['overrides']>;

/** By what an override names its operation. */
const operationOf = ({ operation_id: id, method, path }: Tool): string =>
  id ?? `${method.toUpperCase()} ${path}`;

/** Whether the override may stand under either name of the operation. */
export const overrideOf = (server: Server, tool: Tool): readonly [string, Override] => {
  const { overrides = {} } = server;
  const byPath = `${tool.method.toUpperCase()} ${tool.path}`;
  const key = tool.operation_id !== undefined && overrides[byPath] ? byPath : operationOf(tool);
  return [key, overrides[key] ?? {}];
};
