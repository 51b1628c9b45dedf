import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Operation, ToolAnnotations } from '../tool-index.ts';
import { GIVES_SECRETS, type ToolNote } from '../tool-note.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { annotationsOf } from '../schema/keywords.ts';
import { argumentNames } from './argument-names.ts';
import { type BodyContext, readBody } from './body.ts';
import { bodyArguments } from './body-arguments.ts';
import { hintsOf } from './hints.ts';
import type { Argument } from './argument.ts';
import { withinLimit } from './media-types.ts';
import { annotated, hasDefault, typesOf } from '../schema/linked-schema.ts';
import type { Parameter } from './parameter.ts';
import { pathOf, readParameters } from './parameters.ts';
import { secretInAnswer } from './secret-answers.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { textOf } from '../schema/texts.ts';

/** A tool that is all there but for how much of it is written. */
export interface DraftTool {
  readonly name: string;
  readonly pointer: string;
  readonly title?: string;
  readonly description: string;
  /** Said after the description, however short that becomes. */
  readonly notes: readonly string[];
  readonly args: readonly Argument[];
  readonly hints: ToolAnnotations;
  readonly operation: Omit<Operation, 'wireNames'>;
  readonly warnings: readonly Finding[];
  /** What was done to the operation already, for its owner to read. */
  readonly changes: readonly ToolNote[];
}

export interface DraftContext extends BodyContext {
  readonly schemas: Schemas;
  readonly isCredential: (name: string, location: string) => boolean;
}

export const draftTool = (
  context: DraftContext,
  found: FoundOperation,
  { name, title }: { readonly name: string; readonly title: string | undefined },
  serverUrl: string,
): DraftTool => {
  const { description, schemas, isCredential } = context;
  const read = readParameters(description, schemas, found, isCredential);
  const names = argumentNames(read.parameters);
  const body = readBody(context, found, read);
  const inBody = body && bodyArguments(schemas, found.method, body, new Set(names.values()));
  const named = read.parameters.map((parameter) => ({
    parameter: withoutNeed(schemas, parameter),
    argument: names.get(parameter) ?? parameter.name,
  }));
  const hints = hintsOf(description, found, read.parameters);
  const secret = secretInAnswer(description, found);

  return {
    name,
    pointer: found.pointer,
    ...(title === undefined ? {} : { title }),
    description: describe(found),
    notes: inBody?.notes ?? [],
    args: [
      ...named.map(({ parameter, argument }) => parameterArgument(schemas, parameter, argument)),
      ...(inBody?.args ?? []),
    ],
    hints: hints.annotations,
    operation: {
      method: found.method,
      path: pathOf(found.path),
      serverUrl,
      ...(found.operationId === undefined ? {} : { operationId: found.operationId }),
      parameters: named.map(({ parameter, argument }) => {
        const { schema: _, annotations: __, ...rest } = parameter;
        return { argument, ...rest };
      }),
      ...(Object.keys(read.headers).length > 0 ? { headers: read.headers } : {}),
      ...(body && inBody
        ? {
            body: {
              required: body.required,
              mediaType: body.mediaType,
              form: body.form,
              source: inBody.source,
              ...(body.bytesType === undefined ? {} : { bytesType: body.bytesType }),
              ...(Object.keys(body.encoding).length > 0 ? { encoding: body.encoding } : {}),
            },
          }
        : {}),
      ...(inBody && inBody.rules.length > 0 ? { rules: inBody.rules } : {}),
      accept: withinLimit(promisedTypes(description, found)),
    },
    warnings: [...read.warnings, ...(body?.warnings ?? [])],
    changes: [
      ...(secret === undefined
        ? []
        : [{ what: GIVES_SECRETS, why: `its answers have ${JSON.stringify(secret)}` }]),
      ...hints.reasons,
      ...read.notes,
      ...(inBody?.changes ?? []),
    ],
  };
};

/** What has a default may be left out, whatever else is said. No path can do without a part of it. */
const withoutNeed = (schemas: Schemas, parameter: Parameter): Parameter =>
  parameter.required &&
  parameter.in !== 'path' &&
  hasDefault(schemas, schemas.translate(parameter.schema))
    ? { ...parameter, required: false }
    : parameter;

const parameterArgument = (schemas: Schemas, parameter: Parameter, argument: string): Argument => {
  const { name, in: location, required } = parameter;
  const linked = schemas.translate(parameter.schema);
  // Many parameters may refer to one schema, which is looked into once.
  const meant = linked.ref === undefined ? linked : schemas.component(linked.ref);
  const texts = annotationsOf(parameter.annotations, typesOf(meant));
  const renamed = `Sent as ${location} parameter ${JSON.stringify(name)}.`;
  const notes = [...(texts.notes ?? []), ...(argument === name ? [] : [renamed])];
  const schema = annotated(linked, { ...texts, notes });
  return { name: argument, required, schema };
};

/** Summary, then description; method and path where there is neither. Source: docs/tools.md, "Descriptions and annotations". */
const describe = ({ method, path, operation, deprecated }: FoundOperation): string => {
  const summary = textOf(operation, 'summary');
  const description = textOf(operation, 'description');
  const opening = summary?.replace(/\.$/, '') ?? '';
  const isRepeated =
    description?.startsWith(opening) && !/^\w/.test(description.slice(opening.length));
  const texts = isRepeated ? [description] : [summary, description];
  const said = texts.filter((text) => text !== undefined).join('\n\n');
  if (said === '') return `${deprecated ? 'Deprecated. ' : ''}${method} ${path}`;
  // Often GET is described alike.
  const what = method === 'HEAD' ? '\n\nIts result is the headers of the answer alone.' : '';
  return `${deprecated ? 'Deprecated. ' : ''}${said}${what}`;
};

/** The media types that the description promises for answers, those of successes if it names any. */
const promisedTypes = (
  { dialect, root }: Description,
  { operation }: FoundOperation,
): readonly string[] => {
  if (dialect === 'swagger-2.0') {
    const produces = [member(operation, 'produces'), member(root, 'produces')].find(Array.isArray);
    return (produces ?? []).filter((type) => typeof type === 'string');
  }
  const responses = member(operation, 'responses');
  const types = Object.entries(isObject(responses) ? responses : {}).map(([status, node]) => {
    const response = resolved(root, node);
    const content = isObject(response) ? member(response, 'content') : undefined;
    return { status, types: isObject(content) ? withinLimit(Object.keys(content)) : [] };
  });
  const successes = types.filter(
    ({ status, types: named }) => status.startsWith('2') && named.length > 0,
  );
  const chosen = successes.length > 0 ? successes : types;
  return [...new Set(chosen.flatMap(({ types: named }) => named))];
};
