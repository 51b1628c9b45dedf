// Records what is stored: `node test/support/aws/record-stored.ts`. A change that an older version cannot read is
// refused until `lambdas/data-formats.ts` has a format for it.
import { existsSync, writeFileSync } from 'node:fs';
import { dataFormats } from '../../../lambdas/data-formats.ts';
import { startStore } from './dynamodb-fixtures.ts';
import { storeOneOfEverything } from '../../docs/one-of-everything.ts';
import { readStorageDocument } from '../../docs/storage-document.ts';
import { SHAPE, shapeChanges, recordedShape, shapeOf, storedFile } from './stored-shape.ts';
import { itemsOf, textOf } from './stored-items.ts';

const shape = shapeOf(dataFormats, (await readStorageDocument()).kinds);
const { additions, breaks } = shapeChanges(recordedShape(), shape);
for (const sentence of [...breaks, ...additions]) process.stdout.write(`${sentence}\n`);
if (breaks.length > 0) {
  process.stdout.write(
    'Older versions cannot read it: see docs/releases.md, "A change of stored data".\n',
  );
  process.exitCode = 1;
} else {
  writeFileSync(SHAPE, `${JSON.stringify(shape, undefined, 1)}\n`);
  const items = storedFile(shape.format);
  if (!existsSync(items)) {
    const store = await startStore();
    await storeOneOfEverything(store);
    writeFileSync(items, textOf(await itemsOf(store)));
    await store.stop();
  }
}
