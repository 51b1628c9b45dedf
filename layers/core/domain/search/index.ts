export { buildSearchIndex } from './build-index.ts';
export { resultsText, unknownOperation } from './results.ts';
export { openSearch, type Search } from './search.ts';
export { CALL, DEFAULT_HITS, DESCRIBE, SEARCH, searchTools } from './search-tools.ts';
