import { readFileSync } from 'node:fs';

/**
 * OpenAPI description of a gallery entry, from `descriptions/<id>.yaml`. For AWS, `lib/bundle/texts.ts` replaces this
 * file by one that holds the texts, so that nothing is read there.
 */
export const descriptionOf = (id: string): string =>
  readFileSync(new URL(`descriptions/${id}.yaml`, import.meta.url), 'utf8');
