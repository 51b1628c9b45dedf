import {
  applicableCredentials,
  type NamedCredential,
  namedCredentials,
  noLoginOf,
} from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { type IndexedTool, listedTool, type ToolIndex } from '../../openapi/tool-index.ts';
import { originOf } from '../../platform/rules/origin.ts';

/**
 * Operation that tests whether the API accepts a credential: a GET that carries it, needs no argument and is not
 * public. The shortest path wins.
 *
 * @returns undefined if there is none: the API is then not called
 * Source: RFC 9110 §9.2.1.
 */
export const credentialCall = (
  { tools }: ToolIndex,
  deployment: Deployment,
  [name, { origins }]: NamedCredential,
): IndexedTool | undefined => {
  const isShown = noLoginOf(deployment);
  const carries = (tool: IndexedTool): boolean =>
    applicableCredentials(namedCredentials(deployment), tool.operation, ([, one]) => one).some(
      ([its]) => its === name,
    );
  return tools
    .filter(
      (tool) =>
        tool.operation.method === 'GET' &&
        !isPublic(tool) &&
        isShown(tool.operation) &&
        origins.includes(originOf(tool.operation.serverUrl)) &&
        carries(tool) &&
        isWithoutArguments(tool),
    )
    .toSorted((one, other) => one.operation.path.length - other.operation.path.length)[0];
};

/** An operation that requires no credential would succeed with a wrong one. */
const isPublic = ({ operation: { security } }: IndexedTool): boolean =>
  security !== undefined &&
  (security.length === 0 || security.some((alternative) => alternative.length === 0));

const isWithoutArguments = (tool: IndexedTool): boolean => {
  const { inputSchema, annotations } = listedTool(tool);
  const { required } = inputSchema as { readonly required?: readonly string[] };
  return (required ?? []).length === 0 && annotations.readOnlyHint === true;
};
