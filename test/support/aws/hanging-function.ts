/**
 * A function as it is deployed, named by the query of this module's own address; but it never comes back from
 * a request with the header `x-hang`, as from a loop without end.
 */
type Handler = (event: unknown, context: unknown) => unknown;

const code: { readonly start: (environment: unknown, options: unknown) => Handler } = await import(
  new URL(import.meta.url).searchParams.get('of') ?? ''
);

export const start = (environment: unknown, options: unknown): Handler => {
  const handler = code.start(environment, options);
  return (event, context) => {
    const { headers } = event as { readonly headers?: Readonly<Record<string, string>> };
    if (headers?.['x-hang'] !== undefined) for (;;);
    return handler(event, context);
  };
};
