import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Callers } from '../callers.ts';
import type { CallLog } from '../calls.ts';
import type { FaultSwitchboard } from '../faults.ts';
import { readBody } from './body.ts';
import { JSON_REFUSALS, refuseAsJson } from './json.ts';
import { AwsRefusal, type FrontRefusal, frontRefusal } from './refusal.ts';
import type { AwsReply, AwsService, RequestHead } from './service.ts';

export interface Front {
  readonly port: number;
  close(): Promise<void>;
}

export interface FrontParts {
  readonly services: readonly AwsService[];
  readonly callers: Callers;
  readonly calls: CallLog;
  readonly faults: FaultSwitchboard;
}

/** One loopback listener for all services: the signature's credential scope says which is meant. */
export const openFront = async (parts: FrontParts): Promise<Front> => {
  const services = new Map(parts.services.map((service) => [service.signingName, service]));
  const server = createServer((request, response) => {
    answer(parts, services, request).then(
      (reply) => reply && send(request, response, reply),
      () => response.destroy(),
    );
  });
  // SDK clients keep connections; closing one just as a request leaves would look like a fault.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const answer = async (
  { callers, calls, faults }: FrontParts,
  services: ReadonlyMap<string, AwsService>,
  request: IncomingMessage,
): Promise<AwsReply | undefined> => {
  const signed = signatureOf(request.headers.authorization);
  const service = services.get(signed?.service ?? '');
  const refuse = (refusal: FrontRefusal): AwsReply =>
    service
      ? service.refuse(frontRefusal(service.frontRefusals, refusal))
      : refuseAsJson(frontRefusal(JSON_REFUSALS, refusal));

  // A page in a browser could reach loopback; no AWS SDK in a function ever sends these.
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    return refuse('forbidden-origin');
  }
  if (!signed) return refuse('unsigned');
  const caller = callers.callerOf(signed.accessKeyId);
  if (caller === undefined) return refuse('unknown-caller');
  if (!service) {
    return refuseAsJson(
      new AwsRefusal('UnknownOperationException', 'The service is not embedded.'),
    );
  }

  try {
    const head = headOf(request);
    const operation = service.operationOf(head);
    calls.record({ caller, service: service.signingName, operation });

    const body = await readBody(request, service.maxBodyBytes);
    if (!Buffer.isBuffer(body)) return refuse(body);

    const fault = await faults.meet({ caller, service: service.signingName, operation });
    if (fault === 'dropped') {
      request.socket.destroy();
      return undefined;
    }
    if (fault) return refuse(fault);
    return await service.run(operation, { ...head, caller, body });
  } catch (error) {
    return error instanceof AwsRefusal ? service.refuse(error) : refuse('failed');
  }
};

/**
 * Who signed for which service. The signature itself is not recomputed: access key ids are 128 random
 * bits that only the started functions are given, so knowing one is the proof.
 */
const signatureOf = (
  authorization: string | undefined,
): { accessKeyId: string; service: string } | undefined => {
  const scope =
    /^AWS4-HMAC-SHA256 +Credential=([^/, ]+)\/\d{8}\/[^/, ]+\/([^/, ]+)\/aws4_request[, ]/;
  const [, accessKeyId, service] = scope.exec(authorization ?? '') ?? [];
  return accessKeyId && service ? { accessKeyId, service } : undefined;
};

const headOf = ({ method = 'GET', url = '/', headers }: IncomingMessage): RequestHead => {
  const mark = url.indexOf('?');
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    headers,
  };
};

const BODILESS = [204, 304];

const send = (request: IncomingMessage, response: ServerResponse, reply: AwsReply): void => {
  const body = reply.body ?? '';
  // What is left of a body that was not read would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(reply.status, {
    ...(!BODILESS.includes(reply.status) && { 'content-length': Buffer.byteLength(body) }),
    ...reply.headers,
    'x-amzn-requestid': randomUUID(),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};
