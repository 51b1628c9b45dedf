import {
  applicableCredentials,
  type DeploymentCredential,
  namedCredentials,
} from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import {
  type IndexedTool,
  listedTool,
  type OperationParameter,
  type WirePlace,
} from '../../../openapi/tool-index.ts';
import { member } from '../../../platform/rules/json/json.ts';
import { spellingsOf } from '../../../tools/request/reserved-names.ts';

type PresettingServer = Pick<Deployment, 'credential' | 'credentials' | 'requestHeaders'>;

/** A tool without the parameters that settings of its server provide. */
export interface ToolWithPresets {
  readonly tool: IndexedTool;
  /** Removed arguments: values that callers send for them are ignored. */
  readonly presets: ReadonlySet<string>;
}

/** Cache key of the settings that decide; empty where there are none. */
export const presetsKey = ({ requestHeaders = {}, ...credentials }: PresettingServer): string => {
  const keys = namedCredentials(credentials).flatMap(([, one]) => placesOf(one));
  const names = Object.keys(requestHeaders);
  return names.length + keys.length === 0
    ? ''
    : JSON.stringify([names, namedCredentials(credentials).map(([, one]) => one)]);
};

/** Removes parameters that the owner's headers or credentials provide. Source: docs/tools.md, "What is not asked". */
export const withPresets = (
  tool: IndexedTool,
  { requestHeaders = {}, ...credentials }: PresettingServer,
): ToolWithPresets => {
  const carried = applicableCredentials(
    namedCredentials(credentials).map(([, one]) => one),
    tool.operation,
    (one) => one,
  );
  const places = [
    ...Object.keys(requestHeaders).map((name): WirePlace => ({ in: 'header', name })),
    ...carried.flatMap(placesOf),
  ];
  const isPreset = places.map(({ in: place, name }) => {
    const isName = spellingsOf(place, name);
    return (parameter: OperationParameter) => parameter.in === place && isName(parameter.name);
  });
  const presets = new Set(
    tool.operation.parameters
      .filter((parameter) => isPreset.some((is) => is(parameter)))
      .map(({ argument }) => argument),
  );
  return { presets, tool: presets.size > 0 ? withoutArguments(tool, presets) : tool };
};

/** Parameters that a credential fills. `Authorization` is left out, since it is never an argument. */
const placesOf = (credential: DeploymentCredential): readonly WirePlace[] => {
  switch (credential.type) {
    case 'api_key':
      return [{ in: credential.in, name: credential.name }];
    case 'session':
      return credential.in !== undefined && credential.name !== undefined
        ? [{ in: credential.in, name: credential.name }]
        : [];
    case 'hmac':
      return Object.keys(credential.headers).map((name) => ({ in: 'header', name }));
    default:
      return [];
  }
};

const withoutArguments = (tool: IndexedTool, names: ReadonlySet<string>): IndexedTool => {
  const listed = listedTool(tool);
  const { properties = {}, required = [], ...rest } = listed.inputSchema as InputSchema;
  const kept = Object.entries(properties).filter(([name]) => !names.has(name));
  const asked = required.filter((name) => !names.has(name));
  const inputSchema = {
    ...rest,
    properties: Object.fromEntries(kept),
    ...(asked.length > 0 && { required: asked }),
  };
  return {
    ...tool,
    listed: JSON.stringify({ ...listed, inputSchema: inOrder(inputSchema, listed) }),
  };
};

interface InputSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Keeps the order that the members had. */
const inOrder = (
  schema: Readonly<Record<string, unknown>>,
  { inputSchema }: { inputSchema: object },
) =>
  Object.fromEntries(
    Object.keys(inputSchema).flatMap((name) => {
      const value = member(schema, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
