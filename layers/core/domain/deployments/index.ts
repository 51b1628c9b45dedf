export { checkSlug, isSlug, slugFromTitle, slugWithEnding } from './slug.ts';
