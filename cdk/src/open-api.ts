import { readFileSync } from 'node:fs';

/** An OpenAPI description, as it stands in the repository of its API. */
export class OpenApi {
  /** In JSON or YAML. */
  public readonly text: string;
  /** What people know it by. */
  public readonly name: string;

  private constructor(text: string, name: string) {
    this.text = text;
    this.name = name;
  }

  /** A file: one document in JSON or YAML, without references to others (bundle it first). */
  public static fromAsset(path: string): OpenApi {
    return new OpenApi(readFileSync(path, 'utf8'), path);
  }

  public static fromInline(document: object): OpenApi {
    return new OpenApi(JSON.stringify(document), 'the description');
  }
}
