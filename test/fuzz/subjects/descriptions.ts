import { SERVICES } from '../../../layers/accounts/rules/permission.ts';
import { asItIs } from '../../../layers/servers/rules/fetch-terms.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { MODEL_APIS } from '../../../layers/openapi/model-apis/verdict.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import type { IndexedTool } from '../../../layers/openapi/tool-index.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { checkedSchema, prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { API } from '../../../layers/platform/http/failures/statuses.ts';
import { compileDescription } from '../../../layers/servers/steps/descriptions/compile-description.ts';
import { descriptions } from '../../support/generated/index.ts';
import { LIMITS } from '../../support/openapi/intake.ts';
import { fewestArguments } from '../../support/openapi/sample-arguments.ts';
import { bomb } from '../bombs.ts';
import { mutatedText } from '../mutate-text.ts';
import { mutatedTree } from '../mutate-tree.ts';
import { assertPlain } from '../pristine.ts';
import type { Subject } from '../subject.ts';

const FOLDER = new URL('../../../../shared/openapi/', import.meta.url);
/** Real descriptions, where they are there: the large ones now and then, or a run would take hours. */
const SMALL_BYTES = 100_000;
const MOST_BYTES = 700_000;
const TOOLS_CALLED = 3;

/** Descriptions that were valid once, through intake and compilation, and a few calls of their tools. */
export const descriptionSubject = (): Subject => {
  const generated = descriptions(60, 1).map((one) => JSON.stringify(one, undefined, 1));
  const files = existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => /\.(json|ya?ml)$/.test(name))
        .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
    : [];
  const real = files.filter((text) => text.length <= SMALL_BYTES);
  const large = files.filter((text) => text.length > SMALL_BYTES && text.length <= MOST_BYTES);
  const trees = [
    ...generated.map((text): unknown => JSON.parse(text)),
    ...real.map((text): unknown => readDescription(text, LIMITS).root),
  ];
  const texts = [...generated, ...real];

  return {
    input: (random) => {
      if (random.oneIn(20)) return Buffer.from(JSON.stringify(bomb(random)));
      if (random.oneIn(3)) return mutatedText(random.pick(texts), random);
      if (random.oneIn(200) && large.length > 0) {
        const { root } = readDescription(random.pick(large), LIMITS);
        return Buffer.from(JSON.stringify(mutatedTree(root, random)) ?? '');
      }
      const tree = random.oneIn(10) ? bomb(random) : random.pick(trees);
      return Buffer.from(JSON.stringify(mutatedTree(tree, random)) ?? '');
    },
    run: async (bytes) => {
      try {
        return await published(bytes);
      } catch (error) {
        if (!(error instanceof ApiRefusal)) throw error;
        return refused(error);
      }
    },
  };
};

/** Everything that publication does before it stores anything, in either tool mode. */
const published = async (bytes: Uint8Array): Promise<string> => {
  const { index, report, searchIndex, warnings } = await compileDescription(
    {
      settings: { limits: DEFAULT_LIMITS },
      web: NOTHING,
      descriptionFetches: { fetch: unasked },
    },
    asItIs(SERVICES),
    { sent: bytes },
    {
      apiBaseUrl: 'https://api.example.com/v1',
      ...(bytes.length % 4 === 0 && { toolMode: 'search' }),
      ...(bytes.length % 3 !== 0 && { structuredOutput: 'on' }),
    },
    'pro',
  );
  assertPlain(report);
  assertPlain(searchIndex);
  assertPlain(index);
  assertTold(warnings);
  assertNamed(index.tools);
  for (const tool of index.tools.slice(0, TOOLS_CALLED)) assertUsable(tool);
  return 'compiled';
};

const unasked = () => Promise.reject(new Error('nothing is fetched'));
const NOTHING = { fetch: unasked, fetchWith: unasked, fetchExactly: unasked };

const assertNamed = (tools: readonly IndexedTool[]): void => {
  const names = tools.map(({ name }) => name);
  const isGood = names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name));
  if (!isGood || new Set(names).size !== names.length) throw new Error('names are not right');
};

/** Every model API takes the tool, and a call of it ends in a request or in a refusal. */
const assertUsable = (indexed: IndexedTool): void => {
  const listed = JSON.parse(indexed.listed);
  for (const [name, check] of Object.entries(MODEL_APIS)) {
    const [complaint] = check(listed);
    if (complaint !== undefined) throw new Error(`${name} refuses a tool: ${complaint}`);
  }
  const tool = prepareTool(indexed);
  try {
    buildRequest(tool, readArguments(tool, argumentsFor(checkedSchema(indexed))));
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
  }
};

/** What schemas say may contradict itself, so that no arguments fit. */
const argumentsFor = (inputSchema: unknown): unknown => {
  try {
    return fewestArguments(inputSchema);
  } catch {
    return {};
  }
};

const refused = (refusal: ApiRefusal): string => {
  const { code, description, findings } = refusal;
  if (![413, 422].includes(API[code])) throw new Error(`a description is refused with ${code}`);
  if (findings.length > 20) throw new Error('a refusal has more than 20 findings');
  if (description.length > 2000) throw new Error('a refusal is too long');
  assertTold(findings);
  return code;
};

/** What is told can be shown: it is bounded, well-formed, and without control characters. */
const assertTold = (findings: readonly object[]): void => {
  for (const text of findings.flatMap((finding) => Object.values(finding) as string[])) {
    if (text.length > 1100 || !text.isWellFormed() || /\p{Cc}/u.test(text)) {
      throw new Error('a finding cannot be shown');
    }
  }
};
