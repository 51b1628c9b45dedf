import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { ServerRequest } from '../../../cdk/provider/event.ts';
import { listening } from '../target/listening.ts';
import { CHECKOUT, installedIn, packedApp } from './packed-app.ts';

/** Lambda, for one function: a line for each event, and one back when it has ended. */
const RUNTIME = `
import { createInterface } from 'node:readline';
import { handler } from './index.mjs';
const log = console.log;
console.log = (text) => log(JSON.stringify({ logged: JSON.parse(text) }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, request, ms } = JSON.parse(line);
  const end = Date.now() + ms;
  const invocation = { logStreamName: 'stream-1', getRemainingTimeInMillis: () => end - Date.now() };
  handler(request, invocation).then(
    () => log(JSON.stringify({ id })),
    (error) => log(JSON.stringify({ id, fault: String(error) })),
  );
});
`;

export interface Logged {
  readonly level: string;
  readonly message: string;
}

/** The packed function in a process of its own, as Lambda runs it, beside a bucket and secrets. */
export const startPackedProvider = async () => {
  const aws = await startBucketAndSecrets();
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-provider-'));
  await cp(join(installedIn(await packedApp()), 'provider'), folder, { recursive: true });
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'runtime.mjs'), RUNTIME);
  const child = spawn(process.execPath, ['--no-warnings', join(folder, 'runtime.mjs')], {
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL: aws.url,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const logged: Logged[] = [];
  const waiting = new Map<string, (fault: string | undefined) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const told = JSON.parse(line) as { id?: string; fault?: string; logged?: Logged };
    if (told.logged) logged.push(told.logged);
    if (told.id !== undefined) waiting.get(told.id)?.(told.fault);
  });
  return {
    ...aws,
    logged,
    invoke: (request: ServerRequest, ms: number): Promise<string | undefined> =>
      new Promise((resolve) => {
        const id = randomUUID();
        waiting.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ id, request, ms })}\n`);
      }),
    close: async () => {
      child.kill();
      await aws.close();
    },
  };
};

/** A secret under a key that the function may not use. */
export const ENCRYPTED = 'encrypted';

/** Secrets Manager has secrets of its own region alone. */
const isSignedForItsRegion = (secretId: string, { headers }: IncomingMessage): boolean =>
  !secretId.startsWith('arn:') ||
  (headers.authorization ?? '').includes(`/${secretId.split(':')[3]}/secretsmanager/`);

/** What the function reads: objects by their keys, secrets by their names. */
const startBucketAndSecrets = async () => {
  const objects = new Map<string, string>();
  const secrets = new Map<string, string>();
  /** As many requests find that the role may not do it yet. */
  const denied = { times: 0 };
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    const isSecret = request.headers['x-amz-target'] !== undefined;
    if (denied.times > 0) {
      denied.times -= 1;
      response.writeHead(isSecret ? 400 : 403, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        isSecret
          ? JSON.stringify({ __type: 'AccessDeniedException', Message: 'not authorized' })
          : '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
      );
      return;
    }
    if (!isSecret) {
      const key = new URL(request.url ?? '', 'http://s3').pathname.split('/').at(-1) ?? '';
      response.end(objects.get(key));
      return;
    }
    const { SecretId } = JSON.parse(sent) as { readonly SecretId: string };
    const value = isSignedForItsRegion(SecretId, request) ? secrets.get(SecretId) : undefined;
    if (SecretId === ENCRYPTED) {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(
        JSON.stringify({
          __type: 'AccessDeniedException',
          Message: 'Access to KMS is not allowed',
        }),
      );
      return;
    }
    response.writeHead(value === undefined ? 400 : 200, {
      'content-type': 'application/x-amz-json-1.1',
    });
    response.end(
      JSON.stringify(
        value === undefined
          ? { __type: 'ResourceNotFoundException', Message: "can't find the specified secret." }
          : { SecretString: value },
      ),
    );
  });
  const { url, stop } = await listening(server);
  return {
    objects,
    secrets,
    denied,
    url,
    close: stop,
  };
};
