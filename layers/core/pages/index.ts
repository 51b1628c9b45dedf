export { docsPage, type DocumentedTool } from './docs.ts';
export { STYLE_HASH } from './docs-style.ts';
