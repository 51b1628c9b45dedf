/** Made by `npm run console-types` of the description at /v1/mcp-management/openapi.json. */
export const OPERATIONS = {
  signUp: ['POST', '/accounts'],
  showVerification: ['GET', '/accounts/verify'],
  verifyEmail: ['POST', '/accounts/verify'],
  resendVerification: ['POST', '/accounts/resend-verification'],
  requestPasswordReset: ['POST', '/accounts/password-reset'],
  resetPassword: ['POST', '/accounts/password-reset/confirm'],
  listSessions: ['GET', '/sessions'],
  signIn: ['POST', '/sessions'],
  endSession: ['DELETE', '/sessions/{id}'],
  makeConsoleLink: ['POST', '/sessions/console-links'],
  signOut: ['DELETE', '/sessions/current'],
  getAccount: ['GET', '/account'],
  removeAccount: ['DELETE', '/account'],
  listDeployments: ['GET', '/deployments'],
  createDeployment: ['POST', '/deployments'],
  getDeployment: ['GET', '/deployments/{slug}'],
  changeDeployment: ['PATCH', '/deployments/{slug}'],
  removeDeployment: ['DELETE', '/deployments/{slug}'],
  readDescription: ['GET', '/deployments/{slug}/openapi'],
  replaceDescription: ['PUT', '/deployments/{slug}/openapi'],
  listVersions: ['GET', '/deployments/{slug}/versions'],
  readDescriptionOfVersion: ['GET', '/deployments/{slug}/versions/{version}/openapi'],
  rollBack: ['POST', '/deployments/{slug}/rollback'],
  listClients: ['GET', '/deployments/{slug}/clients'],
  describeForRegistries: ['GET', '/deployments/{slug}/server.json'],
  listTools: ['GET', '/deployments/{slug}/tools'],
  testTool: ['POST', '/deployments/{slug}/tools/{name}/test'],
  getCredential: ['GET', '/deployments/{slug}/credential'],
  setCredential: ['PUT', '/deployments/{slug}/credential'],
  removeCredential: ['DELETE', '/deployments/{slug}/credential'],
  getCredentialOrigins: ['GET', '/deployments/{slug}/credential/origins'],
  getJwtIssuer: ['GET', '/deployments/{slug}/jwt-issuer'],
  setJwtIssuer: ['PUT', '/deployments/{slug}/jwt-issuer'],
  removeJwtIssuer: ['DELETE', '/deployments/{slug}/jwt-issuer'],
  listTokens: ['GET', '/deployments/{slug}/tokens'],
  mintToken: ['POST', '/deployments/{slug}/tokens'],
  revokeToken: ['DELETE', '/deployments/{slug}/tokens/{jti}'],
  listResources: ['GET', '/deployments/{slug}/resources'],
  createResource: ['POST', '/deployments/{slug}/resources'],
  getResource: ['GET', '/deployments/{slug}/resources/{name}'],
  replaceResource: ['PUT', '/deployments/{slug}/resources/{name}'],
  removeResource: ['DELETE', '/deployments/{slug}/resources/{name}'],
  listPrompts: ['GET', '/deployments/{slug}/prompts'],
  createPrompt: ['POST', '/deployments/{slug}/prompts'],
  getPrompt: ['GET', '/deployments/{slug}/prompts/{name}'],
  replacePrompt: ['PUT', '/deployments/{slug}/prompts/{name}'],
  removePrompt: ['DELETE', '/deployments/{slug}/prompts/{name}'],
  renderPrompt: ['POST', '/deployments/{slug}/prompts/{name}/render'],
  previewPrompt: ['POST', '/deployments/{slug}/prompt-previews'],
  listGrants: ['GET', '/deployments/{slug}/grants'],
  revokeGrant: ['DELETE', '/deployments/{slug}/grants/{id}'],
  listActivity: ['GET', '/deployments/{slug}/activity'],
  listAccountActivity: ['GET', '/account/activity'],
  listCalls: ['GET', '/deployments/{slug}/calls'],
  totalCalls: ['GET', '/account/calls'],
  listCallers: ['GET', '/deployments/{slug}/callers'],
  listOwnGrants: ['GET', '/account/grants'],
  endOwnGrant: ['DELETE', '/account/grants/{id}'],
  listGallery: ['GET', '/gallery'],
  deployFromGallery: ['POST', '/gallery/{id}/deployments'],
  checkDescription: ['POST', '/descriptions'],
  examineDeployment: ['GET', '/deployments/{slug}/doctor'],
  listAccounts: ['GET', '/operator/accounts'],
  getAccountOfAnybody: ['GET', '/operator/accounts/{id}'],
  changePlan: ['PATCH', '/operator/accounts/{id}'],
  endAccount: ['POST', '/operator/accounts/{id}/end'],
  listDeploymentsOfAnybody: ['GET', '/operator/accounts/{id}/deployments'],
  stopDeployment: ['POST', '/operator/deployments/{slug}/stop'],
  releaseDeployment: ['POST', '/operator/deployments/{slug}/release'],
  findBlocks: ['GET', '/operator/blocks'],
  liftBlocks: ['DELETE', '/operator/blocks'],
  getOverridesSchema: ['GET', '/overrides.schema.json'],
  exportAccount: ['GET', '/account/export'],
  getDescription: ['GET', '/openapi.json'],
} as const;

export interface Operations {
  signUp: {
    body: SignUpBody;
    answer: SignUpAnswer;
  };
  showVerification: {
    query: { token: string };
    answer: string;
  };
  verifyEmail: {
    body: {
      readonly token: string;
      readonly password: string;
      readonly name?: string | undefined;
    };
    answer: {
      readonly email_verified: true;
    };
  };
  resendVerification: {
    body: SignUpBody;
    answer: SignUpAnswer;
  };
  requestPasswordReset: {
    body: SignUpBody;
    answer: SignUpAnswer;
  };
  resetPassword: {
    body: {
      readonly token: string;
      readonly password: string;
    };
    answer: {
      readonly password_changed: true;
    };
  };
  listSessions: {
    answer: {
      readonly items: readonly {
        readonly id: string;
        /** `browser`: pages and console; `api`: a program. */
        readonly kind: 'browser' | 'api';
        /** Whether this request came with it. */
        readonly current: boolean;
        /** What the browser or program calls itself. */
        readonly user_agent?: string | undefined;
        readonly created_at: string;
        readonly expires_at: string;
      }[];
    };
  };
  signIn: {
    body: {
      readonly email: string;
      readonly password: string;
      /** Of an earlier sign-in to this account: failures of others then lock nothing here. */
      readonly device_token?: string | undefined;
    };
    answer: {
      readonly access_token: string;
      readonly token_type: 'Bearer';
      /** Seconds. */
      readonly expires_in: number;
      /** Send it with the next sign-in; valid for 90 days. */
      readonly device_token: string;
    };
  };
  endSession: {
    path: { id: string };
    answer: undefined;
  };
  makeConsoleLink: {
    body: {
      /** Seconds; 60 if omitted. */
      readonly expires_in?: number | undefined;
      /** A path below /v1/console/. */
      readonly return_to?: string | undefined;
    };
    answer: {
      readonly url: string;
      readonly expires_in: number;
    };
  };
  signOut: {
    answer: undefined;
  };
  getAccount: {
    answer: GetAccountAnswer;
  };
  removeAccount: {
    answer: undefined;
  };
  listDeployments: {
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly slug: string;
        readonly name: string;
        readonly status: 'active' | 'paused' | 'stopped';
        readonly mcp_auth_method: 'oauth' | 'jwt' | 'none';
        readonly mcp_url: string;
        readonly discovery_url: string;
        readonly docs_url: string;
        readonly api_base_url: string;
        /** Operations, in either mode of tools. */
        readonly tool_count: number;
        /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
        readonly docs: 'protected' | 'public';
        /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
        readonly trace_context: 'withheld' | 'forwarded';
        /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
        readonly argument_checks: 'strict' | 'lenient';
        /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
        readonly answer_token_budget: number | null;
        /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
        readonly refresh: 'off' | 'daily' | 'hourly';
        /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
        readonly fetch_with: 'nothing' | 'credential';
        /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
        readonly request_headers: Readonly<Record<string, string>>;
        /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
        readonly tool_mode: 'operations' | 'search';
        /** Tokens that a tool may take, roughly; null: any number. */
        readonly tool_token_budget: number | null;
        /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
        readonly structured_output: 'off' | 'on';
        readonly version: number;
        readonly access: ListDeploymentsAnswerItemsAccess;
        readonly allowed_origins: readonly string[];
        readonly has_credential: boolean;
        /** That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. Absent where it took the last one, or nothing was called within a week. */
        readonly credential_refused?: ListDeploymentsAnswerItemsCredentialRefused | undefined;
        readonly created_at: string;
        readonly updated_at: string;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  createDeployment: {
    query: {
      slug?: string | undefined;
      name?: string | undefined;
      instructions?: string | undefined;
      description?: string | undefined;
      website_url?: string | undefined;
      mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
      api_base_url?: string | undefined;
      server_variables?: string | undefined;
      operations?: string | undefined;
      overrides?: string | undefined;
      overlays?: string | undefined;
      tool_mode?: 'operations' | 'search' | undefined;
      tool_token_budget?: string | undefined;
      structured_output?: 'off' | 'on' | undefined;
      access?: string | undefined;
      allowed_origins?: string | undefined;
      docs?: 'protected' | 'public' | undefined;
      trace_context?: 'withheld' | 'forwarded' | undefined;
      argument_checks?: 'strict' | 'lenient' | undefined;
      answer_token_budget?: string | undefined;
      refresh?: 'off' | 'daily' | 'hourly' | undefined;
      fetch_with?: 'nothing' | 'credential' | undefined;
      request_headers?: string | undefined;
      comment?: string | undefined;
    };
    body:
      | {
          /** The description: an object, or its text in JSON or YAML. */
          readonly openapi?: string | Readonly<Record<string, unknown>> | undefined;
          /** Where the description is fetched from. */
          readonly openapi_url?: string | undefined;
          /** Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`. */
          readonly openapi_headers?: Readonly<Record<string, string>> | undefined;
          readonly slug?: string | undefined;
          /** What people see: the title of the MCP server. */
          readonly name?: string | undefined;
          readonly instructions?: string | null | undefined;
          readonly description?: string | null | undefined;
          readonly website_url?: string | null | undefined;
          readonly mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
          readonly api_base_url?: string | null | undefined;
          readonly server_variables?: Readonly<Record<string, string>> | null | undefined;
          readonly operations?: CreateDeploymentBodyOperations | null | undefined;
          readonly overrides?:
            Readonly<Record<string, CreateDeploymentBodyOverrides | null>> | undefined;
          readonly overlays?:
            | readonly (string | CreateDeploymentBodyOverlays | Readonly<Record<string, unknown>>)[]
            | null
            | undefined;
          /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
          readonly tool_mode?: 'operations' | 'search' | undefined;
          /** Tokens that a tool may take, roughly; null: any number. */
          readonly tool_token_budget?: number | null | undefined;
          /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
          readonly structured_output?: 'off' | 'on' | undefined;
          readonly access?: ListDeploymentsAnswerItemsAccess | undefined;
          readonly allowed_origins?: readonly string[] | undefined;
          /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
          readonly docs?: 'protected' | 'public' | undefined;
          /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
          readonly trace_context?: 'withheld' | 'forwarded' | undefined;
          /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
          readonly argument_checks?: 'strict' | 'lenient' | undefined;
          /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
          readonly answer_token_budget?: number | null | undefined;
          /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
          readonly refresh?: 'off' | 'daily' | 'hourly' | undefined;
          /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
          readonly fetch_with?: 'nothing' | 'credential' | undefined;
          /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
          readonly request_headers?: Readonly<Record<string, string>> | undefined;
          /** What the version that is made is for, for those who look at the list of versions. */
          readonly comment?: string | undefined;
        }
      | CreateDeploymentBody2;
    answer: CreateDeploymentAnswer;
  };
  getDeployment: {
    path: { slug: string };
    answer: CreateDeploymentAnswer;
  };
  changeDeployment: {
    path: { slug: string };
    query: {
      slug?: string | undefined;
      name?: string | undefined;
      instructions?: string | undefined;
      description?: string | undefined;
      website_url?: string | undefined;
      mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
      api_base_url?: string | undefined;
      server_variables?: string | undefined;
      operations?: string | undefined;
      overrides?: string | undefined;
      overlays?: string | undefined;
      tool_mode?: 'operations' | 'search' | undefined;
      tool_token_budget?: string | undefined;
      structured_output?: 'off' | 'on' | undefined;
      access?: string | undefined;
      allowed_origins?: string | undefined;
      docs?: 'protected' | 'public' | undefined;
      trace_context?: 'withheld' | 'forwarded' | undefined;
      argument_checks?: 'strict' | 'lenient' | undefined;
      answer_token_budget?: string | undefined;
      refresh?: 'off' | 'daily' | 'hourly' | undefined;
      fetch_with?: 'nothing' | 'credential' | undefined;
      request_headers?: string | undefined;
      comment?: string | undefined;
    };
    body:
      | {
          /** The description: an object, or its text in JSON or YAML. */
          readonly openapi?: string | Readonly<Record<string, unknown>> | undefined;
          /** Where the description is fetched from. */
          readonly openapi_url?: string | undefined;
          /** Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`. */
          readonly openapi_headers?: Readonly<Record<string, string>> | undefined;
          readonly slug?: string | undefined;
          /** What people see: the title of the MCP server. */
          readonly name?: string | undefined;
          readonly instructions?: string | null | undefined;
          readonly description?: string | null | undefined;
          readonly website_url?: string | null | undefined;
          readonly mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
          readonly api_base_url?: string | null | undefined;
          readonly server_variables?: Readonly<Record<string, string>> | null | undefined;
          readonly operations?: CreateDeploymentBodyOperations | null | undefined;
          readonly overrides?:
            Readonly<Record<string, CreateDeploymentBodyOverrides | null>> | undefined;
          readonly overlays?:
            | readonly (string | CreateDeploymentBodyOverlays | Readonly<Record<string, unknown>>)[]
            | null
            | undefined;
          /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
          readonly tool_mode?: 'operations' | 'search' | undefined;
          /** Tokens that a tool may take, roughly; null: any number. */
          readonly tool_token_budget?: number | null | undefined;
          /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
          readonly structured_output?: 'off' | 'on' | undefined;
          readonly access?: ListDeploymentsAnswerItemsAccess | undefined;
          readonly allowed_origins?: readonly string[] | undefined;
          /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
          readonly docs?: 'protected' | 'public' | undefined;
          /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
          readonly trace_context?: 'withheld' | 'forwarded' | undefined;
          /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
          readonly argument_checks?: 'strict' | 'lenient' | undefined;
          /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
          readonly answer_token_budget?: number | null | undefined;
          /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
          readonly refresh?: 'off' | 'daily' | 'hourly' | undefined;
          /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
          readonly fetch_with?: 'nothing' | 'credential' | undefined;
          /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
          readonly request_headers?: Readonly<Record<string, string>> | undefined;
          /** What the version that is made is for, for those who look at the list of versions. */
          readonly comment?: string | undefined;
          readonly status?: 'active' | 'paused' | undefined;
        }
      | CreateDeploymentBody2;
    answer: ChangeDeploymentAnswer;
  };
  removeDeployment: {
    path: { slug: string };
    answer: undefined;
  };
  readDescription: {
    path: { slug: string };
    answer: string;
  };
  replaceDescription: {
    path: { slug: string };
    query: { comment?: string | undefined };
    body:
      | {
          /** The description: an object, or its text in JSON or YAML. */
          readonly openapi?: string | Readonly<Record<string, unknown>> | undefined;
          /** Where the description is fetched from. */
          readonly openapi_url?: string | undefined;
          /** Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`. */
          readonly openapi_headers?: Readonly<Record<string, string>> | undefined;
          /** What the version that is made is for, for those who look at the list of versions. */
          readonly comment?: string | undefined;
        }
      | CreateDeploymentBody2;
    answer: ChangeDeploymentAnswer;
  };
  listVersions: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly version: number;
        readonly served: boolean;
        readonly tool_count: number;
        readonly warning_count: number;
        readonly created_at: string;
        /** `refresh`: the service itself, from a description that it fetched again. Absent of versions that were made before this was noted. */
        readonly created_by?: 'owner' | 'operator' | 'refresh' | undefined;
        readonly comment?: string | undefined;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  readDescriptionOfVersion: {
    path: { slug: string; version: string };
    answer: string;
  };
  rollBack: {
    path: { slug: string };
    body: {
      readonly version: number;
    };
    answer: ChangeDeploymentAnswer;
  };
  listClients: {
    path: { slug: string };
    answer: {
      readonly items: readonly {
        /** Its short name, such as `claude-code`. */
        readonly client: string;
        readonly name: string;
        /** Where the text goes, as a sentence before it; code stands between backticks. */
        readonly where: string;
        /** The text. It holds no token. */
        readonly paste: string;
        /** Opens the application, which asks whether to add the server. */
        readonly link?: string | undefined;
        /** Why this client cannot connect to this deployment. */
        readonly obstacle?: string | undefined;
        /** Code stands between backticks. */
        readonly notes: readonly string[];
      }[];
    };
  };
  describeForRegistries: {
    path: { slug: string };
    query: { name?: string | undefined };
    answer: {
      readonly $schema: string;
      readonly name: string;
      readonly title: string;
      readonly description: string;
      readonly version: string;
      readonly websiteUrl: string;
      readonly remotes: readonly {
        readonly type: 'streamable-http';
        readonly url: string;
        readonly headers?:
          | readonly {
              readonly description: string;
              readonly isRequired: boolean;
              readonly isSecret: boolean;
              readonly name: string;
              readonly value: string;
              readonly variables: Readonly<
                Record<
                  string,
                  {
                    readonly description: string;
                    readonly isRequired: boolean;
                    readonly isSecret: boolean;
                  }
                >
              >;
            }[]
          | undefined;
      }[];
    };
  };
  listTools: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly ListToolsAnswerItems[];
      readonly next_cursor?: string | undefined;
    };
  };
  testTool: {
    path: { slug: string; name: string };
    body: TestToolBody;
    answer: {
      /** As `tools/call` gives it; absent if there was no answer. */
      readonly result?:
        | {
            readonly content: readonly Readonly<Record<string, unknown>>[];
            readonly isError?: boolean | undefined;
          }
        | undefined;
      /** Why there was no answer, as a client would see it. */
      readonly error?:
        | {
            readonly code: string;
            readonly message: string;
            readonly data?: unknown | undefined;
          }
        | undefined;
      /** What was sent, secrets masked; absent if nothing was. */
      readonly request?:
        | {
            readonly method: string;
            readonly url: string;
            readonly headers: Readonly<Record<string, string>>;
            readonly body?: string | undefined;
            readonly body_bytes: number;
          }
        | undefined;
      /** Status and headers of the answer, secrets masked, and the size of what a client gets of it; absent if none came. */
      readonly answer?:
        | {
            readonly status: number;
            readonly headers: Readonly<Record<string, string>>;
            readonly bytes: number;
            /** Roughly, as budgets count them. */
            readonly tokens: number;
          }
        | undefined;
      /** Where models are shown only some members of the answer. */
      readonly answer_fields?:
        | {
            /** Pointers for which it has nothing. */
            readonly missing: readonly string[];
            readonly chosen: {
              readonly bytes: number;
              /** Roughly, as budgets count them. */
              readonly tokens: number;
            };
            readonly whole: {
              readonly bytes: number;
              /** Roughly, as budgets count them. */
              readonly tokens: number;
              /** Up to 40,000 characters of it. */
              readonly text: string;
            };
          }
        | undefined;
      readonly duration_ms: number;
    };
  };
  getCredential: {
    path: { slug: string };
    answer: {
      readonly type: 'bearer' | 'api_key' | 'basic';
      readonly name?: string | undefined;
      readonly in?: 'header' | 'query' | 'cookie' | undefined;
      /** The only origins (scheme, host, port) that it may be sent to. */
      readonly origins: readonly string[];
      readonly set_at: string;
      /** That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. Absent where it took the last one, or nothing was called within a week. */
      readonly refused?: ListDeploymentsAnswerItemsCredentialRefused | undefined;
    };
  };
  setCredential: {
    path: { slug: string };
    body:
      | {
          readonly type: 'bearer';
          readonly token: string;
          /** The only origins that it may be sent to; if omitted, that of the base address, and those of the served version that have the same registrable domain. */
          readonly origins?: readonly string[] | undefined;
        }
      | {
          readonly type: 'api_key';
          readonly name: string;
          readonly in: 'header' | 'query' | 'cookie';
          readonly value: string;
          /** The only origins that it may be sent to; if omitted, that of the base address, and those of the served version that have the same registrable domain. */
          readonly origins?: readonly string[] | undefined;
        }
      | {
          readonly type: 'basic';
          readonly username: string;
          readonly password: string;
          /** The only origins that it may be sent to; if omitted, that of the base address, and those of the served version that have the same registrable domain. */
          readonly origins?: readonly string[] | undefined;
        };
    answer: {
      readonly type: 'bearer' | 'api_key' | 'basic';
      readonly name?: string | undefined;
      readonly in?: 'header' | 'query' | 'cookie' | undefined;
      /** The only origins (scheme, host, port) that it may be sent to. */
      readonly origins: readonly string[];
      readonly set_at: string;
      /** A password that can be guessed, and operations that are sent elsewhere: calls of them are refused. */
      readonly warnings: readonly CreateDeploymentAnswerWarnings[];
    };
  };
  removeCredential: {
    path: { slug: string };
    answer: undefined;
  };
  getCredentialOrigins: {
    path: { slug: string };
    answer: {
      /** Where a credential may go that is set without `origins`. */
      readonly origins: readonly string[];
      /** Where the served version would send it besides: name those in `origins` that it is meant for. */
      readonly other_origins: readonly string[];
      /** What people whom you cannot know could do then and cannot now: for a person to confirm first. Empty: nothing. */
      readonly exposures: readonly GetCredentialOriginsAnswerExposures[];
      /** What the operations ask of a credential, as the description says, the most first. */
      readonly needs: readonly GetCredentialOriginsAnswerNeeds[];
    };
  };
  getJwtIssuer: {
    path: { slug: string };
    answer: GetJwtIssuerAnswer;
  };
  setJwtIssuer: {
    path: { slug: string };
    body: GetJwtIssuerAnswer;
    answer: GetJwtIssuerAnswer;
  };
  removeJwtIssuer: {
    path: { slug: string };
    answer: undefined;
  };
  listTokens: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly jti: string;
        readonly name?: string | undefined;
        readonly scope: string;
        readonly expires_at: string;
        readonly revoked: boolean;
        readonly created_at: string;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  mintToken: {
    path: { slug: string };
    body: {
      /** Seconds; a day if omitted. */
      readonly expires_in?: number | undefined;
      /** Names between spaces; both tool scopes if omitted. */
      readonly scope?: string | undefined;
      readonly name?: string | undefined;
    };
    answer: {
      /** The JWT. It is shown this once. */
      readonly token: string;
      readonly jti: string;
      readonly name?: string | undefined;
      readonly scope: string;
      readonly expires_at: string;
    };
  };
  revokeToken: {
    path: { slug: string; jti: string };
    answer: undefined;
  };
  listResources: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly name: string;
        readonly uri: string;
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly mime_type?: string | undefined;
        readonly audience?: readonly ('user' | 'assistant')[] | undefined;
        readonly priority?: number | undefined;
        readonly variables?:
          | readonly {
              readonly name: string;
              /** How many values there are. */
              readonly value_count: number;
            }[]
          | undefined;
        /** What `content` is: the text itself, or bytes as base64. */
        readonly encoding: 'text' | 'base64';
        /** Of the content as it was sent, in bytes. */
        readonly size: number;
        /** Absent where it was written before this was recorded. */
        readonly updated_at?: string | undefined;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  createResource: {
    path: { slug: string };
    body: {
      readonly name: string;
      /** Absolute; with RFC 6570 variables it is a template. */
      readonly uri: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly mime_type?: string | undefined;
      /** Whom it is for: people, models, or both. */
      readonly audience?: readonly ('user' | 'assistant')[] | undefined;
      /** How much it matters: 1 is required, 0 is optional. */
      readonly priority?: number | undefined;
      /** Of a template: what its variables can be completed with. */
      readonly variables?: readonly CreateResourceBodyVariables[] | undefined;
      /** In the text of a template, `{{variable}}` is replaced by its value in the request. */
      readonly content: string;
      /** What `content` is: the text itself, or bytes as base64. */
      readonly encoding?: 'text' | 'base64' | undefined;
    };
    answer: CreateResourceAnswer;
  };
  getResource: {
    path: { slug: string; name: string };
    answer: CreateResourceAnswer;
  };
  replaceResource: {
    path: { slug: string; name: string };
    body: {
      readonly name?: string | undefined;
      /** Absolute; with RFC 6570 variables it is a template. */
      readonly uri: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly mime_type?: string | undefined;
      /** Whom it is for: people, models, or both. */
      readonly audience?: readonly ('user' | 'assistant')[] | undefined;
      /** How much it matters: 1 is required, 0 is optional. */
      readonly priority?: number | undefined;
      /** Of a template: what its variables can be completed with. */
      readonly variables?: readonly CreateResourceBodyVariables[] | undefined;
      /** In the text of a template, `{{variable}}` is replaced by its value in the request. */
      readonly content: string;
      /** What `content` is: the text itself, or bytes as base64. */
      readonly encoding?: 'text' | 'base64' | undefined;
    };
    answer: CreateResourceAnswer;
  };
  removeResource: {
    path: { slug: string; name: string };
    answer: undefined;
  };
  listPrompts: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly name: string;
        readonly title?: string | undefined;
        readonly description?: string | undefined;
        readonly arguments: readonly {
          readonly name: string;
          readonly title?: string | undefined;
          readonly description?: string | undefined;
          readonly required: boolean;
          /** How many values there are. */
          readonly value_count?: number | undefined;
        }[];
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  createPrompt: {
    path: { slug: string };
    body: {
      readonly name: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly arguments?: readonly CreatePromptBodyArguments[] | undefined;
      /** `{{name}}`, `{{name | filter}}`, `{{#if name}}`, `{{#if name eq 'text'}}`, `{{else}}`, `{{/if}}`; filters: uppercase, lowercase, trim, capitalize, json, default 'text'. */
      readonly template: string;
    };
    answer: CreatePromptAnswer;
  };
  getPrompt: {
    path: { slug: string; name: string };
    answer: CreatePromptAnswer;
  };
  replacePrompt: {
    path: { slug: string; name: string };
    body: {
      readonly name?: string | undefined;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly arguments?: readonly CreatePromptBodyArguments[] | undefined;
      /** `{{name}}`, `{{name | filter}}`, `{{#if name}}`, `{{#if name eq 'text'}}`, `{{else}}`, `{{/if}}`; filters: uppercase, lowercase, trim, capitalize, json, default 'text'. */
      readonly template: string;
    };
    answer: CreatePromptAnswer;
  };
  removePrompt: {
    path: { slug: string; name: string };
    answer: undefined;
  };
  renderPrompt: {
    path: { slug: string; name: string };
    body: TestToolBody;
    answer: RenderPromptAnswer;
  };
  previewPrompt: {
    path: { slug: string };
    body: {
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly arguments?: readonly CreatePromptBodyArguments[] | undefined;
      /** `{{name}}`, `{{name | filter}}`, `{{#if name}}`, `{{#if name eq 'text'}}`, `{{else}}`, `{{/if}}`; filters: uppercase, lowercase, trim, capitalize, json, default 'text'. */
      readonly template: string;
      readonly given?: Readonly<Record<string, unknown>> | undefined;
    };
    answer: RenderPromptAnswer;
  };
  listGrants: {
    path: { slug: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly id: string;
        readonly user_id: string;
        readonly email: string;
        readonly client_id: string;
        readonly client_name: string;
        readonly scope: string;
        readonly created_at: string;
        readonly last_refreshed_at?: string | undefined;
        /** When it gives no access any more, unless it is revoked before. */
        readonly expires_at: string;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  revokeGrant: {
    path: { slug: string; id: string };
    answer: undefined;
  };
  listActivity: {
    path: { slug: string };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      type?:
        | 'change'
        | 'security'
        | 'credential_access'
        | 'quota_warning'
        | 'tool_invocations'
        | undefined;
      since?: string | undefined;
    };
    answer: {
      readonly items: readonly (
        | ListActivityAnswerItems
        | {
            readonly type: 'tool_invocations';
            readonly day: string;
            readonly tool: string;
            readonly calls: number;
            /** Of refused calls nothing was sent to the target. */
            readonly outcomes: ListActivityAnswerItemsOutcomes;
            readonly errors: number;
            /** How many of the calls were the owner's trials. */
            readonly trials: number;
            readonly latency_ms: ListActivityAnswerItemsLatencyMs;
            /** Those with calls, in order; none where the page would be too long. */
            readonly hours: readonly {
              /** Of the day, 0 to 23. */
              readonly hour: number;
              readonly calls: number;
              /** Of refused calls nothing was sent to the target. */
              readonly outcomes: ListActivityAnswerItemsOutcomes;
              readonly errors: number;
              /** How many of the calls were the owner's trials. */
              readonly trials: number;
              readonly latency_ms: ListActivityAnswerItemsLatencyMs;
            }[];
          }
      )[];
      readonly next_cursor?: string | undefined;
    };
  };
  listAccountActivity: {
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      type?: 'change' | 'security' | 'credential_access' | 'quota_warning' | undefined;
      since?: string | undefined;
    };
    answer: {
      readonly items: readonly ListActivityAnswerItems[];
      readonly next_cursor?: string | undefined;
    };
  };
  listCalls: {
    path: { slug: string };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      since?: string | undefined;
      tool?: string | undefined;
      subject?: string | undefined;
      client?: string | undefined;
      outcome?: 'ok' | 'target_error' | 'no_answer' | 'refused' | 'unfinished' | undefined;
    };
    answer: {
      readonly items: readonly {
        readonly at: string;
        readonly tool: string;
        /** Of the deployment. */
        readonly version: number;
        /** `unfinished`: it was sent, and no end of it is known. It is under way, or the function died while the target answered, which may have carried it out. */
        readonly outcome: 'ok' | 'target_error' | 'no_answer' | 'refused' | 'unfinished';
        /** Its owner tried the tool; absent of calls of clients. */
        readonly trial?: true | undefined;
        /** HTTP status of the target's answer. */
        readonly status?: number | undefined;
        /** Why the call got no answer. */
        readonly reason?: string | undefined;
        /** Of a refused call: required arguments that it lacked. */
        readonly missing?: readonly string[] | undefined;
        /** 0 where nothing was sent, or no end is known. */
        readonly duration_ms: number;
        /** What the result takes of a model's context, roughly, as budgets count it; absent where there was none, or no text in it. */
        readonly answer_tokens?: number | undefined;
        /** A user, or an address where anybody may call. */
        readonly subject: string;
        /** Of the user, who has let a client act. */
        readonly email?: string | undefined;
        readonly client_id?: string | undefined;
        readonly grant_id?: string | undefined;
        /** `jti` of the JWT. */
        readonly token_id?: string | undefined;
        readonly ip: string;
        readonly request_id: string;
        /** Its place among the messages of that request. */
        readonly index: number;
        /** Which version of the target's credential the call carried. */
        readonly credential_version?: string | undefined;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  totalCalls: {
    query: { limit?: number | undefined; cursor?: string | undefined; since?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly slug: string;
        readonly calls: number;
        /** Of refused calls nothing was sent to the target. */
        readonly outcomes: ListActivityAnswerItemsOutcomes;
        readonly errors: number;
        /** How many of the calls were the owner's trials. */
        readonly trials: number;
        readonly latency_ms: ListActivityAnswerItemsLatencyMs;
        /** Those with calls, in order; `hour` is its first second. */
        readonly hours: readonly {
          readonly hour: string;
          readonly calls: number;
          /** Of refused calls nothing was sent to the target. */
          readonly outcomes: ListActivityAnswerItemsOutcomes;
          readonly errors: number;
          /** How many of the calls were the owner's trials. */
          readonly trials: number;
          readonly latency_ms: ListActivityAnswerItemsLatencyMs;
        }[];
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  listCallers: {
    path: { slug: string };
    query: { since?: string | undefined };
    answer: {
      /** The busiest first, at most 100. */
      readonly items: readonly {
        /** A user, or an address where anybody may call. */
        readonly subject: string;
        /** Of the user, who has let a client act. */
        readonly email?: string | undefined;
        readonly client_id?: string | undefined;
        /** That of the latest call. */
        readonly grant_id?: string | undefined;
        readonly calls: number;
        readonly errors: number;
        readonly refused: number;
        readonly last_at: string;
      }[];
      /** Arguments that refused calls lacked, or members inside one, as `body.title`: the most frequent first, at most 20. Where the description asks for more than the API does, `argument_checks` can be `lenient`. */
      readonly missing_arguments: readonly {
        readonly tool: string;
        readonly argument: string;
        readonly calls: number;
      }[];
      /** How many were counted: the newest ones. */
      readonly calls: number;
      readonly complete: boolean;
      /** From when on all are counted, if there are more. */
      readonly since?: string | undefined;
    };
  };
  listOwnGrants: {
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly id: string;
        /** Of the deployment, whosever it is, as it was called then. */
        readonly slug: string;
        readonly client_id: string;
        readonly client_name: string;
        readonly scope: string;
        readonly created_at: string;
        readonly last_refreshed_at?: string | undefined;
        readonly expires_at: string;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  endOwnGrant: {
    path: { id: string };
    answer: undefined;
  };
  listGallery: {
    answer: {
      readonly items: readonly ListGalleryAnswerItems[];
    };
  };
  deployFromGallery: {
    path: { id: string };
    body: {
      readonly slug?: string | undefined;
      /** What people see: the title of the MCP server. */
      readonly name?: string | undefined;
      readonly instructions?: string | null | undefined;
      readonly description?: string | null | undefined;
      readonly website_url?: string | null | undefined;
      readonly mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
      readonly server_variables?: Readonly<Record<string, string>> | null | undefined;
      readonly operations?: CreateDeploymentBodyOperations | null | undefined;
      readonly overlays?:
        | readonly (string | CreateDeploymentBodyOverlays | Readonly<Record<string, unknown>>)[]
        | null
        | undefined;
      /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
      readonly tool_mode?: 'operations' | 'search' | undefined;
      /** Tokens that a tool may take, roughly; null: any number. */
      readonly tool_token_budget?: number | null | undefined;
      /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
      readonly structured_output?: 'off' | 'on' | undefined;
      readonly access?: ListDeploymentsAnswerItemsAccess | undefined;
      readonly allowed_origins?: readonly string[] | undefined;
      /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
      readonly docs?: 'protected' | 'public' | undefined;
      /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
      readonly trace_context?: 'withheld' | 'forwarded' | undefined;
      /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
      readonly argument_checks?: 'strict' | 'lenient' | undefined;
      /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
      readonly answer_token_budget?: number | null | undefined;
      /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
      readonly refresh?: 'off' | 'daily' | 'hourly' | undefined;
      /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
      readonly fetch_with?: 'nothing' | 'credential' | undefined;
      /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
      readonly request_headers?: Readonly<Record<string, string>> | undefined;
      /** What the version that is made is for, for those who look at the list of versions. */
      readonly comment?: string | undefined;
    };
    answer: {
      readonly slug: string;
      readonly name: string;
      readonly status: 'active' | 'paused' | 'stopped';
      readonly mcp_auth_method: 'oauth' | 'jwt' | 'none';
      readonly mcp_url: string;
      readonly discovery_url: string;
      readonly docs_url: string;
      readonly api_base_url: string;
      /** Operations, in either mode of tools. */
      readonly tool_count: number;
      /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
      readonly docs: 'protected' | 'public';
      /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
      readonly trace_context: 'withheld' | 'forwarded';
      /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
      readonly argument_checks: 'strict' | 'lenient';
      /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
      readonly answer_token_budget: number | null;
      /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
      readonly refresh: 'off' | 'daily' | 'hourly';
      /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
      readonly fetch_with: 'nothing' | 'credential';
      /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
      readonly request_headers: Readonly<Record<string, string>>;
      /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
      readonly tool_mode: 'operations' | 'search';
      /** Tokens that a tool may take, roughly; null: any number. */
      readonly tool_token_budget: number | null;
      /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
      readonly structured_output: 'off' | 'on';
      readonly version: number;
      readonly access: ListDeploymentsAnswerItemsAccess;
      readonly allowed_origins: readonly string[];
      readonly has_credential: boolean;
      /** That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. Absent where it took the last one, or nothing was called within a week. */
      readonly credential_refused?: ListDeploymentsAnswerItemsCredentialRefused | undefined;
      readonly created_at: string;
      readonly updated_at: string;
      readonly instructions?: string | undefined;
      readonly description?: string | undefined;
      readonly website_url?: string | undefined;
      readonly openapi_url?: string | undefined;
      readonly server_variables?: Readonly<Record<string, string>> | undefined;
      readonly operations?: CreateDeploymentAnswerOperations | undefined;
      readonly overrides?: Readonly<Record<string, CreateDeploymentAnswerOverrides>> | undefined;
      readonly overlays?: readonly string[] | undefined;
      /** What came of fetching the description again, where that is switched on. */
      readonly refreshed?: CreateDeploymentAnswerRefreshed | undefined;
      readonly warnings: readonly CreateDeploymentAnswerWarnings[];
      readonly gallery: ListGalleryAnswerItems;
    };
  };
  checkDescription: {
    query: {
      slug?: string | undefined;
      name?: string | undefined;
      instructions?: string | undefined;
      description?: string | undefined;
      website_url?: string | undefined;
      mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
      api_base_url?: string | undefined;
      server_variables?: string | undefined;
      operations?: string | undefined;
      overrides?: string | undefined;
      overlays?: string | undefined;
      tool_mode?: 'operations' | 'search' | undefined;
      tool_token_budget?: string | undefined;
      structured_output?: 'off' | 'on' | undefined;
      access?: string | undefined;
      allowed_origins?: string | undefined;
      docs?: 'protected' | 'public' | undefined;
      trace_context?: 'withheld' | 'forwarded' | undefined;
      argument_checks?: 'strict' | 'lenient' | undefined;
      answer_token_budget?: string | undefined;
      refresh?: 'off' | 'daily' | 'hourly' | undefined;
      fetch_with?: 'nothing' | 'credential' | undefined;
      request_headers?: string | undefined;
      comment?: string | undefined;
      gallery_id?: string | undefined;
      deployment?: string | undefined;
    };
    body:
      | {
          /** The description: an object, or its text in JSON or YAML. */
          readonly openapi?: string | Readonly<Record<string, unknown>> | undefined;
          /** Where the description is fetched from. */
          readonly openapi_url?: string | undefined;
          /** Headers that it is fetched with this once, by their names; they go to no other origin and are not kept. Only with `openapi_url`. */
          readonly openapi_headers?: Readonly<Record<string, string>> | undefined;
          readonly slug?: string | undefined;
          /** What people see: the title of the MCP server. */
          readonly name?: string | undefined;
          readonly instructions?: string | null | undefined;
          readonly description?: string | null | undefined;
          readonly website_url?: string | null | undefined;
          readonly mcp_auth_method?: 'oauth' | 'jwt' | 'none' | undefined;
          readonly api_base_url?: string | null | undefined;
          readonly server_variables?: Readonly<Record<string, string>> | null | undefined;
          readonly operations?: CreateDeploymentBodyOperations | null | undefined;
          readonly overrides?:
            Readonly<Record<string, CreateDeploymentBodyOverrides | null>> | undefined;
          readonly overlays?:
            | readonly (string | CreateDeploymentBodyOverlays | Readonly<Record<string, unknown>>)[]
            | null
            | undefined;
          /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
          readonly tool_mode?: 'operations' | 'search' | undefined;
          /** Tokens that a tool may take, roughly; null: any number. */
          readonly tool_token_budget?: number | null | undefined;
          /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
          readonly structured_output?: 'off' | 'on' | undefined;
          readonly access?: ListDeploymentsAnswerItemsAccess | undefined;
          readonly allowed_origins?: readonly string[] | undefined;
          /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
          readonly docs?: 'protected' | 'public' | undefined;
          /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
          readonly trace_context?: 'withheld' | 'forwarded' | undefined;
          /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
          readonly argument_checks?: 'strict' | 'lenient' | undefined;
          /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
          readonly answer_token_budget?: number | null | undefined;
          /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
          readonly refresh?: 'off' | 'daily' | 'hourly' | undefined;
          /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
          readonly fetch_with?: 'nothing' | 'credential' | undefined;
          /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
          readonly request_headers?: Readonly<Record<string, string>> | undefined;
          /** What the version that is made is for, for those who look at the list of versions. */
          readonly comment?: string | undefined;
          /** In place of a description: an entry of the gallery. */
          readonly gallery_id?: string | undefined;
          /** One of yours: what would its next version be? Its description and settings hold where none are sent. */
          readonly deployment?: string | undefined;
        }
      | CreateDeploymentBody2;
    answer: {
      readonly title: string;
      /** What it would be published under; absent if that is taken. */
      readonly slug?: string | undefined;
      /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
      readonly tool_mode: 'operations' | 'search';
      /** Where most calls would go. */
      readonly api_base_url?: string | undefined;
      /** Where the description says that they go: an address, or a mere path. */
      readonly described_base_url?: string | undefined;
      readonly publishable: boolean;
      /** For which publication would be refused; none if it would not. */
      readonly problems: readonly {
        /** As publication would refuse it. */
        readonly code: string;
        readonly detail: string;
        readonly findings: readonly CreateDeploymentAnswerWarnings[];
        readonly limit?: string | undefined;
      }[];
      readonly warnings: readonly CreateDeploymentAnswerWarnings[];
      /** Tools that could be published and not called: each call of them is refused before it is sent. The most first, 20 at most. */
      readonly refused_calls: readonly {
        readonly reason: 'not_encrypted' | 'credential_not_for_this_host';
        /** Where the calls would go. */
        readonly origin: string;
        readonly tools: number;
      }[];
      /** What people whom you cannot know could do then and cannot now: for a person to confirm first. Empty: nothing. */
      readonly exposures: readonly GetCredentialOriginsAnswerExposures[];
      /** What the operations ask of a credential, as the description says, the most first. */
      readonly credential_needs: readonly GetCredentialOriginsAnswerNeeds[];
      /** Of each overlay, how many of its actions have matched something. */
      readonly overlays: readonly {
        readonly title: string;
        readonly actions: number;
        readonly applied: number;
      }[];
      /** All of the description. */
      readonly operations: readonly {
        readonly method: string;
        readonly path: string;
        readonly operation_id?: string | undefined;
        readonly summary?: string | undefined;
        readonly tags: readonly string[];
        readonly deprecated: boolean;
        readonly chosen: boolean;
      }[];
      /** How many, of a report that would be too long. */
      readonly operations_left_out: number;
      readonly tags: readonly {
        readonly name: string;
        readonly operations: number;
        readonly chosen: number;
      }[];
      /** How many, of a report that would be too long. */
      readonly tags_left_out: number;
      /** Of the chosen operations. Schemas are left out of long reports. */
      readonly tools: readonly ListToolsAnswerItems[];
      /** How many, of a report that would be too long. */
      readonly tools_left_out: number;
      readonly totals: {
        readonly tools: number;
        readonly tokens: number;
        /** How many of them. */
        readonly accepted_by: {
          readonly claude: number;
          readonly openai: number;
          readonly gemini: number;
          readonly bedrock: number;
        };
      };
      /** From the deployment that was named. */
      readonly difference?: ChangeDeploymentAnswerTools | undefined;
      readonly gallery?: ListGalleryAnswerItems | undefined;
    };
  };
  examineDeployment: {
    path: { slug: string };
    answer: {
      /** Whether nothing has failed; there may be warnings. */
      readonly ok: boolean;
      readonly items: readonly {
        readonly step: string;
        readonly outcome: 'ok' | 'warning' | 'failed';
        readonly what: string;
        readonly hint?: string | undefined;
      }[];
      /** What you can try yourself, from your own network. */
      readonly try: readonly {
        readonly step: string;
        readonly method: string;
        readonly url: string;
        readonly expected: string;
      }[];
    };
  };
  listAccounts: {
    query: { limit?: number | undefined; cursor?: string | undefined; prefix?: string | undefined };
    answer: {
      readonly items: readonly {
        readonly id: string;
        readonly email: string;
        readonly plan: 'free' | 'pro';
        readonly operator?: true | undefined;
        readonly created_at: string;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  getAccountOfAnybody: {
    path: { id: string };
    answer: GetAccountAnswer;
  };
  changePlan: {
    path: { id: string };
    body: {
      readonly plan: 'free' | 'pro';
    };
    answer: GetAccountAnswer;
  };
  endAccount: {
    path: { id: string };
    answer: undefined;
  };
  listDeploymentsOfAnybody: {
    path: { id: string };
    query: { limit?: number | undefined; cursor?: string | undefined };
    answer: {
      readonly items: readonly ListDeploymentsOfAnybodyAnswerItems[];
      readonly next_cursor?: string | undefined;
    };
  };
  stopDeployment: {
    path: { slug: string };
    answer: ListDeploymentsOfAnybodyAnswerItems;
  };
  releaseDeployment: {
    path: { slug: string };
    answer: ListDeploymentsOfAnybodyAnswerItems;
  };
  findBlocks: {
    query: { subject: string };
    answer: {
      /** An IPv4 address, or the /64 of an IPv6 one. */
      readonly subject: string;
      readonly items: readonly {
        /** Of the deployment where it is blocked; absent: everywhere. */
        readonly slug?: string | undefined;
        readonly until: string;
        /** The name of the limit that was passed many times over. */
        readonly limit: string;
      }[];
    };
  };
  liftBlocks: {
    query: { subject: string; slug?: string | undefined };
    answer: undefined;
  };
  getOverridesSchema: {
    answer: {
      readonly $schema: string;
    };
  };
  exportAccount: {
    query: { cursor?: string | undefined };
    answer: {
      readonly items: readonly {
        /** Of this API, which answers the same at it. */
        readonly path: string;
        readonly body?: Readonly<Record<string, unknown>> | undefined;
        /** Of a file, in place of a body. */
        readonly media_type?: string | undefined;
        /** The file: gzip, as base64. */
        readonly content?: string | undefined;
      }[];
      readonly next_cursor?: string | undefined;
    };
  };
  getDescription: {
    answer: {
      readonly openapi: string;
    };
  };
}
type SignUpBody = {
  readonly email: string;
};
type SignUpAnswer = {
  readonly status: 'accepted';
  readonly message: string;
};
type GetAccountAnswer = {
  readonly id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string | undefined;
  readonly plan: 'free' | 'pro';
  /** Set for operators of the service. */
  readonly operator?: true | undefined;
  readonly limits: {
    readonly requests_per_hour: number;
    readonly requests_per_month: number;
    readonly active_deployments_per_user: number;
    readonly endpoints_per_deployment: number;
    /** Of a deployment in tool mode `search`; 0: the plan does without that mode. */
    readonly searchable_operations: number;
  };
  readonly usage: {
    readonly hour: GetAccountAnswerUsageHour;
    readonly month: GetAccountAnswerUsageHour;
  };
  readonly created_at: string;
};
type GetAccountAnswerUsageHour = {
  readonly used: number;
  readonly limit: number;
};
type ListDeploymentsAnswerItemsAccess = {
  readonly mode: 'owner' | 'allow_list' | 'any_user';
  readonly emails?: readonly string[] | undefined;
  readonly domains?: readonly string[] | undefined;
};
type ListDeploymentsAnswerItemsCredentialRefused = {
  readonly since: string;
  readonly calls: number;
  /** HTTP status of the last one. */
  readonly status: number;
};
type CreateDeploymentBodyOperations = {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
};
type CreateDeploymentBodyOverrides = {
  /** Whether it is no tool. */
  readonly hidden?: boolean | undefined;
  /** Up to 64 of a-z, A-Z, 0-9, _ and -; no digit or - first. */
  readonly name?: string | undefined;
  /** What clients show to people. */
  readonly title?: string | undefined;
  /** What models read of it. */
  readonly description?: string | undefined;
  /** What clients are told of its effects, for instance before they ask a person. */
  readonly annotations?: CreateDeploymentBodyOverridesAnnotations | undefined;
  /** Words by which search mode finds it. */
  readonly keywords?: readonly string[] | undefined;
  /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
  readonly structured_output?: 'off' | 'on' | undefined;
  /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
  readonly answer_token_budget?: number | null | undefined;
  /** JSON pointers with `*` for every element or member: the members of the tool's answers that models are shown. Absent: all. */
  readonly answer_fields?: readonly string[] | undefined;
  /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
  readonly argument_checks?: 'strict' | 'lenient' | undefined;
  /** By the names that the tool shows. */
  readonly arguments?:
    | Readonly<
        Record<
          string,
          | {
              /** Never sent, and not shown to models. */
              readonly hidden: true;
            }
          | {
              /** Sent with every call; models do not see it. */
              readonly value: unknown;
            }
        >
      >
    | undefined;
};
type CreateDeploymentBodyOverridesAnnotations = {
  readonly read_only_hint?: boolean | undefined;
  readonly destructive_hint?: boolean | undefined;
  readonly idempotent_hint?: boolean | undefined;
  readonly open_world_hint?: boolean | undefined;
};
type CreateDeploymentBodyOverlays = {
  readonly url: string;
};
type CreateDeploymentBody2 = {
  readonly openapi?: string | undefined;
  readonly swagger?: string | undefined;
};
type CreateDeploymentAnswer = {
  readonly slug: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'stopped';
  readonly mcp_auth_method: 'oauth' | 'jwt' | 'none';
  readonly mcp_url: string;
  readonly discovery_url: string;
  readonly docs_url: string;
  readonly api_base_url: string;
  /** Operations, in either mode of tools. */
  readonly tool_count: number;
  /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
  readonly docs: 'protected' | 'public';
  /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
  readonly trace_context: 'withheld' | 'forwarded';
  /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
  readonly argument_checks: 'strict' | 'lenient';
  /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
  readonly answer_token_budget: number | null;
  /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
  readonly refresh: 'off' | 'daily' | 'hourly';
  /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
  readonly fetch_with: 'nothing' | 'credential';
  /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
  readonly tool_mode: 'operations' | 'search';
  /** Tokens that a tool may take, roughly; null: any number. */
  readonly tool_token_budget: number | null;
  /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
  readonly structured_output: 'off' | 'on';
  readonly version: number;
  readonly access: ListDeploymentsAnswerItemsAccess;
  readonly allowed_origins: readonly string[];
  readonly has_credential: boolean;
  /** That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. Absent where it took the last one, or nothing was called within a week. */
  readonly credential_refused?: ListDeploymentsAnswerItemsCredentialRefused | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly instructions?: string | undefined;
  readonly description?: string | undefined;
  readonly website_url?: string | undefined;
  readonly openapi_url?: string | undefined;
  readonly server_variables?: Readonly<Record<string, string>> | undefined;
  readonly operations?: CreateDeploymentAnswerOperations | undefined;
  readonly overrides?: Readonly<Record<string, CreateDeploymentAnswerOverrides>> | undefined;
  readonly overlays?: readonly string[] | undefined;
  /** What came of fetching the description again, where that is switched on. */
  readonly refreshed?: CreateDeploymentAnswerRefreshed | undefined;
  readonly warnings: readonly CreateDeploymentAnswerWarnings[];
};
type CreateDeploymentAnswerOperations = {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};
type CreateDeploymentAnswerOverrides = {
  readonly hidden?: boolean | undefined;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: CreateDeploymentBodyOverridesAnnotations | undefined;
  readonly keywords?: readonly string[] | undefined;
  /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
  readonly structured_output?: 'off' | 'on' | undefined;
  /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
  readonly answer_token_budget?: number | null | undefined;
  readonly answer_fields?: readonly string[] | undefined;
  /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
  readonly argument_checks?: 'strict' | 'lenient' | undefined;
  readonly arguments?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
};
type CreateDeploymentAnswerRefreshed = {
  readonly at: string;
  /** Held back: it breaks calls or opens something, and waits for you to publish it. */
  readonly outcome: 'unchanged' | 'published' | 'held_back' | 'failed';
  readonly why?: string | undefined;
  readonly failing_since?: string | undefined;
};
type CreateDeploymentAnswerWarnings = {
  /** A JSON pointer into the description; empty: all of it. */
  readonly where: string;
  readonly what: string;
  readonly hint: string;
};
type ChangeDeploymentAnswer = {
  readonly slug: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'stopped';
  readonly mcp_auth_method: 'oauth' | 'jwt' | 'none';
  readonly mcp_url: string;
  readonly discovery_url: string;
  readonly docs_url: string;
  readonly api_base_url: string;
  /** Operations, in either mode of tools. */
  readonly tool_count: number;
  /** Who is shown the tools at `docs_url`: everybody, or those who are signed in and may use the deployment. In mode `none` everybody is, whatever this says. */
  readonly docs: 'protected' | 'public';
  /** Whether the trace context of a client (`traceparent`, `tracestate`) goes on to the target API as headers. */
  readonly trace_context: 'withheld' | 'forwarded';
  /** Whether calls are refused that lack an argument, or a member of one, that the description requires. With `lenient` they are sent for the API to judge; what the path needs is asked for in any case, and types are checked. An override says it of one tool. */
  readonly argument_checks: 'strict' | 'lenient';
  /** Tokens that an answer may take, roughly: a longer one is cut at whole elements, and says where the rest is; null: any number. An override says it of one tool. */
  readonly answer_token_budget: number | null;
  /** Whether the description is fetched again from `openapi_url`: what breaks no client and opens nothing is published by itself; of all else the owner is told. Nothing is fetched where the description was sent. */
  readonly refresh: 'off' | 'daily' | 'hourly';
  /** What a description is fetched with from `openapi_url`: the credential of the deployment, where it is meant for that host, or nothing. */
  readonly fetch_with: 'nothing' | 'credential';
  /** Headers that go with each call to the target API, by their names, in place of arguments of the same name: a tenant, a version of the API. They are shown to owners and are no place for secrets, which are for the credential. None if it was never said. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
  readonly tool_mode: 'operations' | 'search';
  /** Tokens that a tool may take, roughly; null: any number. */
  readonly tool_token_budget: number | null;
  /** Whether tools have an `outputSchema`, and results `structuredContent` beside their text, for clients that speak 2025-06-18 or later. `off` if it was never said. An override says it of one tool. */
  readonly structured_output: 'off' | 'on';
  readonly version: number;
  readonly access: ListDeploymentsAnswerItemsAccess;
  readonly allowed_origins: readonly string[];
  readonly has_credential: boolean;
  /** That the API refuses the credential: what it answered last to calls that carried it was 401 or 403. Absent where it took the last one, or nothing was called within a week. */
  readonly credential_refused?: ListDeploymentsAnswerItemsCredentialRefused | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  readonly instructions?: string | undefined;
  readonly description?: string | undefined;
  readonly website_url?: string | undefined;
  readonly openapi_url?: string | undefined;
  readonly server_variables?: Readonly<Record<string, string>> | undefined;
  readonly operations?: CreateDeploymentAnswerOperations | undefined;
  readonly overrides?: Readonly<Record<string, CreateDeploymentAnswerOverrides>> | undefined;
  readonly overlays?: readonly string[] | undefined;
  /** What came of fetching the description again, where that is switched on. */
  readonly refreshed?: CreateDeploymentAnswerRefreshed | undefined;
  readonly warnings: readonly CreateDeploymentAnswerWarnings[];
  readonly tools: ChangeDeploymentAnswerTools;
};
type ChangeDeploymentAnswerTools = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly {
    readonly name: string;
    readonly breaking: boolean;
    readonly changes: readonly string[];
  }[];
  /** How many tools differ as well, of a difference that would be too long. */
  readonly changed_left_out?: number | undefined;
  /** Whether a call that worked before may fail now. */
  readonly breaking: boolean;
  /** Set if clients are shown another kind of tools. */
  readonly mode?:
    | {
        /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
        readonly before: 'operations' | 'search';
        /** Whether clients are shown a tool for each operation, or three tools that search, describe and call them: then a deployment of any size counts as one endpoint. */
        readonly after: 'operations' | 'search';
      }
    | undefined;
};
type ListToolsAnswerItems = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly server_url: string;
  readonly operation_id?: string | undefined;
  readonly title?: string | undefined;
  readonly description: string;
  /** Absent where it is too long for the answer. */
  readonly input_schema?: Readonly<Record<string, unknown>> | undefined;
  /** Of its structured results; absent where they are text alone. */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations: Readonly<Record<string, unknown>>;
  /** What it takes of the context of a model, roughly. */
  readonly tokens: number;
  /** Model APIs that take its name, description and arguments. */
  readonly accepted_by: readonly ('claude' | 'openai' | 'gemini' | 'bedrock')[];
  readonly refused_by: readonly {
    readonly api: 'claude' | 'openai' | 'gemini' | 'bedrock';
    readonly complaints: readonly string[];
  }[];
  /** What was renamed, rewritten, shortened, left out, hidden or fixed. */
  readonly notes: readonly {
    readonly what: string;
    readonly why: string;
    readonly arguments?: readonly string[] | undefined;
  }[];
};
type TestToolBody = {
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
};
type GetCredentialOriginsAnswerExposures = {
  /** The setting that opens it. */
  readonly where: string;
  readonly what: string;
  readonly hint: string;
};
type GetCredentialOriginsAnswerNeeds = {
  readonly operations: number;
  /** One of them: `GET /pets`. */
  readonly example: string;
  /** Any of these will do; none: no credential of the service can. */
  readonly ways: readonly {
    readonly type: 'bearer' | 'api_key' | 'basic';
    readonly name?: string | undefined;
    readonly in?: 'header' | 'query' | 'cookie' | undefined;
  }[];
  /** The bearer token is one of OAuth 2.0 or OpenID Connect, which nothing renews. */
  readonly expires?: boolean | undefined;
  /** What they take that cannot be sent. */
  readonly others: readonly string[];
};
type GetJwtIssuerAnswer = {
  /** Compared byte for byte with `iss`. */
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly audience: string;
  readonly algorithms: readonly (
    | 'ES256'
    | 'ES384'
    | 'ES512'
    | 'PS256'
    | 'PS384'
    | 'PS512'
    | 'RS256'
    | 'RS384'
    | 'RS512'
    | 'EdDSA'
    | 'Ed25519'
  )[];
};
type CreateResourceBodyVariables = {
  readonly name: string;
  /** What clients offer while somebody types. */
  readonly values: readonly string[];
};
type CreateResourceAnswer = {
  readonly name: string;
  readonly uri: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mime_type?: string | undefined;
  readonly audience?: readonly ('user' | 'assistant')[] | undefined;
  readonly priority?: number | undefined;
  /** Of a template: what its variables can be completed with. */
  readonly variables?: readonly CreateResourceBodyVariables[] | undefined;
  /** What `content` is: the text itself, or bytes as base64. */
  readonly encoding: 'text' | 'base64';
  /** Of the content as it was sent, in bytes. */
  readonly size: number;
  /** Absent where it was written before this was recorded. */
  readonly updated_at?: string | undefined;
  readonly content: string;
};
type CreatePromptBodyArguments = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** What clients offer while somebody types. */
  readonly values?: readonly string[] | undefined;
  readonly required?: boolean | undefined;
};
type CreatePromptAnswer = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments: readonly {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    /** What clients offer while somebody types. */
    readonly values?: readonly string[] | undefined;
    readonly required: boolean;
  }[];
  readonly template: string;
};
type RenderPromptAnswer = {
  readonly description?: string | undefined;
  readonly messages: readonly {
    readonly role: 'user';
    readonly content: {
      readonly type: 'text';
      readonly text: string;
    };
  }[];
};
type ListActivityAnswerItems = {
  readonly type: 'change' | 'security' | 'credential_access' | 'quota_warning';
  readonly at: string;
};
type ListActivityAnswerItemsOutcomes = {
  readonly ok: number;
  readonly target_error: number;
  readonly no_answer: number;
  readonly refused: number;
};
type ListActivityAnswerItemsLatencyMs = {
  readonly count: number;
  readonly sum: number;
  readonly max: number;
};
type ListGalleryAnswerItems = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly base_url: string;
  readonly documentation_url: string;
  readonly credential: 'none' | 'optional' | 'required';
  readonly credential_help?: string | undefined;
};
type ListDeploymentsOfAnybodyAnswerItems = {
  readonly slug: string;
  readonly name: string;
  readonly status: 'active' | 'paused' | 'stopped';
  readonly mcp_auth_method: 'oauth' | 'jwt' | 'none';
  /** Operations, in either mode of tools. */
  readonly tool_count: number;
  readonly created_at: string;
  readonly updated_at: string;
};
