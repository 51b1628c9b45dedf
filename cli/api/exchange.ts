import { member } from '../../layers/platform/rules/json/json.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { codeOf, errorName, memberOf } from '../text/words.ts';
import type { Fetch } from '../world.ts';

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly timeoutSeconds: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

/** Limit that is above any answer of the service. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Redirects are not followed: credentials are meant for the first address only.
 * @throws Failure unreachable, with the reason in words; usage for a header that HTTP cannot carry
 */
export const exchange = async (send: Fetch, request: Request): Promise<Answer> => {
  const { url, method, headers = {}, body, timeoutSeconds } = request;
  refuseUnsendable(headers);
  try {
    const response = await send(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      ...(body !== undefined && { body }),
    });
    const bytes = await bytesWithin(response, MAX_ANSWER_BYTES);
    const { status, headers: sent } = response;
    return { status, headers: sent, bytes, text: bytes.toString() };
  } catch (error) {
    const { what, hint } = whyOf(error, timeoutSeconds);
    throw new Failure(EXIT.unreachable, 'unreachable', `${new URL(url).origin}: ${what}.`, {
      hint,
    });
  }
};

class TooLarge extends Error {}

/** Source: RFC 9110 §5.5. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The error of `fetch` would quote the value, which is often a token or key. */
const refuseUnsendable = (headers: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (SENDABLE.test(value)) continue;
    throw usageFailure(
      `The header ${name} cannot be sent: its value has a line break or a character that HTTP does not carry.`,
      'Look at the variable, option or file that the value comes from.',
    );
  }
};

const bytesWithin = async (response: Response, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new TooLarge(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const CAUSES: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ECONNREFUSED: [
    'nothing listens there',
    'Is the service running (npm start), and is the port right?',
  ],
  ENOTFOUND: ['the name is not known', 'Check the host name for typing errors, and the DNS.'],
  EAI_AGAIN: ['the name cannot be looked up now', 'Check the network and the DNS.'],
  ECONNRESET: ['the connection was cut', 'Try again; a proxy or firewall may be in between.'],
  EPIPE: ['the connection was cut', 'Try again; a proxy or firewall may be in between.'],
  UND_ERR_SOCKET: [
    'the connection was cut',
    'Is this really an HTTP server, and the scheme right?',
  ],
  ETIMEDOUT: ['nobody answered', 'A firewall may drop the connection; check host and port.'],
  UND_ERR_CONNECT_TIMEOUT: [
    'nobody answered',
    'A firewall may drop the connection; check host and port.',
  ],
  EHOSTUNREACH: ['the host cannot be reached', 'Check the network.'],
  ENETUNREACH: ['the network cannot be reached', 'Check the network.'],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew the certificate.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is self-signed',
    'Clients refuse it: use a certificate of a public authority.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate comes from an unknown authority',
    'A proxy may inspect TLS; NODE_EXTRA_CA_CERTS names a further authority.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate cannot be verified',
    'The server must send its intermediate certificates too.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'its certificate is for another name',
    'Use the name of the certificate, or get one for this name.',
  ],
};

const whyOf = (error: unknown, timeoutSeconds: number): { what: string; hint: string } => {
  if (memberOf(error, 'name') === 'TimeoutError') {
    return { what: `no answer within ${timeoutSeconds} s`, hint: 'Try again in a moment.' };
  }
  const cause = memberOf(error, 'cause') ?? error;
  const code = codeOf(cause);
  const known = code === undefined ? undefined : member(CAUSES, code);
  if (known) return { what: known[0], hint: known[1] };
  // The server speaks no HTTP, or no TLS.
  if (code?.startsWith('HPE_') || code?.startsWith('ERR_SSL')) {
    return {
      what: 'what answers does not speak this protocol',
      hint: 'Check the scheme (http or https) and the port.',
    };
  }
  const what =
    cause instanceof TooLarge ? cause.message : (code ?? `it failed (${errorName(cause)})`);
  return { what, hint: 'Check the address and the network.' };
};
