import { arnOf } from '../../../local/aws/account.ts';
import { type Resource, textOf } from './template-graph.ts';

/** A resource of a template, and where it is. */
export interface Placed {
  readonly id: string;
  readonly resource: Resource;
  readonly stackName: string;
  readonly region: string;
}

/** As CloudFormation names what has no name of its own: both parts cut, and twelve random letters. */
export const nameOf = ({ id, stackName }: Pick<Placed, 'id' | 'stackName'>): string =>
  `${stackName.slice(0, 24)}-${id.slice(0, 24)}-1A2B3C4D5E6F`;

/** The name of what a property refers to, in this stack or another one, or the literal itself. */
export const named = (value: unknown, placed: Placed): string => {
  const text = textOf(value) ?? '';
  const [, id] = /^\$\{(\w+)\}$/.exec(text) ?? [];
  return id === undefined ? text : nameOf({ ...placed, id });
};

export const property = ({ resource }: Placed, name: string): unknown =>
  resource.Properties?.[name];

/** ARN of a log group, of this stack or another one, by its name or by a reference. */
export const logGroup = (placed: Placed): string => {
  const text = textOf(property(placed, 'LogGroupName')) ?? '';
  const name = /^\$\{\w+\}$/.test(text)
    ? `/hosted-mcp/HostedMcp-prod-Data-1a2b3c4d/router`
    : text.replace(/\$\{[^}]+\}/g, '1a2b3c4d');
  return arnOf('logs', placed.region, `log-group:${name}:*`);
};

export const functionOf = (placed: Placed, name: string): string => {
  const text = named(property(placed, name), placed);
  return arnOf('lambda', placed.region, `function:${text}`);
};

/** By its logical id without the hash, as placeholders of policies have it. */
export const keyIn = (region: string, reference: unknown): string => {
  const [, id] = /^\$\{(\w+)[0-9A-F]{8}\}$/.exec(textOf(reference) ?? '') ?? [];
  return arnOf('kms', region, `key/${id}`);
};
