import * as z from 'zod/mini';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { parseItem } from '../../platform/dynamodb/parse-item.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { Deployment } from '../rules/deployment.ts';

/** As JSON text: nobody asks the table for a part of it, and fixed values may be of any form. */
const Json = z.pipe(
  z.string(),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is not JSON', input: '' });
      return z.NEVER;
    }
  }),
);

/** Two members are stored otherwise than they are inside: `mcpAuthMethod`, as the interface specification has it. */
const Item = z.pipe(
  z.pipe(
    z.looseObject({ mcpAuthMethod: z.unknown(), publication: Json }),
    z.transform(({ mcpAuthMethod: authMethod, ...item }): unknown => ({ ...item, authMethod })),
  ),
  storedOf(Deployment),
);

/** @throws Fault if the item does not have its form */
export const parseDeployment = (slug: string, item: unknown): Deployment | undefined =>
  item === undefined ? undefined : parseItem(Item, item, `deployment ${slug}`);

export const deploymentItem = ({ authMethod, publication, ...deployment }: Deployment) => ({
  ...deploymentKey(deployment.slug),
  ...deployment,
  mcpAuthMethod: authMethod,
  publication: JSON.stringify(publication),
});
