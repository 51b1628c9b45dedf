import { PROTOCOLS } from '../../../../../layers/openapi/model-apis/protocols.ts';
import { ButtonLink } from '../../../kit/button.tsx';

/** Links to the page of each vendor of models: each is a document that may send to that vendor alone. */
export const Vendors = ({
  of,
}: {
  /** Path of the page without a vendor. */ readonly of: string;
}) => (
  <p class="buttons">
    {Object.entries(PROTOCOLS).map(([vendor, { name }]) => (
      <ButtonLink key={vendor} to={`${of}/${vendor}`}>
        {name}
      </ButtonLink>
    ))}
  </p>
);

/** @returns undefined where the address names no vendor */
export const protocolOf = (vendor: string | undefined) =>
  vendor !== undefined && Object.hasOwn(PROTOCOLS, vendor) ? PROTOCOLS[vendor] : undefined;
