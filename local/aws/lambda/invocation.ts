export interface InvokeResult {
  /** JSON. */
  readonly payload: string;
  /** Set if the function failed: `Handled` or `Unhandled`, the payload then tells why. */
  readonly functionError?: string;
}

/**
 * Where Invoke goes.
 *
 * @param payload - JSON
 * @param qualifier - the alias or version that was asked for
 * @returns `undefined` if there is no such function
 */
export type InvokeHandler = (
  functionName: string,
  payload: string,
  qualifier: string | undefined,
) => Promise<InvokeResult | undefined>;
