import { expect, test } from '@jest/globals';
import { CHANGES } from '../../console/src/pages/server/activity/changes.ts';
import { wireManagement } from '../../lambdas/management/wiring.ts';
import { routesOf } from '../../layers/management/routes/server.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';
import { startTestAws } from '../support/aws/aws.ts';

test('each change that is put on the time line of a server has words, and nothing else has', async () => {
  const aws = await startTestAws();
  const routes = routesOf(wireManagement(environmentOf(aws, 'management')));
  await aws.stop();

  const recorded = routes.filter(
    ({ path, method, isHidden, isPublic, isUnrecorded }) =>
      path.includes('{slug}') && method !== 'GET' && !isHidden && !isPublic && !isUnrecorded,
  );

  expect(Object.keys(CHANGES).toSorted()).toEqual(
    recorded.map(({ operationId }) => String(operationId)).toSorted(),
  );
});
