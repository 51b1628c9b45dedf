import { readFileSync } from 'node:fs';

/**
 * The OpenAPI description of an API of the gallery, from `descriptions/<id>.yaml` beside this file.
 * `lib/bundle/texts.ts` puts the texts in the place of this file: on AWS nothing is read.
 */
export const descriptionOf = (id: string): string =>
  readFileSync(new URL(`descriptions/${id}.yaml`, import.meta.url), 'utf8');
