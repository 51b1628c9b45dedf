export { discoveryDocument, healthDocument } from './documents.ts';
export { REGISTRY_NAME, serverJson } from './server-json.ts';
export { legacyParams } from './legacy-call.ts';
