/** The used part of the library, for one import on demand. */
export { compactVerify, createLocalJWKSet, errors } from 'jose';
