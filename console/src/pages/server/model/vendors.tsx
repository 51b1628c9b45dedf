import type { ComponentChildren } from 'preact';
import {
  type ModelProtocol,
  protocolOfHost,
  PROTOCOLS,
} from '../../../../../layers/openapi/model-apis/protocols.ts';
import { modelHosts } from '../../../api/model-hosts.ts';
import { ButtonLink } from '../../../kit/button.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { useLoad } from '../../../state/load.ts';

const useModelHosts = () => useLoad('model-hosts', modelHosts);

/** Links to the pages of vendors and of the operator's hosts. Each is a document that may send to one host only. */
export const Vendors = ({ of }: { readonly of: string }) => {
  const hosts = useModelHosts();
  const names = [
    ...Object.entries(PROTOCOLS).map(([vendor, { name }]) => [vendor, name] as const),
    ...(hosts.value ?? []).map(({ name }) => [name, name] as const),
  ];
  return (
    <>
      <p class="buttons">
        {names.map(([vendor, name]) => (
          <ButtonLink key={vendor} to={`${of}/${vendor}`}>
            {name}
          </ButtonLink>
        ))}
      </p>
      <ProblemNote problem={hosts.problem} onRetry={hosts.reload} />
    </>
  );
};

export const OfVendor = ({
  vendor,
  none,
  children,
}: {
  readonly vendor: string | undefined;
  /** Shown if the address names no known vendor. */
  readonly none: ComponentChildren;
  readonly children: (protocol: ModelProtocol) => ComponentChildren;
}) => {
  const hosts = useModelHosts();
  if (vendor === undefined) return <>{none}</>;
  const own = Object.hasOwn(PROTOCOLS, vendor) ? PROTOCOLS[vendor] : undefined;
  if (own) return <>{children(own)}</>;
  return (
    <Show loaded={hosts}>
      {(all) => {
        const host = all.find(({ name }) => name === vendor);
        return host ? children(protocolOfHost(host)) : none;
      }}
    </Show>
  );
};
