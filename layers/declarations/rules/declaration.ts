import { createHash } from 'node:crypto';
import type { Prompt, Resource } from '../../contents/rules/contents.ts';
import type { CredentialName } from '../../credentials/rules/credential-name.ts';
import type { DeploymentChoices } from '../../servers/rules/next-deployment.ts';
import type { FetchedChanges } from '../../deployments/rules/publication.ts';
import type { Credential, OpenCredential } from '../../target/rules/credential.ts';

/** A deployment's complete declared state. A setting that is missing gets its default. */
export interface Declaration {
  readonly choices: DeploymentChoices;
  /** Settings with the texts of overlays, not their addresses: what is served there could change after a plan. */
  readonly publication: FetchedChanges;
  /** The API's description, or only the hash of the one that is deployed. */
  readonly description:
    | { readonly text: string }
    | { readonly url: string }
    | { readonly sha256: string };
  readonly credentials: Readonly<Record<CredentialName, DeclaredCredential>>;
  readonly resources: readonly DeclaredContent<Resource, 'content'>[];
  readonly prompts: readonly DeclaredContent<Prompt, 'template'>[];
  readonly isProtected: boolean;
}

/** A declared credential; with `keeps`, the secret that is set stays. */
export type DeclaredCredential = {
  readonly origins?: readonly string[] | undefined;
  readonly schemes?: readonly string[] | undefined;
} & ({ readonly credential: Credential } | { readonly keeps: OpenCredential });

/** A resource or prompt with its text, or with the hash of the text that is deployed. */
export type DeclaredContent<Content, Text extends keyof Content> =
  | Content
  | (Omit<Content, Text> & { readonly sha256: string });

export const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** Replaces the text of a resource or prompt by its hash, the form in which two are compared. */
export const withDigest = <Content extends object, Text extends keyof Content & string>(
  content: DeclaredContent<Content, Text>,
  text: Text,
): Omit<Content, Text> & { readonly sha256: string } => {
  if ('sha256' in content) return content;
  const { [text]: whole, ...rest } = content as Content;
  return { ...(rest as Omit<Content, Text>), sha256: digestOf(String(whole)) };
};
