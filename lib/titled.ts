/** `security-events` → `SecurityEvents`, as logical ids are written. */
export const titled = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
