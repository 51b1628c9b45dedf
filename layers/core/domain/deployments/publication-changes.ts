import { ApiRefusal } from '../refusal.ts';
import {
  inToolMode,
  type StructuredOutput,
  withStructuredOutput,
  type OperationChoice,
  type PublicationSettings,
  type ToolMode,
  type ToolOverride,
} from './publication.ts';

/** What is to change of the making of tools: what is absent stays as it is, null takes it away. */
export interface PublicationChanges {
  readonly apiBaseUrl?: string | null | undefined;
  readonly serverVariables?: Readonly<Record<string, string>> | null | undefined;
  readonly operations?: OperationChoice | null | undefined;
  /** Each by itself; the others stay. */
  readonly overrides?: Readonly<Record<string, ToolOverride | null>> | undefined;
  readonly toolMode?: ToolMode | undefined;
  /** Tokens that a tool may take, roughly; null: any number. */
  readonly toolTokenBudget?: number | null | undefined;
  readonly structuredOutput?: StructuredOutput | undefined;
}

/** Whether tools are to be made anew. */
export const isChange = (changes: PublicationChanges): boolean =>
  Object.values(changes).some((change) => change !== undefined);

/** @throws ApiRefusal invalid_request if there are too many overrides */
export const changedPublication = (
  before: PublicationSettings,
  changes: PublicationChanges,
): PublicationSettings => {
  const { apiBaseUrl, serverVariables, operations, overrides, ...others } = before;
  const base = changed(apiBaseUrl, changes.apiBaseUrl);
  const variables = changed(serverVariables, changes.serverVariables);
  const choice = changed(operations, changes.operations);
  const overriding = Object.entries({ ...overrides, ...changes.overrides }).flatMap(
    ([operation, override]) => (override === null ? [] : [[operation, override] as const]),
  );
  const settings = {
    ...others,
    ...(base !== undefined && { apiBaseUrl: base }),
    ...(variables && { serverVariables: variables }),
    ...(choice && { operations: choice }),
    ...(changes.toolTokenBudget !== undefined && { toolTokenBudget: changes.toolTokenBudget }),
    ...(overriding.length > 0 && { overrides: checkedSize(Object.fromEntries(overriding)) }),
  };
  const structured =
    changes.structuredOutput === undefined
      ? settings
      : withStructuredOutput(settings, changes.structuredOutput);
  return changes.toolMode === undefined ? structured : inToolMode(structured, changes.toolMode);
};

const changed = <Value>(before: Value | undefined, change: Value | null | undefined) =>
  change === undefined ? before : (change ?? undefined);

/** They stand in the deployment's one item, which every request to the router may read. */
const MAX_OVERRIDES_BYTES = 65_536;

const checkedSize = <Value>(overrides: Value): Value => {
  if (Buffer.byteLength(JSON.stringify(overrides)) <= MAX_OVERRIDES_BYTES) return overrides;
  throw new ApiRefusal('invalid_request', 'The overrides are too large.', [
    {
      where: '/overrides',
      what: `more than ${MAX_OVERRIDES_BYTES} bytes in all`,
      hint: 'Override fewer operations, or in fewer words.',
    },
  ]);
};
