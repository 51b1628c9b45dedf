import type { IncomingMessage } from 'node:http';

/** The whole body, or which of the two went wrong. Never holds more than `maxBytes`. */
export const readBody = (
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too-large' | 'incomplete'> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    return Promise.resolve('too-large');
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.pause();
        resolve('too-large');
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => resolve('incomplete'));
    request.on('close', () => resolve('incomplete'));
  });
};
