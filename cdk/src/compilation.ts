/** One thing that is wrong, or to be noticed: where, what, and what to do about it. */
interface Fault {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

/** A tool as it is reviewed. */
export interface CompiledTool {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly effect: 'reads' | 'writes' | 'destroys';
}

/** What the compiler of the service says of a declaration. */
export type Compilation =
  | { readonly problem: string; readonly findings: readonly Fault[] }
  | {
      readonly tools: readonly CompiledTool[];
      readonly tokens: number;
      readonly warnings: readonly Fault[];
    };
