export { discoveryDocument, healthDocument } from './documents.ts';
export { legacyParams } from './legacy-call.ts';
