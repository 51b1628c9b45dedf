import type { Finding } from '../failure.ts';
import { type Json, listOf, textOf, textsOf, stringOf } from '../json.ts';
import { codeOf, memberOf, messageOf } from '../text/words.ts';
import { DescriptionFault } from './description-fault.ts';
import { expandedSize, MAX_EXPANDED_SIZE } from './expanded-size.ts';
import { pointerTo } from './json-pointer.ts';
import { withMergeKeys } from './merge-keys.ts';
import { swaggerParser } from './swagger-parser.ts';
import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Verdict {
  readonly findings: readonly Finding[];
  readonly unchecked?: string;
}

/**
 * Checks by JSON Schema and, for OpenAPI 2.0, further rules. It fetches nothing and reads no file.
 * @throws DescriptionFault without the library
 */
export const checkOpenApi = async (text: string): Promise<Verdict> => {
  const { default: SwaggerParser } = await swaggerParser();
  const given = { order: 1, canRead: true, read: () => text };
  const options = {
    continueOnError: true,
    parse: { text: false, binary: false },
    resolve: { external: false, http: false, file: given },
  } as const;
  try {
    const parsed = await SwaggerParser.parse(ADDRESS, options);
    if (expandedSize(parsed) > MAX_EXPANDED_SIZE) {
      return { findings: [], unchecked: 'its YAML aliases explode' };
    }
    // JSON has no merge keys.
    const isJsonText = jsonOrUndefined(text) !== undefined;
    const tree = isJsonText ? parsed : (withMergeKeys(parsed) as typeof parsed);
    await SwaggerParser.validate(ADDRESS, tree, options);
    return { findings: [] };
  } catch (error) {
    if (error instanceof DescriptionFault) {
      return { findings: [], unchecked: 'its YAML merge keys explode' };
    }
    const message = messageOf(error);
    const [, version] = /^Unsupported OpenAPI version: (\d+\.\d+\.\d+)/.exec(message) ?? [];
    if (version !== undefined) {
      return { findings: [], unchecked: `swagger-parser does not know OpenAPI ${version}` };
    }
    const errors = listOf(memberOf(error, 'errors'));
    if (errors.length > 0) return { findings: errors.filter(isReadable).map(missing) };
    const details = listOf(memberOf(error, 'details'));
    if (details.length > 0) return { findings: schemaFindings(details) };
    return memberOf(error, 'name') === 'SyntaxError'
      ? { findings: [ruleFinding(message)] }
      : { findings: [], unchecked: 'swagger-parser cannot read it; the service may say why' };
  }
};

/** A placeholder for the text in messages: no such file exists. */
const ADDRESS = 'file:///description';

const isReadable = (error: unknown): boolean => codeOf(error) === 'EMISSINGPOINTER';

const missing = ({ path, message }: Json): Finding => ({
  where: pointerTo(...textsOf(path)),
  what: stringOf(message),
  hint: '',
});

/** A broken rule; the place comes from the message. */
const ruleFinding = (message: string): Finding => ({
  where: message.startsWith('API version number')
    ? '/info/version'
    : (/'?(\/(?:paths|definitions)\/[^\s']+)/.exec(message)?.[1] ?? ''),
  what: message.replace(ADDRESS, 'it').replace(/^Validation failed\. /, ''),
  hint: '',
});

/** Each place has one finding. Failures of alternatives are left out: they repeat what each of them lacks. */
const schemaFindings = (details: readonly Json[]): readonly Finding[] => {
  const telling = details
    .filter(({ keyword }) => !['oneOf', 'anyOf', 'if'].includes(stringOf(keyword)))
    .filter(({ params }) => memberOf(params, 'missingProperty') !== '$ref');
  const places = Map.groupBy(telling, ({ instancePath }) => stringOf(instancePath));
  return [...places].map(([where, all]) => ({
    where,
    what: [...new Set(all.toSorted(byDepth).map(faultOf))].slice(0, 3).join('; '),
    hint: '',
  }));
};

/** Errors of a place itself come before those of its alternatives. */
const byDepth = (one: Json, other: Json): number => depthOf(one) - depthOf(other);

const depthOf = ({ schemaPath }: Json): number => stringOf(schemaPath).split('/').length;

const faultOf = ({ message, params }: Json): string => {
  const name = memberOf(params, 'additionalProperty') ?? memberOf(params, 'unevaluatedProperty');
  const allowed = textsOf(memberOf(params, 'allowedValues')).join(', ');
  const more = textOf(name) ?? allowed;
  return `${stringOf(message)}${more === '' ? '' : ` (${more})`}`;
};
