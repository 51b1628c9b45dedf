import type { IncomingMessage } from 'node:http';

/** A client that sends this many times the limit is cut off instead of answered. */
const PATIENCE = 8;

/**
 * Reads a request's body and keeps at most `maxBytes` of it. What comes beyond is thrown away as it
 * arrives, so that a client that only listens after sending still gets its answer.
 * @returns undefined if the body is larger
 * @throws Error if the client went away, or never ends
 */
export const readBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > maxBytes * PATIENCE) request.destroy(new Error('the body does not end'));
    });
    request.on('end', () => resolve(bytes > maxBytes ? undefined : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      // Every request closes. An Error is made only if it is needed, since it captures a stack trace.
      if (!request.readableEnded) reject(new Error('the client went away'));
    });
  });
