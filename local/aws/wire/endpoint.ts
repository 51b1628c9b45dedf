import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Callers } from '../callers.ts';
import type { CallLog } from '../calls.ts';
import type { AccessControl } from '../iam/access-control.ts';
import { close, listen } from '../../loopback-server.ts';
import { readBody } from '../../read-body.ts';
import type { FaultInjector } from '../faults.ts';
import { JSON_ERRORS, jsonErrorReply } from './json.ts';
import { AwsError, type EndpointErrorKind, endpointError } from './aws-error.ts';
import type { AwsReply, AwsService, RequestHead } from './service.ts';
import { signatureOf } from './signature.ts';

export interface EndpointParts {
  readonly services: readonly AwsService[];
  readonly callers: Callers;
  readonly calls: CallLog;
  readonly faults: FaultInjector;
  /** Resolves once the caller runs: a frozen function's calls wait until it is invoked again. */
  readonly thawed: (caller: string) => Promise<void>;
  readonly access: AccessControl;
}

/** One loopback listener for all services: the credential scope of a signature names the one that is meant. */
export const openEndpoint = async (parts: EndpointParts) => {
  const services = new Map(parts.services.map((service) => [service.signingName, service]));
  const server = createServer((request, response) => {
    answer(parts, services, request).then(
      (reply) => reply && send(request, response, reply),
      () => response.destroy(),
    );
  });
  // SDK clients keep connections; closing one just as a request leaves would look like a fault.
  server.keepAliveTimeout = 0;
  return { port: await listen(server, 0), close: () => close(server) };
};

const answer = async (
  { callers, calls, faults, thawed, access }: EndpointParts,
  services: ReadonlyMap<string, AwsService>,
  request: IncomingMessage,
): Promise<AwsReply | undefined> => {
  const signed = signatureOf(request.headers.authorization);
  const service = services.get(signed?.service ?? '');
  const error = (kind: EndpointErrorKind): AwsReply =>
    service
      ? service.errorReply(endpointError(service.endpointErrors, kind))
      : jsonErrorReply(endpointError(JSON_ERRORS, kind));

  // A page in a browser could reach loopback; no AWS SDK in a function ever sends these.
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined) {
    return error('forbidden-origin');
  }
  if (!signed) return error('unsigned');
  const caller = callers.callerOf(signed.accessKeyId);
  if (caller === undefined) return error('unknown-caller');
  if (!service) {
    return jsonErrorReply(
      new AwsError('UnknownOperationException', 'The service is not embedded.'),
    );
  }

  try {
    await thawed(caller);
    const head = headOf(request);
    const operation = service.operationOf(head);
    const call = { caller, service: service.signingName, operation: operation.name };
    calls.record(call);

    const body = await readBody(request, service.maxBodyBytes);
    if (!body) return error('too-large');

    const sent = { ...head, body };
    if (!access.isUnrestricted(caller)) {
      const denial = access.denial(caller, operation.accesses(sent));
      if (denial !== undefined) {
        const [code, status] = service.endpointErrors.denied;
        return service.errorReply(new AwsError(code, denial, status));
      }
    }

    const fault = await faults.apply(call);
    if (fault === 'dropped') {
      request.socket.destroy();
      return undefined;
    }
    if (fault === 'conflicted' || fault === 'throttled') {
      const own = service.ownError?.(fault, operation.name, sent);
      if (own) return service.errorReply(own);
    }
    if (fault && fault !== 'conflicted' && fault !== 'lost') return error(fault);
    const reply = await operation.run(sent, (wanted) => access.permits(caller, [wanted]));
    if (fault !== 'lost') return reply;
    request.socket.destroy();
    return undefined;
  } catch (cause) {
    return cause instanceof AwsError ? service.errorReply(cause) : error('failed');
  }
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
  // The rest of a body that was not read would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(reply.status, {
    ...(!BODILESS.includes(reply.status) && { 'content-length': Buffer.byteLength(body) }),
    ...reply.headers,
    'x-amzn-requestid': randomUUID(),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
};
