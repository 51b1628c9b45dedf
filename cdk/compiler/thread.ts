import { type MessagePort, workerData } from 'node:worker_threads';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';
import type { Asked } from './compile.ts';

/** What `cdk/src/compile.ts` starts this thread with. */
const { port, answered } = workerData as {
  readonly port: MessagePort;
  /** 1 where the answer is there: whoever asks sleeps until then. */
  readonly answered: Int32Array<SharedArrayBuffer>;
};

// Loaded on demand, so that what is wrong with it is an answer as well.
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
