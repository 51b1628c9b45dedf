import type { McpAuthMethod } from '../auth-methods.ts';

/** Who is shown the tools on a deployment's page: everybody, or those who may use it. */
export const DOCS_AUDIENCES = ['public', 'protected'] as const;
export type DocsAudience = (typeof DOCS_AUDIENCES)[number];

/** What anybody may call, anybody may read of. Source: docs/decisions.md, "Health and docs". */
export const hasPublicDocs = ({
  authMethod,
  docs,
}: {
  readonly authMethod: McpAuthMethod;
  readonly docs: DocsAudience;
}): boolean => authMethod === 'none' || docs === 'public';
