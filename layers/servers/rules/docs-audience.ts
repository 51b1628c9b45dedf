import type { McpAuthMethod } from './auth-methods.ts';
import type { ServingSettings } from './settings.ts';

/** What anybody may call, anybody may read of. Source: docs/decisions/mcp.md, "Health and docs". */
export const hasPublicDocs = ({
  authMethod,
  docs,
}: Pick<ServingSettings, 'docs'> & { readonly authMethod: McpAuthMethod }): boolean =>
  authMethod === 'none' || docs === 'public';
