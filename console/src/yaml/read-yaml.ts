import { parse } from 'yaml';

/** @returns what a text of YAML or JSON holds @throws Error for what is neither, and for aliases */
export const readYaml = (text: string): unknown => parse(text, { maxAliasCount: 0 });
