import { ApiRefusal, type Finding } from '../../refusal.ts';
import type { IndexedTool, ToolIndex } from '../../tool-index.ts';
import type { Description, FoundOperation } from '../document.ts';
import { credentialParameters } from './credentials.ts';
import { type DraftTool, draftTool } from './draft-tool.ts';
import { toolNames } from './names.ts';
import { recursionOf } from './recursion.ts';
import { schemasOf } from './schemas.ts';
import { noServer, plainServers, type ServerBase, serverFinder } from './servers.ts';
import { LEAST_DETAIL, type ToolWriter, toolWriter, type WrittenTool } from './write-tool.ts';

export interface CompileOptions {
  readonly serverBase?: ServerBase;
  /** The whole `tools/list` stays under this. Source: tools.md, "Descriptions and annotations". */
  readonly maxListBytes?: number;
}

export interface CompiledTools {
  readonly index: ToolIndex;
  readonly warnings: readonly Finding[];
  /** The server that most operations go to. */
  readonly apiBaseUrl: string;
}

const MAX_LIST_BYTES = 5_000_000;
/** What stands around the tools in an answer. */
const FRAME_BYTES = 200;

/**
 * Compiles the chosen operations to tools, all that a router needs to list and to call them.
 *
 * @param operations - of the description, as chosen for publication
 * @throws ApiRefusal `no_server_url` if an operation has no address, `tool_list_too_large` if even the
 *   shortest texts are too long, `invalid_request` if the given base URL is none
 *
 * Source: tools.md.
 */
export const compileTools = (
  description: Description,
  operations: readonly FoundOperation[],
  { serverBase = {}, maxListBytes = MAX_LIST_BYTES }: CompileOptions = {},
): CompiledTools => {
  const serverOf = serverFinder(description, serverBase);
  const placed = operations.map((found) => ({ found, server: serverOf(found) }));
  const homeless = placed.filter(({ server }) => server === undefined);
  if (homeless.length > 0) throw noServer(homeless.map(({ found }) => found));

  // Named among all operations of the description, so that the choice of some changes no name.
  const names = toolNames([...new Set([...description.operations, ...operations])]);
  const schemas = schemasOf(description);
  const isCredential = credentialParameters(description);
  const drafts = placed.map(({ found, server = '' }) =>
    draftTool({ description, schemas, isCredential }, found, names.get(found) ?? '', server),
  );

  const write = toolWriter(schemas, recursionOf(schemas));
  const servers = placed.map(({ server = '' }) => server);
  const { tools, detail } = fitting(drafts, write, maxListBytes);
  return {
    index: { format: 1, tools: tools.map(({ tool }) => tool) },
    warnings: [
      ...plainServers(servers),
      ...drafts.flatMap(({ warnings }) => warnings),
      ...tools.flatMap(({ cut }) => cut ?? []),
      ...(detail > 0 ? [shorterTexts(tools.length)] : []),
    ],
    apiBaseUrl: mostCommon(servers),
  };
};

/** Writes all tools in the greatest detail in which the list is small enough. */
const fitting = (
  drafts: readonly DraftTool[],
  write: ToolWriter,
  maxBytes: number,
): { tools: readonly WrittenTool[]; detail: number } => {
  for (let detail = 0; ; detail += 1) {
    const tools = drafts.map((draft) => write(draft, detail));
    const bytes = FRAME_BYTES + tools.reduce((sum, { tool }) => sum + bytesOf(tool), 0);
    if (bytes <= maxBytes) return { tools, detail };
    if (detail === LEAST_DETAIL) throw tooLarge(drafts, tools, bytes, maxBytes);
  }
};

const bytesOf = ({ listed }: IndexedTool): number => Buffer.byteLength(listed) + 1;

const tooLarge = (
  drafts: readonly DraftTool[],
  tools: readonly WrittenTool[],
  bytes: number,
  maxBytes: number,
): ApiRefusal => {
  const largest = tools
    .map(({ tool }, index) => ({ bytes: bytesOf(tool), where: drafts[index]?.pointer ?? '' }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 5);
  return new ApiRefusal(
    'tool_list_too_large',
    `The list of ${tools.length} tools takes ${kilobytes(bytes)}, even with short texts; at most ${kilobytes(maxBytes)} fit.`,
    largest.map((tool): Finding => ({
      where: tool.where,
      what: `takes ${kilobytes(tool.bytes)}, one of the largest`,
      mend: 'Choose fewer operations (`operations.include`, `operations.exclude`).',
    })),
  );
};

const shorterTexts = (count: number): Finding => ({
  where: '',
  what: `the texts of the ${count} tools are shortened to keep their list small`,
  mend: 'Choose fewer operations to keep more of the texts.',
});

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} KB`;

const mostCommon = (values: readonly string[]): string => {
  const groups = [...Map.groupBy(values, (value) => value)];
  const [most] = groups.toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? '';
};
