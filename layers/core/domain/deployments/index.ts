export { checkSlug, isSlug, slugFromTitle, slugWithEnding } from './slug.ts';
export { sourceHash } from './source-hash.ts';
