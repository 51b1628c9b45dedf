/** The import rules of CONTRIBUTING.md. Paths are from the repository's root. */
const core = '^layers/core';
const outside = (allowed) => ({ pathNot: allowed });

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
      name: 'domain-topic-is-an-island',
      comment:
        'A topic of the domain imports itself, the root files of the domain, hashing and its one library.',
      severity: 'error',
      from: { path: `${core}/domain/([^/]+)/` },
      to: outside([
        `${core}/domain/$1/`,
        `${core}/domain/[^/]+\\.ts$`,
        '^(node:)?(crypto|buffer|util)$',
        'node_modules/@cfworker/json-schema',
        'node_modules/js-yaml',
        'node_modules/minisearch',
      ]),
    },
    {
      name: 'domain-libraries-have-one-topic',
      comment:
        'The YAML reader belongs to openapi, the JSON Schema validator to tools, the index of words to search.',
      severity: 'error',
      from: { path: `${core}/domain/`, pathNot: `${core}/domain/(openapi|tools|search)/` },
      to: { path: 'node_modules/(js-yaml|@cfworker|minisearch)' },
    },
    {
      name: 'domain-root-imports-the-root',
      severity: 'error',
      from: { path: `${core}/domain/[^/]+\\.ts$` },
      to: outside([`${core}/domain/[^/]+\\.ts$`]),
    },
    {
      name: 'ports-are-types',
      comment: 'ports.ts runs nothing: it takes types from the domain.',
      severity: 'error',
      from: { path: `${core}/ports.ts$` },
      to: { dependencyTypesNot: ['type-only'] },
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
      to: { path: `${core}/adapters/`, pathNot: `${core}/adapters/($1|aws|s3|dynamodb)/` },
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
        `${core}/(http|pages|usecases/[^/]+|domain/[^/]+)/index\\.ts$`,
        `${core}/(wiring/[^/]+|ports|domain/[^/]+)\\.ts$`,
        'node_modules/zod',
        '^(node:)?(crypto|buffer|util)$',
      ]),
    },
    {
      name: 'manifest-is-data',
      severity: 'error',
      from: { path: '^lambdas/manifest.ts$' },
      to: { path: '.' },
    },
    {
      name: 'infrastructure-knows-no-runtime-code',
      severity: 'error',
      from: { path: '^(lib/|bin/app.ts$)' },
      to: { path: ['^layers', '^local', '^lambdas'], pathNot: '^lambdas/manifest.ts$' },
    },
    {
      name: 'local-knows-the-manifest-and-the-entries',
      severity: 'error',
      from: { path: '^(local/|bin/local.ts$)' },
      to: {
        path: ['^layers', '^lib', '^lambdas'],
        // The readers of variables: a bad one is refused before any function is started.
        pathNot: [
          '^lambdas/manifest.ts$',
          '^lambdas/[^/]+/index.ts$',
          `${core}/domain/(access/limits|oauth/private-use-uris).ts$`,
        ],
      },
    },
    {
      name: 'command-line-speaks-http',
      comment: 'The command line knows nothing of the service but its HTTP interface.',
      severity: 'error',
      from: { path: '^(cli/|bin/hosted-mcp.ts$)' },
      to: { pathNot: '^cli/', dependencyTypesNot: ['core'] },
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
