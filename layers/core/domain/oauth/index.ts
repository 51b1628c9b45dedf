export { authorizationServerMetadata, protectedResourceMetadata, TOOL_SCOPES } from './metadata.ts';
