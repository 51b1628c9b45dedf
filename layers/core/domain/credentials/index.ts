export { checkCredential, withOrigins } from './check-credential.ts';
export { manyOrigins, originOf, originsOf, refusedOperations } from './credential-origins.ts';
export { describeCredential } from './describe-credential.ts';
export { type HeldCredential, isFresh, mayOutlive, pausedUntil } from './held-credential.ts';
