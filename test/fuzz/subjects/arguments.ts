import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import type { TargetRequest } from '../../../layers/target/rules/target.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import {
  checkedSchema,
  type PreparedTool,
  prepareTool,
} from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { descriptions } from '../../support/generated/index.ts';
import { LIMITS } from '../../support/openapi/intake.ts';
import { type Random, randomOf } from '../../support/random.ts';
import { randomArguments } from '../../support/openapi/sample-arguments.ts';
import { bomb } from '../bombs.ts';
import { mutatedTree } from '../mutate-tree.ts';
import { assertPlain } from '../pristine.ts';
import type { Subject } from '../subject.ts';

const BASE = 'https://api.example.com/v1';
const KEY = {
  type: 'api_key',
  in: 'query',
  name: 'key',
  prefix: '',
  secret: 'secret',
  origins: [],
} as const;

/** Source: docs/protocol.md, "Bytes and sizes". */
const MOST_BYTES = 4_194_304;

interface Called {
  readonly tool: PreparedTool;
  readonly inputSchema: unknown;
}

/** The tools of descriptions of every dialect, and of such as are no longer what they were. */
const toolsToCall = (): readonly Called[] => {
  const random = randomOf(2);
  const right = descriptions(60, 2);
  const wrong = Array.from({ length: 120 }, () => mutatedTree(random.pick(right), random));
  const bombs = Array.from({ length: 12 }, () => bomb(random));
  return [...right, ...wrong, ...bombs].flatMap(toolsOf);
};

const toolsOf = (document: unknown): readonly Called[] => {
  try {
    const description = readDescription(JSON.stringify(document), LIMITS);
    const { tools } = compileTools(description, description.operations.slice(0, 3), {
      serverBase: { apiBaseUrl: BASE },
    });
    return toToolIndex(tools).tools.map((tool) => ({
      tool: prepareTool(tool),
      inputSchema: checkedSchema(tool),
    }));
  } catch (error) {
    if (error instanceof ApiRefusal) return [];
    throw error;
  }
};

const WORDS = [
  'word',
  '.',
  '..',
  '%2e%2e/',
  'a/../b',
  'ü',
  '\u0000',
  '1',
  'true',
  '[]',
  '{}',
  '',
  'a'.repeat(60_000),
];

/** Arguments that a tool allows, until something is wrong with them; some of them are very many. */
export const mutatedArguments = (inputSchema: unknown, random: Random): unknown => {
  const args = allowed(inputSchema, random);
  if (random.oneIn(50)) return withMuch(args, random);
  return random.oneIn(8) ? args : mutatedTree(args, random);
};

/** A schema that contradicts itself allows none. */
const allowed = (inputSchema: unknown, random: Random): Record<string, unknown> => {
  try {
    return randomArguments(inputSchema, random, () => random.pick(WORDS));
  } catch {
    return {};
  }
};

const withMuch = (args: Record<string, unknown>, random: Random): unknown => {
  const much = random.pick<() => unknown>([
    () => Array.from({ length: 90_000 }, (_, index) => index),
    () => Array.from({ length: 20_000 }, (_, index) => ({ a: `${index % 7}` })),
    () => Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, index])),
    () => 'ab'.repeat(500_000),
    () => Array.from({ length: 60 }).reduce((inner) => [inner, inner && 1], 1),
  ])();
  const names = Object.keys(args);
  return names.length === 0 ? { much } : { ...args, [random.pick(names)]: much };
};

/** Arguments that were right once, on their way into a request. */
export const argumentSubject = (): Subject => {
  const tools = toolsToCall();
  return {
    input: (random) => {
      const number = random.below(tools.length);
      const args = mutatedArguments(tools[number]?.inputSchema, random);
      const input = Buffer.from(JSON.stringify({ tool: number, args }));
      // The service takes no larger body.
      return input.length <= MOST_BYTES ? input : Buffer.from(JSON.stringify({ tool: number }));
    },
    run: (bytes) => {
      const { tool: number, args } = JSON.parse(Buffer.from(bytes).toString('utf8'));
      const called = tools[number];
      if (!called) return 'no tool';
      try {
        const checked = readArguments(called.tool, args);
        assertPlain(checked);
        assertSound(called.tool, buildRequest(called.tool, checked, { credentials: [KEY] }));
        return 'sent';
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error;
        return refused(error);
      }
    },
  };
};

const refused = ({ code, description, data }: RpcRefusal): string => {
  if (code !== 'invalid_params')
    throw new Error(`arguments are refused with ${code}: ${description}`);
  if (description.length > 3000 || !description.isWellFormed())
    throw new Error('a refusal cannot be shown');
  if (JSON.stringify(data ?? {}).length > 30_000) throw new Error('a refusal is too long');
  return code;
};

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The request goes where the tool says, and nothing in it ends where it should not. */
const assertSound = (
  { operation }: PreparedTool,
  { url, headers, method }: TargetRequest,
): void => {
  const { origin, pathname, hash, searchParams } = new URL(url);
  const [template = ''] = operation.path.split('?');
  const segments = template.split('/').length;
  if (origin !== 'https://api.example.com' || !pathname.startsWith('/v1/')) {
    throw new Error('a request leaves the API');
  }
  if (pathname.split('/').length !== segments + 1) throw new Error('a request has another path');
  if (hash !== '' || method !== operation.method) throw new Error('a request is not the tool’s');
  if (searchParams.getAll('key').join() !== 'secret')
    throw new Error('the credential is displaced');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$&'*+.^`|~-]+$/.test(name) || !HEADER_VALUE.test(value)) {
      throw new Error(`the header ${name} cannot be sent`);
    }
  }
};
