import { type DemoIdp, startDemoIdp } from '../demo-idp/index.ts';
import type { Service } from './service.ts';

/** Its port goes with the service's, as the sample's does: people are known by the issuer, whose name it is a part of. */
const PORT_OFFSET = 20_000;

/** The company that `--demo-idp` plays, beside a service that runs. */
export const openDemoIdp = (
  { baseUrl }: Pick<Service, 'baseUrl'>,
  dataFolder: string,
): Promise<DemoIdp> => {
  const preferredPort = (Number(new URL(baseUrl).port) + PORT_OFFSET) % 65_536;
  return startDemoIdp({ baseUrl, dataFolder, preferredPort });
};
