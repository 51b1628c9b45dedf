/** The import rules of CONTRIBUTING.md. Paths are from the repository's root. */
const outside = (allowed) => ({ pathNot: allowed });

/** Descriptions of the gallery stand in files, which a bundle holds as text. */
const GALLERY_TEXTS = '^layers/servers/gallery/descriptions.ts$';

/** Each feature may import those before it: no two of them import each other. */
const FEATURES = [
  'platform',
  'limits',
  'pages',
  'target',
  'events',
  'openapi',
  'tools',
  'search',
  'credentials',
  'tokens',
  'accounts',
  'deployments',
  'api',
  'contents',
  'identity',
  'oauth',
  'activity',
  'connections',
  'mcp',
  'servers',
  'declarations',
  'maintenance',
  'management',
  'console',
];

/** What runs in an order, above the rules and stores. */
const RUNNING = '^layers/([^/]+/(steps|routes|mails)|api(?!/(store/|ports))|console)/';

/** Types of each feature's stores and clients, and of the settings of operators that it is about. */
const PORTS = '^layers/[^/]+/ports.ts$';

/** What decides: pure functions, time as an argument. */
const RULES =
  '^layers/([^/]+/rules|openapi|tools|search|contents/(prompts|resources)|servers/gallery)/';
/** What knows one neighbour: DynamoDB, S3, KMS, Lambda, a target. */
const STORES =
  '^layers/([^/]+/store|target/client|platform/(dynamodb|aws|cache|compression|system|sqs|log|s3|lambda|kms))/';

/** Folders inside a feature: each may import those before it. */
const FOLDERS = [
  ['openapi', ['json-schema', 'intake', 'schema', 'operation', 'fit']],
  ['tools', ['masking', 'answer', 'arguments', 'request']],
  ['oauth/rules', ['clients', 'authorization', 'tokens']],
];

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Nothing imports itself, however long the way.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'features-are-listed',
      comment: 'A new folder of `layers/` takes its place in the order of features.',
      severity: 'error',
      from: {
        path: '^layers/[^/]+/',
        pathNot: `^layers/(${FEATURES.join('|')})/`,
      },
      to: { path: '.' },
    },
    ...FEATURES.map((feature, index) => ({
      name: `${feature}-imports-features-below-it`,
      comment: 'A feature imports itself and those before it in the list.',
      severity: 'error',
      from: { path: `^layers/${feature}/` },
      to: {
        path: [
          `^layers/(${[...FEATURES.slice(index + 1), 'none'].join('|')})/`,
          '^lambdas',
          '^lib',
          '^local',
        ],
      },
    })),
    {
      name: 'rules-and-stores-run-nothing',
      comment: 'Steps and routes call rules and stores, and not the other way round.',
      severity: 'error',
      from: { path: '^layers/', pathNot: [RUNNING, PORTS] },
      to: { path: RUNNING },
    },
    {
      name: 'rules-are-pure',
      comment:
        'Rules import rules, hashing and the one library of their feature: no AWS, no environment, no store.',
      severity: 'error',
      from: { path: RULES, pathNot: GALLERY_TEXTS },
      to: outside([
        RULES,
        '^(node:)?(crypto|buffer|util|http|url)$',
        'node_modules/(ipaddr.js|js-yaml|json-p3|minisearch|zod)',
      ]),
    },
    {
      name: 'gallery-texts-are-read-beside-them',
      comment: 'The one file of the rules that reads files; bundles have their texts in its place.',
      severity: 'error',
      from: { path: GALLERY_TEXTS },
      to: outside('^(node:)?fs$'),
    },
    ...FOLDERS.flatMap(([feature, folders]) =>
      folders.slice(0, -1).map((folder, index) => ({
        name: `${feature.replaceAll('/', '-')}-${folder}-imports-no-later-folder`,
        comment: 'Of the folders of a feature each imports itself and those before it.',
        severity: 'error',
        from: { path: `^layers/${feature}/${folder}/` },
        to: { path: `^layers/${feature}/(${folders.slice(index + 1).join('|')})/` },
      })),
    ),
    {
      name: 'libraries-have-one-feature',
      comment:
        'The YAML reader belongs to openapi, the index of words to search, the reader of IP addresses to who decides ' +
        'about addresses, schemas to what is stored and sent.',
      severity: 'error',
      from: {
        path: RULES,
        pathNot:
          '^layers/(openapi|search|platform|limits|accounts|servers|contents|credentials|connections|identity|activity|deployments|events|maintenance|mcp|oauth|target|tokens)/',
      },
      to: { path: 'node_modules/(js-yaml|json-p3|minisearch|ipaddr|zod)' },
    },
    {
      name: 'ports-are-types',
      comment: 'Ports run nothing: they are types of stores, and of the settings of operators.',
      severity: 'error',
      from: { path: PORTS },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'steps-know-rules-and-ports',
      comment:
        'Steps fetch and store through ports: no HTTP, no AWS, and of stores nothing but types.',
      severity: 'error',
      from: { path: '^layers/[^/]+/steps/' },
      to: {
        pathNot: [RULES, '^layers/[^/]+/steps/', PORTS, '^layers/platform/http/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'stores-know-their-neighbour',
      severity: 'error',
      from: { path: STORES },
      to: { path: ['^layers/(platform/http|pages)/', '@middy'] },
    },
    {
      name: 'routes-know-no-store',
      comment: 'Routes translate requests for steps; what is stored they reach through those.',
      severity: 'error',
      from: {
        path: ['^layers/[^/]+/routes/', '^layers/(api(?!/store/)|platform/http|pages|mcp/pages)/'],
      },
      to: { path: [STORES, 'node_modules/@aws-sdk'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-and-http-know-rules',
      severity: 'error',
      from: { path: '^layers/(platform/http|pages|mcp/pages)/' },
      to: outside([
        RULES,
        '^layers/(platform/http|pages|mcp/pages)/',
        PORTS,
        '^(node:)?(crypto|buffer|util|zlib)$',
        'node_modules/(@middy|handlebars|zod)',
      ]),
    },
    {
      name: 'a-function-is-alone',
      comment:
        'The entry of a function reads the environment, makes the stores and starts the routes.',
      severity: 'error',
      from: { path: '^lambdas/([^/]+)/' },
      to: {
        path: ['^lambdas/', '^lib', '^local'],
        pathNot: ['^lambdas/($1|wiring)/', '^lambdas/manifest.ts$', '^lib/stage/variables.ts$'],
      },
    },
    {
      name: 'functions-know-the-types-of-variables',
      comment:
        'Which settings and variables a function is given, the compiler knows; no bundle has the tables.',
      severity: 'error',
      from: { path: '^lambdas/[^/]+/' },
      to: { path: '^(lib/|lambdas/manifest.ts$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'manifest-is-data',
      severity: 'error',
      from: { path: '^lambdas/(storage-)?manifest.ts$' },
      to: { path: '.', pathNot: '^lambdas/storage-manifest.ts$' },
    },
    {
      name: 'settings-know-no-stack',
      comment:
        'The table of settings is read by what deploys a stage, by the local service and, as types, by functions: no constructs.',
      severity: 'error',
      from: { path: '^lib/stage/' },
      to: { path: 'node_modules/(aws-cdk-lib|constructs)' },
    },
    {
      name: 'infrastructure-knows-no-runtime-code',
      severity: 'error',
      from: { path: '^(lib/|bin/app.ts$)' },
      to: {
        path: ['^layers', '^local', '^lambdas'],
        // The readers of limits and settings: a wrong one is refused when the stack is made, not by functions that fail.
        // The names of metrics: no alarm waits for one that no line makes.
        pathNot: [
          '^lambdas/((storage-)?manifest|data-formats).ts$',
          '^layers/(platform/rules/metrics/(metrics|route-kind)|events/rules/call-outcome).ts$',
          '^layers/(accounts/rules/sign-up-policy|limits/rules/(limits|plan)|credentials/rules/(aws-role|credential-stores)|target/rules/(network|network-name)|platform/rules/(json/parsed-json|log-level|nearest-name|protocol-versions|shape|switch)|openapi/model-apis/model-hosts|oauth/rules/(clients/(client-document-hosts|private-use-uris)|tokens/identity-providers)).ts$',
        ],
      },
    },
    {
      name: 'local-knows-the-manifest-and-the-entries',
      severity: 'error',
      from: { path: '^(local/|bin/local.ts$)' },
      to: {
        path: ['^layers', '^lib', '^lambdas'],
        // The table of settings, how ids of resources are written, and the readers of options: a bad one is refused before any function is started.
        pathNot: [
          '^lambdas/(storage-)?manifest.ts$',
          '^lambdas/[^/]+/index.ts$',
          '^lib/(pascal-case|stage/(setting|variables)).ts$',
          '^layers/(limits/rules/limits|platform/rules/(json/(json|parsed-json)|origin)|credentials/rules/credential-stores|target/rules/(network|network-name|pem)|deployments/rules/(auth-methods|certificate-authorities|settings)|openapi/(tool-mode|model-apis/(model-hosts|protocols))).ts$',
        ],
      },
    },
    {
      name: 'command-line-speaks-http',
      comment:
        'The command line knows nothing of the service but its HTTP interface. Descriptions of several ' +
        'files are read with a library, here and by npm start; commands of operators go by the AWS SDK. ' +
        'Its version is that of the package. What is data alone it shares with the ' +
        'service: tables of MCP clients, the search of those that defer tools, tables of the objects of OpenAPI and of the vendors of models, and what may be chosen; the readers of JSON and secrets; and what both say of a sign-in with a browser.',
      severity: 'error',
      from: {
        path: '^(cli/|bin/hosted-mcp.ts$)',
        pathNot: '^cli/(descriptions/swagger-parser|admin/aws-sdk|declared/yaml).ts$',
      },
      to: {
        pathNot: [
          '^cli/',
          '^console/src/api/operation.ts$',
          '^package.json$',
          '^layers/(accounts/rules/(command-line|token-scopes)|events/rules/call-(outcome|record)|credentials/rules/(credential-name|secret-text)|limits/rules/plan|openapi/(intake/openapi-objects|model-apis/(call-result|cases|protocols))|platform/rules/(json/(json|parsed-json)|mcp-clients)|search/(asked-operation|deferred-tools)|deployments/rules/(auth-methods|choices)|target/rules/(credential(-forms)?|pem)).ts$',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'constructs-know-the-cdk-alone',
      comment:
        'What other teams install: constructs, and a function of its own, which reads secrets as the service and the command line do. The compiler and the stacks alone know the service.',
      severity: 'error',
      from: { path: '^cdk/(src|provider)/' },
      to: {
        pathNot: [
          '^cdk/',
          '^node_modules/(aws-cdk-lib|constructs|@aws-sdk)/',
          '^layers/(credentials/rules/secret-text|platform/rules/json/parsed-json).ts$',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'constructs-are-alone',
      severity: 'error',
      from: { pathNot: '^cdk/' },
      to: { path: '^cdk/' },
    },
    {
      name: 'one-file-loads-swagger-parser',
      severity: 'error',
      from: { pathNot: '^cli/descriptions/swagger-parser.ts$' },
      to: { path: 'node_modules/@apidevtools' },
    },
    {
      name: 'one-file-of-the-command-line-loads-the-aws-sdk',
      severity: 'error',
      from: { path: '^cli/', pathNot: '^cli/admin/aws-sdk.ts$' },
      to: { path: 'node_modules/(@aws-sdk|@smithy)' },
    },
    {
      name: 'console-runs-in-browsers',
      comment:
        'The console imports itself, the library that draws it and the one that draws charts; of the ' +
        'service how vendors of models are spoken to and what they choose, how credentials are asked for, the table ' +
        'of MCP clients, what counts as an error of a call, how a schema says that it is a file, the readers of JSON, and nothing of Node.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/(several-files|yaml)/' },
      to: outside([
        '^console/src/',
        '^layers/events/rules/call-outcome.ts$',
        '^layers/openapi/json-schema/formats.ts$',
        '^layers/openapi/model-apis/(call-result|cases|protocols|streams).ts$',
        '^layers/platform/rules/(json/(json|parsed-json)|mcp-clients).ts$',
        '^layers/search/(asked-operation|tool-names).ts$',
        '^layers/target/rules/(credential-forms|pem).ts$',
        'node_modules/(preact|uplot)/',
      ]),
    },
    {
      name: 'several-files-are-bundled-as-by-the-command-line',
      comment: 'Loaded where somebody gives several files, with what reads YAML and archives.',
      severity: 'error',
      from: { path: '^console/src/several-files/' },
      to: outside([
        '^console/src/(several-files/|api/|kit/plain-words\\.ts$)',
        '^cli/descriptions/(bundle|description-fault|expanded-size)\\.ts$',
        'node_modules/(fflate|yaml)/',
      ]),
    },
    {
      name: 'yaml-is-loaded-where-somebody-gives-some',
      severity: 'error',
      from: { path: '^console/src/yaml/' },
      to: outside(['node_modules/yaml/']),
    },
    {
      name: 'charts-are-loaded-by-pages-that-show-them',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/charts/' },
      to: { path: 'node_modules/uplot/' },
    },
    {
      name: 'console-is-made-by-its-build',
      comment:
        'What serves and deploys the console takes it as files. The command line takes the types of the API.',
      severity: 'error',
      from: { pathNot: '^console/' },
      to: { path: '^console/', pathNot: '^console/(build|src/api/operation).ts$' },
    },
    {
      name: 'types-of-the-api-are-erased',
      comment: 'They are made for the type check: no program needs their file when it runs.',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^console/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'console-build-knows-the-bundler',
      severity: 'error',
      from: { path: '^console/build.ts$' },
      to: outside(['^(node:)?(crypto|fs/promises|path|url|zlib)$', 'node_modules/esbuild/']),
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
};
