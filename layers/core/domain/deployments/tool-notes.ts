import type { Finding } from '../refusal.ts';
import type { IndexedTool, Operation } from '../tool-index.ts';

/** What was done to an operation so that it became this tool, in words. */
export const toolNotes = (tool: IndexedTool, warnings: readonly Finding[]): readonly string[] => {
  const { operation, name, withheld = [], fixed = {} } = tool;
  const { operationId } = operation;
  return [
    ...(operationId !== undefined && operationId !== name
      ? [`named ${name}; its operationId is ${JSON.stringify(operationId)}`]
      : []),
    ...renamings(operation).map(
      ([argument, wire, place]) =>
        `argument ${argument} is sent as ${place} ${JSON.stringify(wire)}`,
    ),
    ...withheld.map((one) =>
      Object.hasOwn(fixed, one) ? `argument ${one} is fixed` : `argument ${one} is hidden`,
    ),
    ...warnings
      .filter(({ where }) => isWithin(where, pointerOf(operation)))
      .map(({ what }) => what),
  ];
};

const renamings = ({
  parameters,
  body,
  wireNames = {},
}: Operation): readonly (readonly [argument: string, wire: string, place: string])[] => [
  ...parameters
    .filter(({ argument, name }) => argument !== name)
    .map(({ argument, name, in: place }) => [argument, name, `${place} parameter`] as const),
  ...(body?.source.kind === 'properties' ? body.source.properties : [])
    .filter(({ argument, name }) => argument !== name)
    .map(({ argument, name }) => [argument, name, 'property'] as const),
  ...Object.entries(wireNames).map(
    ([pointer, wire]) => [plain(pointer.split('/').at(-1) ?? ''), wire, 'property'] as const,
  ),
];

/** Where the operation stands in most descriptions. */
const pointerOf = ({ method, path }: Operation): string =>
  `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;

const isWithin = (where: string, pointer: string): boolean =>
  where === pointer || where.startsWith(`${pointer}/`);

const plain = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
