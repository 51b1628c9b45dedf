import { createHash } from 'node:crypto';
import type { ToolIndex } from '../../openapi/tool-index.ts';

/** SHA-256 (hex) of what a version is made of: the description and the tools it was compiled to. */
export const sourceHash = (description: string, index: ToolIndex): string =>
  createHash('sha256').update(description).update('\0').update(JSON.stringify(index)).digest('hex');
