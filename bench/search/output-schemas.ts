import { compileTools } from '../../layers/openapi/compile-tools.ts';
import { estimateTokens, toolTokens } from '../../layers/openapi/model-apis/token-estimate.ts';
import type { CompiledTool } from '../../layers/openapi/tool-index.ts';
import { GIVEN, searchDeferred } from '../../layers/search/deferred-tools.ts';
import { readText } from '../../test/support/openapi/intake.ts';
import { allWishes, type Wish } from './wishes.ts';

export interface Measured {
  readonly file: string;
  readonly tools: number;
  /** Of the list without output schemas, and what those add. */
  readonly tokens: readonly [list: number, schemas: number];
  readonly wishes: number;
  /** Wishes whose tool is among the first five of a search by words, without and with those of output schemas. */
  readonly right: readonly [without: number, with_: number];
}

/**
 * What output schemas cost, and whether tools are chosen better with them: no model is asked, the choice is played by the
 * search of a client that reads them beside names, descriptions and arguments.
 */
export const measureOutputSchemas = (): readonly Measured[] =>
  allWishes().map(({ file, text, wishes }) => {
    const read = readText(text);
    const { tools } = compileTools(read, read.operations, {
      serverBase: { apiBaseUrl: 'https://api.example.com' },
      hasOutput: () => true,
    });
    const sum = (of: (tool: CompiledTool) => number) =>
      tools.reduce((total, tool) => total + of(tool), 0);
    const schemaTokens = ({ output }: CompiledTool) =>
      output ? estimateTokens(`"outputSchema":${output.schema},`) : 0;
    return {
      file,
      tools: tools.length,
      tokens: [sum(({ listed }) => toolTokens(listed)), sum(schemaTokens)],
      wishes: wishes.length,
      right: [rightOf(tools, wishes, () => ''), rightOf(tools, wishes, outputWords)],
    };
  });

/** The names and texts in an output schema. */
const outputWords = ({ output }: CompiledTool): string => output?.schema ?? '';

const rightOf = (
  tools: readonly CompiledTool[],
  wishes: readonly Wish[],
  more: (tool: CompiledTool) => string,
): number => {
  const search = searchDeferred(
    tools.map((tool) => ({
      ...tool.listed,
      description: `${tool.listed.description ?? ''} ${more(tool)}`,
    })),
  );
  return wishes.filter(([wish, ...operations]) =>
    search(wish)
      .slice(0, GIVEN)
      .some((place) => {
        const { name, operation } = tools[place] ?? {};
        return (
          operations.includes(`${operation?.method} ${operation?.path}`) ||
          operations.includes(name ?? '')
        );
      }),
  ).length;
};
