import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import { type Dialect, type FoundOperation, target } from '../document.ts';
import { collectFaults, type Faults, finding, type Warnings } from './findings.ts';
import { type LeaveOut, type ListedDocument, listPathItems, type PathEntry } from './paths.ts';
import { unknownFieldWarner, type WarnUnknownFields } from './openapi-fields.ts';
import type { UnknownRequests } from './references.ts';

const RULES_BROKEN = 'The description breaks the rules of OpenAPI.';

/** Tags that are read of an operation: thousands of paths may share one by reference. */
const MAX_TAGS = 100;

/**
 * Finds the operations of a description, in document order. A fault that leaves no doubt about the request (no
 * `responses`, duplicate `operationId`, undeclared path parameter, descriptive fields of the wrong type) only causes a
 * warning; any other excludes its operation. The description is refused if no operation is left, or if it is unclear
 * which operations exist. Callbacks and webhooks are requests by the API, not to it, and are skipped with a warning.
 * @throws ApiRefusal `description_invalid`, `unresolvable_reference`, `no_operations`, `too_many_operations`
 */
export const findOperations = (
  document: ListedDocument,
  warnings: Warnings,
): readonly FoundOperation[] => {
  const { root, dialect, unknown } = document;
  const faults = collectFaults();
  const leaveOut: LeaveOut = (name, why) => {
    faults.leaveOut(why);
    warnings.add(why.where, `${why.what}; no tool is made of ${name}`, why.hint);
  };
  const warnUnknownFields = unknownFieldWarner(dialect, warnings);
  const readParameters = parameterReader(document, faults, warnings, warnUnknownFields);
  const firstWithId = new Map<string, string>();
  const operations: FoundOperation[] = [];
  let withCallbacks = 0;

  for (const entry of listPathItems(document, faults, leaveOut, warnUnknownFields)) {
    const { method, path, pathItem, operation, pointer } = entry;
    const parameters = [
      readParameters(member(pathItem, 'parameters'), pointerTo('paths', path, 'parameters')),
      readParameters(member(operation, 'parameters'), `${pointer}/parameters`),
    ];
    const body = member(operation, 'requestBody');
    const unknownBody = isObject(body) ? unknown.get(body) : undefined;
    const wrongBody = unknownBody ?? faultOfBody(root, entry, warnings);
    const why = [...parameters.flatMap((list) => list.unknown), ...(wrongBody ? [wrongBody] : [])];
    for (const one of why) leaveOut(`${method} ${path}`, one);
    if (why.length > 0) continue;
    warnUndeclared(entry, parameters, warnings);
    warnUnknownFields(operation, 'operation', pointer);
    if (!isObject(member(operation, 'responses'))) {
      warnings.add(pointer, 'no responses are described', 'Add `responses`.');
    }
    const callbacks = member(operation, 'callbacks');
    if (isObject(callbacks) && Object.keys(callbacks).length > 0) withCallbacks += 1;

    const found = described(entry, warnings);
    const other = found.operationId === undefined ? undefined : firstWithId.get(found.operationId);
    if (other !== undefined) {
      warnings.add(
        `${pointer}/operationId`,
        `${JSON.stringify(found.operationId)} is also at ${other}`,
        'Give every operation an operationId of its own.',
      );
    } else if (found.operationId !== undefined) firstWithId.set(found.operationId, pointer);
    operations.push(found);
  }

  if (faults.isRefused()) throw new ApiRefusal('description_invalid', RULES_BROKEN, faults.all());
  const webhooks = member(root, 'webhooks');
  const webhookCount = isObject(webhooks) ? Object.keys(webhooks).length : 0;
  if (operations.length === 0) {
    throw faults.all().length > 0 ? noneLeft(faults, unknown) : noOperations(webhookCount);
  }
  if (webhookCount > 0) {
    warnings.add(
      '/webhooks',
      `${webhookCount} webhooks make no tools`,
      'Nothing needs to be done.',
    );
  }
  if (withCallbacks > 0) {
    const what = `callbacks of ${withCallbacks} operations make no tools`;
    warnings.add('/paths', what, 'Nothing needs to be done.');
  }
  return operations;
};

const described = (
  { method, path, pathItem, operation, pointer }: PathEntry,
  warnings: Warnings,
): FoundOperation => {
  const id = member(operation, 'operationId') ?? undefined;
  const usable = typeof id === 'string' && id.trim() !== '';
  if (id !== undefined && !usable) {
    warnings.add(`${pointer}/operationId`, 'not a text; it is ignored', 'Write a text.');
  }
  const tags = member(operation, 'tags') ?? [];
  const texts = Array.isArray(tags) ? tags.slice(0, MAX_TAGS).filter(isText) : [];
  if (!Array.isArray(tags) || texts.length < tags.length) {
    const what = `not a list of at most ${MAX_TAGS} texts`;
    warnings.add(`${pointer}/tags`, what, 'Write a list of texts.');
  }
  return {
    method,
    path,
    ...(usable && { operationId: id }),
    tags: texts,
    deprecated: member(operation, 'deprecated') === true,
    pathItem,
    operation,
    pointer,
  };
};

const warnUndeclared = (
  { path, pointer }: PathEntry,
  parameters: readonly ParameterList[],
  warnings: Warnings,
): void => {
  const [address = ''] = path.split('#', 1);
  const told = new Set<string>();
  for (const [, key, name = ''] of address.matchAll(/(?:[?&]([^=&{}/?]+)=)?\{([^{}/]+)\}/g)) {
    if (told.has(name)) continue;
    told.add(name);
    if (parameters.some(({ inPath }) => inPath.has(name))) continue;
    // A query parameter may fill the variable instead: the compilation of tools warns of that.
    if (parameters.some(({ inQuery }) => inQuery.has(name) || inQuery.has(key ?? ''))) continue;
    const place = `{${name}}`;
    const what = `${place} of the path is not declared as a parameter`;
    warnings.add(pointer, what, 'Declare it: `in: path`, `required: true`.');
  }
};

const faultOfBody = (
  root: JsonObject,
  { operation, pointer }: PathEntry,
  warnings: Warnings,
): Finding | undefined => {
  const sent = member(operation, 'requestBody') ?? undefined;
  if (sent === undefined) return undefined;
  const at = `${pointer}/requestBody`;
  const body = target(root, sent);
  if (!isObject(body)) {
    return finding(at, 'the request body is no object', 'Write an object, or remove it.');
  }
  const content = member(body, 'content');
  if (isObject(content) && Object.keys(content).length > 0) return undefined;
  const what = 'the request body has no content; none is sent';
  warnings.add(at, what, 'Add `content` with a media type, or remove it.');
  return undefined;
};

const isText = (value: Json): value is string => typeof value === 'string';

const noneLeft = (faults: Faults, unknown: UnknownRequests): ApiRefusal => {
  const unresolved = new Set(unknown.values());
  const why = faults.all();
  return why.every((one) => unresolved.has(one))
    ? new ApiRefusal(
        'unresolvable_reference',
        'The description refers to what it does not hold.',
        why,
      )
    : new ApiRefusal('description_invalid', RULES_BROKEN, why);
};

const noOperations = (webhooks: number): ApiRefusal =>
  new ApiRefusal('no_operations', 'The description has no operations.', [
    finding(
      '/paths',
      webhooks === 0 ? 'no operations' : `no operations, only ${webhooks} webhooks`,
      'Describe at least one operation under `paths`.',
    ),
  ]);

const PLACES: Readonly<Record<Dialect, readonly string[]>> = {
  'swagger-2.0': ['path', 'query', 'header', 'body', 'formData'],
  'openapi-3.0': ['path', 'query', 'header', 'cookie'],
  'openapi-3.1': ['path', 'query', 'header', 'cookie'],
  'openapi-3.2': ['path', 'query', 'header', 'cookie', 'querystring'],
};

/** Limit for one list of parameters, far beyond what a model can fill in. */
const MAX_PARAMETERS = 1000;

interface ParameterList {
  readonly inPath: ReadonlySet<string>;
  readonly inQuery: ReadonlySet<string>;
  /** Faults for which operations with these parameters are excluded. */
  readonly unknown: readonly Finding[];
}

type ReadParameters = (node: Json | undefined, pointer: string) => ParameterList;

/** Reads lists of parameters, each only once. A parameter without name or place excludes its operations. */
const parameterReader = (
  { root, dialect, unknown: unknownRequests }: ListedDocument,
  faults: Faults,
  warnings: Warnings,
  warnUnknownFields: WarnUnknownFields,
): ReadParameters => {
  const known = new Map<Json, ParameterList>();

  const read: ReadParameters = (node, pointer) => {
    const inPath = new Set<string>();
    const inQuery = new Set<string>();
    const unknown: Finding[] = [];
    const list = { inPath, inQuery, unknown };
    const leaveOut = (why: Finding): void => {
      unknown.push(why);
      faults.leaveOut(why);
    };
    // YAML parses a list that is commented out as null; `walkDocument` has warned of it.
    if (node === undefined || node === null) return list;
    if (!Array.isArray(node)) {
      leaveOut(finding(pointer, 'parameters are no list', 'Write a list of parameters.'));
      return list;
    }
    if (node.length > MAX_PARAMETERS) {
      const what = `more than ${MAX_PARAMETERS} parameters`;
      leaveOut(finding(pointer, what, 'Leave out those that calls do not need.'));
      return list;
    }
    const seen = new Set<string>();
    node.forEach((entry: Json, index) => {
      const at = pointer + pointerTo(index);
      const why = isObject(entry) ? unknownRequests.get(entry) : undefined;
      if (why) {
        leaveOut(why);
        return;
      }
      const parameter = target(root, entry);
      if (!isObject(parameter)) {
        leaveOut(finding(at, 'no parameter object', 'Write a parameter, or remove it.'));
        return;
      }
      const name = member(parameter, 'name');
      const place = member(parameter, 'in');
      if (typeof name !== 'string' || name === '') {
        leaveOut(finding(at, 'a parameter without a name', 'Add `name`, a text.'));
        return;
      }
      if (typeof place !== 'string' || !PLACES[dialect].includes(place)) {
        const found = place === undefined ? 'no `in`' : `\`in: ${JSON.stringify(place)}\``;
        const hint = `Let \`in\` be one of ${PLACES[dialect].join(', ')}.`;
        leaveOut(finding(at, `parameter ${JSON.stringify(name)} has ${found}`, hint));
        return;
      }
      if (seen.has(`${place} ${name}`)) {
        warnings.add(
          at,
          `parameter ${JSON.stringify(name)} occurs twice`,
          'Remove one of the two.',
        );
      }
      seen.add(`${place} ${name}`);
      if (place === 'path') inPath.add(name);
      if (place === 'query') inQuery.add(name);
      warnUnknownFields(parameter, 'parameter', at);
    });
    return list;
  };

  return (node, pointer) => {
    if (!isObject(node) && !Array.isArray(node)) return read(node, pointer);
    const list = known.get(node) ?? read(node, pointer);
    known.set(node, list);
    return list;
  };
};
