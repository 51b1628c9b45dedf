import { createHash } from 'node:crypto';
import type { Prompt, Resource } from '../../contents/rules/contents.ts';
import type { CredentialName } from '../../credentials/rules/credential-name.ts';
import type { DeploymentChoices } from '../../servers/rules/next-deployment.ts';
import type { FetchedChanges } from '../../deployments/rules/publication.ts';
import type { Credential, OpenCredential } from '../../target/rules/credential.ts';

/** All that is said of a deployment. What it does not say is as for a deployment of which nothing was said. */
export interface Declaration {
  readonly choices: DeploymentChoices;
  /** With the texts of its overlays: what stands at an address may change under a plan. */
  readonly publication: FetchedChanges;
  readonly description: DeclaredDescription;
  readonly credentials: Readonly<Record<CredentialName, DeclaredCredential>>;
  readonly resources: readonly DeclaredContent<Resource, 'content'>[];
  readonly prompts: readonly DeclaredContent<Prompt, 'template'>[];
  /** Whether no plan removes it. */
  readonly isProtected: boolean;
}

/** The API's description: its text, where it is fetched from, or only which it is. */
export type DeclaredDescription =
  | { readonly text: string }
  | { readonly url: string }
  /** SHA-256 (hex) of its text. */
  | { readonly sha256: string };

/** A credential as calls carry it; without its secret, where the one that is set stays. */
export type DeclaredCredential = {
  readonly origins?: readonly string[] | undefined;
  readonly schemes?: readonly string[] | undefined;
} & ({ readonly credential: Credential } | { readonly keeps: OpenCredential });

/** A content with its text, or with the digest of the one that is there already. */
export type DeclaredContent<Content, Text extends keyof Content> =
  | Content
  | (Omit<Content, Text> & { readonly sha256: string });

/** SHA-256 (hex) of a text. */
export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** A content without its text, which its digest stands for: what two of them are compared by. */
export const withDigest = <Content extends object, Text extends keyof Content & string>(
  content: DeclaredContent<Content, Text>,
  text: Text,
): Omit<Content, Text> & { readonly sha256: string } => {
  if ('sha256' in content) return content;
  const { [text]: whole, ...rest } = content as Content;
  return { ...(rest as Omit<Content, Text>), sha256: digestOf(String(whole)) };
};
