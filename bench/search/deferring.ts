import { compileTools } from '../../layers/openapi/compile-tools.ts';
import { estimateTokens } from '../../layers/openapi/model-apis/token-estimate.ts';
import type { CompiledTool } from '../../layers/openapi/tool-index.ts';
import { buildSearchIndex, type Searchable } from '../../layers/search/build-index.ts';
import { GIVEN, searchDeferred, searchedText } from '../../layers/search/deferred-tools.ts';
import { openSearch } from '../../layers/search/search.ts';
import { DEFAULT_HITS, searchTools } from '../../layers/search/search-tools.ts';
import { rawWordsOf } from '../../layers/search/words.ts';
import { readText } from '../../test/support/openapi/intake.ts';
import { allWishes, type Wish } from './wishes.ts';

/**
 * A client that defers tools sees none of them before it has searched their names, descriptions and arguments, and is
 * given five a search. No model is asked: its searches are played, first with the wish as it is said, then with the
 * words of it that mean something. `bm25` ranks tools by them; for `regex` they are alternatives, and whatever has the
 * most of them comes first, which is kinder than the order of the list.
 *
 * Source: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "How tool search works".
 */
const PLAYS = ['list, bm25', 'list, regex', 'search mode'] as const;
type Play = (typeof PLAYS)[number];

const SIZES = [50, 200, 500];

export interface Played {
  readonly size: number;
  readonly play: Play;
  readonly wishes: number;
  /** Wishes whose tool was among what the first search gave, and what both gave. */
  readonly found: readonly [number, number];
  /** Of what the model has read by then, on average: tools that it has from the start, and what searches gave. */
  readonly tokens: number;
}

/** Each description with its wishes at each size, filled up with tools of the others where it has fewer. */
export const playDeferring = (): readonly Played[] => {
  const all = allWishes().map(({ text, wishes }) => ({ wishes, tools: toolsOf(text) }));
  return SIZES.flatMap((size) => {
    const servers = all.map(({ wishes, tools }, at) => {
      const others = [...all.slice(at + 1), ...all.slice(0, at)].flatMap((one) => one.tools);
      return { wishes, tools: ofSize(size, tools, wishes, others) };
    });
    return PLAYS.map((play) => played(size, play, servers));
  });
};

const toolsOf = (text: Buffer): readonly Searchable[] => {
  const read = readText(text);
  const { tools } = compileTools(read, read.operations, {
    serverBase: { apiBaseUrl: 'https://api.example.com' },
  });
  const tags = new Map(read.operations.map((one) => [`${one.method} ${one.path}`, one.tags]));
  return tools.map((tool) => ({ tool, tags: tags.get(namesOf(tool)[0] ?? '') ?? [] }));
};

const namesOf = ({ name, operation: { method, path } }: CompiledTool): readonly string[] => [
  `${method} ${path}`,
  name,
];

const isWanted = ({ tool }: Searchable, operations: readonly string[]): boolean =>
  namesOf(tool).some((name) => operations.includes(name));

/** Those that wishes are about, and as many others as there are to be, each name once. */
const ofSize = (
  size: number,
  own: readonly Searchable[],
  wishes: readonly Wish[],
  others: readonly Searchable[],
): readonly Searchable[] => {
  const wanted = new Set(wishes.flatMap(([, ...operations]) => operations));
  const isOfWish = ({ tool }: Searchable) => namesOf(tool).some((name) => wanted.has(name));
  const ordered = [...own.filter(isOfWish), ...own.filter((one) => !isOfWish(one)), ...others];
  return [...new Map(ordered.map((one) => [one.tool.name, one] as const).toReversed()).values()]
    .toReversed()
    .slice(0, size);
};

interface Served {
  readonly wishes: readonly Wish[];
  readonly tools: readonly Searchable[];
}

const played = (size: number, play: Play, servers: readonly Served[]): Played => {
  let [wishes, first, both, tokens] = [0, 0, 0, 0];
  for (const server of servers) {
    const { start, search } = PLAYED[play](server.tools);
    for (const [wish, ...operations] of server.wishes) {
      if (!server.tools.some((one) => isWanted(one, operations))) continue;
      const [said, meant] = [search(wish), search(meaningful(wish).join(' '))];
      const isFirst = said.tools.some((one) => isWanted(one, operations));
      const isFound = isFirst || meant.tools.some((one) => isWanted(one, operations));
      wishes += 1;
      if (isFirst) first += 1;
      if (isFound) both += 1;
      tokens += start + said.tokens + (isFirst ? 0 : meant.tokens);
    }
  }
  return { size, play, wishes, found: [first, both], tokens: Math.round(tokens / wishes) };
};

interface Player {
  /** Tokens that a model reads before its first search. */
  readonly start: number;
  readonly search: (query: string) => {
    readonly tools: readonly Searchable[];
    readonly tokens: number;
  };
}

const PLAYED: Readonly<Record<Play, (tools: readonly Searchable[]) => Player>> = {
  'list, bm25': (tools) => {
    const search = searchDeferred(tools.map(({ tool }) => tool.listed));
    return deferred((query) => search(query).flatMap((place) => tools[place] ?? []));
  },
  'list, regex': (tools) => {
    const texts = tools.map(({ tool }) => searchedText(tool.listed).toLowerCase());
    return deferred((query) => {
      const words = meaningful(query);
      return texts
        .map((text, at) => ({ at, hits: words.filter((word) => text.includes(word)).length }))
        .filter(({ hits }) => hits > 0)
        .toSorted((a, b) => b.hits - a.hits || a.at - b.at)
        .flatMap(({ at }) => tools[at] ?? []);
    });
  },
  'search mode': (tools) => {
    const index = buildSearchIndex(tools);
    const search = openSearch(index);
    const byPlace = new Map(tools.map((one) => [one.tool.name, one]));
    const listed = searchTools('API', index).map((one) => one.listed);
    return {
      start: estimateTokens(listed.join('')),
      search: (text) => {
        const found = search({ text }).slice(0, DEFAULT_HITS);
        const shown = found.map(({ name, method, path, summary }) =>
          [name, method, path, summary].join('  '),
        );
        const right = found.flatMap(({ name }) => byPlace.get(name) ?? []);
        // It reads one of them before it calls it.
        const described = right[0] ? estimateTokens(JSON.stringify(right[0].tool.listed)) : 0;
        return { tools: right, tokens: estimateTokens(shown.join('\n')) + described };
      },
    };
  },
};

/** The client's own search has a description of about this many tokens. */
const OWN_SEARCH = 100;

const deferred = (search: (query: string) => readonly Searchable[]): Player => ({
  start: OWN_SEARCH,
  search: (query) => {
    const tools = search(query).slice(0, GIVEN);
    const texts = tools.map(({ tool }) => JSON.stringify(tool.listed));
    return { tools, tokens: estimateTokens(texts.join('')) };
  },
});

const meaningful = (text: string): readonly string[] =>
  rawWordsOf(text).filter((word) => word.length > 3 && !EMPTY.has(word));

const EMPTY = new Set(
  'which what when with this that have does from into there their about should somebody'.split(' '),
);
