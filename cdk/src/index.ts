// The package `@hosted-mcp/cdk`: MCP servers in the CDK app of the API that they serve.
export { Credential, type SecretField } from './credential.ts';
export { McpServer } from './mcp-server.ts';
export type { Access, McpServerProps, ServerPrompt, ServerResource } from './server-props.ts';
export { HostedMcp, type HostedMcpProps } from './hosted-mcp.ts';
export { OpenApi } from './open-api.ts';
export {
  HostedMcpService,
  type HostedMcpServiceProps,
  type IHostedMcp,
  type SignIn,
} from './service.ts';
