import type { Construct } from 'constructs';
import { checkJson, checkKind, fileText } from './refusal.ts';

/** An OpenAPI description, as it stands in the repository of its API. */
export class OpenApi {
  /** Name of the description in error messages. */
  public readonly name: string;
  /** @internal */
  public readonly textFor: (construct: Construct) => string;

  private constructor(name: string, textFor: (construct: Construct) => string) {
    this.name = name;
    this.textFor = textFor;
  }

  /** A file: one document in JSON or YAML, without references to others (bundle it first). */
  public static fromAsset(path: string): OpenApi {
    return new OpenApi(String(path), (construct) => fileText(construct, 'openApi', path));
  }

  public static fromInline(document: object): OpenApi {
    return new OpenApi('the description', (construct) => {
      checkKind(construct, 'openApi', document, 'object');
      checkJson(construct, document, 'openApi', 'A description is compiled at synth.');
      return JSON.stringify(document);
    });
  }
}
