declare module 'js-yaml-4' {
  /** @param options - `json`: of keys that stand twice the last one counts */
  export const load: (text: string, options?: { readonly json?: boolean }) => unknown;
}
