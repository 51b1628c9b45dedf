import { member } from '../../../layers/platform/rules/json/json.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { RequestHead } from '../wire/service.ts';

type S3Operation = 'DeleteObject' | 'GetObject' | 'ListObjectsV2' | 'PutObject';

export interface S3Target {
  readonly operation: S3Operation;
  readonly bucket: string;
  /** Empty for operations on a bucket. */
  readonly key: string;
}

/** The operation and its query parameters, by method and by whether the path has a key. */
const ROUTES: Readonly<Record<string, readonly [S3Operation, readonly string[]]>> = {
  'DELETE object': ['DeleteObject', []],
  'GET bucket': [
    'ListObjectsV2',
    ['continuation-token', 'list-type', 'max-keys', 'prefix', 'start-after'],
  ],
  'GET object': ['GetObject', []],
  'PUT object': ['PutObject', []],
};

/** Headers that HTTP and signing need. Any other one would ask for a behaviour that is missing. */
const HEADERS =
  /^(accept|amz-sdk-.+|authorization|connection|content-length|content-type|expect|host|user-agent|x-amz-(content-sha256|date|meta-.+|security-token|user-agent))$/;

/**
 * The operation of a path-style request. A query parameter means another operation (`?acl`, `?uploads`) and a
 * header another behaviour (`If-Match`, `Range`), so unknown ones are refused, never ignored.
 * @throws AwsError
 */
export const targetOf = ({ method, path, query, headers }: RequestHead): S3Target => {
  const [, bucket = '', sentKey] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  const key = decoded(sentKey ?? '');
  const [operation, parameters] =
    member(ROUTES, `${method} ${key === '' ? 'bucket' : 'object'}`) ?? [];
  const known = (name: string) => name === 'x-id' || parameters?.includes(name);
  if (!operation || bucket === '' || ![...query.keys()].every(known)) {
    throw notImplemented('The operation');
  }
  if (operation === 'ListObjectsV2' && query.get('list-type') !== '2') {
    throw notImplemented('Version 1 of the list');
  }
  const header = Object.keys(headers).find((name) => !HEADERS.test(name));
  if (header !== undefined) throw notImplemented(`The header ${header}`);

  if (Buffer.byteLength(key) > 1024) {
    throw new AwsError('KeyTooLongError', 'Your key is too long.');
  }
  return { operation, bucket, key };
};

const notImplemented = (what: string) =>
  new AwsError('NotImplemented', `${what} is not implemented here.`, 501);

const decoded = (key: string): string => {
  try {
    return decodeURIComponent(key);
  } catch {
    throw new AwsError('InvalidURI', "Couldn't parse the specified URI.");
  }
};
