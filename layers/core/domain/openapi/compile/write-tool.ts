import type { Finding } from '../../refusal.ts';
import type { IndexedTool } from '../../tool-index.ts';
import type { DraftTool } from './draft-tool.ts';
import { type Detail, type LaidOut, layOut, type Space } from './layout.ts';
import { type LinkedSchema, partsOf } from './linked-schema.ts';
import { usesOf } from './recursion.ts';
import type { Schemas } from './schemas.ts';
import { sentences, shortened } from './texts.ts';

export interface WrittenTool {
  readonly tool: IndexedTool;
  /** Says so if parts of the arguments had to be left out. */
  readonly cut?: Finding;
}

/** Writes a tool in at most the given detail: less where it would be too large for a model. */
export type ToolWriter = (draft: DraftTool, detail: number) => WrittenTool;

/** Descriptions go first, then examples, then what is deep inside. Source: tools.md. */
const DETAILS: readonly Detail[] = [
  { tool: 1024, argument: 400, nested: 300, examples: true, depth: 24, values: 400 },
  { tool: 600, argument: 200, nested: 120, examples: false, depth: 24, values: 200 },
  { tool: 400, argument: 120, nested: 60, examples: false, depth: 8, values: 100 },
  { tool: 300, argument: 100, nested: 0, examples: false, depth: 5, values: 60 },
  { tool: 200, argument: 80, nested: 0, examples: false, depth: 3, values: 30 },
  { tool: 160, argument: 60, nested: 0, examples: false, depth: 1, values: 20 },
];
export const LEAST_DETAIL = DETAILS.length - 1;

/** Characters of arguments up to which every component is written where it is used. */
const MAX_INLINE = 16_000;
/** Characters of arguments that one tool may have, some 15,000 tokens. */
const MAX_ARGUMENTS = 60_000;
/** Components that take no more than this are not worth a definition. */
const SMALL = 300;

export const toolWriter = (schemas: Schemas, isRecursive: (ref: string) => boolean): ToolWriter => {
  const small = new Map<string, boolean>();
  const isSmall = (ref: string): boolean => {
    const known = small.get(ref) ?? isSmallSchema(schemas.component(ref));
    small.set(ref, known);
    return known;
  };
  const inline: Space = { max: MAX_INLINE, isDefined: isRecursive };
  const sharing = (draft: DraftTool): Pick<Space, 'isDefined'> => {
    const uses = usesOf(
      schemas,
      draft.args.map(({ schema }) => schema),
    );
    const isRepeated = (ref: string) => (uses.get(ref) ?? 0) > 1;
    return {
      isDefined: (ref) => isRecursive(ref) || (isRepeated(ref) && !isSmall(ref)),
    };
  };

  return (draft, detail) => {
    let shared: Pick<Space, 'isDefined'> | undefined;
    for (let level = detail; ; level += 1) {
      const wanted = DETAILS[level];
      if (!wanted) throw new Error('there is no such detail');
      const small = layOut(schemas, draft.args, wanted, inline);
      if (small) return written(draft, wanted, small);
      shared ??= sharing(draft);
      const max = level === LEAST_DETAIL ? Infinity : MAX_ARGUMENTS;
      const large = layOut(schemas, draft.args, wanted, { ...shared, max });
      if (large) return written(draft, wanted, large);
    }
  };
};

/** Plain values, or lists of them. */
const isSmallSchema = (schema: LinkedSchema): boolean => {
  const inside = partsOf(schema);
  const isFlat = inside.every((part) => part.ref === undefined && partsOf(part).length === 0);
  return isFlat && JSON.stringify(schema).length <= SMALL;
};

const written = (draft: DraftTool, detail: Detail, laidOut: LaidOut): WrittenTool => {
  const { name, title, operation } = draft;
  const { inputSchema, wireNames, isCut } = laidOut;
  const description = sentences(shortened(draft.description, detail.tool), ...draft.notes);
  const listed = JSON.stringify({
    name,
    description,
    inputSchema,
    annotations: { ...(title === undefined ? {} : { title }), ...hintsOf(operation.method) },
  });
  const isRenamed = Object.keys(wireNames).length > 0;
  return {
    tool: { name, listed, operation: { ...operation, ...(isRenamed ? { wireNames } : {}) } },
    ...(isCut ? { cut: cutNote(draft) } : {}),
  };
};

/** Source: MCP 2025-03-26, "ToolAnnotations"; RFC 9110 §9.2. */
const hintsOf = (method: string) => ({
  readOnlyHint: ['GET', 'HEAD', 'QUERY'].includes(method),
  destructiveHint: method === 'DELETE',
  idempotentHint: ['GET', 'HEAD', 'QUERY', 'PUT', 'DELETE'].includes(method),
  openWorldHint: true,
});

const cutNote = ({ pointer, name }: DraftTool): Finding => ({
  where: pointer,
  what: `the arguments of ${name} are too large to be shown in full; what is deep inside is left out`,
  mend: 'Nothing has to be done: values for it are sent as they are given.',
});
