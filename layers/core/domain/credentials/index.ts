export { checkCredential } from './check-credential.ts';
export { describeCredential } from './describe-credential.ts';
export { type HeldCredential, isFresh, mayOutlive, pausedUntil } from './held-credential.ts';
