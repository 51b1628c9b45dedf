import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { OperationChoice, PublicationSettings, ToolOverride } from './publication.ts';
import { changedSettings, PUBLICATION_SETTINGS, type PublicationChoices } from './settings.ts';

/** What is to change of the making of tools: what is absent stays as it is, null takes it away. */
export interface PublicationChanges extends PublicationChoices {
  readonly apiBaseUrl?: string | null | undefined;
  readonly serverVariables?: Readonly<Record<string, string>> | null | undefined;
  readonly operations?: OperationChoice | null | undefined;
  /** All of them: texts, and where to get them. */
  readonly overlays?: readonly (string | { readonly url: string })[] | null | undefined;
  /** Each by itself; the others stay. */
  readonly overrides?: Readonly<Record<string, ToolOverride | null>> | undefined;
}

/** The same, with the texts of all overlays. */
export type FetchedChanges = Omit<PublicationChanges, 'overlays'> & {
  readonly overlays?: readonly string[] | null | undefined;
};

/** Whether tools are to be made anew. */
export const isChange = (changes: PublicationChanges): boolean =>
  Object.values(changes).some((change) => change !== undefined);

/** @throws ApiRefusal invalid_request if it would be too large to be kept */
export const changedPublication = (
  before: PublicationSettings,
  changes: FetchedChanges,
): PublicationSettings => {
  const { sourceUrl, apiBaseUrl, serverVariables, operations, overrides } = before;
  const base = changed(apiBaseUrl, changes.apiBaseUrl);
  const variables = changed(serverVariables, changes.serverVariables);
  const overlays = changed(before.overlays, changes.overlays);
  const choice = changed(operations, changes.operations);
  const overriding = Object.entries({ ...overrides, ...changes.overrides }).flatMap(
    ([operation, override]) => (override === null ? [] : [[operation, override] as const]),
  );
  return {
    ...changedSettings(PUBLICATION_SETTINGS, before, changes),
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(base !== undefined && { apiBaseUrl: base }),
    ...(variables && { serverVariables: checkedSize('server_variables', variables) }),
    ...(choice && { operations: checkedSize('operations', choice) }),
    ...(overlays && overlays.length > 0 && { overlays: checkedSize('overlays', overlays) }),
    ...(overriding.length > 0 && {
      overrides: checkedSize('overrides', Object.fromEntries(overriding)),
    }),
  };
};

const changed = <Value>(before: Value | undefined, change: Value | null | undefined) =>
  change === undefined ? before : (change ?? undefined);

/**
 * Bytes of JSON. They stand in the deployment's one item, which every request to the router may read, and
 * which DynamoDB gives 400 KB: with a list of who may use it, all of them fit.
 */
export const MAX_BYTES = {
  overrides: [65_536, 'The overrides are', 'Override fewer operations, or in fewer words.'],
  operations: [131_072, 'The selection is', 'Choose by tags, or with `*`.'],
  overlays: [65_536, 'The overlays are', 'Change fewer places, or with wider targets.'],
  server_variables: [32_768, 'The server variables are', 'Give those that the servers have.'],
} as const;

const checkedSize = <Value>(name: keyof typeof MAX_BYTES, value: Value): Value => {
  const [most, subject, hint] = MAX_BYTES[name];
  if (Buffer.byteLength(JSON.stringify(value)) <= most) return value;
  throw new ApiRefusal('invalid_request', `${subject} too large.`, [
    { where: `/${name}`, what: `more than ${most} bytes in all`, hint },
  ]);
};
