export { checkCredential, withOrigins } from './check-credential.ts';
export { unmetNeeds, unmetNeedsFindings } from './unmet-needs.ts';
export { originOf, originsOf, refusedOperations } from './credential-origins.ts';
export { type DefaultOrigins, defaultOrigins } from './default-origins.ts';
export { describeCredential } from './describe-credential.ts';
export { type HeldCredential, isFresh, mayOutlive, pausedUntil } from './held-credential.ts';
export { chosenPassword, weakPassword } from './weak-password.ts';
export { refusedCalls, type RefusedCalls } from './refused-calls.ts';
