import { takeCareOfDeployment } from '../../servers/steps/deployments/take-care-of-deployment.ts';
import * as z from 'zod';
import type { PortsOf } from '../../platform/ports.ts';

const CareEvent = z.strictObject({ takeCareOf: z.string().min(1).max(63) });

/** Checks credential and description of one deployment. @throws Error without a slug; Fault, which causes a retry */
export const careOf =
  (ports: PortsOf<typeof takeCareOfDeployment>) =>
  async (event: object): Promise<object> => {
    const { success, data } = CareEvent.safeParse(event);
    if (!success) throw new Error('not a request to take care of a deployment');
    const { takeCareOf: slug } = data;
    const { isCredentialRefused, refreshed } = await takeCareOfDeployment(ports, slug);
    const done = { credential_refused: isCredentialRefused, refreshed };
    ports.log.write({ message: 'care', slug, ...done });
    return { ok: true, ...done };
  };
