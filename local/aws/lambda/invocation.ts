export interface InvokeResult {
  readonly payload: string;
  /** `Handled` or `Unhandled` if the function failed; the payload then says why. */
  readonly functionError?: string;
}

/** @param payload - JSON @param qualifier - alias or version @returns undefined if there is no such function */
export type InvokeHandler = (
  functionName: string,
  payload: string,
  qualifier: string | undefined,
) => Promise<InvokeResult | undefined>;
