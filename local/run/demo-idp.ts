import { type DemoIdp, startDemoIdp } from '../demo-idp/index.ts';
import type { Service } from './service.ts';

/** The port follows the service's, as the sample's does: it is part of the issuer, by which people are known. */
const PORT_OFFSET = 20_000;

export const openDemoIdp = (
  { baseUrl }: Pick<Service, 'baseUrl'>,
  dataFolder: string,
): Promise<DemoIdp> => {
  const preferredPort = (Number(new URL(baseUrl).port) + PORT_OFFSET) % 65_536;
  return startDemoIdp({ baseUrl, dataFolder, preferredPort });
};
