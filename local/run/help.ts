/** What `npm start -- --help` prints. */
export const HELP = `Starts Hosted MCP on this machine, with everything it needs and a sample server.

  npm start
  npm start -- --openapi FILE_OR_URL [--slug NAME] [--auth oauth|jwt|none] [--api-base URL]

  --openapi FILE_OR_URL  publish this OpenAPI description (JSON or YAML); again: a new version of it
  --slug NAME            the deployment's name in its address; otherwise made from the title
  --auth METHOD          who may use it: oauth (the default: people who sign in), jwt or none (anyone)
  --api-base URL         where the API is, if not where the description says
  --include OPERATION    only these: an operationId, "GET /path" or tag:NAME; may be repeated
  --exclude OPERATION    not these; may be repeated
  --tool-mode MODE       operations (the default): a tool for each; search: three tools that find and
                         call all of them, for big descriptions
  --root DIR             where the files lie that it refers to; if omitted, its own folder
  --fetch-refs           fetch what it refers to by https as well
  --strict               refuse violations of the OpenAPI specification, which otherwise are only reported
  --declare FILE         make the servers what this file says, also at each save: see docs/declarations.md
  --allow-origin ORIGIN  pages of this origin, too, may use deployments of mode none; otherwise only
                         those of this machine may; may be repeated
  --network NAME=LIST    a private network that servers may be in, here address ranges and hosts, as in
                         orders=127.0.0.2/32,orders.test; may be repeated
  --model-host NAME=URL  a host of models that the console offers, in OpenAI's protocol, as in
                         ours=https://llm.example.com/v1; on this machine http will do; may be repeated
  --verbose              show the functions' logs here, too
  --help                 show this

Environment
  PORT                   where to listen, 8787 if not set; 0 takes any free port
  HOSTED_MCP_DATA        the folder that keeps everything, .local in the checkout if not set
  HOSTED_MCP_LIMITS      limits other than the defaults, as in {"endpoints_per_deployment": 100};
                         here an account may have 100 servers if nothing else is said
  HOSTED_MCP_NEW_ACCOUNT_PLAN
                         the plan of accounts that people make: pro if not set, or free
  HOSTED_MCP_ALLOWED_REDIRECT_URIS
                         redirect URIs of apps' own schemes that clients may use, as in ["app:/callback"];
                         Cursor's if not set, [] for none
  HOSTED_MCP_PROTOCOL_VERSIONS
                         versions of MCP that are served, all if not set; as in 2025-06-18,2025-03-26
  HOSTED_MCP_CLIENT_DOCUMENT_HOSTS
                         whose client metadata documents are taken, as in {"allow": ["*.example.com"]}
  HOSTED_MCP_IDENTITY_PROVIDERS
                         companies whose assertions let their people in, a JSON list: see docs/access.md
  HOSTED_MCP_CREDENTIAL_STORE, HOSTED_MCP_CREDENTIAL_STORE_FORMER
                         where credentials are, envelope (if not set) or secrets-manager, and where
                         they were before
  HOSTED_MCP_SERVER_CARDS  true: deployments have a card at /server-card of their address
  HOSTED_MCP_LOG_LEVEL   info (if not set), warn or error: which lines of requests the router and the
                         console log
`;
