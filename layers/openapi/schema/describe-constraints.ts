import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { isAnnotation } from './flat-schema.ts';
import { listOf } from './merge-schemas.ts';
import { valueList, shortened } from './texts.ts';
import { valuesOf } from '../json-schema/types.ts';
import { numberOf } from './read-values.ts';

/** Keywords that no model API understands, and that renamed or left out properties would falsify. */
const CONSTRAINTS = [
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
] as const;
type Constraint = (typeof CONSTRAINTS)[number];

const MOST_NAMED = 8;
const MAX_SENTENCE = 200;

/** The constraints of a schema that are told in words. */
export const constraintsInWords = (schema: JsonObject): readonly Constraint[] =>
  CONSTRAINTS.filter((keyword) => Object.hasOwn(schema, keyword));

/** What such keywords ask for, as far as a sentence can say it; of the others that they are there. */
export const describeConstraints = (schema: JsonObject): readonly string[] => {
  const said: string[] = [];
  const unsaid: string[] = [];
  for (const keyword of constraintsInWords(schema)) {
    const words = SENTENCES[keyword]?.(member(schema, keyword) ?? null, schema);
    if (words === undefined) unsaid.push(keyword);
    else said.push(...words.map((text) => shortened(text, MAX_SENTENCE)));
  }
  return [
    ...said,
    ...(unsaid.length > 0 ? [`The API checks further rules (${unsaid.join(', ')}).`] : []),
  ];
};

/** Undefined for what no short sentence says. */
type InWords = (value: Json, schema: JsonObject) => readonly string[] | undefined;

const dependent: InWords = (rule) => {
  const entries = Object.entries(isObject(rule) ? rule : {});
  const sentences = entries.slice(0, MOST_NAMED).map(([name, needed]) => {
    const names = namesIn(needed);
    return names && `If ${name} is given, ${areRequired(names)}.`;
  });
  return entries.length <= MOST_NAMED ? complete(sentences) : undefined;
};

const SENTENCES: Readonly<Partial<Record<Constraint, InWords>>> = {
  dependentRequired: dependent,
  dependencies: dependent,

  not: (rule) => {
    if (!isObject(rule)) return undefined;
    const values = onlyKeys(rule, 'type', 'const', 'enum') ? valuesOf(rule) : undefined;
    if (values) return [`Not: ${valueList(values, MOST_NAMED)}.`];
    const names = onlyKeys(rule, 'type', 'required') ? namesIn(rule['required']) : undefined;
    if (!names) return undefined;
    return [names.length === 1 ? `Not with ${names.join()}.` : `Not together: ${said(names)}.`];
  },

  if: (condition, schema) => {
    const when = conditionIn(condition);
    const branches = (['then', 'else'] as const).flatMap((branch) => {
      const consequence = member(schema, branch);
      return consequence === undefined || isEmpty(consequence) ? [] : [{ branch, consequence }];
    });
    if (when === undefined || branches.length === 0) return undefined;
    return complete(
      branches.map(({ branch, consequence }) => {
        const isPlain = isObject(consequence) && onlyKeys(consequence, 'type', 'required');
        const names = isPlain ? namesIn(consequence['required']) : undefined;
        return names && `${branch === 'then' ? 'If' : 'Unless'} ${when}, ${areRequired(names)}.`;
      }),
    );
  },

  propertyNames: (rule) => {
    if (!isObject(rule)) return undefined;
    const values = onlyKeys(rule, 'type', 'const', 'enum') ? valuesOf(rule) : undefined;
    if (values) return [`Names: ${valueList(values, 3 * MOST_NAMED)}.`];
    if (!onlyKeys(rule, 'type', 'pattern', 'minLength', 'maxLength')) return undefined;
    const { pattern } = rule;
    const [least, most] = [numberOf(rule['minLength']), numberOf(rule['maxLength'])];
    return [
      ...(typeof pattern === 'string' ? [`Names match ${pattern}.`] : []),
      ...(least === undefined ? [] : [`Names have at least ${least} characters.`]),
      ...(most === undefined ? [] : [`Names have at most ${most} characters.`]),
    ];
  },

  contains: (rule, schema) => {
    const values = isObject(rule) && onlyKeys(rule, 'type', 'const', 'enum') && valuesOf(rule);
    if (!values) return undefined;
    const least = numberOf(member(schema, 'minContains')) ?? 1;
    const most = numberOf(member(schema, 'maxContains'));
    const atMost = most === undefined ? '' : `, at most ${most}`;
    return [`At least ${least}${atMost} of the items: ${valueList(values, MOST_NAMED)}.`];
  },
};

/** `kind is cat`, or `name is given`. */
const conditionIn = (condition: Json): string | undefined => {
  if (!isObject(condition) || !onlyKeys(condition, 'type', 'properties', 'required')) {
    return undefined;
  }
  const { properties } = condition;
  const cases = Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const isPlain = isObject(value) && onlyKeys(value, 'type', 'const', 'enum');
    const values = isPlain ? valuesOf(value) : undefined;
    return values && `${name} is ${values.map((one) => valueList([one], 1)).join(' or ')}`;
  });
  if (cases.some((one) => one === undefined)) return undefined;
  if (cases.length > 0) return cases.join(' and ');
  const names = namesIn(condition['required']);
  return names && `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} given`;
};

const areRequired = (names: readonly string[]): string =>
  `${said(names)} ${names.length === 1 ? 'is' : 'are'} required`;

const said = (names: readonly string[]): string => valueList(names, MOST_NAMED);

const namesIn = (list: Json | undefined): readonly string[] | undefined => {
  const names = listOf(list).filter((name) => typeof name === 'string');
  return names.length > 0 ? names : undefined;
};

const onlyKeys = (schema: JsonObject, ...keywords: readonly string[]): boolean =>
  Object.keys(schema).every((key) => keywords.includes(key) || isAnnotation(key));

const isEmpty = (schema: Json): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));

/** All of them, or nothing: half of a rule would mislead. */
const complete = (sentences: readonly (string | undefined)[]): readonly string[] | undefined => {
  const whole = sentences.filter((sentence) => sentence !== undefined);
  return whole.length === sentences.length && whole.length > 0 ? whole : undefined;
};
