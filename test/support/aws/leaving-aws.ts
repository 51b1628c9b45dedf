import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../target/listening.ts';

export interface LeavingAws {
  readonly url: string;
  /** `bucket/key version`, delete markers too. */
  readonly objects: Set<string>;
  readonly secrets: Set<string>;
  /** Keys that S3 keeps, with an error for each. */
  readonly kept: Set<string>;
  /** What CloudFormation says of the stack. */
  stackStatus: string;
  /** What CloudFormation was told. */
  readonly answers: { readonly contentType: string | undefined; readonly body: unknown }[];
  close(): Promise<void>;
}

const PAGE = 2;

/**
 * What a stack's leaving asks of AWS, over the wire: the stack, versions of objects, the list of secrets, and the
 * address where CloudFormation waits. The embedded AWS knows none of it, since no function of the service
 * asks for it.
 */
export const startLeavingAws = async (): Promise<LeavingAws> => {
  const [objects, secrets, kept] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const answers: LeavingAws['answers'] = [];

  const versions = (bucket: string): string => {
    const own = [...objects].filter((object) => object.startsWith(bucket));
    const listed = own.slice(0, PAGE).map((object) => {
      const [key, version] = object.slice(bucket.length).split(' ');
      const kind = version?.startsWith('marker') ? 'DeleteMarker' : 'Version';
      return `<${kind}><Key>${key}</Key><VersionId>${version}</VersionId></${kind}>`;
    });
    return `<ListVersionsResult>${listed.join('')}</ListVersionsResult>`;
  };

  const remove = (bucket: string, sent: string): string => {
    const errors = [...sent.matchAll(/<Key>(.*?)<\/Key><VersionId>(.*?)<\/VersionId>/g)].map(
      ([, key = '', version]) => {
        if (kept.has(key)) return `<Error><Key>${key}</Key><Code>AccessDenied</Code></Error>`;
        objects.delete(`${bucket}${key} ${version}`);
        return '';
      },
    );
    return `<DeleteResult>${errors.join('')}</DeleteResult>`;
  };

  const list = ({ Filters, NextToken }: ListSecrets) => {
    const prefix = Filters[0]?.Values[0]?.toLowerCase() ?? '';
    const found = [...secrets].filter((name) => name.toLowerCase().startsWith(prefix));
    const after = NextToken === undefined ? 0 : found.indexOf(NextToken) + 1;
    const page = found.slice(after, after + PAGE);
    return {
      SecretList: page.map((Name) => ({ Name, ARN: Name })),
      ...(after + PAGE < found.length && { NextToken: page.at(-1) }),
    };
  };

  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://localhost');
    const bucket = `${pathname.replaceAll('/', '')}/`;
    if (request.method === 'PUT') {
      answers.push({ contentType: request.headers['content-type'], body: JSON.parse(sent) });
      response.end();
    } else if (sent.startsWith('Action=DescribeStacks&')) {
      const { stackStatus } = aws;
      response.end(
        `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackStatus>${stackStatus}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
    } else if (target === 'ListSecrets') {
      response.end(JSON.stringify(list(JSON.parse(sent) as ListSecrets)));
    } else if (target === 'DeleteSecret') {
      const { SecretId, ForceDeleteWithoutRecovery } = JSON.parse(sent) as DeleteSecret;
      if (ForceDeleteWithoutRecovery) removed.push(SecretId);
      response.end('{}');
    } else {
      response.end(searchParams.has('delete') ? remove(bucket, sent) : versions(bucket));
    }
  });
  // A list that is read in pages does not change meanwhile.
  const removed: string[] = [];
  const { url, stop } = await listening(server);
  const aws: LeavingAws = {
    url,
    stackStatus: 'DELETE_IN_PROGRESS',
    objects,
    get secrets() {
      for (const name of removed.splice(0)) secrets.delete(name);
      return secrets;
    },
    kept,
    answers,
    close: stop,
  };
  return aws;
};

interface ListSecrets {
  readonly Filters: readonly { readonly Values: readonly string[] }[];
  readonly NextToken?: string;
}

interface DeleteSecret {
  readonly SecretId: string;
  readonly ForceDeleteWithoutRecovery?: boolean;
}
