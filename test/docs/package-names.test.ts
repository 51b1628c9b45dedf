import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './documents.ts';

/** Names that anybody may register: a registry that is asked for one answers with a stranger's program. */
const OURS = '(?:@hosted-mcp/[a-z-]+|hosted-mcp)(?![-\\w./])';
const FLAGS = '(?:\\s+-[-\\w=]+)*';

const FETCHING: readonly RegExp[] = [
  new RegExp(`\\bnpx(?!${FLAGS}\\s+--no-install\\s)${FLAGS}\\s+${OURS}`),
  // A program and its arguments, as in the settings of a client or a call of `spawn`.
  new RegExp(`\\bnpx["']?,[^\\n]{0,40}?(?<!--no-install["'], ?)["']${OURS}["']`),
  new RegExp(`\\b(?:npm|pnpm|yarn|bun)(?:\\s+-[-\\w=]+|\\s+[a-z]+)*\\s+${OURS}`),
  new RegExp(`\\b(?:pnpx|bunx|yarn dlx|pnpm dlx|npm x|npm exec)${FLAGS}(?:\\s+--)?\\s+${OURS}`),
  // A range or a version in a package.json, where only a file may stand.
  new RegExp(`["']${OURS}["']\\s*:\\s*["'](?:[\\^~<>=*\\d]|latest|next|npm:|x["'])`),
  new RegExp(`(?:@hosted-mcp/[a-z-]+|\\bhosted-mcp)@(?:[\\^~*\\d]|latest|next)`),
];

const fetchesOurs = (line: string): boolean => FETCHING.some((form) => form.test(line));

describe('no name of ours is fetched from a registry', () => {
  test.each([
    'npx hosted-mcp apply --yes',
    'run: npx -y hosted-mcp plan',
    'npx --yes hosted-mcp login',
    'npx --package=x hosted-mcp login',
    'npx hosted-mcp@0.1.0 login',
    "spawn('npx', ['hosted-mcp', 'ls'])",
    `{ "command": "npx", "args": ["-y", "hosted-mcp"] }`,
    'npm install @hosted-mcp/cdk',
    'npm i -D hosted-mcp',
    'npm install --global hosted-mcp',
    'npm add --save-exact @hosted-mcp/cdk',
    'npm exec hosted-mcp ls',
    'npm exec -- hosted-mcp ls',
    'pnpm add @hosted-mcp/cdk',
    'pnpm dlx hosted-mcp',
    'pnpx hosted-mcp',
    'yarn add hosted-mcp',
    'yarn dlx hosted-mcp',
    'bun add hosted-mcp',
    'bunx hosted-mcp ls',
    '"@hosted-mcp/cdk": "0.1.0",',
    '"@hosted-mcp/cdk": "^0.1.0"',
    '"hosted-mcp": "latest"',
    'npm install @hosted-mcp/cdk@latest',
  ])('as by: %s', (line) => {
    expect(fetchesOurs(line)).toBe(true);
  });

  test.each([
    'npx --no-install hosted-mcp apply --yes',
    "spawn('npx', ['--offline', '--no-install', 'hosted-mcp', 'ls'])",
    'npm install --global --ignore-scripts ./hosted-mcp-0.1.0.tgz',
    'hosted-mcp apply --yes',
    '"@hosted-mcp/cdk": "file:hosted-mcp-cdk-0.1.0.tgz"',
    "import { McpServer } from '@hosted-mcp/cdk';",
    '"bin": { "hosted-mcp": "bin/hosted-mcp.mjs" }',
    'npx cdk deploy --all',
    'npm run package packs hosted-mcp.',
  ])('but not by: %s', (line) => {
    expect(fetchesOurs(line)).toBe(false);
  });

  test('by any example, document, help, printed command or source', () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => /\.(?:md|ya?ml|json|[cm]?[jt]sx?|txt|sh)$|^\.ci\//.test(path))
      // Tests hold what is typed against what is refused; the lock file names where all comes from.
      .filter((path) => !path.startsWith('test/') && !path.endsWith('package-lock.json'));
    const found = files.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, at) => (fetchesOurs(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    );
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'cli/help.ts',
        'docs/declarations.md',
        'examples/cdk-app/package.json',
        'examples/github-actions/mcp-servers.yml',
      ]),
    );
    expect(found).toEqual([]);
  });

  test('by a workflow, which installs a file whose hash it has checked before', () => {
    for (const path of ['examples/github-actions/mcp-servers.yml', 'docs/declarations.md']) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const uses = text
        .split('\n')
        .filter((line) => /^\s+- run: hosted-mcp |^\s+run: hosted-mcp /.test(line));
      const installs = text.match(
        /sha256sum --check\n\s+npm install --global --ignore-scripts "\.\//g,
      );
      expect(uses.length).toBeGreaterThan(0);
      expect(installs).toHaveLength(uses.length);
    }
  });
});
