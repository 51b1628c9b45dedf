import { targetApi } from '../../../layers/target/client/target-api.ts';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import { RpcRefusal } from '../../../layers/platform/rules/refusal/rpc-refusal.ts';
import { type IndexedTool, toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { type Arguments, readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import {
  checkedSchema,
  type PreparedTool,
  prepareTool,
} from '../../../layers/tools/prepare-tool.ts';
import { readValue } from '../../../layers/tools/arguments/read-value.ts';
import { readText } from './intake.ts';
import type { Judged, ValidatingApi } from '../target/validating-api.ts';
import { isMap } from '../wire-reader/values.ts';

/** A tool with what its arguments stand for. */
export interface SentTool {
  readonly tool: IndexedTool;
  /** As the description has it. */
  readonly path: string;
  readonly prepared: PreparedTool;
  readonly inputSchema: unknown;
}

/** A call of a tool, and what became of it. */
export interface SentCall {
  readonly tool: SentTool;
  readonly args: Record<string, unknown>;
  /** What each parameter, by place and name, and the body were meant to be. */
  readonly meant: Meant;
  /** Why it was not sent. */
  readonly refused?: string;
  readonly judged?: Judged;
}

interface Meant {
  readonly parameters: ReadonlyMap<string, unknown>;
  readonly body: unknown;
}

export interface Sender extends Disposable {
  /**
   * Compiles a description and calls every tool of it, over a socket, once with each arguments.
   *
   * @param document - JSON or YAML
   * @param served - what the API holds requests against; undefined: they are only told
   */
  send(
    document: string | Uint8Array,
    served: Readonly<Record<string, unknown>> | undefined,
    argumentsFor: (tool: SentTool) => readonly Record<string, unknown>[],
  ): Promise<readonly SentCall[]>;
}

/** Calls tools with the code that the router calls them with, its outgoing client included. */
export const senderTo = (api: ValidatingApi): Sender => {
  const client = targetApi({
    policy: { loopback: { exceptPorts: [] } },
    timeoutSeconds: 25,
    maxBytes: 4_194_304,
  });
  return {
    send: async (document, served, argumentsFor) => {
      const apiBaseUrl = await api.serve(served);
      const description = readText(document);
      const { tools } = compileTools(description, description.operations, {
        serverBase: { apiBaseUrl },
      });
      const calls: SentCall[] = [];
      for (const [position, indexed] of toToolIndex(tools).tools.entries()) {
        const path = description.operations[position]?.path ?? '';
        const prepared = prepareTool(indexed);
        const tool = {
          tool: indexed,
          path,
          prepared,
          inputSchema: checkedSchema(indexed),
        };
        for (const args of argumentsFor(tool)) {
          const meant = meantBy(prepared, args);
          try {
            const request = buildRequest(prepared, readArguments(prepared, args));
            const answer = await client.send('tested', request);
            const judged: Judged =
              request.method === 'HEAD'
                ? JSON.parse(decodeURIComponent(answer.headers['x-answer'] ?? ''))
                : JSON.parse(Buffer.from(answer.body).toString('utf8'));
            calls.push({ tool, args, meant, judged });
          } catch (error) {
            if (!(error instanceof RpcRefusal)) throw error;
            const refused = `${error.description} ${JSON.stringify(error.data ?? {})}`;
            calls.push({ tool, args, meant, refused });
          }
        }
      }
      return calls;
    },
    [Symbol.dispose]: () => client.close(),
  };
};

/** The values of a call by their names on the wire. */
const meantBy = (prepared: PreparedTool, args: Arguments): Meant => {
  const { shapes, wireNames, operation } = prepared;
  const { constants, defaults } = operation;
  const read =
    wireNames || defaults ? (readValue(shapes, args, wireNames).sent as Arguments) : args;
  const sent: Arguments = { ...read, ...constants };
  const value = (argument: string): unknown => sent[argument];
  const parameters = operation.parameters
    .filter(({ argument }) => Object.hasOwn(sent, argument))
    .flatMap(({ in: place, name, argument, isQuery }) =>
      // The whole query has no name in it, but those of its members.
      isQuery && isMap(value(argument))
        ? Object.entries(value(argument) as object).map(
            ([key, one]) => [`query ${key}`, one] as const,
          )
        : [[`${place} ${name}`, value(argument)] as const],
    );
  const source = operation.body?.source;
  const properties = source?.kind === 'properties' ? source.properties : [];
  const given = properties.filter(({ argument }) => Object.hasOwn(sent, argument));
  const further = Object.keys(args).filter((name) => !prepared.argumentNames.has(name));
  const body =
    source?.kind === 'whole'
      ? value(source.argument)
      : Object.fromEntries([
          ...given.map(({ argument, name }) => [name, value(argument)] as const),
          ...further.map((name) => [name, args[name]] as const),
        ]);
  return { parameters: new Map(parameters), body };
};
