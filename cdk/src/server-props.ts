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
  /** A file with its text; else `content`. */
  readonly file?: string;
  readonly content?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ServerPrompt {
  readonly name: string;
  /** A file with the template; else `template`. */
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
  /** Name in the server's URL. Another slug makes another server, and ends this one. */
  readonly slug: string;
  readonly openApi: OpenApi;
  /** Name that people see; the title of the API if omitted. */
  readonly name?: string;
  /** Instructions that MCP clients pass on to models. */
  readonly instructions?: string;
  /** Who is let in: `oauth` (people who sign in) if omitted, `jwt` or `none`. */
  readonly auth?: 'oauth' | 'jwt' | 'none';
  /** Who may use the server: the owner alone if omitted. */
  readonly access?: Access;
  /** Operations, each `tag:NAME`, `METHOD /path` or an operationId; all if omitted. */
  readonly operations?: {
    readonly include?: readonly string[];
    readonly exclude?: readonly string[];
  };
  /** Base URL of the API if its description names none. May be an attribute of another resource. */
  readonly apiBaseUrl?: string;
  /** Credentials by name; the default one is `main`. */
  readonly credentials?: Readonly<Record<string, Credential>>;
  readonly resources?: readonly ServerResource[];
  readonly prompts?: readonly ServerPrompt[];
  /** Any other member of a declaration, under its name in the API: `overrides`, `tool_mode`, `network`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Most tools that the server may have: synth fails with more. */
  readonly maxTools?: number;
  /** `false`: synth fails where a tool may destroy something. */
  readonly allowDestructive?: boolean;
  /** Takes over an existing server that nothing manages. */
  readonly adopt?: boolean;
  /** Fate of the server without this resource: it stays, unmanaged (`RETAIN`), or is removed (`DESTROY`). */
  readonly removalPolicy?: RemovalPolicy;
}
