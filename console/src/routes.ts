import type { PageModule } from './page.ts';

export interface PageRoute {
  /** Path below `/v1/console`, with `{places}`. */
  readonly path: string;
  readonly title: string;
  readonly ofServer?: true;
  /** Other accounts are shown that there is no such page. */
  readonly forOperators?: true;
  load(): Promise<PageModule>;
}

const ofServer = (path: string, title: string, load: PageRoute['load']): PageRoute => ({
  path: `/servers/{slug}${path}`,
  title,
  ofServer: true,
  load,
});
const forOperators = (path: string, title: string, load: PageRoute['load']): PageRoute => ({
  path: `/operator${path}`,
  title,
  forOperators: true,
  load,
});

/**
 * Every page of the console. To add one: a file in `pages/` that exports `Page`, and an entry here; for
 * a tab of a server also its name in `pages/server/frame.tsx`, for an entry of the navigation in
 * `shell/header.tsx`.
 */
export const PAGES: readonly PageRoute[] = [
  { path: '/servers', title: 'Servers', load: () => import('./pages/servers.tsx') },
  { path: '/usage', title: 'Usage', load: () => import('./pages/usage.tsx') },
  { path: '/account', title: 'Account', load: () => import('./pages/account.tsx') },
  { path: '/new', title: 'New server', load: () => import('./pages/new/new.tsx') },
  { path: '/help', title: 'Help', load: () => import('./pages/help.tsx') },
  forOperators('/accounts', 'Accounts', () => import('./pages/operator/accounts.tsx')),
  forOperators('/accounts/{id}', 'Account', () => import('./pages/operator/account.tsx')),
  forOperators('/blocks', 'Blocks', () => import('./pages/operator/blocks.tsx')),
  ofServer('/tools', 'Tools', () => import('./pages/server/tools/tools.tsx')),
  ofServer('/tools/edit', 'Edit many tools', () => import('./pages/server/tools/edit-tools.tsx')),
  ofServer(
    '/tools/choose',
    'Choose operations',
    () => import('./pages/server/tools/choose-operations.tsx'),
  ),
  ofServer('/activity', 'Activity', () => import('./pages/server/activity/activity.tsx')),
  ofServer('/credentials', 'Credentials', () => import('./pages/server/credentials.tsx')),
  ofServer('/access', 'Access', () => import('./pages/server/access/access.tsx')),
  ofServer('/content', 'Resources & prompts', () => import('./pages/server/content/content.tsx')),
  ofServer(
    '/content/resources',
    'New resource',
    () => import('./pages/server/content/resource.tsx'),
  ),
  ofServer(
    '/content/resources/{name}',
    'Resource',
    () => import('./pages/server/content/resource.tsx'),
  ),
  ofServer('/content/prompts', 'New prompt', () => import('./pages/server/content/prompt.tsx')),
  ofServer('/content/prompts/{name}', 'Prompt', () => import('./pages/server/content/prompt.tsx')),
  ofServer('/versions', 'Versions', () => import('./pages/server/versions/versions.tsx')),
  ofServer('/talk', 'Talk with a model', () => import('./pages/server/talk/talk.tsx')),
  ofServer('/talk/{vendor}', 'Talk with a model', () => import('./pages/server/talk/talk.tsx')),
  ofServer('/cases', 'Cases', () => import('./pages/server/cases/cases.tsx')),
  ofServer('/cases/{vendor}', 'Cases', () => import('./pages/server/cases/cases.tsx')),
  ofServer('/connect', 'Connect', () => import('./pages/server/connect/connect.tsx')),
  ofServer('/settings', 'Settings', () => import('./pages/server/settings.tsx')),
];

/** Shortened and former addresses, and the pages that they lead to. */
const SHORT: readonly (readonly [path: string, meant: string])[] = [
  ['/servers/{slug}', '/servers/{slug}/tools'],
  ['/operator', '/operator/accounts'],
  ['/mine', '/account'],
];

export const meantBy = (path: string): string | undefined => {
  for (const [short, meant] of SHORT) {
    const params = match(short, path);
    if (params) return meant.replace('{slug}', encodeURIComponent(params['slug'] ?? ''));
  }
  return undefined;
};

/** @param path - below the console */
export const pageAt = (path: string) => {
  for (const page of PAGES) {
    const params = match(page.path, path);
    if (params) return { page, params };
  }
  return undefined;
};

const match = (pattern: string, path: string): Record<string, string> | undefined => {
  const wanted = pattern.split('/');
  const given = path.replace(/\/$/, '').split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const found = given[at] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = decoded(found);
    else if (part !== found) return undefined;
  }
  return params;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
