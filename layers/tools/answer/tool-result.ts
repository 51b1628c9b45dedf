import { estimateLongTokens } from '../../openapi/model-apis/token-estimate.ts';

export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType: string;
      /** Size in bytes. */
      readonly size: number;
    };

export interface ToolResult {
  readonly content: readonly McpContent[];
  readonly isError?: true;
}

/** Estimated tokens of all texts in a result; undefined where it has no text. */
export const resultTokens = ({ content }: ToolResult): number | undefined => {
  const texts = content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  return texts.length === 0
    ? undefined
    : texts.reduce((sum, each) => sum + estimateLongTokens(each), 0);
};

export const textResult = (content: string, isError: boolean): ToolResult => ({
  content: [{ type: 'text', text: content }],
  ...(isError ? { isError } : {}),
});
