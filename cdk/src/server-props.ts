import type { RemovalPolicy } from 'aws-cdk-lib';
import type { Credential } from './credential.ts';
import type { OpenApi } from './open-api.ts';
import type { IHostedMcp } from './service.ts';

/** Who may use a server, besides its owner. */
export interface Access {
  readonly mode: 'owner' | 'allow_list' | 'any_user';
  readonly emails?: readonly string[];
  readonly domains?: readonly string[];
}

/** A document that clients can read. */
export interface ServerResource {
  readonly name: string;
  readonly uri: string;
  /** A file with its text, or the text. */
  readonly file?: string;
  readonly content?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ServerPrompt {
  readonly name: string;
  /** A file with its template, or the template. */
  readonly file?: string;
  readonly template?: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly values?: readonly string[];
  }[];
}

export interface McpServerProps {
  readonly service: IHostedMcp;
  /** Its name in its URL. Another one makes another server, and ends this. */
  readonly slug: string;
  readonly openApi: OpenApi;
  /** What people see; the title of the API if omitted. */
  readonly name?: string;
  /** What clients tell models of it. */
  readonly instructions?: string;
  /** Who is let in: `oauth` (people who sign in) if omitted, `jwt` or `none`. */
  readonly auth?: 'oauth' | 'jwt' | 'none';
  /** Its owner alone if omitted. */
  readonly access?: Access;
  /** Each entry `tag:NAME`, `METHOD /path` or an operationId; all operations if omitted. */
  readonly operations?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
  /** Where the API is, if its description does not say it. May be an attribute of another resource. */
  readonly apiBaseUrl?: string;
  /** By their names; the one that needs none is `main`. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  readonly resources?: readonly ServerResource[];
  readonly prompts?: readonly ServerPrompt[];
  /** Any other member of a declaration, under its name in the API: `overrides`, `tool_mode`, `network`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** With more tools, synth fails. */
  readonly maxTools?: number;
  /** `false`: synth fails where a tool may destroy something. */
  readonly allowDestructive?: boolean;
  /** Takes over a server that is there and that nothing manages. */
  readonly adopt?: boolean;
  /** What becomes of the server without this resource: it stays, unmanaged (`RETAIN`), or goes (`DESTROY`). */
  readonly removalPolicy?: RemovalPolicy;
}
