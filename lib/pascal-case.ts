/** `security-events` → `SecurityEvents`, as logical ids are written. */
export const pascalCase = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
