import type { DeploymentCredential } from './deployment-credential.ts';
import { isUnencrypted } from '../../target/rules/unencrypted.ts';
import type { ToolIndex } from '../../openapi/tool-index.ts';
import { originOf } from './credential-origins.ts';

/** Tools that can be published and not called: each call of them would be refused before it is sent. */
export interface RefusedCalls {
  readonly reason: 'not_encrypted' | 'credential_not_for_this_host';
  /** Where they would go. */
  readonly origin: string;
  readonly tools: number;
}

/** By origin, the most tools first. @param credential - undefined where none is set */
export const refusedCalls = (
  { tools }: ToolIndex,
  credential: Pick<DeploymentCredential, 'origins'> | undefined,
): readonly RefusedCalls[] => {
  const origins = Map.groupBy(tools, ({ operation }) => originOf(operation.serverUrl));
  return [...origins]
    .flatMap(([origin, its]): readonly RefusedCalls[] => {
      if (isUnencrypted(origin)) return [{ reason: 'not_encrypted', origin, tools: its.length }];
      if (!credential || credential.origins.includes(origin)) return [];
      return [{ reason: 'credential_not_for_this_host', origin, tools: its.length }];
    })
    .toSorted((one, other) => other.tools - one.tools);
};
