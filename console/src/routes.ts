import type { PageModule } from './page.ts';

export interface PageRoute {
  /** Below `/v1/console`, with `{places}`. */
  readonly path: string;
  readonly title: string;
  /** Drawn inside the frame of a server: its name, state and tabs. */
  readonly ofServer?: true;
  /** For everybody else there is no such page. */
  readonly forOperators?: true;
  load(): Promise<PageModule>;
}

/**
 * Every page of the console. To add one: a file in `pages/` that exports `Page`, and an entry here; for
 * a tab of a server also its name in `pages/server/frame.tsx`, for an entry of the navigation in
 * `shell/header.tsx`.
 */
export const PAGES: readonly PageRoute[] = [
  { path: '/servers', title: 'Servers', load: () => import('./pages/servers.tsx') },
  { path: '/usage', title: 'Usage', load: () => import('./pages/usage.tsx') },
  { path: '/mine', title: 'Account', load: () => import('./pages/account.tsx') },
  { path: '/new', title: 'New server', load: () => import('./pages/new/new.tsx') },
  {
    path: '/operator/accounts',
    title: 'Accounts',
    forOperators: true,
    load: () => import('./pages/operator/accounts.tsx'),
  },
  {
    path: '/operator/accounts/{id}',
    title: 'Account',
    forOperators: true,
    load: () => import('./pages/operator/account.tsx'),
  },
  {
    path: '/operator/blocks',
    title: 'Blocks',
    forOperators: true,
    load: () => import('./pages/operator/blocks.tsx'),
  },
  {
    path: '/servers/{slug}/tools',
    title: 'Tools',
    ofServer: true,
    load: () => import('./pages/server/tools/tools.tsx'),
  },
  {
    path: '/servers/{slug}/tools/edit',
    title: 'Edit many tools',
    ofServer: true,
    load: () => import('./pages/server/tools/edit-tools.tsx'),
  },
  {
    path: '/servers/{slug}/activity',
    title: 'Activity',
    ofServer: true,
    load: () => import('./pages/server/activity/activity.tsx'),
  },
  {
    path: '/servers/{slug}/credentials',
    title: 'Credentials',
    ofServer: true,
    load: () => import('./pages/server/credentials.tsx'),
  },
  {
    path: '/servers/{slug}/access',
    title: 'Access',
    ofServer: true,
    load: () => import('./pages/server/access/access.tsx'),
  },
  {
    path: '/servers/{slug}/content',
    title: 'Resources & prompts',
    ofServer: true,
    load: () => import('./pages/server/content/content.tsx'),
  },
  {
    path: '/servers/{slug}/content/resources',
    title: 'New resource',
    ofServer: true,
    load: () => import('./pages/server/content/resource.tsx'),
  },
  {
    path: '/servers/{slug}/content/resources/{name}',
    title: 'Resource',
    ofServer: true,
    load: () => import('./pages/server/content/resource.tsx'),
  },
  {
    path: '/servers/{slug}/content/prompts',
    title: 'New prompt',
    ofServer: true,
    load: () => import('./pages/server/content/prompt.tsx'),
  },
  {
    path: '/servers/{slug}/content/prompts/{name}',
    title: 'Prompt',
    ofServer: true,
    load: () => import('./pages/server/content/prompt.tsx'),
  },
  {
    path: '/servers/{slug}/versions',
    title: 'Versions',
    ofServer: true,
    load: () => import('./pages/server/versions/versions.tsx'),
  },
  {
    path: '/servers/{slug}/connect',
    title: 'Connect',
    ofServer: true,
    load: () => import('./pages/server/connect/connect.tsx'),
  },
  {
    path: '/servers/{slug}/settings',
    title: 'Settings',
    ofServer: true,
    load: () => import('./pages/server/settings.tsx'),
  },
];

/** Addresses that people cut short, and the pages that they mean. */
const SHORT: readonly (readonly [path: string, meant: string])[] = [
  ['/servers/{slug}', '/servers/{slug}/tools'],
  ['/operator', '/operator/accounts'],
];

/** The address in full, of one that was cut short. */
export const meantBy = (path: string): string | undefined => {
  for (const [short, meant] of SHORT) {
    const params = match(short, path);
    if (params) return meant.replace('{slug}', encodeURIComponent(params['slug'] ?? ''));
  }
  return undefined;
};

export interface FoundPage {
  readonly page: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** @param path - below the console */
export const pageAt = (path: string): FoundPage | undefined => {
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
