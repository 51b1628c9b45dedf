import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable with which programs of one run of the tests keep what Node has compiled: each further start costs half. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
