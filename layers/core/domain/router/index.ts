export { discoveryDocument, healthDocument } from './documents.ts';
export { serverCard } from './server-card.ts';
export { REGISTRY_NAME, serverJson } from './server-json.ts';
export { legacyParams } from './legacy-call.ts';
