import { AwsRefusal } from '../wire/refusal.ts';
import type { RequestHead } from '../wire/service.ts';

export type S3Operation =
  | 'CreateBucket'
  | 'HeadBucket'
  | 'ListObjectsV2'
  | 'PutObject'
  | 'GetObject'
  | 'HeadObject'
  | 'DeleteObject';

export interface S3Target {
  readonly operation: S3Operation;
  readonly bucket: string;
  /** Empty for operations on a bucket. */
  readonly key: string;
}

const LIST = ['continuation-token', 'list-type', 'max-keys', 'prefix', 'start-after'];

/** Method, then whether there is a key: the operation, and the query parameters that it knows. */
const ROUTES: Readonly<Record<string, readonly [S3Operation, readonly string[]]>> = {
  'PUT bucket': ['CreateBucket', []],
  'HEAD bucket': ['HeadBucket', []],
  'GET bucket': ['ListObjectsV2', LIST],
  'PUT object': ['PutObject', []],
  'GET object': ['GetObject', []],
  'HEAD object': ['HeadObject', []],
  'DELETE object': ['DeleteObject', []],
};

/**
 * What a path-style request asks for. A query parameter means another operation (`?acl`, `?uploads`), so an
 * unknown one is refused, never ignored.
 *
 * @throws AwsRefusal
 */
export const targetOf = ({ method, path, query }: RequestHead): S3Target => {
  const [, bucket = '', sentKey] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  const key = decoded(sentKey ?? '');
  const route = `${method} ${key === '' ? 'bucket' : 'object'}`;
  const [operation, parameters] = (bucket !== '' && ROUTES[route]) || [];
  const known = (name: string) => name === 'x-id' || parameters?.includes(name);
  if (!operation || ![...query.keys()].every(known)) throw notImplemented('The operation');
  if (operation === 'ListObjectsV2' && query.get('list-type') !== '2') {
    throw notImplemented('Version 1 of the list');
  }

  if (!/^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new AwsRefusal('InvalidBucketName', 'The specified bucket is not valid.');
  }
  if (Buffer.byteLength(key) > 1024) {
    throw new AwsRefusal('KeyTooLongError', 'Your key is too long.');
  }
  return { operation, bucket, key };
};

export const notImplemented = (what: string) =>
  new AwsRefusal('NotImplemented', `${what} is not implemented here.`, 501);

const decoded = (key: string): string => {
  try {
    return decodeURIComponent(key);
  } catch {
    throw new AwsRefusal('InvalidURI', "Couldn't parse the specified URI.");
  }
};
