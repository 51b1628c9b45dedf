import { ApiRefusal, type Finding } from '../../refusal.ts';
import {
  type Dialect,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  member,
  pointerTo,
  target,
} from '../document.ts';
import { strayFieldWarner } from './fields.ts';
import { finding, refusal, type Warnings } from './findings.ts';
import { parameterReader } from './parameters.ts';
import { listPathItems, type PathEntry } from './paths.ts';

/** An operation that others share by reference must not cost more each time. */
const MAX_TAGS = 100;

/**
 * Every operation of a description, in document order.
 *
 * The rule: what leaves no doubt about the request to send is accepted with a warning (no `responses`,
 * an `operationId` twice, a path parameter that is not declared, fields of the wrong type that only
 * describe); what leaves a doubt refuses the description, for an operation is never dropped silently.
 * Callbacks and webhooks are requests of the API, not to it: they are passed over, with a warning.
 *
 * @throws ApiRefusal `description_invalid`, `no_operations`, `too_many_operations`
 */
export const findOperations = (
  root: JsonObject,
  dialect: Dialect,
  warnings: Warnings,
): readonly FoundOperation[] => {
  const faults: Finding[] = [];
  const warnStrayFields = strayFieldWarner(dialect, warnings);
  const readParameters = parameterReader(root, dialect, faults, warnings, warnStrayFields);
  const firstWithId = new Map<string, string>();
  const operations: FoundOperation[] = [];
  let withCallbacks = 0;

  for (const entry of listPathItems(root, dialect, faults, warnStrayFields)) {
    const { path, pathItem, operation, pointer } = entry;
    const declared = [
      readParameters(member(pathItem, 'parameters'), pointerTo('paths', path, 'parameters')),
      readParameters(member(operation, 'parameters'), `${pointer}/parameters`),
    ];
    warnUndeclared(entry, declared, warnings);
    checkBody(root, entry, faults, warnings);
    warnStrayFields(operation, 'operation', pointer);
    if (!isObject(member(operation, 'responses'))) {
      warnings.add(pointer, 'no responses are described', 'Add `responses`.');
    }
    if (isObject(member(operation, 'callbacks'))) withCallbacks += 1;

    const found = described(entry, warnings);
    const other = found.operationId === undefined ? undefined : firstWithId.get(found.operationId);
    if (other !== undefined) {
      warnings.add(
        `${pointer}/operationId`,
        `${JSON.stringify(found.operationId)} also stands at ${other}`,
        'Give every operation an operationId of its own.',
      );
    } else if (found.operationId !== undefined) firstWithId.set(found.operationId, pointer);
    operations.push(found);
  }

  if (faults.length > 0) {
    throw refusal('description_invalid', 'The description breaks the rules of OpenAPI.', faults);
  }
  const webhooks = member(root, 'webhooks');
  const webhookCount = isObject(webhooks) ? Object.keys(webhooks).length : 0;
  if (operations.length === 0) throw noOperations(webhookCount);
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
  declared: readonly ReadonlySet<string>[],
  warnings: Warnings,
): void => {
  for (const [place, name] of path.matchAll(/\{([^{}/]+)\}/g)) {
    if (declared.some((names) => names.has(name ?? ''))) continue;
    const what = `${place} of the path is not declared as a parameter`;
    warnings.add(pointer, what, 'Declare it: `in: path`, `required: true`.');
  }
};

const checkBody = (
  root: JsonObject,
  { operation, pointer }: PathEntry,
  faults: Finding[],
  warnings: Warnings,
): void => {
  const sent = member(operation, 'requestBody') ?? undefined;
  if (sent === undefined) return;
  const body = target(root, sent);
  if (!isObject(body)) {
    const what = 'the request body is no object';
    faults.push(finding(`${pointer}/requestBody`, what, 'Write an object, or remove it.'));
    return;
  }
  const content = member(body, 'content');
  if (isObject(content) && Object.keys(content).length > 0) return;
  const what = 'the request body has no content; none is sent';
  warnings.add(`${pointer}/requestBody`, what, 'Add `content` with a media type, or remove it.');
};

const isText = (value: Json): value is string => typeof value === 'string';

const noOperations = (webhooks: number): ApiRefusal =>
  new ApiRefusal('no_operations', 'The description has no operations.', [
    finding(
      '/paths',
      webhooks === 0 ? 'no operations' : `no operations, only ${webhooks} webhooks`,
      'Describe at least one operation under `paths`.',
    ),
  ]);
