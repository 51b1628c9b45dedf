import { type MessagePort, workerData } from 'node:worker_threads';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';
import type { Asked } from './compile.ts';

const { port, answered } = workerData as {
  readonly port: MessagePort;
  /** Becomes 1 when the answer is there: the asking thread sleeps until then. */
  readonly answered: Int32Array<SharedArrayBuffer>;
};

// The compiler is loaded on demand, so that an error while loading is an answer, too.
const compiler = import('./compile.ts');

port.on('message', (text: string) => {
  void compiler
    .then(({ compile }) => compile(parsedJson(text) as Asked))
    .then(
      (compilation) => ({ compilation }),
      (error: unknown) => ({ fault: String(error) }),
    )
    .then((answer) => {
      port.postMessage(answer);
      Atomics.store(answered, 0, 1);
      Atomics.notify(answered, 0);
    });
});
