import {
  type FetchedChanges,
  MAX_BYTES,
  type PublicationChanges,
} from '../../rules/publication-changes.ts';
import { descriptionText } from '../../../openapi/intake/parse.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { CompileDescriptionPorts } from './compile-description.ts';
import { countFetch, type CountFetchPorts } from './count-fetch.ts';
import { fetchDescription } from './fetch-description.ts';

/**
 * Changes with the texts of the overlays in place of their addresses: a deployment has the texts, so that
 * what it serves does not change with what stands at an address.
 *
 * @throws ApiRefusal rate_limited; invalid_request for an overlay that cannot be fetched, with its place
 */
export const fetchOverlays = async (
  ports: CompileDescriptionPorts & CountFetchPorts,
  changes: PublicationChanges,
  userId: string,
): Promise<FetchedChanges> => {
  const { overlays, ...others } = changes;
  if (!overlays) return { ...others, ...(overlays === null && { overlays }) };
  const texts: string[] = [];
  for (const [index, overlay] of overlays.entries()) {
    if (typeof overlay === 'string') texts.push(overlay);
    else {
      await countFetch(ports, overlay, userId);
      texts.push(await fetched(ports, overlay.url, `/overlays/${index}/url`));
    }
  }
  return { ...others, overlays: texts };
};

const fetched = async (
  ports: CompileDescriptionPorts,
  url: string,
  where: string,
): Promise<string> => {
  const [openapi_max_bytes] = MAX_BYTES.overlays;
  try {
    const { settings } = ports;
    const limits = { ...settings.limits, openapi_max_bytes };
    const { bytes } = await fetchDescription(
      { ...ports, settings: { ...settings, limits } },
      { url },
    );
    return descriptionText(bytes);
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    const what = error.findings?.[0]?.what ?? `larger than ${openapi_max_bytes} bytes`;
    const hint =
      'Check that the address is public, uses https and answers 200 with an OpenAPI Overlay, or send the overlay itself.';
    const found = [{ where, what, hint }];
    throw new ApiRefusal('invalid_request', 'An overlay could not be fetched.', found);
  }
};
