import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Construct } from 'constructs';
import type { Compilation } from './compilation.ts';
import { refusal } from './refusal.ts';

interface Asked {
  readonly slug: string;
  readonly declaration: object;
}

type Answer = { readonly compilation: Compilation } | { readonly fault: string };

const TIMEOUT_MS = 20_000;
/** The compiler's thread, whose text names the compiler by a digest and so changes with it. */
const PROGRAM = join(import.meta.dirname, 'compiler/thread.mjs');

/** Compiles a declaration offline, with results cached in `outdir` (`cdk.out`). @throws Error */
export const compiled = (construct: Construct, asked: Asked, outdir: string): Compilation => {
  // The service reads no more than JSON holds, and so does the compiler.
  const text = JSON.stringify(asked);
  const digest = createHash('sha256').update(text).update(readFileSync(PROGRAM)).digest('hex');
  const name = `${digest}.compilation`;
  try {
    return JSON.parse(readFileSync(fileIn(outdir, name), 'utf8')) as Compilation;
  } catch {
    const answer = answerTo(text);
    if ('fault' in answer) {
      throw refusal(
        construct,
        `the compiler of descriptions has failed on Node ${process.versions.node} (${answer.fault.slice(0, 300)}). That is a fault of @hosted-mcp/cdk: please report this sentence, with the description.`,
      );
    }
    kept(outdir, name, JSON.stringify(answer.compilation));
    return answer.compilation;
  }
};

/** Writes a file below `outdir`, which may be deleted at any time. @returns its path */
export const kept = (outdir: string, name: string, text: string): string => {
  const file = fileIn(outdir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const fileIn = (outdir: string, name: string): string =>
  join(outdir, '.hosted-mcp', `${name}.json`);

type Compiler = (text: string) => Answer;

let compiler: Compiler | undefined;

/** One thread compiles for all servers of an app, since loading the compiler takes longer than compiling. */
const answerTo: Compiler = (text) => (compiler ??= startCompiler())(text);

/** Constructs are made without waiting, so the thread of the app sleeps until the answer is there. */
const startCompiler = (): Compiler => {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1: ours, port2: port } = new MessageChannel();
  // Node options and variables of the app, such as TypeScript loaders, must not reach the compiler.
  const own = { execArgv: [], env: {}, stdout: true, stderr: true };
  const worker = new Worker(PROGRAM, {
    ...own,
    workerData: { port, answered },
    transferList: [port],
  });
  const end = (): void => {
    compiler = undefined;
    void worker.terminate();
  };
  // A test with fake timers never gets to `end`, and must not wait for the thread.
  worker.unref();
  // A thread that failed does not answer, which is reported below.
  worker.on('error', () => undefined);
  // The thread ends once the code that makes the app has run, so that a test of many apps keeps no thread for each.
  setImmediate(end);
  return (text) => {
    Atomics.store(answered, 0, 0);
    ours.postMessage(text);
    Atomics.wait(answered, 0, 0, TIMEOUT_MS);
    const answer = receiveMessageOnPort(ours) as { readonly message: Answer } | undefined;
    if (answer) return answer.message;
    end();
    return { fault: `no answer within ${TIMEOUT_MS / 1000} seconds` };
  };
};
