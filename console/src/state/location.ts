import { useEffect, useState } from 'preact/hooks';

export const ROOT = '/v1/console';

const MOVED = 'console:moved';

/** @param path - below the console, as `/servers/my-api/tools?tag=pets` */
export const addressOf = (path: string): string => ROOT + path;

/** Pages of a model vendor: their own document has a policy that allows requests to that vendor's host. */
const hasOwnPolicy = (path: string): boolean =>
  /^\/servers\/[^/]+\/(?:talk|cases)\/[^/?]/.test(path);

/** Opens a page without reloading the console, unless either page has a policy of its own. */
export const go = (
  path: string,
  { replace = false }: { readonly replace?: boolean } = {},
): void => {
  if (hasOwnPolicy(path) || hasOwnPolicy(here().path)) return location.assign(addressOf(path));
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(path));
  window.dispatchEvent(new Event(MOVED));
};

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.slice(ROOT.length) || '/',
  query: new URLSearchParams(location.search),
});

export const usePlace = (): Place => {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const moved = () => setPlace(here());
    window.addEventListener('popstate', moved);
    window.addEventListener(MOVED, moved);
    return () => {
      window.removeEventListener('popstate', moved);
      window.removeEventListener(MOVED, moved);
    };
  }, []);
  return place;
};

/** A query parameter of the address as state; empty removes it. */
export const useQuery = (name: string): readonly [string, (value: string) => void] => {
  const { path, query } = usePlace();
  const set = (value: string) => {
    const next = new URLSearchParams(location.search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    const text = next.toString();
    go(path + (text && `?${text}`), { replace: true });
  };
  return [query.get(name) ?? '', set];
};
