import { member } from '../../layers/platform/rules/json/json.ts';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpAnswer } from './answer.ts';
import { gatewayResponse, type GatewayResponseKind } from './gateway-responses.ts';

/** Writes the answer; harmless if the client is gone. */
export const send = (
  response: ServerResponse,
  { status, headers, cookies, body }: HttpAnswer,
  requestId: string,
): void => {
  const hasBody = status !== 204 && status !== 304;
  response.on('error', () => response.destroy());
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { 'set-cookie': [...cookies] }),
    ...(hasBody && { 'content-length': body.length }),
    'apigw-requestid': requestId,
  });
  response.end(hasBody ? body : undefined);
};

const UNREADABLE: Readonly<Record<string, GatewayResponseKind>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'slowRequest',
};

/** Answers bytes that are no HTTP request, or not one in time. */
export const answerUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy();
  const { status, headers, body } = gatewayResponse(
    member(UNREADABLE, error.code ?? '') ?? 'malformed',
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body.toString()}`);
};
