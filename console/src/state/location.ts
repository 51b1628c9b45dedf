import { useEffect, useState } from 'preact/hooks';

/** Begins the address of each page. */
export const ROOT = '/v1/console';

const MOVED = 'console:moved';

/** @param path - below the console, as `/servers/my-api/tools?tag=pets` */
export const addressOf = (path: string): string => ROOT + path;

/** Opens a page without loading the console again. */
export const go = (
  path: string,
  { replace = false }: { readonly replace?: boolean } = {},
): void => {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(path));
  window.dispatchEvent(new Event(MOVED));
};

export interface Place {
  /** Below the console. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.slice(ROOT.length) || '/',
  query: new URLSearchParams(location.search),
});

/** Where the browser is; what uses it is drawn again when that changes. */
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

/** A part of the address that a page keeps: a filter, what is open. Empty is none. */
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
