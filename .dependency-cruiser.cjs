/** The import rules of CONTRIBUTING.md. Paths are from the repository's root. */
const core = '^layers/core';
const outside = (allowed) => ({ pathNot: allowed });

/** Descriptions of the gallery stand in files, which a bundle holds as text. */
const GALLERY_TEXTS = `${core}/domain/gallery/descriptions.ts$`;

/** The topics of the domain: each may import those before it. */
const TOPICS = [
  'refusal',
  'json-schema',
  'target',
  'access',
  'jwt',
  'accounts',
  'activity',
  'deployments',
  'credentials',
  'metrics',
  'model-apis',
  'gallery',
  'search',
  'openapi',
  'tools',
  'resources',
  'prompts',
  'router',
  'rpc',
  'completion',
  'oauth',
];

/** Folders inside a topic: each may import those before it. */
const ROOMS = [
  ['openapi', ['intake', 'compile']],
  ['openapi/compile', ['schema', 'operation', 'fit']],
  ['tools', ['masking', 'answer', 'arguments', 'request']],
  ['oauth', ['clients', 'authorization', 'tokens']],
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
    ...TOPICS.map((topic, index) => ({
      name: `domain-${topic}-imports-topics-below-it`,
      comment:
        'A topic of the domain imports itself, the root files of the domain, the topics before it in ' +
        'the list of topics, hashing and its one library.',
      severity: 'error',
      from: { path: `${core}/domain/${topic}/`, pathNot: GALLERY_TEXTS },
      to: outside([
        `${core}/domain/(${TOPICS.slice(0, index + 1).join('|')})/`,
        `${core}/domain/[^/]+\\.ts$`,
        '^(node:)?(crypto|buffer|util)$',
        'node_modules/ipaddr.js',
        'node_modules/js-yaml',
        'node_modules/json-p3',
        'node_modules/minisearch',
        // Shapes of what is stored and sent: `zod/mini`, which the router has in any case.
        'node_modules/zod',
      ]),
    })),
    {
      name: 'gallery-texts-are-read-beside-them',
      comment:
        'The one file of the domain that reads files; bundles have their texts in its place.',
      severity: 'error',
      from: { path: GALLERY_TEXTS },
      to: outside('^(node:)?fs$'),
    },
    {
      name: 'domain-topics-are-listed',
      severity: 'error',
      from: { path: `${core}/domain/[^/]+/`, pathNot: `${core}/domain/(${TOPICS.join('|')})/` },
      to: { path: '.' },
    },
    ...ROOMS.flatMap(([folder, rooms]) =>
      rooms.slice(0, -1).map((room, index) => ({
        name: `${folder.replaceAll('/', '-')}-${room}-imports-no-later-folder`,
        comment: 'Of the folders of a topic each imports itself and those before it.',
        severity: 'error',
        from: { path: `${core}/domain/${folder}/${room}/` },
        to: { path: `${core}/domain/${folder}/(${rooms.slice(index + 1).join('|')})/` },
      })),
    ),
    {
      name: 'domain-libraries-have-one-topic',
      comment:
        'The YAML reader belongs to openapi, the index of words to search, the reader of IP addresses to access, ' +
        'schemas to deployments.',
      severity: 'error',
      from: {
        path: `${core}/domain/`,
        pathNot: `${core}/domain/(openapi|search|access|deployments)/`,
      },
      to: { path: 'node_modules/(js-yaml|json-p3|minisearch|ipaddr|zod)' },
    },
    {
      name: 'domain-root-imports-the-root',
      comment:
        'The root files of the domain import each other; of Node: hashing, and the names of HTTP statuses. ' +
        'One of them is the door of the refusals.',
      severity: 'error',
      from: { path: `${core}/domain/[^/]+\\.ts$` },
      to: outside([`${core}/domain/([^/]+|refusal/[^/]+)\\.ts$`, '^(node:)?(crypto|http)$']),
    },
    {
      name: 'ports-are-types',
      comment: 'Ports run nothing: they take types from the domain, and from each other.',
      severity: 'error',
      from: { path: `${core}/ports(/|\\.ts$)` },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-know-the-domain',
      severity: 'error',
      from: { path: `${core}/ports(/|\\.ts$)` },
      to: outside([`${core}/(domain|ports)/`]),
    },
    {
      name: 'ports-have-one-door',
      comment: 'Whoever needs a port imports ports.ts.',
      severity: 'error',
      from: { pathNot: `${core}/ports(/|\\.ts$)` },
      to: { path: `${core}/ports/` },
    },
    {
      name: 'usecases-know-domain-and-ports',
      severity: 'error',
      from: { path: `${core}/usecases/` },
      to: outside([`${core}/(domain|usecases)/`, `${core}/ports.ts$`]),
    },
    {
      name: 'adapters-know-domain-ports-and-their-neighbour',
      severity: 'error',
      from: { path: `${core}/adapters/` },
      to: {
        path: [`${core}/(usecases|http|pages|wiring)/`, '^lambdas', '^lib', '^local', '@middy'],
      },
    },
    {
      name: 'an-adapter-has-one-neighbour',
      severity: 'error',
      from: { path: `${core}/adapters/([^/]+)/` },
      to: {
        path: `${core}/adapters/`,
        pathNot: `${core}/adapters/($1|aws|cache|compression|credentials|s3|dynamodb)/`,
      },
    },
    {
      name: 'http-and-pages-know-the-domain',
      severity: 'error',
      from: { path: `${core}/(http|pages)/` },
      to: outside([
        `${core}/(http|pages|domain)/`,
        `${core}/ports.ts$`,
        '^(node:)?(crypto|buffer|util|zlib)$',
        'node_modules/(@middy|handlebars|zod)',
      ]),
    },
    {
      name: 'wiring-joins-adapters-to-ports',
      severity: 'error',
      from: { path: `${core}/wiring/` },
      to: { path: [`${core}/(usecases|http|pages)/`, '^lambdas', '^lib', '^local'] },
    },
    {
      name: 'a-function-is-alone',
      comment: 'A function imports itself and the doors of the core.',
      severity: 'error',
      from: { path: '^lambdas/([^/]+)/' },
      to: outside([
        '^lambdas/$1/',
        // From the sources the console makes its files itself; its bundle has them.
        '^console/build.ts$',
        `${core}/(http|pages|usecases/[^/]+|domain/[^/]+)/index\\.ts$`,
        `${core}/(wiring/[^/]+|ports|domain/[^/]+)\\.ts$`,
        'node_modules/zod',
        '^(node:)?(crypto|buffer|util|zlib)$',
      ]),
    },
    {
      name: 'manifest-is-data',
      severity: 'error',
      from: { path: '^lambdas/(storage-)?manifest.ts$' },
      to: { path: '.' },
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
          `${core}/domain/(metrics/(metrics|route-kind)|activity/call-record).ts$`,
          `${core}/domain/(access/limits|credentials/credential-stores|nearest-name|oauth/(clients/client-document-hosts|tokens/identity-providers)|protocol-versions).ts$`,
        ],
      },
    },
    {
      name: 'local-knows-the-manifest-and-the-entries',
      severity: 'error',
      from: { path: '^(local/|bin/local.ts$)' },
      to: {
        path: ['^layers', '^lib', '^lambdas'],
        // The readers of variables and options: a bad one is refused before any function is started.
        pathNot: [
          '^lambdas/(storage-)?manifest.ts$',
          '^lambdas/[^/]+/index.ts$',
          `${core}/domain/(access/(limits|origin)|auth-methods|credentials/credential-stores|deployments/settings|oauth/(clients/(client-document-hosts|private-use-uris)|tokens/identity-providers)|plan|protocol-versions|switch).ts$`,
        ],
      },
    },
    {
      name: 'command-line-speaks-http',
      comment:
        'The command line knows nothing of the service but its HTTP interface. Descriptions of several ' +
        'files are read with a library, here and by npm start; commands of operators go by the AWS SDK. ' +
        'Its version is that of the package. Two tables it shares with the service: that of MCP ' +
        'clients, and that of the objects of OpenAPI.',
      severity: 'error',
      from: {
        path: '^(cli/|bin/hosted-mcp.ts$)',
        pathNot: '^cli/(descriptions/swagger-parser|admin/aws-sdk).ts$',
      },
      to: {
        pathNot: [
          '^cli/',
          '^package.json$',
          `${core}/domain/(known-clients|openapi/intake/openapi-objects).ts$`,
        ],
        dependencyTypesNot: ['core'],
      },
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
        'The console imports itself, the library that draws it and the one that draws charts; nothing of ' +
        'the service, and nothing of Node.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/several-files/' },
      to: outside(['^console/src/', 'node_modules/(preact|uplot)/']),
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
      name: 'charts-are-loaded-by-pages-that-show-them',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/charts/' },
      to: { path: 'node_modules/uplot/' },
    },
    {
      name: 'console-is-made-by-its-build',
      comment: 'What serves and deploys the console takes it as files.',
      severity: 'error',
      from: { pathNot: '^console/' },
      to: { path: '^console/', pathNot: '^console/build.ts$' },
    },
    {
      name: 'console-build-knows-the-bundler',
      severity: 'error',
      from: { path: '^console/build.ts$' },
      to: outside(['^(node:)?(crypto|path|url|zlib)$', 'node_modules/esbuild/']),
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
