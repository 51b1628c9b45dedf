interface Fault {
  readonly where: string;
  readonly what: string;
  readonly hint: string;
}

export interface CompiledTool {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly effect: 'reads' | 'writes' | 'destroys';
}

export type Compilation =
  | { readonly problem: string; readonly findings: readonly Fault[] }
  | {
      readonly tools: readonly CompiledTool[];
      readonly tokens: number;
      readonly warnings: readonly Fault[];
    };
