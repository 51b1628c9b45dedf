export { type ClosableTargetApi, targetApi, type TargetApiOptions } from './target-api.ts';
export { web, type WebOptions } from './web.ts';
