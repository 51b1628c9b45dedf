import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readText } from '../support/openapi/intake.ts';
import { CLIENTS, type ListedTool } from '../support/mcp/mcp-clients.ts';
import {
  hasRealDescriptions,
  type Publisher,
  REAL_DESCRIPTIONS,
  realDescriptions,
  startPublisher,
} from '../support/service/publisher.ts';
import { allArguments, fewestArguments } from '../support/openapi/sample-arguments.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';

const FILES = hasRealDescriptions
  ? readdirSync(REAL_DESCRIPTIONS).filter((name) => /\.(json|ya?ml)$/.test(name))
  : ['none of them'];

let publisher: Publisher;
let target: TargetServer;

beforeAll(async () => {
  publisher = await startPublisher({ endpoints_per_deployment: 1000 });
  target = await anHttpServer(({ method, url }, response) => {
    const [path] = (url ?? '').split('?');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ method, path }));
  });
});

afterAll(async () => {
  await publisher.stop();
  await target[Symbol.asyncDispose]();
});

interface Called {
  readonly tool: string;
  /** As the target saw it; undefined if the call was refused. */
  readonly request: { readonly method: string; readonly path: string } | undefined;
  readonly error: string | undefined;
}

/** Calls all tools in batches, as a JSON-RPC client may; sends again what a batch had no time for. */
const callAll = async (
  url: string,
  tools: readonly ListedTool[],
  argumentsOf: (inputSchema: unknown) => object,
): Promise<readonly Called[]> => {
  const calls = tools.map(({ name, inputSchema }, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: argumentsOf(inputSchema) },
  }));
  const called: Called[] = [];
  const open = [...calls];
  while (open.length > 0) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(open.splice(0, 50)),
    });
    const responses = (await answer.json()) as RpcResponse[];
    for (const { id, result, error } of responses) {
      if (error?.data?.reason === 'batch_timeout') {
        open.push(...calls.slice(id, id + 1));
        continue;
      }
      const text = result?.content[0]?.text;
      called.push({
        tool: calls[id]?.params.name ?? '',
        request: text === undefined ? undefined : JSON.parse(text),
        error: error?.message,
      });
    }
  }
  return called;
};

interface RpcResponse {
  readonly id: number;
  readonly result?: { readonly content: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string; readonly data?: { readonly reason?: string } };
}

(hasRealDescriptions ? describe : describe.skip)(realDescriptions('a real description'), () => {
  describe.each(FILES)('%s', (name) => {
    let url: string;
    let operations: readonly Described[];

    beforeAll(async () => {
      const file = new URL(name, REAL_DESCRIPTIONS);
      operations = operationsOf(file);
      url = await publisher.publish(file, { apiBaseUrl: `${target.url}/base` });
    });

    const listed = async (): Promise<readonly ListedTool[]> => {
      const [[, connect]] = CLIENTS;
      const client = await connect(url);
      const { tools } = await client.listTools();
      await client.close();
      return tools;
    };

    test.each(CLIENTS)('is listed by %s, which calls a tool of it', async (_, connect) => {
      const client = await connect(url);
      const { tools } = await client.listTools();
      const [{ name: tool, inputSchema } = NO_TOOL] = tools;
      const result = await client.callTool({ name: tool, arguments: allArguments(inputSchema) });
      await client.close();

      expect(tools).toHaveLength(operations.length);
      expect(result.isError).not.toBe(true);
    });

    test('has a tool for each operation, and each tool calls its own operation', async () => {
      const called = await callAll(url, await listed(), allArguments);
      const meant = called.map((call) => operationOf(call, operations));

      expect(meant.toSorted()).toEqual(operations.map(({ title }) => title).toSorted());
    });

    test('has tools that accept their required arguments or describe what else they need', async () => {
      const tools = await listed();
      const called = await callAll(url, tools, fewestArguments);
      const demanding = tools.filter(({ description = '' }) => NEEDS_MORE.test(description));

      expect(
        called.filter(
          ({ tool, error }) =>
            error !== undefined && !demanding.some(({ name: other }) => other === tool),
        ),
      ).toEqual([]);
    });
  });
});

/** Rules that no root of a schema may say to all model APIs. */
const NEEDS_MORE = /Give at least one of: |The body needs at least \d+ fields/;

const NO_TOOL: ListedTool = { name: 'none', inputSchema: {} };

interface Described {
  /** Places have no names: only what a request line can show. */
  readonly title: string;
  readonly operationId: string | undefined;
  readonly method: string;
  readonly pattern: RegExp;
  /** How many characters of the path stand fast. */
  readonly literal: number;
}

const operationsOf = (file: URL): readonly Described[] =>
  readText(readFileSync(file)).operations.map((operation) => {
    const { method, operationId } = operation;
    const [path = ''] = operation.path.split(/[?#]/);
    const literals = path.split(/\{[^}]*\}/);
    const escaped = literals.map((part) => part.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&'));
    return {
      title: `${method} ${literals.join('{}')}`,
      operationId,
      method,
      pattern: new RegExp(`^/base${escaped.join('[^/]*')}$`),
      literal: literals.join('').length,
    };
  });

/** The operation that a call went to; of several that fit, the one that says most about the path. */
const operationOf = (
  { tool, request, error }: Called,
  operations: readonly Described[],
): string => {
  if (!request) return `${tool}: ${error}`;
  const { method, path } = request;
  const candidates = operations.filter((one) => one.method === method && one.pattern.test(path));
  const [best] = candidates.toSorted((one, other) => other.literal - one.literal);
  const named = candidates.filter((one) => one.title === best?.title);
  if (named.some(({ operationId }) => isNamedAfter(tool, operationId))) return best?.title ?? '';
  return `${tool} went to ${method} ${path}`;
};

/** Names may be shortened in their middle, and say more where two would be the same. */
const isNamedAfter = (tool: string, operationId: string | undefined): boolean =>
  operationId === undefined || plain(tool).slice(0, 9) === plain(operationId).slice(0, 9);

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
