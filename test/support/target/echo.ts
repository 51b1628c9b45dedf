import type { Socket } from 'node:net';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import { compileTools } from '../../../layers/openapi/compile-tools.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { toIndexedTool } from '../../../layers/openapi/tool-index.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { onlyOf } from '../openapi/compile.ts';
import { read } from '../openapi/intake.ts';
import { aRawServer } from './target-server.ts';

/** A request as its bytes were, told apart but not decoded. */
export interface WireRequest {
  /** Such as `GET /pets?a=b`. */
  readonly start: string;
  /** Lower-case names; each byte one character. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Echo extends AsyncDisposable {
  /**
   * Publishes a description with one operation and no servers, calls its tool, and returns what came
   * over the socket.
   */
  readonly call: (
    description: Readonly<Record<string, Json>>,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<WireRequest>;
}

/** A real server that keeps the bytes it gets, and the whole way from a description to it. */
export const anEcho = async (): Promise<Echo> => {
  const received: WireRequest[] = [];
  const server = await aRawServer((socket) => keepRequests(socket, received));
  const api = targetApi({
    policy: { loopback: { exceptPorts: [] } },
    timeoutSeconds: 20,
    maxBytes: 1000,
  });

  return {
    call: async (description, args) => {
      const checked = read(description);
      const { tools } = compileTools(checked, checked.operations, {
        serverBase: { apiBaseUrl: server.url },
      });
      const tool = prepareTool(toIndexedTool(onlyOf(tools)));
      const before = received.length;
      await api.send('echo', buildRequest(tool, readArguments(tool, args)));
      return onlyOf(received.slice(before));
    },
    [Symbol.asyncDispose]: async () => {
      api.close();
      await server[Symbol.asyncDispose]();
    },
  };
};

const keepRequests = (socket: Socket, received: WireRequest[]): void => {
  let open = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    open = Buffer.concat([open, chunk]);
    const end = open.indexOf('\r\n\r\n');
    if (end < 0) return;
    const [start = '', ...lines] = open.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
      }),
    );
    const body = open.subarray(end + 4);
    if (body.length < Number(headers['content-length'] ?? 0)) return;
    received.push({ start: start.replace(/ HTTP\/1\.1$/, ''), headers, body });
    socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n');
  });
};
