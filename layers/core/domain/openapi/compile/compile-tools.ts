import type { ToolMode } from '../../publication.ts';
import { ApiRefusal, type Finding } from '../../refusal.ts';
import type { IndexedTool, ToolIndex } from '../../tool-index.ts';
import type { ToolNote } from '../../tool-note.ts';
import type { Description, FoundOperation } from '../document.ts';
import { finding } from '../intake/findings.ts';
import { credentialParameters } from './credentials.ts';
import { LEAST_DETAIL } from './detail.ts';
import { type DraftTool, draftTool } from './draft-tool.ts';
import { intakeNotes, noteOf } from './intake-notes.ts';
import { toolNames } from './names.ts';
import { schemasOf } from './schemas.ts';
import { noServer, plainServers, type ServerBase, serverFinder } from './servers.ts';
import type { WrittenTool } from './told-tool.ts';
import { type ToolWriter, toolWriter } from './write-tool.ts';

export interface CompileOptions {
  readonly serverBase?: ServerBase;
  /** What clients are shown: it decides how much all tools together may take. */
  readonly toolMode?: ToolMode;
  /** That, where it is to be another. */
  readonly maxListBytes?: number;
  /** Tokens that each tool may take, roughly; absent: as many as it takes. */
  readonly tokenBudget?: number | undefined;
}

export interface CompiledTools {
  readonly index: ToolIndex;
  readonly warnings: readonly Finding[];
  /** What was done to make each tool, by its name: for the owner, not for the router. */
  readonly notes: ReadonlyMap<string, readonly ToolNote[]>;
  /** The server that most operations go to. */
  readonly apiBaseUrl: string;
}

/** What all tools together may take: what a client is sent, or what the router keeps in memory. */
interface Bounds {
  readonly maxBytes: number;
  readonly sizeOf: (tool: IndexedTool) => number;
  readonly mend: string;
}

const FEWER = 'Choose fewer operations (`operations.include`, `operations.exclude`)';

const BOUNDS: Readonly<Record<ToolMode, Bounds>> = {
  // The whole `tools/list`. Source: tools.md, "Descriptions and annotations".
  operations: {
    maxBytes: 5_000_000,
    sizeOf: ({ listed }) => Buffer.byteLength(listed) + 1,
    mend: `${FEWER}, or publish with \`tool_mode: "search"\`.`,
  },
  // The whole index. A tool of it is listed to nobody but those who ask for it.
  search: {
    maxBytes: 32_000_000,
    sizeOf: (tool) => Buffer.byteLength(JSON.stringify(tool)) + 1,
    mend: `${FEWER}.`,
  },
};

/** Arguments of all operations together: references make many of few bytes. */
const MAX_ARGUMENTS = 200_000;
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
  { serverBase = {}, toolMode = 'operations', maxListBytes, tokenBudget }: CompileOptions = {},
): CompiledTools => {
  const serverOf = serverFinder(description, serverBase);
  const placed = operations.map((found) => ({ found, server: serverOf(found) }));
  const homeless = placed.filter(({ server }) => server === undefined);
  if (homeless.length > 0) throw noServer(homeless.map(({ found }) => found));

  // Named among all operations of the description, so that the choice of some changes no name.
  const names = toolNames([...new Set([...description.operations, ...operations])]);
  const schemas = schemasOf(description);
  const isCredential = credentialParameters(description);
  let argumentCount = 0;
  const drafts = placed.map(({ found, server = '' }) => {
    const context = { description, schemas, isCredential };
    const draft = draftTool(context, found, names.get(found) ?? '', server);
    argumentCount += draft.args.length;
    if (argumentCount > MAX_ARGUMENTS) throw tooManyArguments(draft);
    return draft;
  });

  const servers = placed.map(({ server = '' }) => server);
  const bounds = {
    ...BOUNDS[toolMode],
    ...(maxListBytes !== undefined && { maxBytes: maxListBytes }),
  };
  const write = toolWriter(schemas, { maxCharacters: bounds.maxBytes, tokenBudget });
  const { tools, detail } = fitting(drafts, write, bounds);
  const noticed = intakeNotes(description);
  const notesBefore = placed.map(({ found }, index) => [
    ...noticed(found),
    ...(drafts[index]?.warnings ?? []).map(noteOf),
  ]);
  return {
    index: { format: 1, tools: tools.map(({ tool }) => tool) },
    warnings: [
      ...plainServers(servers),
      ...drafts.flatMap(({ warnings }) => warnings),
      ...tools.flatMap(({ warning }) => warning ?? []),
      ...(schemas.cutCount() > 0 ? [tooComposed(schemas.cutCount())] : []),
      ...(detail > 0 ? [shorterTexts(tools.length)] : []),
    ].map(showable),
    notes: new Map(
      tools.map(({ tool, notes }, index) => [
        tool.name,
        [...(notesBefore[index] ?? []), ...notes].map(showableNote),
      ]),
    ),
    apiBaseUrl: mostCommon(servers),
  };
};

/** Writes all tools in the greatest detail in which they are small enough together. */
const fitting = (
  drafts: readonly DraftTool[],
  write: ToolWriter,
  bounds: Bounds,
): { tools: readonly WrittenTool[]; detail: number } => {
  for (let detail = 0; ; detail += 1) {
    const tools: WrittenTool[] = [];
    const sizes: number[] = [];
    let bytes = FRAME_BYTES;
    for (const draft of drafts) {
      const written = write(draft, detail);
      const size = bounds.sizeOf(written.tool);
      bytes += size;
      sizes.push(size);
      // What is too much is not kept; the last try goes on, to tell how much too much it is.
      if (bytes <= bounds.maxBytes) tools.push(written);
      else if (detail < LEAST_DETAIL) break;
    }
    if (bytes <= bounds.maxBytes) return { tools, detail };
    if (detail === LEAST_DETAIL) throw tooLarge(drafts, sizes, bytes, bounds);
  }
};

/** Names in it come from strangers: see `finding`. */
const showable = ({ where, what, mend }: Finding): Finding => finding(where, what, mend);

const showableNote = (note: ToolNote): ToolNote => {
  const { what, mend } = finding('', note.what, note.why);
  return { ...note, what, why: mend };
};

const tooLarge = (
  drafts: readonly DraftTool[],
  sizes: readonly number[],
  bytes: number,
  { maxBytes, mend }: Bounds,
): ApiRefusal => {
  const largest = sizes
    .map((size, index) => ({ size, where: drafts[index]?.pointer ?? '' }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 5);
  return new ApiRefusal(
    'tool_list_too_large',
    `The list of ${drafts.length} tools takes ${kilobytes(bytes)}, even with short texts; at most ${kilobytes(maxBytes)} fit.`,
    largest.map(({ size, where }) =>
      finding(where, `takes ${kilobytes(size)}, one of the largest`, mend),
    ),
  );
};

const tooManyArguments = ({ pointer }: DraftTool): ApiRefusal =>
  new ApiRefusal(
    'tool_list_too_large',
    `The operations have more than ${MAX_ARGUMENTS} arguments together.`,
    [finding(pointer, 'here they become too many', `${FEWER}.`)],
  );

const tooComposed = (count: number): Finding => ({
  where: '',
  what: `${count} schemas have more than 500 alternatives or are composed more than 100 levels deep; any value is taken in their place`,
  mend: 'Compose them of less, if calls should be checked.',
});

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
