import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Json } from '../json.ts';

const gzipped = promisify(gzip);

/** As JSON, packed: so that the largest description passes every gateway. */
export const packed = async (body: Json): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await gzipped(JSON.stringify(body)));
